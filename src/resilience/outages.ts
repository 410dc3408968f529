/**
 * The history of outages, over all targets.
 *
 * The gate's document is what is true; this is what it looked like over time. The two are written one after the
 * other, and the process may die in between. So nothing here is told of an event: `observe` is shown how a target
 * stands, as often as one likes, and makes the history agree with that.
 *
 * Holds: an outage is known by its target and its start, and has one record. A target has at most one open record,
 * and only while it is in that outage. A record is closed once, with the instant at which the gate closed if that is
 * known; only a gate that says that this very outage still lasts (its document was damaged, and it went on with the
 * copy before) opens it again. No duration is negative, and no wait longer than its outage, whoever sets the clock. When
 * nothing changed, the same object comes back.
 */

export interface Outage {
  target: string;
  start: number;
  /** Null: it lasts. */
  end: number | null;
  /** What began it, in words for a person. */
  cause: string;
  /** The most that waited at one time. */
  jobsWaiting: number;
  /** Since when something has been waiting; null: nothing does, or the outage is over. */
  waitingSince: number | null;
  /** How long something waited without a pause, up to the end of the outage. */
  longestWaitMs: number;
}

export interface OutageHistory {
  /** Since when each target has been watched: what was before it nobody knows. */
  watchedSince: Record<string, number>;
  /** In the order in which they were noticed. */
  outages: Outage[];
}

/** How a target stands. */
export interface Seen {
  outage: { since: number; cause: string } | null;
  /** When the last outage ended, as far as is known. */
  closedAt: number | null;
  /** How many of its jobs are not finished. */
  waiting: number;
}

export const mostOutages = 500;

export const noHistory: OutageHistory = { watchedSince: {}, outages: [] };

export function observe(history: OutageHistory, target: string, seen: Seen, now: number): OutageHistory {
  const since = seen.outage?.since ?? null;
  const outages = history.outages.map((outage) => {
    if (outage.target !== target) return outage;
    if (outage.start === since) return lasting(outage, seen.waiting, now);
    return outage.end === null ? closed(outage, endOf(outage, seen, now)) : outage;
  });
  if (seen.outage && !outages.some((outage) => outage.target === target && outage.start === since)) {
    outages.push(lasting(opened(target, seen.outage), seen.waiting, now));
  }
  const isWatched = Object.hasOwn(history.watchedSince, target);
  const isSame =
    outages.length === history.outages.length && outages.every((one, i) => one === history.outages[i]);
  if (isWatched && isSame) return history;
  const watchedSince = isWatched
    ? history.watchedSince
    : { ...history.watchedSince, [target]: Math.min(now, since ?? now) };
  return bounded({ watchedSince, outages });
}

const opened = (target: string, { since, cause }: { since: number; cause: string }): Outage => ({
  target,
  start: since,
  end: null,
  cause,
  jobsWaiting: 0,
  waitingSince: null,
  longestWaitMs: 0,
});

/** The same object, if there is nothing new. */
function lasting(outage: Outage, waiting: number, now: number): Outage {
  const waitingSince = waiting === 0 ? null : (outage.waitingSince ?? now);
  const jobsWaiting = Math.max(outage.jobsWaiting, waiting);
  const longestWaitMs = longestWait(outage, waitingSince, now);
  const isSame =
    outage.end === null &&
    outage.waitingSince === waitingSince &&
    outage.jobsWaiting === jobsWaiting &&
    outage.longestWaitMs === longestWaitMs;
  return isSame ? outage : { ...outage, end: null, waitingSince, jobsWaiting, longestWaitMs };
}

const closed = (outage: Outage, end: number): Outage => ({
  ...outage,
  end,
  waitingSince: null,
  longestWaitMs: Math.min(longestWait(outage, outage.waitingSince, end), end - outage.start),
});

const longestWait = (outage: Outage, since: number | null, until: number): number =>
  Math.max(outage.longestWaitMs, since === null ? 0 : until - since);

/** As it would be written down now: the file of one that lasts may be a minute old. */
export const asOf = (outage: Outage, now: number): Outage => ({
  ...outage,
  longestWaitMs: longestWait(outage, outage.waitingSince, now),
});

/** A closing from before the outage is that of another one; the next outage tells when this one was over at the latest. */
function endOf({ start }: Outage, { outage, closedAt }: Seen, now: number): number {
  const end = closedAt !== null && closedAt >= start ? closedAt : (outage?.since ?? now);
  return Math.max(start, end);
}

/** The oldest that are over go first; a target counts as watched only since the last of its outages that went. */
function bounded({ watchedSince, outages }: OutageHistory): OutageHistory {
  let surplus = outages.length - mostOutages;
  if (surplus <= 0) return { watchedSince, outages };
  const since = { ...watchedSince };
  const kept = outages.filter(({ target, end }) => {
    if (surplus <= 0 || end === null) return true;
    surplus--;
    since[target] = Math.max(since[target] ?? end, end);
    return false;
  });
  return { watchedSince: since, outages: kept };
}

export interface Summary {
  count: number;
  /** Of the outages that are over; null: none is. */
  meanTimeToRecoveryMs: number | null;
  /** The time in which the target was well, per outage; null: there was none. */
  meanTimeBetweenFailuresMs: number | null;
  /** The share of the time in which the target was well, 0 to 1. */
  availability: number;
}

/** `outages`: of one target. */
export function summary(outages: Outage[], watchedSince: number, now: number): Summary {
  const watchedMs = Math.max(0, now - watchedSince);
  const lengthMs = (start: number, end: number) => Math.max(0, end - start);
  const over = outages.flatMap(({ start, end }) => (end === null ? [] : [lengthMs(start, end)]));
  const downMs = outages.reduce(
    (sum, { start, end }) => sum + lengthMs(Math.max(start, watchedSince), Math.min(end ?? now, now)),
    0,
  );
  const upMs = Math.max(0, watchedMs - downMs);
  return {
    count: outages.length,
    meanTimeToRecoveryMs: over.length === 0 ? null : over.reduce((a, b) => a + b, 0) / over.length,
    meanTimeBetweenFailuresMs: outages.length === 0 ? null : upMs / outages.length,
    availability: watchedMs === 0 ? Number(outages.every(({ end }) => end !== null)) : upMs / watchedMs,
  };
}
