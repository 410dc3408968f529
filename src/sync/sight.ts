/**
 * Whether an item is as we left it, judged by a listing of its library alone.
 *
 * Plex notes when an item last changed (`updatedAt`, whole seconds). What it said when we last looked is remembered,
 * and as long as it says the same, nobody changed the item. Right after a write of our own it is not known what it
 * says: then a change at about the time of our write is taken for that write, with a little room for clocks that
 * differ. A larger difference costs one look more, or hides a change within it.
 */
import type { LedgerEntry } from './ledger-entry';

/** From the beginning of a write to the moment we noted it, with room for whole seconds. */
const writingMs = 5_000;
const clocksMs = 2_000;

export function isAsWeLeftIt({ seen, at }: Pick<LedgerEntry, 'seen' | 'at'>, updatedAt: number): boolean {
  if (updatedAt === 0) return false;
  if (seen !== undefined) return seen === updatedAt;
  const changedAt = updatedAt * 1_000;
  return changedAt >= at - writingMs && changedAt <= at + clocksMs;
}
