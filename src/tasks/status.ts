/**
 * How things stand. The worker keeps `status.json`; what it cannot know about itself (that it was killed, what came
 * into the inbox since) is seen to here. A worker that is not running although there is something to do is woken.
 */

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { inboxNames } from '../queue/inbox';
import { isRunning, readName } from '../shared/process';
import type { Status, TargetStatus } from '../shared/status';
import { duration, timeBeside } from '../shared/time-words';
import { version } from '../shared/version';
import { counted } from '../shared/words';
import { syncRows } from '../stash/sync-settings';
import { leaveCommand, type TaskContext } from './ask-worker';

const wakeWaitMs = 5_000;
const lookEveryMs = 100;

export async function currentStatus(context: TaskContext): Promise<Status> {
  const status = readStatus(context);
  if (status.worker.alive || !hasWork(status)) return status;
  leaveCommand(context, { command: 'process', id: randomUUID() });
  for (let waitedMs = 0; waitedMs < wakeWaitMs; waitedMs += lookEveryMs) {
    await context.clock.sleep(lookEveryMs);
    const now = readStatus(context);
    if (now.worker.alive && now.inbox === 0) return now;
  }
  return readStatus(context);
}

/** Whether more may come into the queue without anybody doing anything. */
export const isLooking = ({ passes, queue }: Status): boolean => passes.length + queue.fanOuts > 0;

const hasWork = (status: Status): boolean => status.inbox + status.queue.waiting > 0 || isLooking(status);

/** What the files say at this moment. */
export function readStatus({ paths }: Pick<TaskContext, 'paths'>): Status {
  const status = readFile(paths.status) ?? unknownStatus;
  const name = readName(paths.alive);
  const alive = name !== null && isRunning(name) && status.worker.pid === name.pid;
  return {
    ...status,
    worker: alive ? status.worker : { alive: false, pid: null, since: null },
    inbox: inboxNames(paths.inbox).length,
  };
}

function readFile(path: string): Status | null {
  try {
    const status = JSON.parse(readFileSync(path, 'utf8')) as Partial<Status> | null;
    if (!status?.queue || !status.targets || !status.worker || !status.stash) return null;
    // A worker of an older version left it.
    const isOld = !status.passes || Object.values(status.targets).some((one) => !one.queue || !one.filtered);
    return isOld ? null : (status as Status);
  } catch {
    return null;
  }
}

const unknownStatus: Status = {
  version,
  paused: false,
  worker: { alive: false, pid: null, since: null },
  stash: { reachable: false, since: null, error: 'not asked yet' },
  inbox: 0,
  queue: { waiting: 0, due: 0, inFlight: 0, parked: 0, retrying: 0, fanOuts: 0 },
  deadLetters: 0,
  passes: [],
  targets: {},
};

export function statusInWords(
  status: Status,
  { paths, clock }: Pick<TaskContext, 'paths' | 'clock'>,
): string[] {
  const now = clock.now();
  const { queue, stash, worker, deadLetters } = status;
  const lines = [
    workerInWords(status, paths.log, now),
    `${counted(queue.waiting, 'scene waits', 'scenes wait')}: ${queue.due} due now, ${queue.inFlight} on the way; ` +
      `${queue.retrying} failed before. ${counted(status.inbox, 'file', 'files')} not yet read from the inbox.`,
  ];
  const later = queue.waiting - queue.due - queue.inFlight - queue.retrying;
  if (later > 0)
    lines.push(`${counted(later, 'scene', 'scenes')} had no cover yet, and will be looked at once more.`);
  if (status.paused) lines.push('Paused: nothing is sent to Plex until you run "Resume".');
  if (queue.fanOuts > 0) {
    lines.push(
      `The scenes of ${counted(queue.fanOuts, 'change', 'changes')} of performers, studios, tags or groups are still to be queued.`,
    );
  }
  if (deadLetters > 0) {
    lines.push(
      `${counted(deadLetters, 'scene was', 'scenes were')} given up. The task "Dead letters" says why and what to do.`,
    );
  }
  for (const pass of status.passes) lines.push(passInWords(pass));
  if (worker.alive && stash.error) lines.push(`Stash: ${stash.error}`);
  for (const [name, target] of Object.entries(status.targets)) {
    lines.push(targetInWords(name, target, now), ...leftOutInWords(name, target));
  }
  return [...lines, ...notices(paths.notice)];
}

function passInWords({ name, looked, total, queued }: Status['passes'][number]): string {
  const of = total === null ? '' : ` of ${total}`;
  return `${name} is under way: ${looked}${of} scenes looked at, ${queued} queued.`;
}

function workerInWords(status: Status, log: string, now: number): string {
  const { worker } = status;
  if (worker.alive) return `The worker runs (process ${worker.pid}, since ${localTime(worker.since, now)}).`;
  if (!hasWork(status)) return 'No worker runs: there is nothing to do. The next edit starts one.';
  return `No worker runs although something waits, and none could be started; ${log} may say why.`;
}

function targetInWords(name: string, target: TargetStatus, now: number): string {
  const { url, breaker, recovery, reason, queue, done, failed } = target;
  const where = url === null ? `${name} (not set up)` : `${name} (${url})`;
  const counts = `${done} done, ${failed} given up.`;
  if (breaker.state === 'CLOSED') {
    const ends = recovery.endsAt === null ? '' : ` At full speed from ${localTime(recovery.endsAt, now)}.`;
    return `${where}: ${reason}${ends} ${counts}`;
  }
  const waits = counted(queue.waiting, 'scene waits', 'scenes wait');
  const waitMs = breaker.retryAt === null ? 0 : Date.parse(breaker.retryAt) - now;
  const next = waitMs <= 0 ? 'now' : `in ${duration(waitMs)}`;
  return `${where}: ${breaker.cause} So it is since ${localTime(breaker.since, now)}. ${waits}. Next try ${next}. ${counts}`;
}

/** Which scenes were not sent, if there were any. */
function leftOutInWords(name: string, { filtered }: TargetStatus): string[] {
  const rules = Object.entries(filtered).sort(([, a], [, b]) => b - a);
  if (rules.length === 0) return [];
  const total = rules.reduce((sum, [, count]) => sum + count, 0);
  const parts = rules.map(([rule, count]) => `${count} ${ruleInWords(rule)}`);
  return [`${name}: ${counted(total, 'scene was', 'scenes were')} left out (${parts.join(', ')}).`];
}

function ruleInWords(rule: string): string {
  if (rule === 'no-file') return 'without a file';
  if (rule === 'not-in-plex') return 'not in Plex';
  const row = Object.entries(syncRows).find(([key]) => key === rule)?.[1];
  return `by "${row?.label ?? rule}"`;
}

function notices(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

const localTime = (iso: string | null, now: number): string =>
  iso === null ? 'unknown' : timeBeside(Date.parse(iso), now);
