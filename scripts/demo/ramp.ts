/** The recovery period in numbers: what its ramp allowed, and what really came to Plex. */
import { flowDefaults } from '../../src/shared/flow-settings';
import type { Recovery } from './moment';

/** Scenes per second; null: there is no ramp at this instant. */
export function rateAt(recovery: Recovery, atMs: number): number | null {
  const { startedAtMs, endsAtMs, initialRate, targetRate } = recovery;
  if (atMs < startedAtMs || atMs >= endsAtMs) return null;
  return initialRate + ((targetRate - initialRate) * (atMs - startedAtMs)) / (endsAtMs - startedAtMs);
}

/** How far up the ramp is, as a part of the rate at its end; 1 when it is over. */
export const rampAt = (recovery: Recovery, atMs: number): number =>
  (rateAt(recovery, atMs) ?? recovery.targetRate) / recovery.targetRate;

/** How many scenes the ramp lets through from one instant to another: the area under that part of it. */
export function allowedBetween(recovery: Recovery, fromMs: number, toMs: number): number {
  const { startedAtMs, endsAtMs } = recovery;
  const from = Math.max(fromMs, startedAtMs);
  const to = Math.min(toMs, endsAtMs);
  // A straight line: its mean is in its middle.
  return to <= from ? 0 : ((to - from) / 1_000) * (rateAt(recovery, (from + to) / 2) ?? 0);
}

export interface Second {
  fromMs: number;
  sent: number;
  /** By the ramp; null: this second is not in the recovery. */
  allowed: number | null;
}

/** The recovery second by second, with so many more before and after it. */
export function secondsOf(recovery: Recovery, before: number, after: number): Second[] {
  const { startedAtMs, endsAtMs, sentAtMs } = recovery;
  const length = Math.ceil((endsAtMs - startedAtMs) / 1_000);
  return Array.from({ length: before + length + after }, (_, n) => {
    const fromMs = startedAtMs + (n - before) * 1_000;
    const isInside = n >= before && n < before + length;
    return {
      fromMs,
      sent: sentAtMs.filter((at) => at >= fromMs && at < fromMs + 1_000).length,
      allowed: isInside ? allowedBetween(recovery, fromMs, fromMs + 1_000) : null,
    };
  });
}

/** Of all stretches of a second: how many scenes came in it, and how many may at most. */
export interface Fullness {
  scenes: number;
  most: number;
}

/** The second of the recovery in which most scenes came; null: none came. Where several did, the strictest of them. */
export function fullestSecond(recovery: Recovery): Fullness | null {
  const fuller = (a: Fullness, b: Fullness) => b.scenes - a.scenes || a.most - b.most;
  return stretches(recovery).sort(fuller)[0] ?? null;
}

/**
 * Scenes are let go by the ramp, but counted when they come to Plex: of each lane one may have been on its way for
 * longer than the next.
 */
export const keepsToRamp = (recovery: Recovery): boolean =>
  stretches(recovery).every(({ scenes, most }) => scenes <= most + flowDefaults.lanes);

/** Each second that begins with a scene: no other can hold more. */
function stretches(recovery: Recovery): Fullness[] {
  const { startedAtMs, endsAtMs, sentAtMs } = recovery;
  const during = sentAtMs.filter((at) => at >= startedAtMs && at < endsAtMs);
  return during.map((from) => ({
    scenes: during.filter((at) => at >= from && at < from + 1_000).length,
    // The ramp's bucket holds one scene.
    most: allowedBetween(recovery, from, from + 1_000) + 1,
  }));
}
