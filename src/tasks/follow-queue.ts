/**
 * The task `process`: wakes the worker and shows its progress in Stash's bar, until nothing is due or the next try is
 * more than ten seconds away. Stash runs one task at a time, so this one must not sit out an outage.
 */
import type { Status, TargetStatus } from '../shared/status';
import { duration } from '../shared/time-words';
import { counted } from '../shared/words';
import { askWorker, type TaskContext } from './ask-worker';
import { isLooking, readStatus } from './status';

const lookEveryMs = 500;
const longestWaitMs = 10_000;
const enoughFailures = 8;
/** One request to Plex takes no longer. */
const longestStandstillMs = 35_000;
/** The worker writes its status every second; until then it speaks of the time before we asked. */
const settleMs = 2_500;

export async function followQueue(context: TaskContext): Promise<string> {
  const { clock, log } = context;
  const before = readStatus(context);
  const endedBefore = endedOf(before);
  await askWorker(context, 'process');
  await clock.sleep(settleMs);
  let standstillMs = 0;
  let lastSeen = '';
  for (;;) {
    const status = readStatus(context);
    const ended = endedOf(status) - endedBefore;
    const open = status.queue.due + status.queue.inFlight + status.inbox;
    log.progress(ended + open === 0 ? 1 : ended / (ended + open));
    const seen = JSON.stringify([ended, status.queue, status.passes, status.inbox]);
    standstillMs = seen === lastSeen ? standstillMs + lookEveryMs : 0;
    lastSeen = seen;
    const why =
      reasonToStop(status, before, clock.now()) ??
      (standstillMs >= longestStandstillMs ? 'Nothing moves for now; "Status" may say why.' : null);
    if (why !== null) {
      const { waiting } = status.queue;
      const summary = `${counted(ended, 'scene', 'scenes')} processed, ${counted(waiting, 'waits', 'wait')}. ${why}`;
      log.info(summary);
      return summary;
    }
    await clock.sleep(lookEveryMs);
  }
}

function endedOf({ targets }: Status): number {
  return Object.values(targets).reduce((sum, { done, failed }) => sum + done + failed, 0);
}

function reasonToStop(status: Status, before: Status, now: number): string | null {
  const { queue, inbox, stash, worker } = status;
  if (!worker.alive) return 'The worker ended; see worker.log.';
  if (inbox > 0 && queue.due === 0) return null;
  if (queue.due === 0 && queue.inFlight === 0 && !isLooking(status)) {
    if (queue.waiting === 0) return 'Nothing is left to do.';
    if (queue.retrying === 0)
      return 'Nothing is due now: what waits had no cover yet, and is looked at once more.';
    return `Nothing is due: ${counted(queue.retrying, 'scene is', 'scenes are')} tried again later.`;
  }
  if (status.paused) return 'Paused: run "Resume" to go on.';
  if (!stash.reachable && stash.error) return stash.error;
  // One that gets on is worth watching, whatever the others do.
  const busy = Object.entries(status.targets).filter(
    ([, target]) => target.queue.due + target.queue.inFlight > 0,
  );
  const held = busy.map(([name, target]) => whyHeld(target, before.targets[name], now));
  return held.includes(null) ? null : (held[0] ?? null);
}

/** Null: it gets on, or will soon. */
function whyHeld(target: TargetStatus, before: TargetStatus | undefined, now: number): string | null {
  const { breaker, url } = target;
  if (url === null) return breaker.cause ?? 'Plex is not configured yet.';
  if (breaker.state !== 'OPEN' || breaker.retryAt === null) return null;
  const waitMs = Date.parse(breaker.retryAt) - now;
  // Where the wait is always short, a few more failed tries are enough.
  const triedInVain = breaker.failuresInARow - (before?.breaker.failuresInARow ?? 0);
  if (waitMs <= longestWaitMs && triedInVain < enoughFailures) return null;
  return `${breaker.cause} The next try is in ${duration(waitMs)}.`;
}
