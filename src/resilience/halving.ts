/**
 * Slows a recovery that goes badly: when too many of the last minute's results were failures, the ramp's rate is
 * halved for at least a minute. Then, if hardly any fail, it is whole again; if still too many, it is halved again.
 *
 * Holds: the multiplier is 1 or a negative power of 2; it changes at most once per `halvingSeconds`, but for the
 * first halving, which comes at once; errors count by time, not by number.
 */
import * as v from 'valibot';
import type { FlowSettings } from '../shared/flow-settings';
import { Recent, recentSchema } from './recent';
import { lasts, type Span, spanSchema } from './span';

export const halvingSchema = v.object({
  multiplier: v.pipe(v.number(), v.minValue(2 ** -20), v.maxValue(1)),
  /** No change within it. */
  kept: v.nullable(spanSchema),
  recent: recentSchema,
});

export type HalvingState = v.InferOutput<typeof halvingSchema>;

export const unhalved: HalvingState = { multiplier: 1, kept: null, recent: [] };

export class Halving {
  #multiplier: number;
  #kept: Span | null;
  readonly #recent: Recent;

  constructor(state: HalvingState = unhalved) {
    this.#multiplier = state.multiplier;
    this.#kept = state.kept;
    this.#recent = new Recent(state.recent);
  }

  get state(): HalvingState {
    return { multiplier: this.#multiplier, kept: this.#kept, recent: this.#recent.state };
  }

  result(failed: boolean, now: number): void {
    this.#recent.add(failed, now);
  }

  /** `rampRate`: what would be halved; there is no halving that takes it below the lowest rate. */
  multiplier(rampRate: number, flow: FlowSettings, now: number): number {
    if (lasts(this.#kept, now)) return this.#multiplier;
    this.#kept = null;
    const { results, failures } = this.#recent.totals(flow.halvingSeconds, now);
    const isBad = results >= flow.halvingResults && failures * 100 > flow.halvingErrorPercent * results;
    const isGood = failures * 100 < flow.healthyErrorPercent * results || results === 0;
    if (isBad && rampRate * this.#multiplier > flow.lowestRate) {
      this.#multiplier /= 2;
      this.#kept = { from: now, until: now + flow.halvingSeconds * 1_000 };
    } else if (isGood && this.#multiplier < 1) {
      this.#multiplier = 1;
    }
    return this.#multiplier;
  }
}
