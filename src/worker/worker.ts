/**
 * The worker: the one that does all the work and the only writer of state. It runs in a thread of its own; the host
 * (`host.ts`) holds the lease for it.
 *
 * Several loops share the queue and run beside each other in this one thread:
 *
 *   fold      inbox -> queue, at all times
 *   drain     queue -> gate -> Plex, one for each target (`targets.ts`)
 *   sweep     Stash's library -> queue, when a person asked for it, and to reconcile
 *   fan-out   scenes of a renamed or deleted performer, studio, tag or group -> queue
 *   settings  asks Stash every few seconds what the person set, and whether the plugin is still wanted
 *   tick      status.json, metrics.prom, outages.json, notice, connection.json, and whether something is left to do
 *
 * A loop that fails is started again after a while: a full disk ends nothing, it only delays. Two things do end the
 * worker at once: a lost lease, after which nothing more is written, and state of a newer version.
 */
import { randomUUID } from 'node:crypto';
import type { StatePaths } from '../persist/paths';
import { NewerState } from '../persist/set-aside';
import { InboxReader } from '../queue/fold';
import { Bell } from '../shared/bell';
import type { Clock, Random } from '../shared/clock';
import { crashPoint } from '../shared/crash-points';
import { describeFileError, isFileError, stackOf } from '../shared/errors';
import type { Log } from '../shared/log';
import type { StashConnection } from '../stash/connection';
import { readSettings } from '../stash/settings';
import { StashTrouble } from '../stash/trouble';
import { Advice } from './advice';
import { Commands } from './commands';
import { hasLettersOf } from './dead-letters';
import { FanOuts } from './fan-outs';
import { LeaseLost } from './lease';
import { Notices } from './notices';
import { Notifier } from './notifier';
import { OutageBook } from './outage-book';
import { Questions, whyNotNow } from './questions';
import { Reception } from './reception';
import { Reconcile } from './reconcile';
import { ReconcileSchedule } from './reconcile-schedule';
import { ServersFile } from './servers-file';
import { StashLink } from './stash-link';
import { openState, type State } from './state';
import { StatusFile } from './status-file';
import { Sweeper } from './sweeper';
import { labelOf, Targets } from './targets';

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

const foldEveryMs = 250;
const tickEveryMs = 1_000;
/** News make the tick come sooner, but not more often than this. */
const tickApartMs = 200;
const afterFailureMs = 5_000;
/** Stash answers such a question at once, or not at all. */
const settingsPatienceMs = 5_000;

