/**
 * Lets jobs through at a given rate: a bucket that holds one token and fills at that rate.
 *
 * Holds: in any stretch of time no more jobs than the rate allows in it, and one. The bucket starts empty, so that a
 * process that crashes in a loop gets no free start. It fills at the rate that was promised at the last question:
 * whoever comes back at the told instant finds a token, and a rate that has risen meanwhile gives nothing for the
 * time before.
 */
/** Rounding must not make a token that is due come a millisecond late. */
const almostOne = 1 - 1e-9;

export class TokenBucket {
  #tokens = 0;
  #at: number;
  #perSecond: number;

  constructor(perSecond: number, now: number) {
    this.#perSecond = perSecond;
    this.#at = now;
  }

  /** As they were at the last question. */
  get tokens(): number {
    return this.#tokens;
  }

  /** From now on it fills at this rate, at most. Said between two questions when the rate falls: it may rise again. */
  fill(perSecond: number, now: number): void {
    const elapsedMs = Math.max(0, now - this.#at);
    const rate = Math.min(this.#perSecond, perSecond);
    this.#tokens = Math.min(1, this.#tokens + (elapsedMs / 1_000) * rate);
    this.#at = now;
    this.#perSecond = perSecond;
  }

  /** Takes the token and returns 0, or takes nothing and returns how many milliseconds to wait. */
  shouldWait(perSecond: number, now: number): number {
    this.fill(perSecond, now);
    if (this.#tokens >= almostOne) {
      this.#tokens = Math.max(0, this.#tokens - 1);
      return 0;
    }
    return Math.max(1, Math.ceil(((almostOne - this.#tokens) / perSecond) * 1_000));
  }
}
