import type { Random } from '../../../src/shared/clock';

/** Decisions of a random run. */
export class Chance {
  constructor(readonly random: Random) {}

  /** From 0 to `below` - 1. */
  number(below: number): number {
    return Math.floor(this.random() * below);
  }

  is(probability: number): boolean {
    return this.random() < probability;
  }

  one<T>(list: readonly T[]): T {
    const chosen = list[this.number(list.length)];
    if (chosen === undefined) throw new Error('nothing to choose from');
    return chosen;
  }

  /** Each of them with this probability, in a random order. */
  some<T>(list: readonly T[], probability = 0.4): T[] {
    return this.shuffled(list.filter(() => this.is(probability)));
  }

  /** `count` different ones. */
  several<T>(list: readonly T[], count: number): T[] {
    return this.shuffled(list).slice(0, count);
  }

  shuffled<T>(list: readonly T[]): T[] {
    return list
      .map((one) => ({ one, at: this.random() }))
      .sort((a, b) => a.at - b.at)
      .map(({ one }) => one);
  }

  weighted<T extends { weight: number }>(list: readonly T[]): T {
    let left = this.random() * list.reduce((sum, { weight }) => sum + weight, 0);
    for (const one of list) {
      left -= one.weight;
      if (left < 0) return one;
    }
    return this.one(list);
  }
}
