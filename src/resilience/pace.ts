/**
 * How many jobs per second were really admitted over the last seconds. Persisted, because the adaptive cap is cut and
 * grown by it: measured anew after every restart it would begin at nothing, and a cut would then be one to nothing.
 *
 * Counted from the instant of the first job that is in the window, so that a cap is seen to be in use however low it
 * is: at one job in ten seconds a plain count over five seconds is mostly none.
 *
 * Holds: a silence makes it fall; a clock that was set back does not change it.
 */
import * as v from 'valibot';

/** The jobs of one second, by the instant of the first. */
const slotSchema = v.object({ at: v.number(), jobs: v.number() });
export const paceSchema = v.array(slotSchema);
export type PaceState = v.InferOutput<typeof paceSchema>;

const windowMs = 5_000;
/** The lowest cap that can be set is a job in 100 s; a longer silence is no pace. */
const slowestMs = 150_000;

export class Pace {
  #slots: PaceState;

  constructor(state: PaceState = []) {
    this.#slots = state.map((slot) => ({ ...slot }));
  }

  get state(): PaceState {
    return this.#slots;
  }

  admitted(now: number): void {
    const last = this.#slots.at(-1);
    const backMs = Math.max(0, (last?.at ?? now) - now);
    if (backMs > 0) for (const slot of this.#slots) slot.at -= backMs;
    if (last && now - last.at < 1_000) last.jobs++;
    else this.#slots.push({ at: now, jobs: 1 });
    while ((this.#slots[0]?.at ?? now) <= now - windowMs) this.#slots.shift();
  }

  perSecond(now: number): number {
    const last = this.#slots.at(-1);
    if (!last) return 0;
    const at = Math.max(now, last.at);
    const silenceMs = at - last.at;
    if (silenceMs >= windowMs) return silenceMs > slowestMs ? 0 : 1_000 / silenceMs;
    let jobs = 0;
    let since = last.at;
    for (const slot of this.#slots) {
      if (slot.at <= at - windowMs) continue;
      jobs += slot.jobs;
      since = Math.min(since, slot.at);
    }
    return (jobs * 1_000) / Math.max(1_000, at - since);
  }
}
