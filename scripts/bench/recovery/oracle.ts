/**
 * Knows what the server can do at every instant: sends just enough that it is never idle and nothing piles up for
 * longer than a moment. With the ramp it is the best that anyone could do who keeps to it.
 */
import { rampRate } from '../../../src/resilience/recovery';
import { TokenBucket } from '../../../src/resilience/token-bucket';
import type { NamedPolicy, Pass, Policy, Start } from './policy';

/** As much work as the server does in this time may wait: it bridges the way of the next job. */
const aheadSeconds = 0.5;
const lookAgainMs = 10;

export const oracleOnRamp: NamedPolicy = {
  name: 'oracle that keeps to the ramp',
  begin: (start) => new Oracle(start, true),
};

export const freeOracle: NamedPolicy = {
  name: 'oracle without a ramp',
  begin: (start) => new Oracle(start, false),
};

class Oracle implements Policy<null> {
  readonly #bucket: TokenBucket;
  #inFlight = 0;

  constructor(
    private readonly start: Start,
    private readonly keepsToRamp: boolean,
  ) {
    this.#bucket = new TokenBucket(start.flow.initialRate, start.now);
  }

  ask(now: number): Pass<null> {
    const { server, flow } = this.start;
    const ahead = server.capacity(now) * aheadSeconds;
    if (server.pile(now) + this.#inFlight > Math.max(1, ahead)) return nothing(now + lookAgainMs);
    const ramp = this.keepsToRamp ? rampRate(this.start.now, now, flow) : null;
    const waitMs = ramp === null ? 0 : this.#bucket.shouldWait(ramp, now);
    if (waitMs > 0) return nothing(now + waitMs);
    this.#inFlight++;
    return { admit: 'job', ticket: null };
  }

  learn(): void {
    this.#inFlight--;
  }

  called(): void {}
  probed(): void {}
  tick(): void {}
}

const nothing = (nextAt: number): Pass<null> => ({ admit: 'nothing', nextAt });
