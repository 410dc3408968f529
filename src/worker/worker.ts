/**
 * The worker: the one that does all the work and the only writer of state. It runs in a thread of its own; the host
 * (`host.ts`) holds the lease for it.
 *
 * Five loops share the queue and run beside each other in this one thread:
 *
 *   fold      inbox -> queue, at all times
 *   drain     queue -> gate -> Plex
 *   sweep     Stash's library -> queue, when a person asked for it
 *   settings  asks Stash every few seconds what the person set, and whether the plugin is still wanted
 *   tick      status.json, notice, connection.json, and whether there is still something to do
 *
 * A loop that fails is started again after a while: a full disk ends nothing, it only delays. Two things do end the
 * worker at once: a lost lease, after which nothing more is written, and state of a newer version.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { writeJson } from '../persist/atomic-file';
import type { StatePaths } from '../persist/paths';
import { NewerState } from '../persist/set-aside';
import { InboxReader } from '../queue/fold';
import { Bell } from '../shared/bell';
import { type Clock, iso, type Random } from '../shared/clock';
import { crashPoint } from '../shared/crash-points';
import { describeFileError, isFileError, stackOf } from '../shared/errors';
import type { Log } from '../shared/log';
import type { Status } from '../shared/status';
import { version } from '../shared/version';
import type { StashConnection } from '../stash/connection';
import { readSettings } from '../stash/settings';
import { StashTrouble } from '../stash/trouble';
import { Commands } from './commands';
import { Drain } from './drain';
import { LeaseLost } from './lease';
import { Notices } from './notices';
import { Reception } from './reception';
import { StashLink } from './stash-link';
import { openState, type State } from './state';
import { Sweeper } from './sweeper';
import { Target } from './target';

export interface WorkerOptions {
  paths: StatePaths;
  pluginDir: string;
  lease: { epoch: number; token: string };
  clock: Clock;
  random: Random;
  log: Log;
  env: NodeJS.ProcessEnv;
  idleMs: number;
  /** How often Stash is asked for the settings. */
  pollMs: number;
  /** An event of another Stash was passed on to its inbox: wake its worker. */
  wakeOther(stateDir: string, event: string, connection: StashConnection): void;
}

export type EndReason = 'idle' | 'not wanted' | 'stopped' | 'lease lost' | 'newer state';

/** The target that the settings describe. */
const targetName = 'plex';

const foldEveryMs = 250;
const tickEveryMs = 1_000;
/** News make the tick come sooner, but not more often than this. */
const tickApartMs = 200;
const afterFailureMs = 5_000;
const welcomeMs = 24 * 3_600_000;

export async function runWorker(options: WorkerOptions, stop: AbortSignal): Promise<EndReason> {
  const { paths, log, clock, lease } = options;
  let state: State;
  let worker: Worker;
  try {
    state = await openState(paths, targetName, lease, clock, log);
    worker = new Worker(options, state);
  } catch (error) {
    if (error instanceof LeaseLost) return 'lease lost';
    if (!(error instanceof NewerState)) throw error;
    const notices = new Notices(paths.notice, log);
    notices.say('damage', error.message);
    await notices.save();
    return 'newer state';
  }
  const reason = await worker.run(stop);
  if (reason === 'lease lost') return reason;
  crashPoint('worker.idle');
  try {
    await state.close();
  } catch (error) {
    log.warn(`The state could not be tidied up at the end: ${describeFileError(error)}. Nothing is lost.`);
  }
  return reason;
}

class Worker {
  readonly #bells = { drain: new Bell(), sweep: new Bell(), settings: new Bell(), tick: new Bell() };
  readonly #notices: Notices;
  readonly #stash: StashLink;
  readonly #target: Target;
  readonly #inbox: InboxReader;
  readonly #commands: Commands;
  readonly #since: string;
  readonly #ending = new AbortController();
  #reason: EndReason = 'stopped';
  #busyAt: number;
  #missingSince: number | null = null;
  /** Stash was asked for the settings. Until then the notice of the worker before stands: most of it is still so. */
  #hasLooked = false;

