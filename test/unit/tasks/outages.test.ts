import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { NewerState } from '../../../src/persist/set-aside';
import type { Seen } from '../../../src/resilience/outages';
import { iso } from '../../../src/shared/clock';
import { reportOutages } from '../../../src/tasks/outages';
import { OutageBook } from '../../../src/worker/outage-book';
import { TaskRig } from './rig';

const minute = 60_000;
/** In local time, as the lines are. */
const t0 = new Date(2026, 10, 16, 14, 2).getTime();

describe('the task "outages"', () => {
  let rig: TaskRig;
  let book: OutageBook;

  beforeEach(() => {
    rig = new TaskRig();
    rig.clock.set(t0 - 24 * 60 * minute);
    book = new OutageBook(rig.paths.outages, rig.clock, rig.log);
  });

  const see = async (at: number, seen: Partial<Seen>, target = 'plex') => {
    rig.clock.set(at);
    book.observe(target, { outage: null, closedAt: null, waiting: 0, ...seen });
    await book.save();
  };
  const outage = async (start: number, end: number | null, waiting = 0, target = 'plex') => {
    const gone = { since: start, cause: 'Plex is not answering (connection refused).' };
    await see(start, { outage: gone }, target);
    if (waiting > 0) await see(start + 2 * minute, { outage: gone, waiting }, target);
    if (end !== null) await see(end, { closedAt: end }, target);
  };
  const lines = () => rig.log.lines.map(({ level, message }) => `${level}: ${message}`);

  it('tells each outage in plain words, newest first, and how reliable each target is', async () => {
    await see(rig.clock.now(), {});
    await outage(t0 - 14 * 60 * minute - 12 * minute, t0 - 13 * 60 * minute - 52 * minute);
    await outage(t0, t0 + 29 * minute, 128);
    await outage(t0 + 58 * minute, null, 1, 'attic');
    rig.clock.set(t0 + 61 * minute);
    const report = await reportOutages(rig.context);
    expect(lines()).toEqual([
      'info: attic: since 16 Nov 15:00 (3 min so far): Plex is not answering (connection refused). 1 scene waited, at most 1 min.',
      'info: plex: 16 Nov 14:02 to 14:31 (29 min): Plex is not answering (connection refused). 128 scenes waited, at most 27 min.',
      'info: plex: 15 Nov 23:50 to 16 Nov 00:10 (20 min): Plex is not answering (connection refused). Nothing waited.',
      'info: plex: 2 outages since 15 Nov 14:02, mean time to recovery 25 min, mean time between failures 12 h 6 min, availability 96.74 %.',
      'info: attic: 1 outage since 16 Nov 15:00, mean time between failures 0 s, availability 0.00 %.',
    ]);
    expect(report).toEqual({
      outages: [
        {
          target: 'attic',
          start: iso(t0 + 58 * minute),
          end: null,
          cause: 'Plex is not answering (connection refused).',
          jobsWaiting: 1,
          waitingSince: iso(t0 + 60 * minute),
          longestWaitSeconds: 60,
        },
        expect.objectContaining({
          start: iso(t0),
          end: iso(t0 + 29 * minute),
          jobsWaiting: 128,
          longestWaitSeconds: 27 * 60,
        }),
        expect.objectContaining({ jobsWaiting: 0, longestWaitSeconds: 0 }),
      ],
      targets: {
        plex: {
          watchedSince: iso(t0 - 24 * 60 * minute),
          outages: 2,
          meanTimeToRecoverySeconds: 24.5 * 60,
          meanTimeBetweenFailuresSeconds: ((25 * 60 + 1 - 49) / 2) * 60,
          availability: (25 * 60 + 1 - 49) / (25 * 60 + 1),
        },
        attic: {
          watchedSince: iso(t0 + 58 * minute),
          outages: 1,
          meanTimeToRecoverySeconds: null,
          meanTimeBetweenFailuresSeconds: 0,
          availability: 0,
        },
      },
    });
  });

  it('tells the newest 20, and where the others are', async () => {
    for (let n = 0; n < 23; n++) await outage(t0 + n * 10 * minute, t0 + (n * 10 + 1) * minute);
    const { outages } = await reportOutages(rig.context);
    expect(outages).toHaveLength(23);
    expect(lines()).toHaveLength(22);
    expect(lines()[0]).toContain('16 Nov 17:42 to 17:43');
    expect(lines()[20]).toBe(`info: 3 more are in ${rig.paths.outages}.`);
  });

  it('says that there was none', async () => {
    await see(t0, {});
    expect(await reportOutages(rig.context)).toMatchObject({
      outages: [],
      targets: { plex: { availability: 1 } },
    });
    expect(lines()).toEqual(['info: plex: no outage since 16 Nov 14:02, availability 100 %.']);
  });

  it('never rounds up to 100 %', async () => {
    await see(t0, {});
    await outage(t0 + minute, t0 + minute + 1);
    rig.clock.set(t0 + 365 * 24 * 60 * minute);
    await reportOutages(rig.context);
    expect(lines().at(-1)).toContain('availability 99.99 %');
  });

  it('says that nothing was recorded yet', async () => {
    expect(await reportOutages(rig.context)).toEqual({ outages: [], targets: {} });
    expect(lines()).toEqual(['info: No outage has been recorded yet.']);
  });

  describe('reads only', () => {
    const copies = () =>
      readdirSync(rig.paths.root)
        .filter((name) => name.startsWith('outages'))
        .map((name) => [name, readFileSync(`${rig.paths.root}/${name}`, 'utf8')]);

    beforeEach(async () => {
      await outage(t0, t0 + minute);
      rig.log.lines.length = 0;
    });

    it('the copy before while the worker saves', async () => {
      renameSync(rig.paths.outages, `${rig.paths.outages}.prev`);
      expect((await reportOutages(rig.context)).outages).toHaveLength(1);
      expect(rig.log.warnings).toEqual([]);
    });

    it.each(['', 'garbage', '{"version":1,"outages":{}}'])(
      'the copy before when the file is %j, and says so',
      async (text) => {
        writeFileSync(rig.paths.outages, text);
        const before = copies();
        expect((await reportOutages(rig.context)).outages).toMatchObject([{ start: iso(t0), end: null }]);
        expect(rig.log.warnings).toHaveLength(1);
        expect(rig.log.warnings[0]).toContain(`${rig.paths.outages} cannot be used (`);
        expect(copies()).toEqual(before);
      },
    );

    it('nothing when both copies are damaged, or of a newer version, and says so', async () => {
      writeFileSync(rig.paths.outages, 'garbage');
      writeFileSync(`${rig.paths.outages}.prev`, 'garbage');
      await expect(reportOutages(rig.context)).rejects.toThrow(`${rig.paths.outages} cannot be used (`);
      writeFileSync(rig.paths.outages, '{"version":2}');
      const before = copies();
      await expect(reportOutages(rig.context)).rejects.toThrow(NewerState);
      expect(copies()).toEqual(before);
    });
  });
});
