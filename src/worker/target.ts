/**
 * One Plex server with all that belongs to it: client, finder, ledger, and its gate with the one document that the
 * gate is kept in (`targets/<name>/gate.json`).
 *
 * Holds: a transition of the gate is on disk before anything else is sent (`kept`); counters follow at most once a
 * second (`tick`). An unreadable gate starts with a probe, a trial and a recovery period.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { type DocumentFormat, loadDocument, saveDocument } from '../persist/json-document';
import { privateFolder } from '../persist/paths';
import { PlexClient } from '../plex/client';
import { toOutcome } from '../plex/errors';
import { PlexFinder } from '../plex/finder';
import { FolderScanner } from '../plex/scanner';
import { announcement, type Told, toldKinds } from '../resilience/announcements';
import { Gate, gateSchema, type Pass, type Ticket, unknownGate } from '../resilience/gate';
import type { Clock, Random } from '../shared/clock';
import { crashPoint } from '../shared/crash-points';
import { makeFetch } from '../shared/fetch';
import { type FlowSettings, flowDefaults } from '../shared/flow-settings';
import { shortHash } from '../shared/hash';
import type { Log } from '../shared/log';
import type { Outcome } from '../shared/outcome';
import { redact } from '../shared/secrets';
import type { QueueStatus, TargetStatus } from '../shared/status';
import { version } from '../shared/version';
import type { ServerSettings } from '../stash/settings';
import { type SyncSettings, syncDefaults } from '../stash/sync-settings';
import { Habits } from '../sync/habits';
import type { StoredLedger } from '../sync/ledger';
import { OneAtATime } from '../sync/one-at-a-time';
import type { PlanPorts, SyncJob } from '../sync/plan';
import { type SyncPorts, syncScene } from '../sync/sync-scene';
import { checkHealth, healthInWords } from './health';

const documentSchema = v.object({
  ...gateSchema.entries,
  /** Which settings were last tried, as a hash: changed ones are looked at before anything is sent. */
  tried: v.nullable(v.string()),
  /** Which server the ledger speaks of. */
  server: v.nullable(v.string()),
  /** What the person was last notified of. */
  told: v.picklist(toldKinds),
});

type TargetDocument = v.InferOutput<typeof documentSchema>;

interface Server {
  url: string;
  libraries: readonly string[];
  hash: string;
  client: PlexClient;
  finder: PlexFinder;
  scanner: FolderScanner;
  /** What this server was seen to do. */
  habits: Habits;
}

/** With this many scenes due, listing the libraries costs less than asking for each scene. */
const worthListing = 100;

export interface TargetParts {
  name: string;
  folder: string;
  ledger: StoredLedger;
  clientIdentifier: string;
  clock: Clock;
  random: Random;
  log: Log;
  /** How many of its jobs could be sent now. */
  due(): number;
  /** Resolves when the ledger is on disk. */
  keep(): Promise<void>;
  /** What is wrong, in the words of where this server's settings are. */
  inOwnWords?(sentence: string): string;
}

export class Target {
  readonly name: string;
  readonly ledger: StoredLedger;
  readonly #parts: TargetParts;
  readonly #format: DocumentFormat<TargetDocument>;
  readonly #gate: Gate;
  readonly #items = new OneAtATime();
  #server: Server | null = null;
  #sync: SyncSettings = syncDefaults;
  #isConfigured = false;
  #tried: string | null;
  #known: string | null;
  #told: Told;
  /** Something of the gate is not on disk: a transition, or only numbers. */
  #unsaved: 'transition' | 'numbers' | null = null;
  #saving: Promise<void> | null = null;
  /** Another server answers than before; its scenes need a sync of everything. */
  isNewServer = false;
  /** Why nothing can be sent at all; null once it can. */
  missing: string | null = 'The settings have not been read yet.';