  constructor(
    private readonly options: WorkerOptions,
    private readonly state: State,
  ) {
    const { paths, pluginDir, clock, log } = options;
    const { queue } = state;
    this.#notices = new Notices(paths.notice, log);
    this.#stash = new StashLink(paths.connection, pluginDir, clock, log, this.#notices);
    const identifier = String(queue.memo('plex-client') ?? randomUUID());
    if (queue.memo('plex-client') === undefined) queue.setMemo('plex-client', identifier);
    const folder = join(paths.targets, targetName);
    this.#target = new Target(targetName, folder, state.ledger, identifier, clock, log);
    this.#commands = new Commands(paths.answers, queue, clock, log, () => this.#ringAll());
    const reception = new Reception({
      ...options,
      queue,
      targets: [targetName],
      stash: this.#stash,
      commands: this.#commands,
      flush: state.flush,
    });
    this.#inbox = new InboxReader(paths, pluginDir, reception, clock, log);
    this.#busyAt = clock.now();
    this.#since = iso(this.#busyAt);
    if (state.damage.length > 0) this.#tellDamage(state.damage);
  }

  async run(stop: AbortSignal): Promise<EndReason> {
    const { clock, random, log } = this.options;
    const { queue, deadLetters, flush } = this.state;
    const signal = this.#ending.signal;
    const onStop = () => this.#ending.abort();
    stop.addEventListener('abort', onStop);
    if (stop.aborted) onStop();

    const stash = this.#stash;
    const drain = new Drain({
      target: this.#target,
      queue,
      deadLetters,
      stash,
      bell: this.#bells.drain,
      clock,
      random,
      log,
      notices: this.#notices,
      flush,
      onNews: () => this.#bells.tick.ring(),
    });
    const sweeper = new Sweeper({
      queue,
      targets: [targetName],
      stash,
      bell: this.#bells.sweep,
      clock,
      log,
      flush,
      onProgress: async (name, sweep, done) => {
        this.#bells.drain.ring();
        await this.#commands.tellSweep(name, sweep, done);
      },
    });
    await Promise.all([
      this.#keepUp('reading the inbox', () => this.#foldLoop(signal)),
      this.#keepUp('draining the queue', () => drain.run(signal)),
      this.#keepUp('looking through the library', () => sweeper.run(signal)),
      this.#keepUp('reading the settings', () => this.#settingsLoop(signal)),
      this.#keepUp('keeping the status', () => this.#tickLoop(signal)),
    ]);
    stop.removeEventListener('abort', onStop);
    if (this.#reason !== 'lease lost') {
      if (this.#hasLooked) await this.#notices.save();
      await this.#writeStatus(false).catch(() => {});
    }
    return this.#reason;
  }

  async #foldLoop(signal: AbortSignal): Promise<void> {
    const { clock } = this.options;
    while (!signal.aborted) {
      if ((await this.#inbox.fold()) > 0) {
        this.#busyAt = clock.now();
        if (!this.#stash.health.reachable) this.#bells.settings.ring();
        this.#ringAll();
      }
      await clock.sleep(foldEveryMs, signal);
    }
  }

  async #settingsLoop(signal: AbortSignal): Promise<void> {
    const { clock, pollMs } = this.options;
    while (!signal.aborted) {
      if (this.#stash.retryAt <= clock.now()) await this.#readSettings(signal);
      const retryMs = this.#stash.retryAt - clock.now();
      await this.#bells.settings.wait(retryMs > 0 ? Math.min(retryMs, pollMs) : pollMs, clock, signal);
    }
  }

  async #readSettings(signal: AbortSignal): Promise<void> {
    const { env, log, clock, pollMs } = this.options;
    try {
      const found = await this.#stash.ask((client) => client.pluginState(signal));
      // Not there for a moment may be an update; still not there at the next look it was removed.
      const now = clock.now();
      this.#missingSince = found.enabled === null ? (this.#missingSince ?? now) : null;
      const isRemoved = this.#missingSince !== null && Math.abs(now - this.#missingSince) >= pollMs;
      if (found.enabled === false || isRemoved) {
        log.info('The plugin was disabled or removed in Stash. What waits is kept.');
        this.#end('not wanted');
        return;
      }
      const { settings, problems } = readSettings(found.settings, env);
      await this.#target.configure(settings);
      const said = [this.#target.missing, ...problems, this.#target.libraryProblem];
      this.#notices.say('settings', said.filter((one) => one !== null).join(' ') || null);
      this.#welcome();
      this.#bells.drain.ring();
    } catch (error) {
      if (!signal.aborted && !(error instanceof StashTrouble)) throw error;
    }
    this.#hasLooked = true;
  }

  async #tickLoop(signal: AbortSignal): Promise<void> {
    const { clock, idleMs } = this.options;
    while (!signal.aborted) {
      const { state, cause } = this.#target.gate;
      const waits = 'Edits are kept and sent as soon as it is well again.';
      this.#notices.say('plex', state === 'CLOSED' ? null : `Nothing is sent to Plex: ${cause} ${waits}`);
      if (this.#hasLooked) await this.#notices.save();
      await this.#stash.keep();
      await this.#writeStatus(true);
      if (this.#hasWork()) this.#busyAt = clock.now();
      else if (Math.abs(clock.now() - this.#busyAt) >= idleMs) this.#end('idle');
      await clock.sleep(tickApartMs, signal);
      await this.#bells.tick.wait(tickEveryMs - tickApartMs, clock, signal);
    }
  }

  /** Runs a loop again after it failed, unless the failure ends everything. */
  async #keepUp(what: string, loop: () => Promise<void>): Promise<void> {
    const { clock, log } = this.options;
    for (;;) {
      try {
        await loop();
        if (this.#ending.signal.aborted) return;
      } catch (error) {
        if (error instanceof LeaseLost) return this.#end('lease lost');
        if (isFileError(error)) {
          const { root } = this.options.paths;
          this.#notices.say(
            'disk',
            `Sluice cannot write to ${root}: ${describeFileError(error)}. Nothing is lost; it goes on by itself.`,
          );
        } else log.error(`Something went wrong while ${what}; trying again. ${stackOf(error)}`);
        if (this.#ending.signal.aborted) return;
        await clock.sleep(afterFailureMs, this.#ending.signal);
        this.#notices.say('disk', null);
      }
    }
  }

  #end(reason: EndReason): void {
    if (this.#ending.signal.aborted && reason !== 'lease lost') return;
    this.#reason = reason;
    this.#ending.abort();
  }

  /** What keeps the worker: it will have something to do by itself, sooner or later. */
  #hasWork(): boolean {
    const { queue } = this.state;
    if (queue.sweeps().length > 0 || this.#inbox.count() > 0) return true;
    return queue.counts().waiting > 0 && !queue.isPaused;
  }

  #ringAll(): void {
    for (const bell of [this.#bells.drain, this.#bells.sweep, this.#bells.tick]) bell.ring();
  }

  #tellDamage(files: string[]): void {
    this.#notices.say(
      'damage',
      `The queue was damaged (${files.join(', ')}), so edits may be missing from it. All scenes are queued to be ` +
        'compared with Plex; nothing is to be done. The damaged files were kept.',
    );
  }

  /** Told once, after the first configuration, and again for another server. */
  #welcome(): void {
    const { queue } = this.state;
    const now = this.options.clock.now();
    if (this.#target.missing !== null) return;
    if (this.#target.isNewServer) {
      this.#target.isNewServer = false;
      queue.setMemo('synced-all', null);
      queue.setMemo('configured', now);
    }
    const since = Number(queue.memo('configured') ?? now);
    if (queue.memo('configured') === undefined) queue.setMemo('configured', now);
    const due = queue.memo('synced-all') === undefined && now - since < welcomeMs;
    this.#notices.say(
      'welcome',
      due
        ? 'Sluice is set up: from now on every edit goes to Plex. Scenes that you edited before are not sent by ' +
            'themselves: run the task "Sync all scenes" once.'
        : null,
    );
  }

  async #writeStatus(alive: boolean): Promise<void> {
    const { queue, deadLetters } = this.state;
    const paused = queue.isPaused;
    const status: Status = {
      version,
      paused,
      worker: alive ? { alive, pid: process.pid, since: this.#since } : { alive, pid: null, since: null },
      stash: this.#stash.health,
      inbox: this.#inbox.count(),
      queue: queue.counts(),
      deadLetters: deadLetters.size,
      targets: { [targetName]: this.#target.status(paused, queue.tally(targetName)) },
    };
    await writeJson(this.options.paths.status, status);
  }
}
