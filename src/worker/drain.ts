/**
 * The heart: takes jobs of one target, one after another, as its gate allows, and settles them by what became of
 * them. The gate is the only way to Plex.
 *
 * Successes are flushed in batches: a crash repeats the syncs of the last second, and a repeated sync writes nothing.
 */
import type { KeyedStore } from '../persist/keyed-store';
import type { DeadLetter, Job } from '../queue/entries';
import type { Queue, Verdict } from '../queue/queue';
import { isServerFault } from '../resilience/gate';
import { nextTry, nextTurn } from '../resilience/retry';
import { type Seen, Suspicion } from '../resilience/suspicion';
import type { Bell } from '../shared/bell';
import type { Clock, Random } from '../shared/clock';
import type { Log } from '../shared/log';
import type { Outcome, OutcomeKind } from '../shared/outcome';
import type { Notices } from './notices';
import type { StashLink } from './stash-link';
import type { Target } from './target';

/** When nothing else says when to look again. */
const lookAgainMs = 60_000;
const flushEveryMs = 1_000;
const flushEveryJobs = 100;
/** This many scenes that Plex does not have, and none that it has: the commonest mistake. */
const suspiciousMisses = 5;

export interface DrainParts {
  target: Target;
  queue: Queue;
  deadLetters: KeyedStore<DeadLetter>;
  stash: StashLink;
  /** Rung when there may be something to do. */
  bell: Bell;
  clock: Clock;
  random: Random;
  log: Log;
  notices: Notices;
  flush(): Promise<void>;
  /** Jobs were settled, or the gate changed: the status is out of date. */
  onNews(): void;
}

export class Drain {
  #unflushed = 0;
  #flushedAt = 0;
  #misses = 0;
  #successes = 0;
  #probedWell = 0;
  readonly #suspicion = new Suspicion();

  constructor(private readonly parts: DrainParts) {}

  async run(signal: AbortSignal): Promise<void> {
    const { target, queue, bell, clock, onNews } = this.parts;
    while (!signal.aborted) {
      const waitMs = this.#waitMs();
      if (waitMs > 0) {
        await this.#flush();
        await bell.wait(waitMs, clock, signal);
        continue;
      }
      const pass = target.ask(clock.now());
      if (pass.admit === 'nothing') {
        await this.#flush();
        await bell.wait(pass.nextAt - clock.now(), clock, signal);
      } else if (pass.admit === 'probe') {
        await target.probe(signal);
        if (target.gate.state === 'CLOSED') this.#probedWell++;
        onNews();
      } else {
        const job = queue.take(target.name);
        if (job) await this.#work(job, signal);
      }
    }
    await this.#flush();
  }

  /** 0: something is to be done, if the gate allows it. */
  #waitMs(): number {
    if (this.parts.queue.isPaused || this.parts.target.missing !== null) return lookAgainMs;
    if (this.parts.target.wantsProbe) return 0;
    const nextAt = this.parts.queue.nextAt(this.parts.target.name);
    if (nextAt === null) return lookAgainMs;
    return Math.max(nextAt, this.parts.stash.retryAt) - this.parts.clock.now();
  }

  async #work(job: Job, signal: AbortSignal): Promise<void> {
    let outcome: Outcome;
    try {
      outcome = await this.parts.target.sync(job, this.parts.stash, signal);
    } catch (error) {
      this.parts.queue.settle(job, { kind: 'back' });
      if (signal.aborted) return;
      throw error;
    }
    this.parts.queue.settle(job, this.#judge(job, outcome));
    this.#unflushed++;
    const now = this.parts.clock.now();
    const due = Math.abs(now - this.#flushedAt) >= flushEveryMs;
    if (due || this.#unflushed >= flushEveryJobs) await this.#flush();
  }

  #judge(job: Job, outcome: Outcome): Verdict {
    const { log, deadLetters, notices, target } = this.parts;
    const letter = `${job.target}/${job.scene}`;
    if (isServerFault(outcome) || outcome.kind === 'stash-away') {
      const { message } = outcome;
      const judgement = this.#suspicion.fault(letter, this.#seen(outcome));
      if (judgement === 'its fault') return this.#tryAgainOrGiveUp(job, 'transient', message);
      log.debug(`Scene ${job.scene} waits: ${message}`);
      return judgement === 'not its fault'
        ? { kind: 'back' }
        : this.#letOthersGoFirst(judgement.lastFor, message);
    }
    if (outcome.kind === 'transient') {
      const judgement = this.#suspicion.failure(letter, this.#seen(outcome));
      if (judgement !== 'its fault') return this.#letOthersGoFirst(judgement.lastFor, outcome.message);
    }
    if (outcome.kind === 'transient' || outcome.kind === 'not-in-plex' || outcome.kind === 'bad-data') {
      if (outcome.kind === 'not-in-plex') this.#noteMiss(outcome.message);
      return this.#tryAgainOrGiveUp(job, outcome.kind, outcome.message);
    }
    if (outcome.kind === 'ok' || outcome.kind === 'filtered') log.info(outcome.message);
    else log.debug(`Scene ${job.scene}: ${outcome.kind}.`);
    if (outcome.kind === 'ok') this.#successes++;
    this.#suspicion.clear(letter);
    deadLetters.delete(letter);
    if (deadLetters.size === 0) notices.say('given-up', null);
    if (target.ledger.size > 0) notices.say('paths', null);
    return { kind: 'done' };
  }

  #tryAgainOrGiveUp(job: Job, kind: OutcomeKind, message: string): Verdict {
    const { log, deadLetters, notices, clock, random } = this.parts;
    const at = nextTry(kind, job.attempts, clock.now(), random);
    if (at !== null) {
      log.info(`${message} Trying again at ${new Date(at).toLocaleTimeString()}.`);
      return { kind: 'retry', at, reason: message, charged: true };
    }
    notices.say('given-up', `Gave up on scene ${job.scene}: ${message}`);
    const { target, scene, attempts } = job;
    deadLetters.put(`${target}/${scene}`, {
      target,
      scene,
      kind,
      reason: message,
      attempts: attempts + 1,
      at: clock.now(),
    });
    return { kind: 'failed' };
  }

  #letOthersGoFirst(rounds: number, reason: string): Verdict {
    return { kind: 'retry', at: nextTurn(rounds, this.parts.clock.now()), reason, charged: false };
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

  async #flush(): Promise<void> {
    await this.parts.flush();
    if (this.#unflushed > 0) this.parts.onNews();
    this.#unflushed = 0;
    this.#flushedAt = this.parts.clock.now();
  }
}
