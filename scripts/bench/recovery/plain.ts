/**
 * The usual ways to come back: all at once, at a fixed rate, or on a linear ramp that is halved when too much fails.
 * Each has our circuit breaker, and nothing else of ours.
 */
import { Breaker, closedBreaker } from '../../../src/resilience/breaker';
import { Halving } from '../../../src/resilience/halving';
import { rampRate } from '../../../src/resilience/recovery';
import { TokenBucket } from '../../../src/resilience/token-bucket';
import type { Outcome } from '../../../src/shared/outcome';
import type { NamedPolicy, Pass, Policy, Start } from './policy';

/** Jobs per second at an instant of a recovery; null: no limit. */
type Rate = (start: Start, closedAt: number, now: number) => number | null;

const plain = (name: string, rate: Rate): NamedPolicy => ({
  name,
  begin: (start) => new Plain(start, rate),
});

export const noLimiter = plain('no limiter', () => null);

export const fixedRate = plain('fixed 5/s', ({ flow }) => flow.initialRate);

export const plainRamp = plain('linear ramp', ({ flow }, closedAt, now) => rampRate(closedAt, now, flow));

/** How often the breaker had opened when the job was sent: what was sent before an opening says nothing after it. */
type Ticket = number;

class Plain implements Policy<Ticket> {
  readonly #breaker: Breaker;
  readonly #start: Start;
  readonly #rate: Rate;
  #bucket: TokenBucket;
  #halving = new Halving();
  #closedAt: number;
  #openings = 0;

  constructor(start: Start, rate: Rate) {
    this.#start = start;
    this.#rate = rate;
    this.#breaker = new Breaker(closedBreaker, start.random);
    this.#bucket = new TokenBucket(start.flow.initialRate, start.now);
    this.#closedAt = start.now;
  }

  ask(now: number): Pass<Ticket> {
    const step = this.#breaker.step(now);
    if (step === 'probe') return { admit: 'probe' };
    if (step === 'nothing') {
      return { admit: 'nothing', nextAt: this.#breaker.retryAt ?? Number.POSITIVE_INFINITY };
    }
    const waitMs = step === 'trial' ? 0 : this.#tokenIn(now);
    if (waitMs > 0) return { admit: 'nothing', nextAt: now + waitMs };
    return { admit: 'job', ticket: this.#openings };
  }

  learn(openings: Ticket, outcome: Outcome, now: number): void {
    if (openings !== this.#openings) return;
    const isFailure = outcome.kind !== 'ok';
    this.#halving.result(isFailure, now);
    if (this.#breaker.isClosed) {
      if (!isFailure) this.#breaker.succeeded(now);
      else if (this.#isTooMuch(outcome, now)) this.#openings++;
    } else {
      if (isFailure) this.#open(outcome, now);
      else this.#close(now);
    }
  }

  probed(outcome: Outcome, hasDueJob: boolean, now: number): void {
    if (outcome.kind !== 'ok') this.#open(outcome, now);
    else if (hasDueJob) this.#breaker.probedWell();
    else this.#close(now);
  }

  called(): void {}
  tick(): void {}

  #isTooMuch(outcome: Outcome, now: number): boolean {
    const isOverload = outcome.kind === 'overloaded';
    return this.#breaker.failed(isOverload, '', now + retryAfterMs(outcome), this.#start.flow, now);
  }

  #open(outcome: Outcome, now: number): void {
    this.#breaker.open('', now + retryAfterMs(outcome), this.#start.flow, now);
    this.#openings++;
  }

  #close(now: number): void {
    this.#breaker.close(now);
    this.#closedAt = now;
    this.#halving = new Halving();
    this.#bucket = new TokenBucket(this.#start.flow.initialRate, now);
  }

  #tokenIn(now: number): number {
    const rate = this.#rate(this.#start, this.#closedAt, now);
    if (rate === null) return 0;
    const { flow } = this.#start;
    const slowed = rate * this.#halving.multiplier(rate, flow, now);
    return this.#bucket.shouldWait(Math.max(flow.lowestRate, slowed), now);
  }
}

const retryAfterMs = (outcome: Outcome): number =>
  outcome.kind === 'overloaded' ? (outcome.retryAfterMs ?? 0) : 0;
