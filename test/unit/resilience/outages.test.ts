import { describe, expect, it } from 'vitest';
import { documentOf, historyOf, outageFormat } from '../../../src/resilience/outage-document';
import {
  asOf,
  mostOutages,
  noHistory,
  type Outage,
  type OutageHistory,
  observe,
  type Seen,
  summary,
} from '../../../src/resilience/outages';

const minute = 60_000;
const t0 = Date.parse('2026-11-16T14:02:00.123Z');

const well = (closedAt: number | null = null): Seen => ({ outage: null, closedAt, waiting: 0 });
const away = (since: number, waiting = 0): Seen => ({
  outage: { since, cause: 'Plex is not answering (connection refused).' },
  closedAt: null,
  waiting,
});

/** Each step: when it was looked, and how the target stood. */
const after = (steps: [number, Seen][], history: OutageHistory = noHistory, target = 'plex'): OutageHistory =>
  steps.reduce((before, [at, seen]) => observe(before, target, seen, at), history);

describe('the history of outages', () => {
  it('has one record per outage, from its start to its end', () => {
    const history = after([
      [t0 - minute, well()],
      [t0, away(t0, 3)],
      [t0 + minute, away(t0, 128)],
      [t0 + 2 * minute, away(t0, 90)],
      [t0 + 3 * minute + 200, well(t0 + 3 * minute)],
      [t0 + 4 * minute, well(t0 + 3 * minute)],
    ]);
    expect(history).toEqual({
      watchedSince: { plex: t0 - minute },
      outages: [
        {
          target: 'plex',
          start: t0,
          end: t0 + 3 * minute,
          cause: 'Plex is not answering (connection refused).',
          jobsWaiting: 128,
          waitingSince: null,
          longestWaitMs: 3 * minute,
        },
      ],
    });
  });

  it('is the same object when nothing changed', () => {
    const open = after([[t0, away(t0)]]);
    expect(observe(open, 'plex', away(t0), t0 + minute)).toBe(open);
    const over = after([[t0 + minute, well(t0 + 1_000)]], open);
    for (const seen of [well(t0 + 1_000), well(t0 + 2 * minute), well()]) {
      expect(observe(over, 'plex', seen, t0 + 3 * minute)).toBe(over);
    }
  });

  it('keeps the cause that an outage began with', () => {
    const seen: Seen = { ...away(t0), outage: { since: t0, cause: 'Plex is still starting (HTTP 503).' } };
    const { outages } = after([
      [t0, away(t0)],
      [t0 + minute, seen],
    ]);
    expect(outages).toMatchObject([{ cause: 'Plex is not answering (connection refused).' }]);
  });

  it('closes a record with the instant at which the gate closed, however late that is noticed', () => {
    const history = after([
      [t0, away(t0)],
      [t0 + 500 * minute, well(t0 + minute)],
    ]);
    expect(history.outages).toMatchObject([{ end: t0 + minute }]);
  });

  it('closes a record now when the gate does not know when it closed, or only of a closing before', () => {
    for (const closedAt of [null, t0 - minute]) {
      const history = after([
        [t0, away(t0)],
        [t0 + minute, well(closedAt)],
      ]);
      expect(history.outages).toMatchObject([{ end: t0 + minute }]);
    }
  });

  it('takes up an outage that began before anybody looked', () => {
    const history = after([[t0 + 10 * minute, away(t0, 5)]]);
    expect(history).toMatchObject({ watchedSince: { plex: t0 }, outages: [{ start: t0, end: null }] });
  });

  it('closes an outage whose end nobody saw when the next one is there', () => {
    const { outages } = after([
      [t0, away(t0, 2)],
      [t0 + 9 * minute, away(t0 + 5 * minute)],
    ]);
    expect(outages).toMatchObject([
      { start: t0, end: t0 + 5 * minute, longestWaitMs: 5 * minute },
      { start: t0 + 5 * minute, end: null },
    ]);
  });

  it('opens a record again, and writes no second one, when the gate says that this very outage lasts', () => {
    const steps: [number, Seen][] = [
      [t0, away(t0, 1)],
      [t0 + minute, well(t0 + minute)],
      [t0 + 2 * minute, away(t0, 1)],
    ];
    expect(after(steps).outages).toMatchObject([{ start: t0, end: null }]);
    const { outages } = after([...steps, [t0 + 3 * minute, well(t0 + 3 * minute)]]);
    expect(outages).toMatchObject([{ start: t0, end: t0 + 3 * minute }]);
  });

  it('keeps targets apart', () => {
    let history = after([[t0, away(t0, 1)]]);
    history = after([[t0, away(t0, 7)]], history, 'attic');
    history = after([[t0 + minute, well(t0 + minute)]], history, 'attic');
    expect(history.outages).toMatchObject([
      { target: 'plex', end: null, jobsWaiting: 1 },
      { target: 'attic', end: t0 + minute, jobsWaiting: 7 },
    ]);
  });

  describe('how long something waited', () => {
    it('begins when the first job comes', () => {
      const { outages } = after([
        [t0, away(t0, 0)],
        [t0 + 2 * minute, away(t0, 1)],
        [t0 + 5 * minute, away(t0, 4)],
      ]);
      expect(outages).toMatchObject([{ waitingSince: t0 + 2 * minute, longestWaitMs: 3 * minute }]);
      const [open] = outages;
      expect(open && asOf(open, t0 + 6 * minute)).toMatchObject({ longestWaitMs: 4 * minute });
    });

    it('does not go on while nothing waits any more', () => {
      const { outages } = after([
        [t0, away(t0, 1)],
        [t0 + 2 * minute, away(t0, 1)],
        [t0 + 3 * minute, away(t0, 0)], // the queue was cleared
        [t0 + 60 * minute, away(t0, 1)],
        [t0 + 61 * minute, well(t0 + 61 * minute)],
      ]);
      expect(outages).toMatchObject([{ jobsWaiting: 1, longestWaitMs: 2 * minute }]);
    });
  });

  it('has no wait that is longer than its outage', () => {
    const { outages } = after([
      [t0, away(t0, 1)],
      [t0 + 5 * minute, away(t0, 1)],
      [t0 + 6 * minute, well(t0 + minute)],
    ]);
    expect(outages).toMatchObject([{ end: t0 + minute, longestWaitMs: minute }]);
  });

  it('has no negative durations when the clock is set back', () => {
    const back = t0 - 60 * minute;
    const history = after([
      [t0, away(t0, 1)],
      [back, away(t0, 1)],
      [back + minute, well(back + minute)],
    ]);
    expect(history.outages).toMatchObject([{ start: t0, end: t0, longestWaitMs: 0 }]);
    const open = after([[back, away(t0, 1)]]);
    expect(summary(open.outages, t0, back)).toEqual({
      count: 1,
      meanTimeToRecoveryMs: null,
      meanTimeBetweenFailuresMs: 0,
      availability: 0,
    });
  });

  it('keeps the newest, and those that last, and says since when it is complete', () => {
    let history = after([[t0, away(t0)]], noHistory, 'attic');
    for (let n = 1; n <= mostOutages + 9; n++) {
      const start = t0 + n * minute;
      history = after(
        [
          [start, away(start)],
          [start + 1_000, well(start + 1_000)],
        ],
        history,
      );
    }
    expect(history.outages).toHaveLength(mostOutages);
    expect(history.outages.slice(0, 2)).toMatchObject([
      { target: 'attic', start: t0, end: null },
      { target: 'plex', start: t0 + 11 * minute },
    ]);
    expect(history.watchedSince).toEqual({ attic: t0, plex: t0 + 10 * minute + 1_000 });
  });

  it('comes back from its document as it was, waits to the second', () => {
    const history = after([
      [t0, away(t0, 3)],
      [t0 + minute, well(t0 + minute + 7)],
      [t0 + 2 * minute, away(t0 + 2 * minute - 1, 4)],
    ]);
    const text = JSON.stringify(documentOf(history));
    expect(text).toContain('"start":"2026-11-16T14:02:00.123Z","end":"2026-11-16T14:03:00.130Z"');
    expect(historyOf(outageFormat.parse(JSON.parse(text)))).toEqual({
      ...history,
      outages: history.outages.map((one) => ({
        ...one,
        longestWaitMs: Math.round(one.longestWaitMs / 1_000) * 1_000,
      })),
    });
  });

  it.each([
    ['no list', { watchedSince: {} }],
    ['a time that is none', { watchedSince: { plex: '2026-13-01T00:00:00Z' }, outages: [] }],
    [
      'a negative number',
      { watchedSince: {}, outages: [{ ...documentOf(after([[t0, away(t0)]])).outages[0], jobsWaiting: -1 }] },
    ],
  ])('is not read from a document with %s', (_, document) => {
    expect(() => outageFormat.parse(document)).toThrow();
  });
});

