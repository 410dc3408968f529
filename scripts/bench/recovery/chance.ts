/** Random numbers with a seed, in the shapes that servers come in: the same seed always makes the same server. */
import type { Random } from '../../../src/shared/clock';
import { seeded } from '../../../test/support/seeded';

export class Chance {
  readonly next: Random;

  constructor(seed: number) {
    this.next = seeded(seed);
    // Neighbouring seeds give similar first numbers.
    for (let skipped = 0; skipped < 8; skipped++) this.next();
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** Evenly spread over the magnitudes: as many between 1 and 10 as between 10 and 100. */
  magnitude(low: number, high: number): number {
    return low * (high / low) ** this.next();
  }

  happens(probability: number): boolean {
    return this.next() < probability;
  }

  /** A factor around 1: its logarithm is normally distributed. */
  logNormal(spread: number): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.next()));
    return Math.exp(spread * radius * Math.cos(2 * Math.PI * this.next()));
  }
}
