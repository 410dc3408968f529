/**
 * The heart: takes the jobs of one target as its gate allows, up to `flowLanes` at a time, and settles them by what
 * became of them. The gate is the only way to Plex for everything that writes.
 *
 * One loop asks the gate and takes jobs; each job then runs beside it and rings the bell when it has ended. So there
 * is one place that waits, it is woken by whatever may change the answer, and it is never busy.
 *
 * Holds: a transition of the gate is on disk before the next job is taken. Successes are flushed in batches: a crash
 * repeats the syncs of the last second, and a repeated sync writes nothing. A job that a process died with runs alone.
 */
import type { KeyedStore } from '../persist/keyed-store';
import type { DeadLetter, Job } from '../queue/entries';
import type { Queue, Verdict } from '../queue/queue';
import { isRetried } from '../queue/waiting-line';
import type { Ticket } from '../resilience/gate';
import { nextTry, nextTurn } from '../resilience/retry';
import { type Seen, Suspicion } from '../resilience/suspicion';
import type { Bell } from '../shared/bell';
import type { Clock, Random } from '../shared/clock';
import { isFileError, messageOf } from '../shared/errors';
import type { Log } from '../shared/log';
import { isServerFault, type Outcome } from '../shared/outcome';
import type { Limit } from '../shared/status';
import { timeBeside } from '../shared/time-words';
import { hasLettersOf } from './dead-letters';
import type { FlightLog } from './flight-log';
import { LeaseLost } from './lease';
import type { TargetNotices } from './notices';
import type { StashLink } from './stash-link';
import type { Target } from './target';

/** When nothing else says when to look again. */
const lookAgainMs = 60_000;
const flushEveryMs = 1_000;
const flushEveryJobs = 100;
/** This many scenes that Plex does not have, and none that it has: the commonest mistake. */
const suspiciousMisses = 5;

/** What the drain needs of a target. */
export type DrainTarget = Pick<
  Target,
  | 'name'
  | 'ledger'
  | 'flow'
  | 'missing'
  | 'isClosed'
  | 'wantsProbe'
  | 'wantsTrial'
  | 'ask'
  | 'probe'
  | 'nothingToTry'
  | 'sync'
  | 'giveBack'
  | 'kept'
>;

export interface DrainParts {
  target: DrainTarget;
  queue: Queue;
  deadLetters: KeyedStore<DeadLetter>;
  stash: StashLink;
  flights: FlightLog;
  /** Rung when there may be something to do. */
  bell: Bell;
  clock: Clock;
  random: Random;
  log: Log;
  notices: TargetNotices;
  flush(): Promise<void>;
  /** Jobs were settled, or the gate changed: the status is out of date. */
  onNews(): void;
}

export class Drain {
  readonly #flying = new Set<Promise<void>>();
  readonly #suspicion = new Suspicion();
  /** What a lane could not deal with: the loop rethrows it. */
  #defect: { error: unknown } | null = null;
  #hasJudgedDeaths = false;
  #limit: Limit = 'none';
  #unflushed = 0;
  #flushedAt = 0;
  #misses = 0;
  #successes = 0;
  #probedWell = 0;

  constructor(private readonly parts: DrainParts) {}

