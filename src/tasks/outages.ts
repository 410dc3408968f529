/**
 * The task `outages`: which outages there were, and how reliable each target is, from `outages.json`. It only reads:
 * the file is the worker's, also when it is damaged.
 */
import { readFileSync } from 'node:fs';
import { parseDocument } from '../persist/json-document';
import { NewerState } from '../persist/set-aside';
import { documentOf, historyOf, type OutageDocument, outageFormat } from '../resilience/outage-document';
import {
  asOf,
  noHistory,
  type Outage,
  type OutageHistory,
  type Summary,
  summary,
} from '../resilience/outages';
import { iso } from '../shared/clock';
import { codeOf, messageOf } from '../shared/errors';
import type { Log } from '../shared/log';
import { dayAndTime, duration, timeBeside } from '../shared/time-words';
import { counted } from '../shared/words';
import type { TaskContext } from './ask-worker';

const mostLines = 20;

export interface OutageReport {
  /** Newest first. */
  outages: OutageDocument['outages'];
  targets: Record<string, TargetReport>;
}

interface TargetReport {
  watchedSince: string;
  outages: number;
  meanTimeToRecoverySeconds: number | null;
  meanTimeBetweenFailuresSeconds: number | null;
  /** 0 to 1. */
  availability: number;
}

export async function reportOutages({ paths, clock, log }: TaskContext): Promise<OutageReport> {
  const now = clock.now();
  const { watchedSince, outages: noticed } = readHistory(paths.outages, log);
  const outages = noticed.map((outage) => asOf(outage, now)).sort((a, b) => b.start - a.start);
  const targets: OutageReport['targets'] = {};

  for (const outage of outages.slice(0, mostLines)) log.info(outageInWords(outage, now));
  if (outages.length > mostLines) log.info(`${outages.length - mostLines} more are in ${paths.outages}.`);
  for (const [name, since] of Object.entries(watchedSince)) {
    const numbers = summary(
      outages.filter(({ target }) => target === name),
      since,
      now,
    );
    log.info(`${name}: ${summaryInWords(numbers, since, now)}`);
    targets[name] = targetReport(numbers, since);
  }
  if (Object.keys(targets).length === 0) log.info('No outage has been recorded yet.');
  return { outages: documentOf({ watchedSince, outages }).outages, targets };
}

/** While the worker saves, the copy before is the only one. */
function readHistory(path: string, log: Log): OutageHistory {
  let trouble: string | null = null;
  for (const copy of [path, `${path}.prev`]) {
    try {
      const document = parseDocument({ ...outageFormat, path: copy }, readFileSync(copy, 'utf8'));
      if (trouble !== null) log.warn(`${trouble} This is the copy before.`);
      return historyOf(document);
    } catch (error) {
      if (error instanceof NewerState) throw error;
      if (codeOf(error) !== 'ENOENT') trouble ??= `${copy} cannot be used (${messageOf(error)}).`;
    }
  }
  if (trouble !== null) throw new Error(`${trouble} ${outageFormat.ifLost}`);
  return noHistory;
}

function outageInWords(outage: Outage, now: number): string {
  const { target, start, end, cause, jobsWaiting, longestWaitMs } = outage;
  const length = duration((end ?? now) - start);
  const when =
    end === null
      ? `since ${dayAndTime(start, now)} (${length} so far)`
      : `${dayAndTime(start, now)} to ${timeBeside(end, start)} (${length})`;
  const waited =
    jobsWaiting === 0
      ? 'Nothing waited.'
      : `${counted(jobsWaiting, 'scene', 'scenes')} waited, at most ${duration(longestWaitMs)}.`;
  return `${target}: ${when}: ${cause} ${waited}`;
}

function summaryInWords(numbers: Summary, since: number, now: number): string {
  const { count, meanTimeToRecoveryMs, meanTimeBetweenFailuresMs, availability } = numbers;
  const parts = [
    `${count === 0 ? 'no outage' : counted(count, 'outage', 'outages')} since ${dayAndTime(since, now)}`,
  ];
  if (meanTimeToRecoveryMs !== null) parts.push(`mean time to recovery ${duration(meanTimeToRecoveryMs)}`);
  if (meanTimeBetweenFailuresMs !== null) {
    parts.push(`mean time between failures ${duration(meanTimeBetweenFailuresMs)}`);
  }
  return `${[...parts, `availability ${percent(availability)}`].join(', ')}.`;
}

/** Only what was never away has 100 %. */
const percent = (share: number): string =>
  share === 1 ? '100 %' : `${Math.min(99.99, share * 100).toFixed(2)} %`;

const seconds = (ms: number | null): number | null => (ms === null ? null : Math.round(ms / 1_000));

const targetReport = (numbers: Summary, since: number): TargetReport => ({
  watchedSince: iso(since),
  outages: numbers.count,
  meanTimeToRecoverySeconds: seconds(numbers.meanTimeToRecoveryMs),
  meanTimeBetweenFailuresSeconds: seconds(numbers.meanTimeBetweenFailuresMs),
  availability: numbers.availability,
});
