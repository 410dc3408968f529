/**
 * Sluice's questions to Stash. Answers are parsed before anybody sees them; what fails is a StashTrouble, or the
 * reason of the caller's own signal when the caller gave up. Redirects are not followed.
 */
import { GraphQLClient } from 'graphql-request';
import * as v from 'valibot';
import type { Clock } from '../shared/clock';
import { withDeadline } from '../shared/deadline';
import { makeFetch } from '../shared/fetch';
import { baseUrl, isLoopback, type StashConnection } from './connection';
import { Credentials, type Pass } from './credentials';
import { apiKeyQuery, pluginStateQuery, type Query, sceneIdsQuery, sceneQuery } from './queries';
import type { Scene } from './scene';
import { StashTrouble, troubleOf, troubleOfShape } from './trouble';

export interface StashClientOptions {
  connection: StashConnection;
  pluginId: string;
  clock: Clock;
  timeoutMs?: number;
}

export interface SceneIdsPage {
  /** How many scenes after `after` Stash counts in all, before the exact look at `updatedSince`. */
  total: number;
  ids: number[];
  /** Where the next page begins; null: this was the last one. */
  last: number | null;
}

export interface PluginState {
  settings: Record<string, unknown>;
  /** null: Stash does not know the plugin (any more). */
  enabled: boolean | null;
  version: string | null;
}

const defaultTimeoutMs = 30_000;

/**
 * Stash compares `updated_at` as text, in whatever time zone it was written with: asking this much earlier finds
 * every scene in every zone, and the exact comparison is done here.
 */
const zoneMarginMs = 26 * 3_600_000;

export class StashClient {
  readonly #credentials: Credentials;
  readonly #pluginId: string;
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #verifying = makeFetch({ trustAnyCertificate: false });
  /** For loopback only: nobody signs a certificate for it, and nobody else can answer there. */
  readonly #trusting = makeFetch({ trustAnyCertificate: true });

  constructor(options: StashClientOptions) {
    this.#credentials = new Credentials(options.connection);
    this.#pluginId = options.pluginId;
    this.#clock = options.clock;
    this.#timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
  }

  /** How Stash is reached, with the newest cookie: worth keeping for the next worker. */
  get connection(): StashConnection {
    return this.#credentials.connection;
  }

  /** A hook brought a newer connection. */
  useConnection(newer: StashConnection): void {
    this.#credentials.use(newer);
  }

  /** null: there is no such scene (any more). */
  async scene(id: number, signal?: AbortSignal): Promise<Scene | null> {
    const { findScene } = await this.#ask(sceneQuery, { id: String(id) }, signal);
    return findScene;
  }

  /** The ids after `after`, ascending, at most `limit`. Scenes that come or go meanwhile shift nothing. */
  async sceneIds(
    wanted: { after: number; updatedSince: Date | null; limit: number },
    signal?: AbortSignal,
  ): Promise<SceneIdsPage> {
    // Stash keeps whole seconds.
    const since = wanted.updatedSince && Math.floor(wanted.updatedSince.getTime() / 1000) * 1000;
    const scenes = {
      id: { value: wanted.after, modifier: 'GREATER_THAN' },
      ...(since !== null && {
        updated_at: { value: timestamp(since - zoneMarginMs), modifier: 'GREATER_THAN' },
      }),
    };
    const page = { page: 1, per_page: wanted.limit, sort: 'id', direction: 'ASC' };
    const { findScenes } = await this.#ask(sceneIdsQuery, { scenes, page }, signal);
    const found = findScenes.scenes;
    return {
      total: findScenes.count,
      // A time that cannot be read counts as recent: a needless sync does no harm.
      ids: found
        .filter((one) => since === null || !(Date.parse(one.updated_at) < since))
        .map((one) => one.id),
      last: found.length < findScenes.count ? (found.at(-1)?.id ?? null) : null,
    };
  }

  /** The plugin's own settings and whether Stash still wants it. Asked regularly, it also keeps us let in. */
  async pluginState(signal?: AbortSignal): Promise<PluginState> {
    if (this.#credentials.shouldRenewIdleCookie(this.#clock.now())) await this.#renewIdleCookie(signal);
    const { configuration, plugins } = await this.#ask(pluginStateQuery, { ids: [this.#pluginId] }, signal);
    this.#credentials.learnKey(configuration.general.apiKey);
    const own = plugins?.find((plugin) => plugin.id === this.#pluginId);
    return {
      settings: configuration.plugins[this.#pluginId] ?? {},
      enabled: own?.enabled ?? null,
      version: own?.version ?? null,
    };
  }

  async #ask<T>(query: Query<T>, variables: object, signal: AbortSignal | undefined): Promise<T> {
    if (!this.#credentials.keyKnown) await this.#readKey(signal);
    const pass = this.#credentials.best();
    try {
      return await this.#send(query, variables, pass, signal);
    } catch (error) {
      if (pass.apiKey === null || !isRefusal(error)) throw error;
    }
    // The person replaced or removed the key.
    this.#credentials.forgetKey();
    await this.#readKey(signal);
    return await this.#send(query, variables, this.#credentials.best(), signal);
  }

  async #readKey(signal: AbortSignal | undefined): Promise<void> {
    const { configuration } = await this.#send(apiKeyQuery, {}, this.#credentials.session(), signal);
    this.#credentials.learnKey(configuration.general.apiKey);
  }

  async #renewIdleCookie(signal: AbortSignal | undefined): Promise<void> {
    try {
      await this.#readKey(signal);
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
  }

  async #send<T>(query: Query<T>, variables: object, pass: Pass, signal?: AbortSignal): Promise<T> {
    const { connection } = this;
    const fetch = isLoopback(connection) ? this.#trusting : this.#verifying;
    const client = new GraphQLClient(`${baseUrl(connection)}/graphql`, {
      redirect: 'manual',
      excludeOperationName: true,
      headers: pass.headers,
      fetch: async (input, init) => {
        const response = await fetch(input instanceof Request ? input.url : input, init);
        if (response.ok) this.#credentials.renew(pass, response.headers.getSetCookie(), this.#clock.now());
        return response;
      },
    });
    let data: unknown;
    try {
      data = await withDeadline(this.#timeoutMs, this.#clock, signal, async (inner) => {
        const answer = await client.rawRequest<unknown>({ query: query.document, variables, signal: inner });
        return answer.data;
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw troubleOf(error);
    }
    const parsed = v.safeParse(query.shape, data);
    if (!parsed.success) throw troubleOfShape(parsed.issues);
    return parsed.output;
  }
}

const isRefusal = (error: unknown): boolean => error instanceof StashTrouble && error.kind === 'unauthorised';

/** As Stash writes it: whole seconds. */
const timestamp = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;