export async function runWorker(options: WorkerOptions, stop: AbortSignal): Promise<EndReason> {
  const { paths, log, clock, lease } = options;
  let state: State;
  let worker: Worker | null = null;
  try {
    state = await openState(paths, lease, clock, log);
    worker = new Worker(options, state);
    await worker.begin();
  } catch (error) {
    await worker?.abandon();
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
  readonly #bells = {
    sweep: new Bell(),
    fanOuts: new Bell(),
    settings: new Bell(),
    tick: new Bell(),
  };
  readonly #notices: Notices;
  readonly #stash: StashLink;
  readonly #servers: ServersFile;
  readonly #targets: Targets;
  readonly #outages: OutageBook;
  readonly #notifier: Notifier;
  readonly #advice: Advice;
  readonly #schedule: ReconcileSchedule;
  readonly #questions: Questions;
  readonly #inbox: InboxReader;
  readonly #commands: Commands;
  readonly #status: StatusFile;
  readonly #ending = new AbortController();
  #reason: EndReason = 'stopped';
  #busyAt: number;
  #missingSince: number | null = null;
  /**
   * How often Stash was asked for the settings. Before the first time the notice of the worker before stands: most of
   * it is still so.
   */
  #looks = 0;
  /** The number of the look that was begun last, and of the last one that Stash answered. */
  #begunLooks = 0;
  #answeredLook = 0;
  /** Stash has said whom to notify, if anybody. */
  #knowsWhomToTell = false;

  constructor(
    private readonly options: WorkerOptions,
    private readonly state: State,
  ) {
    const { paths, pluginDir, clock, log } = options;
    const { queue } = state;
    this.#notices = new Notices(paths.notice, log);
    this.#stash = new StashLink(paths.connection, pluginDir, clock, log, this.#notices);
    const clientIdentifier = String(queue.memo('plex-client') ?? randomUUID());
    if (queue.memo('plex-client') === undefined) queue.setMemo('plex-client', clientIdentifier);
    this.#servers = new ServersFile(paths.servers, log);
    this.#targets = new Targets({
      ...options,
      state,
      stash: this.#stash,
      notices: this.#notices,
      clientIdentifier,
      keepUp: (loop, signal) => this.#keepUp('draining the queue', loop, signal),
      onNews: () => this.#bells.tick.ring(),
    });
    this.#outages = new OutageBook(paths.outages, clock, log);
    this.#notifier = new Notifier(clock, log);
    const { deadLetters } = state;
    const targets = this.#targets;
    this.#advice = new Advice({ queue, targets, notices: this.#notices, clock });
    this.#schedule = new ReconcileSchedule({ queue, targets, clock });
    this.#questions = new Questions({
      targets,
      queue,
      deadLetters,
      stash: this.#stash,
      clock,
      freshSettings: () => this.#freshSettings(),
      ending: this.#ending.signal,
    });
    this.#commands = new Commands({
      folder: paths.answers,
      queue,
      deadLetters,
      targets: this.#targets,
      clock,
      log,
      more: {
        explain: (args, tell) => this.#questions.explain(args, tell),
        dry_run: (args, tell) => this.#questions.dryRun(args, tell),
      },
      flush: state.flush,
      onLettersChanged: (target) => this.#onLettersChanged(target),
      onSyncAll: () => this.#advice.applied(),
      ring: () => this.#ringAll(),
      freshSettings: () => this.#freshSettings(),
      ending: this.#ending.signal,
    });
    const reception = new Reception({
      ...options,
      queue,
      targets: this.#targets,
      stash: this.#stash,
      commands: this.#commands,
      flush: state.flush,
      forget: (scene) => {
        for (const { target } of this.#targets.all()) {
          target.ledger.remove(scene);
          deadLetters.delete(`${target.name}/${scene}`);
          this.#onLettersChanged(target.name);
        }
      },
    });
    this.#inbox = new InboxReader(paths, pluginDir, reception, clock, log);
    this.#busyAt = clock.now();
    this.#status = new StatusFile({
      ...options,
      state,
      stash: this.#stash,
      targets: this.#targets,
      inbox: this.#inbox,
    });
    if (state.damage.length > 0) this.#tellDamage(state.damage);
  }

  async begin(): Promise<void> {
    await this.#targets.begin(this.#servers.read());
  }

  /** What has begun already ends; nothing more is written. */
  async abandon(): Promise<void> {
    this.#ending.abort();
    await this.#targets.end();
  }

  async run(stop: AbortSignal): Promise<EndReason> {
    const { clock, log } = this.options;
    const { queue, flush } = this.state;
    const { signal } = this.#ending;
    const onStop = () => this.#ending.abort();
    stop.addEventListener('abort', onStop);
    if (stop.aborted) onStop();

    const shared = { queue, targets: this.#targets, stash: this.#stash, clock, log, flush };
    const sweeper = new Sweeper({
      ...shared,
      reconcile: new Reconcile({
        ...shared,
        deadLetters: this.state.deadLetters,
        onLettersChanged: (target) => this.#onLettersChanged(target),
      }),
      bell: this.#bells.sweep,
      freshSettings: () => this.#freshSettings(),
      onProgress: async (name, sweep, how) => {
        this.#targets.ring();
        await this.#commands.tellSweep(
          name,
          sweep,
          how === 'done',
          how === 'stuck' ? this.#whyStuck() : null,
        );
      },
    });
    const onQueued = () => this.#targets.ring();
    const fanOuts = new FanOuts({ ...shared, bell: this.#bells.fanOuts, onQueued });
    await Promise.all([
      this.#keepUp('reading the inbox', (ending) => this.#foldLoop(ending), signal),
      this.#keepUp('looking through the library', (ending) => sweeper.run(ending), signal),
      this.#keepUp('looking for scenes of what changed', (ending) => fanOuts.run(ending), signal),
      this.#keepUp('reading the settings', (ending) => this.#settingsLoop(ending), signal),
      this.#keepUp('keeping the status', (ending) => this.#tickLoop(ending), signal),
    ]);
    await this.#targets.end();
    this.#notifier.close();
    stop.removeEventListener('abort', onStop);
    if (this.#reason !== 'lease lost') {
      if (this.#looks > 0) await this.#notices.save();
      await this.#status.write(false).catch(() => {});
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

  async #freshSettings(): Promise<void> {
    const { clock } = this.options;
    const begunBefore = this.#begunLooks;
    for (let waitedMs = 0; waitedMs < settingsPatienceMs; waitedMs += foldEveryMs) {
      this.#bells.settings.ring();
      await clock.sleep(foldEveryMs, this.#ending.signal);
      if (this.#answeredLook > begunBefore) return;
    }
  }

  async #readSettings(signal: AbortSignal): Promise<void> {
    const { env, log, clock, pollMs } = this.options;
    const look = ++this.#begunLooks;
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
      const servers = this.#servers.read();
      await this.#targets.configure(settings, servers);
      this.#answeredLook = look;
      this.#notifier.configure(settings.notifyUrl);
      this.#knowsWhomToTell = true;
      const said = this.#targets.all().flatMap(({ target }) => [target.missing, target.libraryProblem]);
      // Why everything is held back is said by the setting's own sentence.
      const isNews = (one: string | null) => one !== null && one !== settings.heldBecause;
      const sentences = new Set([...said, ...problems, ...servers.problems].filter(isNews));
      this.#notices.say('settings', [...sentences].join(' ') || null);
      this.#advice.give(settings);
      if (this.#schedule.beginWhenDue(settings)) this.#bells.sweep.ring();
    } catch (error) {
      if (!signal.aborted && !(error instanceof StashTrouble)) throw error;
    }
    this.#looks++;
  }

  async #tickLoop(signal: AbortSignal): Promise<void> {
    const { clock, idleMs } = this.options;
    while (!signal.aborted) {
      await this.#tendTargets();
      if (this.#looks > 0) await this.#notices.save();
      await this.#stash.keep();
      await this.#status.write(true);
      if (this.#hasWork()) this.#busyAt = clock.now();
      else if (Math.abs(clock.now() - this.#busyAt) >= idleMs) this.#end('idle');
      await clock.sleep(tickApartMs, signal);
      await this.#bells.tick.wait(tickEveryMs - tickApartMs, clock, signal);
    }
  }

  /** What each target's gate has to tell by now: to its file, the list of outages, the notices, and the person. */
  async #tendTargets(): Promise<void> {
    const { queue } = this.state;
    for (const name of this.#targets.takeLeft()) {
      this.#outages.observe(name, { outage: null, closedAt: null, waiting: 0 });
    }
    for (const { target, notices } of this.#targets.all()) {
      const { waiting } = queue.counts(target.name);
      const { outage, closedAt } = target;
      this.#outages.observe(target.name, { outage, closedAt, waiting });
      const waits = 'Edits are kept and sent as soon as it is well again.';
      notices.say('plex', outage && `Nothing is sent to Plex: ${outage.cause} ${waits}`);
      const text = this.#knowsWhomToTell ? target.announcement(labelOf(target.name), waiting) : null;
      await target.tick();
      if (text !== null) this.#notifier.tell(text);
    }
    await this.#outages.save();
  }

  /** Runs a loop again after it failed, unless the failure ends everything. */
  async #keepUp(
    what: string,
    loop: (signal: AbortSignal) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    const { clock, log } = this.options;
    while (!signal.aborted) {
      try {
        await loop(signal);
      } catch (error) {
        if (error instanceof LeaseLost) return this.#end('lease lost');
        if (isFileError(error)) {
          const { root } = this.options.paths;
          this.#notices.say(
            'disk',
            `Sluice cannot write to ${root}: ${describeFileError(error)}. Nothing is lost; it goes on by itself.`,
          );
        } else log.error(`Something went wrong while ${what}; trying again. ${stackOf(error)}`);
        await clock.sleep(afterFailureMs, signal);
        this.#notices.say('disk', null);
      }
    }
  }

  #end(reason: EndReason): void {
    if (this.#ending.signal.aborted && reason !== 'lease lost') return;
    this.#reason = reason;
    this.#ending.abort();
  }

  #whyStuck(): string {
    if (this.state.queue.isPaused) return 'Paused: it goes on after "Resume".';
    const reasons = this.#targets.all().map(({ target }) => target);
    const [first] = reasons.filter((target) => !target.isAtEase);
    return first ? whyNotNow(first) : 'It goes on in a moment.';
  }

  /** What keeps the worker: it will have something to do by itself, sooner or later. */
  #hasWork(): boolean {
    const { queue } = this.state;
    // A reconcile waits until the person resumes, and whoever resumes wakes a worker.
    if (queue.sweeps().some(({ name }) => name !== 'reconcile' || !queue.isPaused)) return true;
    if (queue.fanOuts > 0 || this.#inbox.count() > 0 || this.#questions.isBusy) return true;
    const targets = this.#targets.all().map(({ target }) => target);
    if (targets.some((target) => target.isRecovering)) return true;
    return !queue.isPaused && targets.some(({ name }) => queue.counts(name).waiting > 0);
  }

  #ringAll(): void {
    this.#targets.ring();
    for (const bell of [this.#bells.sweep, this.#bells.fanOuts, this.#bells.tick]) bell.ring();
  }

  #onLettersChanged(target: string): void {
    if (!hasLettersOf(this.state.deadLetters, target)) this.#notices.say(`given-up/${target}`, null);
  }

  #tellDamage(files: string[]): void {
    this.#notices.say(
      'damage',
      `The queue was damaged (${files.join(', ')}), so edits may be missing from it. All scenes are queued to be ` +
        'compared with Plex; nothing is to be done. The damaged files were kept.',
    );
  }
}
