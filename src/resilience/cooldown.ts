/**
 * One cooldown for all lanes. When the server says that it is overloaded, the job that heard it is parked: it stays
 * in the queue, in its place and uncharged, and for a while nothing is sent to this target at all.
 *
 * Jobs that are sent between two cooldowns are one generation. The first overload answer of a generation starts the
 * cooldown, twice as long as the one before if no job has succeeded in between, and not shorter than the server asked
 * for (Retry-After); the others of that generation join it: they neither extend it nor start another. An answer of a
 * generation that is over starts nothing.
 *
 * Afterwards the flow starts gently, one job at a time, until one of the new generation has succeeded.
 *
 * Holds: nothing that was parked waits for more than the end of the cooldown (parked jobs are waiting jobs like any
 * other, only counted here); released never exceeds parked. How many are parked now is not persisted: after a restart
 * they are just waiting.
 */
import * as v from 'valibot';
import type { FlowSettings } from '../shared/flow-settings';
import { lasts, spanSchema } from './span';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

export const cooldownSchema = v.object({
  span: v.nullable(spanSchema),
  inARow: count,
  /** Since the beginning: cooldowns, and the jobs that were parked by them. */
  generations: count,
  participants: count,
});

export type CooldownState = v.InferOutput<typeof cooldownSchema>;

export const noCooldown: CooldownState = { span: null, inARow: 0, generations: 0, participants: 0 };

export class Cooldown {
  #state: CooldownState;
  #parked = 0;
  #gentle: boolean;

  constructor(state: CooldownState = noCooldown) {
    this.#state = state;
    this.#gentle = state.inARow > 0;
  }

  get state(): CooldownState {
    return this.#state;
  }

  /** The generation of a job that is sent now. */
  get generation(): number {
    return this.#state.generations;
  }

  /** Only one job at a time: none has succeeded since the last cooldown. */
  get isGentle(): boolean {
    return this.#gentle;
  }

  /** Null: none lasts. */
  until(now: number): number | null {
    if (lasts(this.#state.span, now)) return this.#state.span.until;
    if (this.#state.span !== null) this.#state = { ...this.#state, span: null };
    this.#parked = 0;
    return null;
  }

  parked(now: number): number {
    return this.until(now) === null ? 0 : this.#parked;
  }

  /** What an overload answer to a job of this generation does. `floorAt`: the earliest end that the server asked for. */
  met(generation: number, floorAt: number, flow: FlowSettings, now: number): 'started' | 'joined' | 'late' {
    if (generation === this.generation) {
      const inARow = this.#state.inARow + 1;
      const seconds = Math.min(flow.cooldownMaxSeconds, flow.cooldownSeconds * 2 ** Math.min(inARow - 1, 30));
      this.#state = {
        span: { from: now, until: Math.max(now + Math.round(seconds * 1_000), floorAt) },
        inARow,
        generations: this.#state.generations + 1,
        participants: this.#state.participants + 1,
      };
      this.#parked = 1;
      this.#gentle = true;
      return 'started';
    }
    if (generation !== this.generation - 1 || this.until(now) === null) return 'late';
    this.#state = { ...this.#state, participants: this.#state.participants + 1 };
    this.#parked++;
    return 'joined';
  }

  /** A job of this generation succeeded. */
  succeeded(generation: number): void {
    if (generation !== this.generation || !this.#gentle) return;
    this.#gentle = false;
    this.#state = { ...this.#state, span: null, inARow: 0 };
  }

  /** The breaker takes over, or the outage is over. */
  cancel(): void {
    this.#parked = 0;
    this.#gentle = false;
    this.#state = { ...this.#state, span: null, inARow: 0 };
  }
}
