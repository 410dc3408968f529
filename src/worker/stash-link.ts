/**
 * The worker's way to Stash: the newest connection, the client, and how Stash is doing.
 *
 * Stash being away is not Plex being away: it has a back-off of its own, 1 to 60 s, and charges no job. A hook that
 * brings a new connection (Stash was restarted, a person logged in again) ends the wait. The connection is kept in
 * `connection.json` (0600) for the next worker, with the cookie as Stash last renewed it.
 */
import { type DocumentFormat, loadDocument, saveDocument } from '../persist/json-document';
import { type Clock, iso } from '../shared/clock';
import type { Log } from '../shared/log';
import type { Status } from '../shared/status';
import {
  type PageWanted,
  type Related,
  type SceneIdsPage,
  type ScenesPage,
  StashClient,
} from '../stash/client';
import { connectionVersion, parseConnectionDocument, type StashConnection } from '../stash/connection';
import type { Cover } from '../stash/picture';
import { pluginId } from '../stash/plugin-id';
import type { Scene } from '../stash/scene';
import { StashTrouble } from '../stash/trouble';
import type { Notices } from './notices';

type KnownConnection = StashConnection & { at: number };

const firstWaitMs = 1_000;
const longestWaitMs = 60_000;
/** A restart of Stash is over before anybody needs to be told. */
const toldAfterFailures = 3;
/** A renewed cookie is worth a write this often; it is valid for an hour. */
const keepCookieEveryMs = 60_000;

export class StashLink {
  readonly #format: DocumentFormat<KnownConnection>;
  #client: StashClient | null = null;
  #at = 0;
  #saved = '';
  #savedAt = 0;
  /** How many questions Stash has answered. */
  answered = 0;
  #failures = 0;
  #retryAt = 0;
  #health: Status['stash'] = { reachable: false, since: null, error: 'not asked yet' };

  constructor(
    path: string,
    private readonly pluginDir: string,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly notices: Notices,
  ) {
    this.#format = {
      path,
      version: connectionVersion,
      parse: (value) => ({ ...parseConnectionDocument(value), at: Number(value.at) || 0 }),
      ifLost: 'The next save in Stash brings a new one.',
    };
    const { value: known } = loadDocument(this.#format, clock.now(), log);
    if (known) this.learn(known, known.at);
  }

  get health(): Status['stash'] {
    return this.#health;
  }

  /** What a hook told at that time; an older one is not believed. */
  learn(connection: StashConnection, at: number): void {
    // A time in the future was written before the clock was set back.
    if (at < this.#at && this.#at <= this.clock.now()) return;
    this.#at = at;
    if (this.#client) this.#client.useConnection(connection);
    else {
      this.#client = new StashClient({ connection, pluginId: pluginId(this.pluginDir), clock: this.clock });
    }
    this.#retryAt = 0;
  }

  /** The earliest instant at which asking makes sense. */
  get retryAt(): number {
    return this.#retryAt > this.clock.now() + longestWaitMs ? 0 : this.#retryAt;
  }

  /** Asks Stash something and notes how that went. */
  async ask<T>(question: (client: StashClient) => Promise<T>): Promise<T> {
    try {
      if (!this.#client) {
        throw new StashTrouble('away', 'No hook has said yet how to reach Stash. Save something in Stash.');
      }
      const answer = await question(this.#client);
      this.#noteWell();
      return answer;
    } catch (error) {
      if (error instanceof StashTrouble) this.#noteTrouble(error);
      throw error;
    }
  }

  scene(id: number, signal: AbortSignal): Promise<Scene | null> {
    return this.ask((client) => client.scene(id, signal));
  }

  scenes(wanted: PageWanted, signal: AbortSignal): Promise<ScenesPage> {
    return this.ask((client) => client.scenes(wanted, signal));
  }

  relatedSceneIds(of: Related, after: number, limit: number, signal: AbortSignal): Promise<SceneIdsPage> {
    return this.ask((client) => client.relatedSceneIds(of, after, limit, signal));
  }

  cover(path: string, signal: AbortSignal): Promise<Cover | null> {
    return this.ask((client) => client.cover(path, signal));
  }

  /** Writes down a connection that is new, and now and then a cookie that was renewed. */
  async keep(): Promise<void> {
    const connection = this.#client?.connection;
    if (!connection) return;
    const text = JSON.stringify(connection);
    const now = this.clock.now();
    const due = Math.abs(now - this.#savedAt) >= keepCookieEveryMs;
    if (text === this.#saved || (this.#saved !== '' && !due)) return;
    await saveDocument(this.#format, { ...connection, at: Math.max(this.#at, this.#saved === '' ? 0 : now) });
    this.#saved = text;
    this.#savedAt = now;
  }

  #noteWell(): void {
    this.answered++;
    if (!this.#health.reachable) {
      if (this.#failures >= toldAfterFailures) this.log.info('Stash answers again.');
      this.#health = { reachable: true, since: iso(this.clock.now()), error: null };
      this.notices.say('stash', null);
    }
    this.#failures = 0;
    this.#retryAt = 0;
  }

  #noteTrouble({ message }: StashTrouble): void {
    const now = this.clock.now();
    const since = this.#failures > 0 ? this.#health.since : iso(now);
    this.#health = { reachable: false, since, error: message };
    // Several loops ask at the same time: that is one failure.
    if (this.retryAt > now) return;
    this.#retryAt = now + Math.min(longestWaitMs, firstWaitMs * 2 ** this.#failures);
    this.#failures++;
    if (this.#failures >= toldAfterFailures)
      this.notices.say('stash', `Sluice cannot read from Stash: ${message}`);
  }
}