describe('the summary of a target', () => {
  const outage = (start: number, end: number | null): Outage => ({
    target: 'plex',
    start,
    end,
    cause: 'Plex is not answering.',
    jobsWaiting: 0,
    waitingSince: null,
    longestWaitMs: 0,
  });

  it('counts, and tells how fast it recovers, how far failures are apart, and how available it is', () => {
    const outages = [outage(100, 200), outage(500, 600), outage(700, 900)];
    expect(summary(outages, 0, 1_000)).toEqual({
      count: 3,
      meanTimeToRecoveryMs: 400 / 3,
      meanTimeBetweenFailuresMs: 200,
      availability: 0.6,
    });
  });

  it('counts an outage that lasts as time away, but not as a recovery', () => {
    expect(summary([outage(0, 100), outage(500, null)], 0, 1_000)).toEqual({
      count: 2,
      meanTimeToRecoveryMs: 100,
      meanTimeBetweenFailuresMs: 200,
      availability: 0.4,
    });
  });

  it('of a target that was never away is that it is always there', () => {
    const numbers = {
      count: 0,
      meanTimeToRecoveryMs: null,
      meanTimeBetweenFailuresMs: null,
      availability: 1,
    };
    expect(summary([], 0, 1_000)).toEqual(numbers);
    expect(summary([], 1_000, 1_000)).toEqual(numbers);
  });

  it('stays between 0 and 1 however the clock jumps', () => {
    for (const [since, now] of [
      [0, 150],
      [150, 150],
      [1_000, 500],
      [0, 10_000],
    ] as const) {
      const { availability } = summary([outage(100, 9_000), outage(200, null), outage(50, 300)], since, now);
      expect(availability).toBeGreaterThanOrEqual(0);
      expect(availability).toBeLessThanOrEqual(1);
    }
  });
});
