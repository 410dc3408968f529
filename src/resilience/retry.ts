/**
 * When a job whose own fault it was is tried again: full jitter, a random wait between 0 and
 * min(cap, base x 2^attempts), chosen once and persisted, and how often before it is given up.
 */
import type { Random } from '../shared/clock';
import type { OutcomeKind } from '../shared/outcome';

interface RetryRule {
  baseMs: number;
  capMs: number;
  tries: number;
}

const rules: Partial<Record<OutcomeKind, RetryRule>> = {
  transient: { baseMs: 5_000, capMs: 80_000, tries: 5 },
  'not-in-plex': { baseMs: 30_000, capMs: 600_000, tries: 12 },
};

const turnMs = 30_000;
const longestTurnMs = 600_000;

/** When a job that let the others go first comes to its turn, for the `rounds`-th time. */
export const nextTurn = (rounds: number, now: number): number =>
  now + Math.min(longestTurnMs, turnMs * 2 ** Math.max(0, rounds - 1));

/** The instant of the next try, or null when the job is to be given up. `attempts`: failed ones before this. */
export function nextTry(kind: OutcomeKind, attempts: number, now: number, random: Random): number | null {
  const rule = rules[kind];
  if (!rule || attempts + 1 >= rule.tries) return null;
  return now + Math.round(random() * Math.min(rule.capMs, rule.baseMs * 2 ** attempts));
}