  async run(signal: AbortSignal): Promise<void> {
    try {
      while (!signal.aborted) await this.#step(signal);
    } finally {
      await Promise.all(this.#flying);
      this.#defect = null;
    }
    await this.#flush();
  }

  async #step(signal: AbortSignal): Promise<void> {
    const { target, queue, clock } = this.parts;
    if (this.#defect) throw this.#defect.error;
    const waitMs = this.#waitMs();
    if (waitMs > 0) return await this.#sleep(waitMs, signal);
    await target.kept();
    const pass = target.ask(clock.now());
    if (pass.admit === 'nothing') {
      this.#noteLimit(pass);
      return await this.#sleep(pass.nextAt - clock.now(), signal);
    }
    if (pass.admit === 'probe') return await this.#probe(signal);
    const { ticket } = pass;
    const job = queue.take(target.name, (one) => this.#isPreferred(one, ticket));
    if (job === null) return target.giveBack(ticket);
    const isAlone = this.parts.flights.isSuspect(job.scene);
    if (isAlone) await Promise.all(this.#flying);
    this.#launch(job, ticket, signal);
    if (isAlone) await Promise.all(this.#flying);
  }

  /** Bulk work that a process died with goes last; the trial should be a job that has not failed. */
  #isPreferred(job: Job, { isTrial }: Ticket): boolean {
    if (job.bulk && this.parts.flights.isSuspect(job.scene)) return false;
    return !isTrial || (!isRetried(job) && !this.#suspicion.has(letterOf(job)));
  }

  /** 0: something is to be done, if the gate allows it. */
  #waitMs(): number {
    const { target, queue, stash, clock } = this.parts;
    if (queue.isPaused || target.missing !== null) return lookAgainMs;
    this.#judgeDeaths();
    if (target.wantsProbe) return 0;
    const now = clock.now();
    const nextAt = queue.nextAt(target.name);
    if (target.wantsTrial && (nextAt ?? Number.POSITIVE_INFINITY) > now) target.nothingToTry();
    return nextAt === null ? lookAgainMs : Math.max(nextAt, stash.retryAt) - now;
  }

  async #sleep(ms: number, signal: AbortSignal): Promise<void> {
    const { bell, clock } = this.parts;
    const isIdle = ms > flushEveryMs && this.#flying.size === 0;
    if (this.#unflushed > 0 && (isIdle || this.#isFlushDue())) await this.#flush();
    await bell.wait(Math.min(ms, this.#unflushed > 0 ? flushEveryMs : lookAgainMs), clock, signal);
  }

  #noteLimit({ limitedBy, reason }: { limitedBy: Limit; reason: string }): void {
    if (limitedBy === this.#limit || limitedBy === 'lanes') return;
    this.#limit = limitedBy;
    this.parts.log.debug(`Held back (${limitedBy}): ${reason}`);
  }

  async #probe(signal: AbortSignal): Promise<void> {
    const { target, queue, clock, onNews } = this.parts;
    const nextAt = queue.nextAt(target.name);
    const found = await target.probe(nextAt !== null && nextAt <= clock.now(), signal);
    if (found === 'well') this.#probedWell++;
    await target.kept();
    onNews();
  }

  #launch(job: Job, ticket: Ticket, signal: AbortSignal): void {
    const flight = this.#work(job, ticket, signal)
      .catch((error: unknown) => {
        if (!signal.aborted) this.#defect ??= { error };
      })
      .finally(() => {
        this.#flying.delete(flight);
        this.parts.bell.ring();
      });
    this.#flying.add(flight);
  }

  async #work(job: Job, ticket: Ticket, signal: AbortSignal): Promise<void> {
    const { target, queue, stash, flights } = this.parts;
    let outcome: Outcome;
    flights.took(job.scene);
    try {
      outcome = await target.sync(job, ticket, stash, signal);
    } catch (error) {
      flights.landed(job.scene, false);
      const isOurs = !signal.aborted && !isFileError(error) && !(error instanceof LeaseLost);
      queue.settle(job, isOurs ? this.#judge(job, defectOf(job, error)) : { kind: 'back' });
      throw error;
    }
    const verdict = this.#judge(job, outcome);
    flights.landed(job.scene, verdict.kind !== 'back');
    queue.settle(job, verdict);
    this.#unflushed++;
    if (this.#isFlushDue() || this.#unflushed >= flushEveryJobs) await this.#flush();
  }

  #judge(job: Job, outcome: Outcome): Verdict {
    const { log, target } = this.parts;
    const letter = letterOf(job);
    if (outcome.kind === 'listing') return { kind: 'back' };
    if (outcome.kind === 'transient') {
      const judgement = this.#suspicion.failure(letter, this.#seen(outcome));
      if (judgement === 'its fault' && target.isClosed) {
        return this.#tryAgainOrGiveUp(job, 'transient', outcome.message);
      }
      return this.#letOthersGoFirst(judgement === 'its fault' ? 1 : judgement.lastFor, outcome.message);
    }
    if (isServerFault(outcome)) {
      const { kind, message } = outcome;
      const judgement = this.#suspicion.fault(letter, this.#seen(outcome), kind === 'overloaded');
      if (judgement === 'its fault' && target.isClosed)
        return this.#tryAgainOrGiveUp(job, 'transient', message);
      log.debug(`Scene ${job.scene} waits: ${message}`);
      if (judgement === 'not its fault' || judgement === 'its fault') return { kind: 'back' };
      return this.#letOthersGoFirst(judgement.lastFor, message);
    }
    if (outcome.kind === 'not-in-plex' || outcome.kind === 'bad-data') {
      if (outcome.kind === 'not-in-plex') this.#noteMiss(outcome.message);
      return this.#tryAgainOrGiveUp(job, outcome.kind, outcome.message);
    }
    if (outcome.kind === 'filtered' && outcome.rule === 'not-in-plex') this.#noteMiss(outcome.message);
    this.#settled(job, outcome);
    if (outcome.kind === 'filtered') return { kind: 'done', filteredBy: outcome.rule };
    if (outcome.kind !== 'gone' && outcome.displaced !== undefined) {
      this.parts.queue.add(target.name, outcome.displaced, { bulk: true, asked: true });
    }
    if (outcome.kind !== 'gone' && outcome.lookAgain && !job.secondLook) {
      return { kind: 'later', at: this.parts.clock.now() + target.flow.coverSeconds * 1_000 };
    }
    return { kind: 'done' };
  }

  #settled(job: Job, outcome: Extract<Outcome, { kind: 'ok' | 'unchanged' | 'gone' | 'filtered' }>): void {
    const { log, deadLetters, notices, target } = this.parts;
    const letter = letterOf(job);
    // A filter that leaves out ten thousand scenes is counted, and told in the status.
    const isNews = outcome.kind === 'ok' || (outcome.kind === 'filtered' && !job.bulk);
    if (isNews) log.info(outcome.message);
    else log.debug('message' in outcome ? outcome.message : `Scene ${job.scene}: ${outcome.kind}.`);
    if (outcome.kind === 'ok') this.#successes++;
    this.#suspicion.clear(letter);
    if (deadLetters.get(letter)) {
      deadLetters.delete(letter);
      if (!hasLettersOf(deadLetters, target.name)) notices.say('given-up', null);
    }
    if (target.ledger.size > 0) notices.say('paths', null);
  }

  #tryAgainOrGiveUp(job: Job, kind: 'transient' | 'not-in-plex' | 'bad-data', message: string): Verdict {
    const { log, target, clock, random } = this.parts;
    const at = nextTry(kind, job.attempts, target.flow, clock.now(), random);
    if (at === null) return this.#giveUp(job, kind, message);
    log.info(`${message} Trying again at ${timeBeside(at, clock.now())}.`);
    return { kind: 'retry', at, reason: message, charged: true };
  }

  #giveUp(job: Job, kind: string, reason: string): Verdict {
    const { deadLetters, notices, clock } = this.parts;
    const { target, scene, attempts } = job;
    notices.say('given-up', `Gave up on scene ${scene}: ${reason}`);
    deadLetters.put(letterOf(job), { target, scene, kind, reason, attempts: attempts + 1, at: clock.now() });
    return { kind: 'failed' };
  }

