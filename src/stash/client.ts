/**
 * Sluice's questions to Stash: GraphQL, and the pictures that its answers name. Answers are parsed before anybody
 * sees them; what fails is a StashTrouble, or the reason of the caller's own signal when the caller gave up.
 * Redirects are not followed.
 */
import { GraphQLClient } from 'graphql-request';
import * as v from 'valibot';
import type { Clock } from '../shared/clock';
import { withDeadline } from '../shared/deadline';
import { type Fetch, makeFetch } from '../shared/fetch';
import { baseUrl, isLoopback, type StashConnection } from './connection';
import { Credentials, type Pass } from './credentials';
import { type Cover, coverUrl, readCover, UnusableCover } from './picture';
import {
  apiKeyQuery,
  type Listing,
  pluginStateQuery,
  type Query,
  sceneIdsQuery,
  sceneQuery,
  scenesQuery,
} from './queries';
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

export interface PageWanted {
  after: number;
  updatedSince: Date | null;
  limit: number;
}

export interface ScenesPage {
  total: number;
  scenes: Scene[];
  last: number | null;
}

/** What scenes are asked for by. Of a studio `withChildren` means also the scenes of those directly below it. */
export interface Related {
  object: 'Performer' | 'Studio' | 'Tag' | 'Group';
  id: number;
  withChildren: boolean;
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
  async sceneIds(wanted: PageWanted, signal?: AbortSignal): Promise<SceneIdsPage> {
    const { found, ...page } = await this.#page(sceneIdsQuery, wanted, {}, signal);
    return { ...page, ids: found };
  }

  /** The same with all that Plex shows of each scene. */
  async scenes(wanted: PageWanted, signal?: AbortSignal): Promise<ScenesPage> {
    const { found, ...page } = await this.#page(scenesQuery, wanted, {}, signal);
    return { ...page, scenes: found };
  }

  /** Ids of the scenes that a performer, studio, tag or group is on; of one that is gone there are none. */
  async relatedSceneIds(
    of: Related,
    after: number,
    limit: number,
    signal?: AbortSignal,
  ): Promise<SceneIdsPage> {
    const wanted = { after, updatedSince: null, limit };
    const { found, ...page } = await this.#page(sceneIdsQuery, wanted, relatedFilter(of), signal);
    return { ...page, ids: found };
  }

  /**
   * The cover at this path (`Scene.cover`); null: there is none. Throws a StashTrouble when Stash is away or does not
   * let us in, and an UnusableCover when it has one that is of no use.
   */
  async cover(path: string, signal?: AbortSignal): Promise<Cover | null> {
    return this.#letIn((pass) => this.#fetchCover(path, pass, signal), signal);
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

  async #page<T>(
    query: Listing<T>,
    wanted: PageWanted,
    filter: object,
    signal: AbortSignal | undefined,
  ): Promise<{ total: number; found: T[]; last: number | null }> {
    // Stash keeps whole seconds.
    const since = wanted.updatedSince && Math.floor(wanted.updatedSince.getTime() / 1000) * 1000;
    const scenes = {
      id: { value: wanted.after, modifier: 'GREATER_THAN' },
      ...(since !== null && {
        updated_at: { value: timestamp(since - zoneMarginMs), modifier: 'GREATER_THAN' },
      }),
      ...filter,
    };
    const page = { page: 1, per_page: wanted.limit, sort: 'id', direction: 'ASC' };
    const { findScenes } = await this.#ask(query, { scenes, page }, signal);
    const listed = findScenes.scenes;
    return {
      total: findScenes.count,
      // A time that cannot be read counts as recent: a needless sync does no harm.
      found: listed
        .filter((one) => since === null || !(Date.parse(one.updatedAt) < since))
        .map((one) => one.wanted),
      last: listed.length < findScenes.count ? (listed.at(-1)?.id ?? null) : null,
    };
  }

  #ask<T>(query: Query<T>, variables: object, signal: AbortSignal | undefined): Promise<T> {
    return this.#letIn((pass) => this.#send(query, variables, pass, signal), signal);
  }

  /** Does `work` with the best pass there is, and once more with another when the API key is refused. */
  async #letIn<T>(work: (pass: Pass) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    if (!this.#credentials.keyKnown) await this.#readKey(signal);
    const pass = this.#credentials.best();
    try {
      return await work(pass);
    } catch (error) {
      if (pass.apiKey === null || !isRefusal(error)) throw error;
    }
    // The person replaced or removed the key.
    this.#credentials.forgetKey();
    await this.#readKey(signal);
    return await work(this.#credentials.best());
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
    const fetch = this.#fetchWith(pass);
    const client = new GraphQLClient(`${baseUrl(this.connection)}/graphql`, {
      redirect: 'manual',
      excludeOperationName: true,
      headers: pass.headers,
      fetch: (input, init) => fetch(input instanceof Request ? input.url : input, init),
    });
    const data = await this.#inTime(signal, async (inner) => {
      const answer = await client.rawRequest<unknown>({ query: query.document, variables, signal: inner });
      return answer.data;
    });
    const parsed = v.safeParse(query.shape, data);
    if (!parsed.success) throw troubleOfShape(parsed.issues);
    return parsed.output;
  }

  #fetchCover(path: string, pass: Pass, signal: AbortSignal | undefined): Promise<Cover | null> {
    const fetch = this.#fetchWith(pass);
    const url = coverUrl(this.connection, path);
    return this.#inTime(signal, async (inner) =>
      readCover(await fetch(url, { redirect: 'manual', headers: pass.headers, signal: inner })),
    );
  }

  /** For the connection as it is now: a hook may bring another before the answer is there. */
  #fetchWith(pass: Pass): Fetch {
    const fetch = isLoopback(this.connection) ? this.#trusting : this.#verifying;
    return async (url, init) => {
      const response = await fetch(url, init);
      if (response.ok) this.#credentials.renew(pass, response.headers.getSetCookie(), this.#clock.now());
      return response;
    };
  }

  /** What fails is a StashTrouble, save the caller's own reason, and a cover of no use, which is no failure of Stash. */
  async #inTime<T>(signal: AbortSignal | undefined, work: (inner: AbortSignal) => Promise<T>): Promise<T> {
    try {
      return await withDeadline(this.#timeoutMs, this.#clock, signal, work);
    } catch (error) {
      signal?.throwIfAborted();
      throw error instanceof UnusableCover ? error : troubleOf(error);
    }
  }
}

const isRefusal = (error: unknown): boolean => error instanceof StashTrouble && error.kind === 'unauthorised';

/** As Stash writes it: whole seconds. */
const timestamp = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** Studios, tags and groups have others below them; how far down a filter looks is its depth. */
function relatedFilter({ object, id, withChildren }: Related): object {
  const among = { value: [String(id)], modifier: 'INCLUDES' };
  switch (object) {
    case 'Performer':
      return { performers: among };
    case 'Studio':
      return { studios: { ...among, depth: withChildren ? 1 : 0 } };
    case 'Tag':
      return { tags: { ...among, depth: 0 } };
    case 'Group':
      return { groups: { ...among, depth: 0 } };
  }
}
