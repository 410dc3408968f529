/**
 * One Plex server with all that belongs to it: client, finder, ledger, and its gate with the document that the gate
 * is kept in (`targets/<name>/gate.json`).
 *
 * Holds: a change of the gate is on disk before anything else is sent. An unreadable gate starts with a probe.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { type DocumentFormat, loadDocument, saveDocument } from '../persist/json-document';
import { privateFolder } from '../persist/paths';
import { PlexClient } from '../plex/client';
import { PlexFinder } from '../plex/finder';
import { closedGate, Gate, type GateState, type Pass } from '../resilience/gate';
import { type Clock, iso } from '../shared/clock';
import { messageOf } from '../shared/errors';
import { makeFetch } from '../shared/fetch';
import { shortHash } from '../shared/hash';
import type { Log } from '../shared/log';
import type { Outcome } from '../shared/outcome';
import { redact } from '../shared/secrets';
import type { TargetStatus } from '../shared/status';
import { version } from '../shared/version';
import type { Scene } from '../stash/scene';
import { missingSettings, type Settings, settingsTable } from '../stash/settings';
import type { StoredLedger } from '../sync/ledger';
import { OneAtATime } from '../sync/one-at-a-time';
import { type SyncJob, syncScene } from '../sync/sync-scene';

const targetDocument = v.object({
  state: v.picklist(['CLOSED', 'OPEN', 'HALF_OPEN']),
  cause: v.nullable(v.string()),
  since: v.nullable(v.number()),
  openedAt: v.nullable(v.number()),
  retryAt: v.nullable(v.number()),
  failuresInARow: v.number(),
  /** Which settings were last tried, as a hash: changed ones are looked at before anything is sent. */
  tried: v.nullable(v.string()),
  /** Which server the ledger speaks of. */
  server: v.optional(v.nullable(v.string()), null),
});

type TargetDocument = v.InferOutput<typeof targetDocument>;

interface Server {
  url: string;
  hash: string;
  client: PlexClient;
  finder: PlexFinder;
}

export class Target {
  readonly #format: DocumentFormat<TargetDocument>;
  readonly #gate: Gate;
  readonly #items = new OneAtATime();
  #server: Server | null = null;
  #tried: string | null;
  #known: string | null;
  /** Another server answers than before; its scenes need a sync of everything. */
  isNewServer = false;
  /** Why nothing can be sent at all; null once it can. */
  missing: string | null = 'The settings have not been read yet.';

  constructor(
    readonly name: string,
    folder: string,
    readonly ledger: StoredLedger,
    private readonly clientIdentifier: string,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    mkdirSync(folder, { recursive: true, mode: privateFolder });
    this.#format = {
      path: join(folder, 'gate.json'),
      version: 1,
      parse: (value) => v.parse(targetDocument, value),
      ifLost: 'Plex is asked whether it is well before anything is sent.',
    };
    const { value, broken } = loadDocument(this.#format, clock.now(), log);
    const unknown: GateState = {
      ...closedGate,
      state: 'OPEN',
      cause: 'not known: its file was damaged',
      retryAt: 0,
    };
    this.#gate = new Gate(
      value ?? (broken ? unknown : closedGate),
      settingsTable.flowOpenSeconds.fallback * 1_000,
    );
    this.#tried = value?.tried ?? null;
    this.#known = value?.server ?? null;
  }

  get gate(): GateState {
    return this.#gate.state;
  }

  /** What is wrong with the chosen libraries, as far as is known. */
  get libraryProblem(): string | null {
    return this.#server?.finder.libraryProblem() ?? null;
  }

  /** Takes on changed settings; after any change Plex is looked at before anything is sent. */
  async configure(settings: Settings): Promise<void> {
    this.#gate.openMs = settings.flowOpenSeconds * 1_000;
    this.missing = missingSettings(settings);
    const { plexUrl: url, plexToken: token } = settings;
    if (url === null || token === null) {
      this.#server = null;
      return;
    }
    const hash = shortHash(settings);
    if (hash === this.#server?.hash) return;
    const fetch = makeFetch({ trustAnyCertificate: settings.plexTrustAnyCertificate });
    const { clientIdentifier, clock } = this;
    const client = new PlexClient({ url, token, clientIdentifier, version, fetch, clock });
    const finder = new PlexFinder({
      client,
      libraries: settings.plexLibraries,
      rules: settings.plexPathMap,
      clock,
    });
    this.#server = { url, hash, client, finder };
    if (hash !== this.#tried && this.#gate.tryNow()) await this.#keepGate();
  }

  /** The gate has to find out whether the server is well, as soon as it allows that. */
  get wantsProbe(): boolean {
    return this.#gate.state.state !== 'CLOSED' || this.#isUntried;
  }

  ask(now: number): Pass {
    const pass = this.#gate.ask(now);
    return pass.admit === 'job' && this.#isUntried ? { admit: 'probe' } : pass;
  }

  get #isUntried(): boolean {
    return this.#server !== null && this.#server.hash !== this.#tried;
  }

  /** Asks the server whether it is well, and whether it has the libraries of the settings. */
  async probe(signal: AbortSignal): Promise<void> {
    const server = this.#server;
    if (!server) return;
    let fault: string | null = null;
    try {
      this.#recognise((await server.client.probe(signal)).machineIdentifier);
      await server.finder.libraries(signal);
    } catch (error) {
      signal.throwIfAborted();
      fault = messageOf(error);
    }
    const { state: before } = this.#gate.state;
    this.#gate.probed(fault, this.clock.now());
    this.#tried = server.hash;
    await this.#keepGate();
    if (before !== 'CLOSED' && fault === null) this.log.info('Plex is well again; going on.');
  }

  async sync(
    job: SyncJob,
    stash: { scene(id: number, signal: AbortSignal): Promise<Scene | null> },
    signal: AbortSignal,
  ): Promise<Outcome> {
    const server = this.#server;
    if (!server) return { kind: 'misconfigured', message: this.missing ?? 'not configured' };
    const { client: plex, finder } = server;
    const { ledger, clock } = this;
    const outcome = await syncScene(job, { stash, plex, finder, ledger, items: this.#items, clock, signal });
    if (this.#gate.learn(outcome, clock.now())) await this.#keepGate();
    return outcome;
  }

  status(paused: boolean, tally: { done: number; failed: number }): TargetStatus {
    const { state, cause, since, retryAt, failuresInARow } = this.#gate.state;
    const held = paused ? 'paused' : state === 'CLOSED' ? 'none' : 'breaker';
    return {
      url: this.#server && redact(this.#server.url),
      breaker: {
        state,
        cause: cause ?? this.missing,
        since: since === null ? null : iso(since),
        retryAt: retryAt ? iso(retryAt) : null,
        failuresInARow,
      },
      recovery: { active: false, startedAt: null, progress: null },
      rate: { perSecond: held === 'none' ? null : 0, limitedBy: held },
      done: tally.done,
      failed: tally.failed,
    };
  }

  /** The ledger speaks of another server: nothing in it is true of this one. */
  #recognise(machine: string): void {
    if (this.#known !== null && this.#known !== machine) {
      this.ledger.disbelieve();
      this.isNewServer = true;
    }
    this.#known = machine;
  }

  async #keepGate(): Promise<void> {
    await saveDocument(this.#format, { ...this.#gate.state, tried: this.#tried, server: this.#known });
  }
}
