/**
 * Spares a server that struggles without failing, in and out of recovery.
 *
 * There is no cap as long as all is well. Distress sets it below the rate that was really achieved; it grows back
 * while the server is well and the cap is what limits us, and disappears when it is above what was achieved when it
 * was set, or the ramp's target.
 *
 * After a cut comes relief: for a while only a part of the cap is sent, so that the server can do what has piled up
 * behind the answers it gave. A smaller cap alone would not empty the pile, only fill it more slowly; and a server
 * that is never seen without its pile never shows how quick it could be. Nothing is lost by it, the server has work.
 * Relief is over when the server is calm, or when waiting does not help: its latency has not fallen for the time of a
 * few jobs. Then the slowness is not our doing.
 *
 * Holds: it is cut at most once per `cutApartSeconds`, not once per answer, and during relief by an overload only; it
 * is never below the lowest rate, also not during relief; a cap that is not in use never grows.
 */
import * as v from 'valibot';
import type { FlowSettings } from '../shared/flow-settings';
import { lasts, type Span, spanSchema } from './span';

export const capSchema = v.object({
  /** Jobs per second; null: no cap. */
  perSecond: v.nullable(v.pipe(v.number(), v.minValue(0.001))),
  /** Above this it disappears. */
  enough: v.number(),
  /** No further cut within it. */
  spared: v.nullable(spanSchema),
  /** After a cut: what is sent instead, the lowest strain since then, and how long a lower one is waited for. */
  relief: v.nullable(
    v.object({
      perSecond: v.pipe(v.number(), v.minValue(0.0001)),
      lowestStrain: v.number(),
      patience: spanSchema,
    }),
  ),
  grownAt: v.number(),
});

export type CapState = v.InferOutput<typeof capSchema>;

export const noCap: CapState = { perSecond: null, enough: 0, spared: null, relief: null, grownAt: 0 };

/** It grows by what happens between two questions; a long silence is no growth. */
const longestStepMs = 1_000;

const shortestPatienceMs = 2_000;
const longestPatienceMs = 30_000;
/** Noise makes it a little lower now and then: that is no relief. */
const lower = 0.99;

export class AdaptiveCap {
  #state: CapState;

  constructor(state: CapState = noCap) {
    this.#state = state;
  }

  get state(): CapState {
    return this.#state;
  }

  /** What may be sent now; null: no cap. */
  get perSecond(): number | null {
    return this.#state.relief?.perSecond ?? this.#state.perSecond;
  }

  /** True if it was cut. */
  distress(isOverload: boolean, achieved: number, flow: FlowSettings, now: number): boolean {
    const { perSecond: before, spared, relief, enough } = this.#state;
    if (lasts(spared, now) || (relief !== null && !isOverload)) return false;
    const cut = isOverload ? flow.overloadCut : flow.distressCut;
    const perSecond = Math.max(flow.lowestRate, Math.min(before ?? Number.POSITIVE_INFINITY, achieved) * cut);
    const relieved = Math.max(flow.lowestRate, (perSecond * flow.reliefPercent) / 100);
    this.#state = {
      perSecond,
      enough: Math.max(flow.targetRate, achieved, before === null ? 0 : enough),
      spared: { from: now, until: now + flow.cutApartSeconds * 1_000 },
      relief: {
        perSecond: relieved,
        // Whatever it is, the next will be lower.
        lowestStrain: Number.MAX_VALUE,
        patience: patience(relieved, flow, now),
      },
      grownAt: now,
    };
    return true;
  }

  /** `strain`: the server's latency, 1 when all is as usual. */
  grow(strain: number, achieved: number, flow: FlowSettings, now: number): void {
    this.#relieve(strain, flow, now);
    const { perSecond, relief, enough, grownAt } = this.#state;
    if (perSecond === null || now - grownAt === 0) return;
    const stepMs = Math.min(longestStepMs, Math.max(0, now - grownAt));
    const inUse = achieved * 100 >= flow.inUsePercent * perSecond;
    const isWell = relief === null && strain < flow.distressFactor;
    const percent =
      !inUse || !isWell ? 0 : strain > flow.uneaseFactor ? flow.growthPercent / 4 : flow.growthPercent;
    const grown = perSecond * (1 + percent / 100) ** (stepMs / 1_000);
    this.#state = grown > enough ? noCap : { ...this.#state, perSecond: grown, grownAt: now };
  }

  #relieve(strain: number, flow: FlowSettings, now: number): void {
    const { relief } = this.#state;
    if (relief === null) return;
    if (strain <= flow.calmFactor || !lasts(relief.patience, now)) {
      this.#state = { ...this.#state, relief: null };
    } else if (strain < relief.lowestStrain * lower) {
      const { perSecond } = relief;
      this.#state = {
        ...this.#state,
        relief: { perSecond, lowestStrain: strain, patience: patience(perSecond, flow, now) },
      };
    }
  }
}

/** The time of a few jobs: sooner it could not be seen whether waiting helps. */
function patience(perSecond: number, flow: FlowSettings, now: number): Span {
  const ms = Math.min(longestPatienceMs, Math.max(shortestPatienceMs, (flow.reliefJobs / perSecond) * 1_000));
  return { from: now, until: now + Math.ceil(ms) };
}
