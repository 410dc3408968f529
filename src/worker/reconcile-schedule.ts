import type { SyncSettings } from '../stash/sync-settings';

const hourMs = 3_600_000;
const everyMs = {
  never: Number.POSITIVE_INFINITY,
  hourly: hourMs,
  daily: 24 * hourMs,
  weekly: 7 * 24 * hourMs,
};

/** Whether a pass is due; it counts from the end of the last one, or from the day we were set up. */
export const isReconcileDue = (often: SyncSettings['syncReconcile'], last: number, now: number): boolean =>
  now - last >= everyMs[often];
