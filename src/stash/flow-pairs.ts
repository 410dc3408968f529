/**
 * Numbers of the flow that only make sense together: the first of a pair must not be above the second.
 *
 * A person who sets only one of them means that one, and the other follows it without a word. Who sets both so that
 * they contradict each other is told, and until then both are the one that is kinder to Plex: the lower rate, the
 * longer wait.
 *
 * Holds: both numbers of a pair have the same range, so the one that follows stays within its own.
 */
import { type FlowSettings, flowDefaults } from '../shared/flow-settings';

export interface FlowPair {
  low: keyof FlowSettings;
  high: keyof FlowSettings;
  kinder(a: number, b: number): number;
}

export const flowPairs: readonly FlowPair[] = [
  { low: 'initialRate', high: 'targetRate', kinder: Math.min },
  { low: 'openSeconds', high: 'openMaxSeconds', kinder: Math.max },
  { low: 'cooldownSeconds', high: 'cooldownMaxSeconds', kinder: Math.max },
  { low: 'transientBaseSeconds', high: 'transientMaxSeconds', kinder: Math.max },
  { low: 'missingBaseSeconds', high: 'missingMaxSeconds', kinder: Math.max },
];

/** All numbers, from those that were set; and the pairs that were set to a contradiction. */
export function completeFlow(given: Partial<FlowSettings>): {
  flow: FlowSettings;
  contradictions: FlowPair[];
} {
  const flow = { ...flowDefaults, ...given };
  const contradictions: FlowPair[] = [];
  for (const pair of flowPairs) {
    const { low, high, kinder } = pair;
    if (flow[low] <= flow[high]) continue;
    const both = given[low] !== undefined && given[high] !== undefined;
    if (both) contradictions.push(pair);
    flow[low] = flow[high] = both ? kinder(flow[low], flow[high]) : (given[low] ?? flow[high]);
  }
  return { flow, contradictions };
}