  constructor(parts: TargetParts) {
    const { name, folder, ledger, clock, random, log } = parts;
    this.#parts = parts;
    this.name = name;
    this.ledger = ledger;
    mkdirSync(folder, { recursive: true, mode: privateFolder });
    this.#format = {
      path: join(folder, 'gate.json'),
      version: 2,
      parse: (value) => v.parse(documentSchema, value),
      ifLost: 'Plex is asked whether it is well before anything is sent.',
    };
    const now = clock.now();
    const { value, broken } = loadDocument(this.#format, now, log);
    const unknown = broken ? unknownGate('How Plex is doing is not known: its file was damaged.', now) : null;
    this.#gate = new Gate({ flow: flowDefaults, random, now, state: value ?? unknown, log });
    this.#tried = value?.tried ?? null;
    this.#known = value?.server ?? null;
    this.#told = value?.told ?? 'nothing';
  }

  get flow(): FlowSettings {
    return this.#gate.flow;
  }

  get outage(): { since: number; cause: string } | null {
    return this.#gate.outage;
  }

  /** Since when the last outage is over. */
  get closedAt(): number | null {
    return this.#gate.closedAt;
  }

  get isRecovering(): boolean {
    return this.#gate.recoveryEndsAt(this.#parts.clock.now()) !== null;
  }

  /** What is wrong with the chosen libraries, as far as is known. */
  get libraryProblem(): string | null {
    const problem = this.#server?.finder.libraryProblem() ?? null;
    return problem && this.#inOwnWords(problem);
  }

