/**
 * How the history of outages is written down (`outages.json`), for people with `cat` and `jq`: times in ISO 8601,
 * durations in seconds.
 *
 * Holds: targets, starts and ends come back as they were, to the millisecond: an outage is known by them.
 */
import * as v from 'valibot';
import { iso } from '../shared/clock';
import type { OutageHistory } from './outages';

const time = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.check((text) => !Number.isNaN(Date.parse(text)), 'no such time'),
);
const amount = v.pipe(v.number(), v.minValue(0));

const outageDocument = v.object({
  watchedSince: v.record(v.string(), time),
  outages: v.array(
    v.object({
      target: v.string(),
      start: time,
      end: v.nullable(time),
      cause: v.string(),
      jobsWaiting: amount,
      waitingSince: v.nullable(time),
      longestWaitSeconds: amount,
    }),
  ),
});

export type OutageDocument = v.InferOutput<typeof outageDocument>;

/** What whoever reads or writes the file has to know, besides its path. */
export const outageFormat = {
  version: 1,
  parse: (value: unknown): OutageDocument => v.parse(outageDocument, value),
  ifLost: 'The list of past outages begins anew.',
};

const written = (at: number | null): string | null => (at === null ? null : iso(at));
const read = (text: string | null): number | null => (text === null ? null : Date.parse(text));

export function documentOf({ watchedSince, outages }: OutageHistory): OutageDocument {
  return {
    watchedSince: Object.fromEntries(Object.entries(watchedSince).map(([name, at]) => [name, iso(at)])),
    outages: outages.map((outage) => ({
      target: outage.target,
      start: iso(outage.start),
      end: written(outage.end),
      cause: outage.cause,
      jobsWaiting: outage.jobsWaiting,
      waitingSince: written(outage.waitingSince),
      longestWaitSeconds: Math.round(outage.longestWaitMs / 1_000),
    })),
  };
}

export function historyOf({ watchedSince, outages }: OutageDocument): OutageHistory {
  return {
    watchedSince: Object.fromEntries(
      Object.entries(watchedSince).map(([name, text]) => [name, Date.parse(text)]),
    ),
    outages: outages.map(({ longestWaitSeconds, ...outage }) => ({
      ...outage,
      start: Date.parse(outage.start),
      end: read(outage.end),
      waitingSince: read(outage.waitingSince),
      longestWaitMs: longestWaitSeconds * 1_000,
    })),
  };
}
