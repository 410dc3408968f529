/**
 * What a person is notified of: that an outage began, that it has lasted for long, that the recovery period began,
 * and that it is over.
 *
 * Decided by how a target stands and what was told last, not by events: `told` is kept with the gate, and whatever
 * instant the process dies at, the next one says what is still to be said. A step that is past when its turn comes is
 * left out: an outage that has lasted for long when it is first told of is told of once, and after one that ended while
 * nobody looked comes what is true then.
 *
 *   nothing ── outage ──> opened ── it lasts ──> long
 *      ^                    │  ^                   │
 *      │                    v  └───── outage ──┐   v
 *      └─────── over ──── (well) ── ramp ──> recovery
 *
 * Holds: the same state and situation never speak twice; nothing is said of a recovery whose outage nobody heard of.
 */
import { duration, timeBeside } from '../shared/time-words';
import { counted } from '../shared/words';

export const toldKinds = ['nothing', 'opened', 'long', 'recovery'] as const;
export type Told = (typeof toldKinds)[number];

export interface Situation {
  outage: { since: number; cause: string } | null;
  /** Null: no recovery period is under way. */
  recoveryEndsAt: number | null;
  /** How many of its jobs are not finished. */
  waiting: number;
}

export interface Announcement {
  told: Told;
  text: string;
}

export const longOutageMs = 15 * 60_000;

/** `target`: what the person calls it. Null: there is nothing new to say. */
export function announcement(
  target: string,
  { outage, recoveryEndsAt, waiting }: Situation,
  told: Told,
  now: number,
): Announcement | null {
  const wait = waiting === 0 ? 'No scene waits.' : `${counted(waiting, 'scene waits', 'scenes wait')}.`;
  if (outage) {
    const isLong = now - outage.since >= longOutageMs;
    if (told === 'long' || (told === 'opened' && !isLong)) return null;
    const since = timeBeside(outage.since, now);
    const begin = `Sluice has sent nothing to ${target}`;
    return isLong
      ? {
          told: 'long',
          text:
            `${begin} for ${duration(now - outage.since)}, since ${since}: ${outage.cause} ${wait} Nothing is lost, but ` +
            `somebody should look after ${target}. The task "Check health" in Stash says more.`,
        }
      : {
          told: 'opened',
          text: `${begin} since ${since}: ${outage.cause} ${wait} Nothing is lost: it goes on by itself when ${target} is well.`,
        };
  }
  if (told === 'nothing') return null;
  if (recoveryEndsAt !== null && recoveryEndsAt > now) {
    if (told === 'recovery') return null;
    const end = timeBeside(recoveryEndsAt, now);
    return {
      told: 'recovery',
      text: `${target} is well again. ${wait} Sluice goes on slowly at first, and at full speed from ${end}.`,
    };
  }
  const what = told === 'recovery' ? `The recovery of ${target} is over` : `${target} is well again`;
  return { told: 'nothing', text: `${what}: Sluice works at full speed. ${wait}` };
}
