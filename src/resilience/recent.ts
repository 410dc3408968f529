/**
 * How many results there were lately, and how many of them were failures. Counted per second, and forgotten by time:
 * when nothing happens, an old failure still goes.
 *
 * Holds: at most `longestSeconds` counters, however many results; results of a second in the future (the clock was
 * set back) do not count, and the next result makes them forgotten.
 */
import * as v from 'valibot';

const longestSeconds = 600;

const slotSchema = v.object({ second: v.number(), results: v.number(), failures: v.number() });
export const recentSchema = v.array(slotSchema);
export type RecentState = v.InferOutput<typeof recentSchema>;

export class Recent {
  #slots: RecentState;

  constructor(state: RecentState = []) {
    this.#slots = state.map((slot) => ({ ...slot }));
  }

  get state(): RecentState {
    return this.#slots;
  }

  add(failed: boolean, now: number): void {
    const second = Math.floor(now / 1_000);
    while ((this.#slots.at(-1)?.second ?? second) > second) this.#slots.pop();
    const last = this.#slots.at(-1);
    if (last?.second === second) {
      last.results++;
      if (failed) last.failures++;
      return;
    }
    this.#slots.push({ second, results: 1, failures: failed ? 1 : 0 });
    while ((this.#slots[0]?.second ?? second) <= second - longestSeconds) this.#slots.shift();
  }

  /** Over the last `seconds`, the current one included. */
  totals(seconds: number, now: number): { results: number; failures: number } {
    const newest = Math.floor(now / 1_000);
    // What nobody will ask for again need not be written down every second.
    while ((this.#slots[0]?.second ?? newest) <= newest - seconds) this.#slots.shift();
    const totals = { results: 0, failures: 0 };
    for (let index = this.#slots.length - 1; index >= 0; index--) {
      const slot = this.#slots[index];
      if (!slot || slot.second <= newest - seconds) break;
      if (slot.second > newest) continue;
      totals.results += slot.results;
      totals.failures += slot.failures;
    }
    return totals;
  }
}
