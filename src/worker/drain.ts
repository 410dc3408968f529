/**
 * The heart: takes jobs of one target, one after another, as its gate allows, and settles them by what became of
 * them. The gate is the only way to Plex.
 *
 * Successes are flushed in batches: a crash repeats the syncs of the last second, and a repeated sync writes nothing.
 * The ledger is flushed before the queue, so that the queue never forgets what the ledger does not know.
 */
import type { KeyedStore } from '../persist/keyed-store';
import type { DeadLetter, Job } from '../queue/entries';
import type { Queue, Verdict } from '../queue/queue';
import { isServerFault } from '../resilience/gate';
import { nextTry } from '../resilience/retry';
import type { Bell } from '../shared/bell';
import type { Clock, Random } from '../shared/clock';
import type { Log } from '../shared/log';
import type { Outcome } from '../shared/outcome';
import type { StashLink } from './stash-link';
import type { Target } from './target';

/** When nothing else says when to look again. */
const lookAgainMs = 60_000;
const flushEveryMs = 1_000;
const flushEveryJobs = 100;

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
  /** Jobs were settled, or the gate changed: the status is out of date. */
  onNews(): void;
}

export class Drain {
  #unflushed = 0;
  #flushedAt = 0;

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
    if (this.parts.queue.memo('paused') !== undefined || this.parts.target.missing !== null)
      return lookAgainMs;
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
    if (isServerFault(outcome) || outcome.kind === 'stash-away') {
      this.parts.log.debug(`Scene ${job.scene} waits: ${outcome.message}`);
      return { kind: 'back' };
    }
    const letter = `${job.target}/${job.scene}`;
    if (outcome.kind === 'transient' || outcome.kind === 'not-in-plex' || outcome.kind === 'bad-data') {
      const at = nextTry(outcome.kind, job.attempts, this.parts.clock.now(), this.parts.random);
      if (at !== null) {
        this.parts.log.info(`${outcome.message} Trying again at ${new Date(at).toLocaleTimeString()}.`);
        return { kind: 'retry', at, reason: outcome.message };
      }
      this.parts.log.warn(`Gave up on scene ${job.scene}: ${outcome.message}`);
      this.parts.deadLetters.put(letter, {
        target: job.target,
        scene: job.scene,
        kind: outcome.kind,
        reason: outcome.message,
        attempts: job.attempts + 1,
        at: this.parts.clock.now(),
      });
      return { kind: 'failed' };
    }
    if (outcome.kind === 'ok' || outcome.kind === 'filtered') this.parts.log.info(outcome.message);
    else this.parts.log.debug(`Scene ${job.scene}: ${outcome.kind}.`);
    this.parts.deadLetters.delete(letter);
    return { kind: 'done' };
  }

  async #flush(): Promise<void> {
    await this.parts.target.ledger.flush();
    await this.parts.deadLetters.flush();
    await this.parts.queue.flush();
    if (this.#unflushed > 0) this.parts.onNews();
    this.#unflushed = 0;
    this.#flushedAt = this.parts.clock.now();
  }
}
