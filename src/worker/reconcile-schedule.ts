/**
 * When to reconcile by ourselves. When it was last done is in the queue's journal: it counts from the end of the last
 * pass, of whoever began it, or from the day we were set up.
 *
 * Holds: a pass that was begun here and then cleared by a person comes again only when the time has passed once more;
 * one that was interrupted is still in the queue, and goes on from there.
 */
import type { Queue } from '../queue/queue';
import type { Clock } from '../shared/clock';
import type { SyncSettings } from '../stash/sync-settings';

const hourMs = 3_600_000;
const everyMs = {
  never: Number.POSITIVE_INFINITY,
  hourly: hourMs,
  daily: 24 * hourMs,
  weekly: 7 * 24 * hourMs,
};

export interface ReconcileScheduleParts {
  queue: Pick<Queue, 'memo' | 'setMemo' | 'isPaused' | 'sweeps' | 'beginSweep'>;
  targets: { all(): { target: { missing: string | null } }[] };
  clock: Clock;
}

export class ReconcileSchedule {
  constructor(private readonly parts: ReconcileScheduleParts) {}

  /** True: a pass was begun. Not while paused, nor while another pass is under way, nor before we are set up. */
  beginWhenDue({ syncReconcile: often }: Pick<SyncSettings, 'syncReconcile'>): boolean {
    const { queue, targets, clock } = this.parts;
    const isSetUp = targets.all().some(({ target }) => target.missing === null);
    if (!isSetUp || queue.isPaused || queue.sweeps().length > 0) return false;
    const now = clock.now();
    const last = Number(queue.memo('reconciled'));
    // Never yet, or by a clock that was set back since.
    const isKnown = last <= now;
    const isDue = isKnown && now - last >= everyMs[often];
    if (!isKnown || isDue) queue.setMemo('reconciled', now);
    if (isDue) queue.beginSweep('reconcile', null);
    return isDue;
  }
}