  #letOthersGoFirst(rounds: number, reason: string): Verdict {
    return { kind: 'retry', at: nextTurn(rounds, this.parts.clock.now()), reason, charged: false };
  }

  /** What several processes in a row died with is given up. */
  #judgeDeaths(): void {
    if (this.#hasJudgedDeaths) return;
    this.#hasJudgedDeaths = true;
    const { target, queue, flights, log } = this.parts;
    for (const scene of flights.suspects) {
      const job = queue.job(target.name, scene);
      if (!job) continue;
      const deaths = flights.deaths(scene);
      if (deaths < target.flow.deaths) {
        log.debug(`The worker before died while it was sending scene ${scene}. It goes alone.`);
        continue;
      }
      const reason =
        `The worker died ${deaths} times in a row while it was sending scene ${scene}. worker.log may say why. ` +
        'Edit the scene, or run "Sync all scenes", to try it again.';
      queue.settle(job, this.#giveUp(job, 'killed-worker', reason));
      this.#unflushed++;
    }
  }

  /** What was seen of the server that this outcome speaks of. */
  #seen({ kind }: Outcome): Seen {
    const successes = this.#successes;
    return {
      well: kind === 'stash-away' ? this.parts.stash.answered : this.#probedWell + successes,
      successes,
    };
  }

  /** The commonest mistake is a path map that is missing or wrong: it is told as soon as it can be suspected. */
  #noteMiss(message: string): void {
    if (this.parts.target.ledger.size > 0 || ++this.#misses !== suspiciousMisses) return;
    this.parts.notices.say('paths', `Not one scene was found in Plex so far. For example: ${message}`);
  }

  #isFlushDue(): boolean {
    return Math.abs(this.parts.clock.now() - this.#flushedAt) >= flushEveryMs;
  }

  async #flush(): Promise<void> {
    await this.parts.flush();
    if (this.#unflushed > 0) this.parts.onNews();
    this.#unflushed = 0;
    this.#flushedAt = this.parts.clock.now();
  }
}

const letterOf = ({ target, scene }: Job): string => `${target}/${scene}`;

/** What nobody expected may be the scene's own doing: it must neither be tried for ever nor hold up the others. */
const defectOf = ({ scene }: Job, error: unknown): Outcome => ({
  kind: 'transient',
  message: `Scene ${scene} was not synced because of a defect in Sluice (${messageOf(error)}). worker.log says where.`,
});
