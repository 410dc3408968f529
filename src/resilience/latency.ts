/**
 * How slow the server is, compared with itself.
 *
 * Per kind of call, because a picture takes longer than a look: the smoothed latency is a moving average of the
 * logarithm of each answered call's latency; normal is the lowest that it ever was, drifting up slowly, so that a
 * server that has become slower for good is believed in the end. An average of "healthy" calls would follow a server
 * that slows down gradually, and never notice.
 *
 * A server whose latency varies a lot has a lowest that is far below its usual one, by chance, and would seem in
 * distress ever after. So what counts for the lowest is the smoothed latency and twice its own standard deviation.
 * The first calls are averaged, and are normal whatever they are.
 *
 * Strain is smoothed by normal: 1 when all is as usual. Latencies below `quickMs` are all the same: between 2 and
 * 4 ms nothing is wrong.
 */
import * as v from 'valibot';
import type { FlowSettings } from '../shared/flow-settings';
import type { CallKind, TargetStatus } from '../shared/status';

const trackSchema = v.object({
  /** Logarithms of milliseconds. */
  smoothed: v.number(),
  normal: v.number(),
  /** Of the logarithm of single calls, around the smoothed one. */
  variance: v.pipe(v.number(), v.minValue(0)),
  calls: v.pipe(v.number(), v.integer(), v.minValue(1)),
  at: v.number(),
});
type Track = v.InferOutput<typeof trackSchema>;

const kinds = ['read', 'edit', 'upload', 'listing'] as const satisfies CallKind[];

export const latencySchema = v.object({
  read: v.optional(trackSchema),
  edit: v.optional(trackSchema),
  upload: v.optional(trackSchema),
  listing: v.optional(trackSchema),
});
export type LatencyState = v.InferOutput<typeof latencySchema>;

/** A kind that was not called for so long says nothing about now. */
const staleMs = 10_000;
/** The variance is an average over more calls than the latency: it should not follow a single slow one. */
const varianceWeight = 0.05;
const noiseMargin = 2;
const firstCalls = 5;
/** Of each kind, for the 95th percentile; in memory only. */
const keptSamples = 100;

export class Latency {
  readonly #tracks: LatencyState;
  readonly #samples = new Map<CallKind, number[]>();

  constructor(state: LatencyState = {}) {
    this.#tracks = { ...state };
  }

  get state(): LatencyState {
    return this.#tracks;
  }

  /** The strain that this kind of call is under, with this call. */
  add(kind: CallKind, ms: number, flow: FlowSettings, now: number): number {
    const track = next(this.#tracks[kind], Math.log(Math.max(1, ms)), flow, now);
    this.#tracks[kind] = track;
    this.#keepSample(kind, ms);
    return strainOf(track, flow);
  }

  /** Over all kinds that were called lately; 1 when none was. */
  strain(flow: FlowSettings, now: number): number {
    let worst = 1;
    for (const kind of kinds) {
      const track = this.#tracks[kind];
      if (track && Math.abs(now - track.at) < staleMs) worst = Math.max(worst, strainOf(track, flow));
    }
    return worst;
  }

  /** In milliseconds, for people. */
  get figures(): TargetStatus['latency'] {
    const shown: TargetStatus['latency'] = {};
    for (const kind of kinds) {
      const track = this.#tracks[kind];
      if (!track) continue;
      const sorted = [...(this.#samples.get(kind) ?? [])].sort((a, b) => a - b);
      const p95 = sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Math.exp(track.smoothed);
      shown[kind] = {
        smoothedMs: Math.round(Math.exp(track.smoothed)),
        normalMs: Math.round(Math.exp(track.normal)),
        p95Ms: Math.round(p95),
      };
    }
    return shown;
  }

  #keepSample(kind: CallKind, ms: number): void {
    const samples = this.#samples.get(kind) ?? [];
    samples.push(ms);
    if (samples.length > keptSamples) samples.shift();
    this.#samples.set(kind, samples);
  }
}

function next(old: Track | undefined, log: number, flow: FlowSettings, now: number): Track {
  if (!old) return { smoothed: log, normal: log, variance: 0, calls: 1, at: now };
  const calls = old.calls + 1;
  const weight = Math.max(1 / calls, flow.latencyWeight);
  const smoothed = old.smoothed + weight * (log - old.smoothed);
  const squared = (log - old.smoothed) ** 2 * (old.calls / calls);
  const variance = old.variance + Math.max(1 / old.calls, varianceWeight) * (squared - old.variance);
  const deviation = Math.sqrt((variance * weight) / (2 - weight));
  const usual = smoothed + noiseMargin * deviation;
  const seconds = Math.max(0, now - old.at) / 1_000;
  const drifted = old.normal + seconds * Math.log1p(flow.latencyDriftPercent / 100);
  return {
    smoothed,
    normal: calls <= firstCalls ? usual : Math.min(usual, drifted),
    variance,
    calls,
    at: now,
  };
}

function strainOf({ smoothed, normal }: Track, flow: FlowSettings): number {
  const quick = Math.log(Math.max(1, flow.quickMs));
  return Math.exp(Math.max(quick, smoothed) - Math.max(quick, normal));
}
