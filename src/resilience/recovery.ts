/**
 * The recovery period: a linear ramp of the rate after an outage.
 *
 * Holds: the rate at `startedAt` is the initial one; it never falls with time; no limit once the period is over.
 * `startedAt === 0` means that no recovery is under way. A start in the future (the clock was set back) counts as now.
 */
import type { FlowSettings } from '../shared/flow-settings';

export const isOver = (startedAt: number, now: number, flow: FlowSettings): boolean =>
  now - startedAt >= flow.recoverySeconds * 1_000;

/** 0 to 1. */
export const progress = (startedAt: number, now: number, flow: FlowSettings): number =>
  Math.min(1, Math.max(0, now - startedAt) / (flow.recoverySeconds * 1_000));

/** Jobs per second; null: no limit. */
export function rampRate(startedAt: number, now: number, flow: FlowSettings): number | null {
  if (startedAt === 0 || isOver(startedAt, now, flow)) return null;
  const { initialRate, targetRate } = flow;
  return initialRate + (targetRate - initialRate) * progress(startedAt, now, flow);
}
