/**
 * When a job whose own fault it was is tried again: full jitter, a random wait between 0 and
 * min(longest, base x 2^attempts), chosen once and persisted, and how often before it is given up.
 */
import type { Random } from '../shared/clock';
import type { FlowSettings } from '../shared/flow-settings';
import type { OutcomeKind } from '../shared/outcome';

interface RetryRule {
  baseSeconds: number;
  longestSeconds: number;
  tries: number;
}

function ruleFor(kind: OutcomeKind, flow: FlowSettings): RetryRule | null {
  if (kind === 'transient') {
    const { transientBaseSeconds, transientMaxSeconds, transientTries } = flow;
    return { baseSeconds: transientBaseSeconds, longestSeconds: transientMaxSeconds, tries: transientTries };
  }
  if (kind === 'not-in-plex') {
    const { missingBaseSeconds, missingMaxSeconds, missingTries } = flow;
    return { baseSeconds: missingBaseSeconds, longestSeconds: missingMaxSeconds, tries: missingTries };
  }
  return null;
}

const turnMs = 30_000;
const longestTurnMs = 600_000;

/** When a job that let the others go first comes to its turn, for the `rounds`-th time. */
export const nextTurn = (rounds: number, now: number): number =>
  now + Math.min(longestTurnMs, turnMs * 2 ** Math.max(0, rounds - 1));

/** The instant of the next try, or null when the job is to be given up. `attempts`: failed ones before this. */
export function nextTry(
  kind: OutcomeKind,
  attempts: number,
  flow: FlowSettings,
  now: number,
  random: Random,
): number | null {
  const rule = ruleFor(kind, flow);
  if (!rule || attempts + 1 >= rule.tries) return null;
  const seconds = Math.min(rule.longestSeconds, rule.baseSeconds * 2 ** attempts);
  return now + Math.round(random() * seconds * 1_000);
}