  /**
   * Takes on changed settings; after any change Plex is looked at before anything is sent. `missing`: why this server
   * cannot be used as it is set; null: it can. True: how it is reached, or what is found there, has changed.
   */
  configure(
    settings: ServerSettings,
    sync: SyncSettings,
    flow: FlowSettings,
    missing: string | null,
  ): boolean {
    this.#gate.flow = flow;
    this.#sync = sync;
    this.#isConfigured = true;
    this.missing = missing;
    const { plexUrl: url, plexToken: token, plexLibraries: libraries, plexPathMap: rules } = settings;
    if (missing !== null || url === null || token === null) {
      this.#server = null;
      return false;
    }
    const { plexTrustAnyCertificate: trustAnyCertificate } = settings;
    const timeoutMs = flow.requestSeconds * 1_000;
    const { plexMatchByName: matchByName } = sync;
    const hash = shortHash({ url, token, libraries, rules, trustAnyCertificate, timeoutMs, matchByName });
    if (hash === this.#server?.hash) return false;
    const fetch = makeFetch({ trustAnyCertificate });
    const { clientIdentifier, clock } = this.#parts;
    const onCall = (call: Parameters<Gate['called']>[0]) => {
      this.#gate.called(call, clock.now());
      this.#unsaved ??= 'numbers';
    };
    const client = new PlexClient({ url, token, clientIdentifier, version, fetch, timeoutMs, clock, onCall });
    const finder = new PlexFinder({ client, libraries, rules, matchByName, clock });
    const scanner = new FolderScanner({ client, clock });
    this.#server = { url, libraries, hash, client, finder, scanner, habits: new Habits() };
    if (hash === this.#tried) return false;
    this.tryNow();
    return true;
  }

  /** The gate has to find out whether the server is well, as soon as it allows that. */
  get wantsProbe(): boolean {
    return (!this.#gate.isClosed && !this.#gate.wantsTrial) || this.#isUntried;
  }

  /** A job is wanted as the trial: one whose last result was no failure, if there is one. */
  get wantsTrial(): boolean {
    return this.#gate.wantsTrial;
  }

  ask(now: number): Pass {
    if (this.#gate.isClosed && this.#isUntried) return { admit: 'probe' };
    return this.#gate.ask(now);
  }

  get #isUntried(): boolean {
    return this.#server !== null && this.#server.hash !== this.#tried;
  }

  /** Asks the server whether it is well, and whether it has the libraries of the settings. */
  async probe(hasDueJob: boolean, signal: AbortSignal): Promise<'well' | 'not well'> {
    const server = this.#server;
    const { clock } = this.#parts;
    if (!server) {
      this.#gate.probed(null, hasDueJob, clock.now());
      return 'not well';
    }
    let outcome: Outcome = { kind: 'ok', message: '' };
    try {
      this.#recognise((await server.client.probe(signal)).machineIdentifier);
      await server.finder.libraries(signal);
    } catch (error) {
      if (signal.aborted) this.#gate.probed(null, hasDueJob, clock.now());
      signal.throwIfAborted();
      outcome = this.#worded(toOutcome(error));
    }
    this.#gate.probed(outcome, hasDueJob, clock.now());
    this.#tried = server.hash;
    this.#unsaved = 'transition';
    return outcome.kind === 'ok' ? 'well' : 'not well';
  }

  /** There is nothing that could be the trial. */
  nothingToTry(): void {
    if (this.#gate.nothingToTry(this.#parts.clock.now())) this.#unsaved = 'transition';
  }

  /** Something else than a job met trouble there: it is asked how it is before anything more is sent. */
  doubt(): void {
    this.#tried = null;
  }

  /** The next try is due now; false: it was not waited for. */
  tryNow(): boolean {
    if (!this.#gate.tryNow()) return false;
    this.#unsaved = 'transition';
    return true;
  }

  /** Syncs a job, and tells the gate what became of it. */
  async sync(job: TargetJob, ticket: Ticket, stash: SceneSource, signal: AbortSignal): Promise<Outcome> {
    let outcome: Outcome | null = null;
    try {
      outcome = await this.attempt(job, stash, signal);
      return outcome ?? { kind: 'misconfigured', message: this.missing ?? 'not configured' };
    } finally {
      const isTransition = this.#gate.learn(ticket, outcome, this.#parts.clock.now());
      this.#unsaved = isTransition ? 'transition' : (this.#unsaved ?? 'numbers');
    }
  }

  /** Null: the server has just left the settings, which is nobody's failure. */
  protected async attempt(job: TargetJob, stash: SceneSource, signal: AbortSignal): Promise<Outcome | null> {
    const ports = this.#ports(stash, signal);
    if (!ports) return null;
    // What was missing a while ago may be there by now, and the listing is older than that.
    const isMany = job.bulk === true && (job.attempts ?? 0) === 0;
    const { index } = ports.finder;
    const listFirst = isMany && index.isUsable() && (index.isReady() || this.#parts.due() >= worthListing);
    return this.#worded(await syncScene({ ...job, listFirst }, ports));
  }

  /** What reading needs; null: it cannot be asked now. */
  reading(stash: SceneSource, signal: AbortSignal): ReadingPorts | null {
    return this.isClosed ? this.#ports(stash, signal) : null;
  }

  /** Whether it may be asked for what is not urgent: it is known and well, and did not ask to be left alone. */
  get isAtEase(): boolean {
    if (this.wantsProbe || !this.isClosed || this.isRecovering) return false;
    const { limitedBy } = this.#gate.view(this.#parts.clock.now()).rate;
    return limitedBy !== 'retry-after' && limitedBy !== 'cooldown';
  }

  #ports(stash: SceneSource, signal: AbortSignal): SyncPorts | null {
    if (!this.#server) return null;
    const { client: plex, finder, scanner, habits } = this.#server;
    const { ledger, clock, keep } = this.#parts;
    const coverMs = this.flow.coverSeconds * 1_000;
    const settings = this.#sync;
    const items = this.#items;
    return { stash, plex, finder, scanner, habits, ledger, items, settings, clock, signal, coverMs, keep };
  }

  /** A pass over everything begins: what the libraries held earlier is not believed. */
  relist(): void {
    this.#server?.finder.index.expire();
  }

  /** Gives back a ticket that no job was there for. */
  giveBack(ticket: Ticket): void {
    this.#gate.learn(ticket, null, this.#parts.clock.now());
  }

  /** Whether failures of a job may be charged to it. */
  get isClosed(): boolean {
    return this.#gate.isClosed;
  }

  /** Resolves when every transition so far is on disk. Rejects when it cannot be written; then nothing may be sent. */
  async kept(): Promise<void> {
    while (this.#saving !== null || this.#unsaved === 'transition') await this.#save();
  }

  /** What happens by time alone, and what is written once a second. */
  async tick(): Promise<void> {
    // Before the settings are known nobody can say how long a recovery lasts.
    if (this.#isConfigured && this.#gate.tick(this.#parts.clock.now())) this.#unsaved = 'transition';
    if (this.#unsaved !== null) await this.#save();
  }

  /** What the person should be notified of now; told once, also across restarts. */
  announcement(label: string, waiting: number): string | null {
    const now = this.#parts.clock.now();
    const situation = { outage: this.outage, recoveryEndsAt: this.#gate.recoveryEndsAt(now), waiting };
    const next = announcement(label, situation, this.#told, now);
    if (next === null) return null;
    this.#told = next.told;
    this.#unsaved ??= 'numbers';
    return next.text;
  }

  /** Asks the server at once how it is. If it is well, the gate need not wait any longer. */
  async health(signal: AbortSignal): Promise<string[]> {
    if (!this.#server) return [`${this.name}: ${this.missing ?? 'not configured'}`];
    const { client, libraries } = this.#server;
    const report = await checkHealth(client, libraries, signal);
    const lines = healthInWords(report, this.name).map((line) => this.#inOwnWords(line));
    if (report.well && this.tryNow()) lines.push(`${this.name}: it is tried again now.`);
    return lines;
  }

  status(paused: boolean, queue: Omit<QueueStatus, 'parked'>, tally: Tallied): TargetStatus {
    const now = this.#parts.clock.now();
    const view = this.#gate.view(now);
    const held = paused ? 'paused' : this.missing !== null ? 'not configured' : null;
    return {
      url: this.#server && redact(this.#server.url),
      ...view,
      ...(held !== null && {
        reason: paused ? 'Paused: nothing is sent until you run "Resume".' : (this.missing ?? ''),
        rate: { ...view.rate, perSecond: 0, limitedBy: held },
      }),
      breaker: { ...view.breaker, cause: view.breaker.cause ?? this.missing },
      queue: { ...queue, parked: Math.min(queue.due, this.#gate.parked(now)) },
      done: tally.done,
      retried: tally.retried,
      failed: tally.failed,
      filtered: tally.filtered,
    };
  }

  #inOwnWords(sentence: string): string {
    return this.#parts.inOwnWords?.(sentence) ?? sentence;
  }

  #worded(outcome: Outcome): Outcome {
    return 'message' in outcome ? { ...outcome, message: this.#inOwnWords(outcome.message) } : outcome;
  }

  /** The ledger speaks of another server: nothing in it is true of this one. */
  #recognise(machine: string): void {
    if (this.#known !== null && this.#known !== machine) {
      this.ledger.disbelieve();
      this.isNewServer = true;
    }
    this.#known = machine;
  }

  async #save(): Promise<void> {
    this.#saving ??= this.#write().finally(() => {
      this.#saving = null;
    });
    await this.#saving;
  }

  async #write(): Promise<void> {
    const was = this.#unsaved;
    this.#unsaved = null;
    const document = { ...this.#gate.state, tried: this.#tried, server: this.#known, told: this.#told };
    const { state } = document.breaker;
    try {
      crashPoint(`gate.saving.${state}`);
      await saveDocument(this.#format, document);
      crashPoint(`gate.saved.${state}`);
    } catch (error) {
      this.#unsaved = was === 'transition' ? was : (this.#unsaved ?? was);
      throw error;
    }
  }
}

type SceneSource = PlanPorts['stash'];
type ReadingPorts = Omit<SyncPorts, 'scanner' | 'habits' | 'keep' | 'coverMs'>;

type TargetJob = SyncJob & { bulk?: boolean; attempts?: number };

interface Tallied {
  done: number;
  retried: number;
  failed: number;
  filtered: Record<string, number>;
}
