import { mkdirSync, readdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { NewerState } from '../../../src/persist/set-aside';
import type { Seen } from '../../../src/resilience/outages';
import { registerSecret } from '../../../src/shared/secrets';
import { OutageBook } from '../../../src/worker/outage-book';
import { modeOf } from '../../support/files';
import { MemoryLog } from '../../support/memory-log';
import { tempDir } from '../../support/temp-dir';
import { VirtualClock } from '../../support/virtual-clock';

const cause = 'Plex is not answering (connection refused).';

describe('the book of outages', () => {
  let dir: string;
  let path: string;
  let clock: VirtualClock;
  let log: MemoryLog;

  beforeEach(() => {
    dir = tempDir();
    path = join(dir, 'outages.json');
    clock = new VirtualClock(Date.parse('2026-11-16T14:02:00Z'));
    log = new MemoryLog();
  });

  const open = () => new OutageBook(path, clock, log);
  const written = () => JSON.parse(readFileSync(path, 'utf8'));
  const well = (closedAt: number | null = null): Seen => ({ outage: null, closedAt, waiting: 0 });
  const away = (since: number, waiting = 0): Seen => ({ outage: { since, cause }, closedAt: null, waiting });
  const keep = async (book: OutageBook, seen: Seen, target = 'plex') => {
    book.observe(target, seen);
    await book.save();
  };

  it('is a private file that a person can read', async () => {
    const book = open();
    await keep(book, well());
    await clock.advance(60_000);
    const start = clock.now();
    await keep(book, away(start, 3));
    await clock.advance(90_500);
    await keep(book, well(clock.now()));
    expect(modeOf(path)).toBe('600');
    expect(written()).toEqual({
      version: 1,
      watchedSince: { plex: '2026-11-16T14:02:00.000Z' },
      outages: [
        {
          target: 'plex',
          start: '2026-11-16T14:03:00.000Z',
          end: '2026-11-16T14:04:30.500Z',
          cause,
          jobsWaiting: 3,
          waitingSince: null,
          longestWaitSeconds: 91,
        },
      ],
    });
  });

  it('is written at once when an outage or a wait begins or ends', async () => {
    const book = open();
    const start = clock.now();
    await keep(book, away(start));
    expect(written().outages).toMatchObject([{ end: null, waitingSince: null }]);
    await clock.advance(1_000);
    await keep(book, away(start, 1));
    expect(written().outages).toMatchObject([{ waitingSince: '2026-11-16T14:02:01.000Z', jobsWaiting: 1 }]);
    await clock.advance(1_000);
    await keep(book, well(clock.now()));
    expect(written().outages).toMatchObject([{ end: '2026-11-16T14:02:02.000Z' }]);
  });

  it('is written once a minute for how many wait, and how long', async () => {
    const book = open();
    const start = clock.now();
    await keep(book, away(start, 1));
    const { ino } = statSync(path);
    for (let seconds = 1; seconds < 60; seconds++) {
      await clock.advance(1_000);
      await keep(book, away(start, seconds));
    }
    expect(statSync(path).ino).toBe(ino);
    await clock.advance(1_000);
    await keep(book, away(start, 60));
    expect(written().outages).toMatchObject([{ jobsWaiting: 60, longestWaitSeconds: 60 }]);
  });

  it('is not written while nothing changes, whatever the clock does', async () => {
    const book = open();
    await keep(book, well());
    const { ino } = statSync(path);
    for (const step of [1_000, 3_600_000, -7_200_000]) {
      clock.set(clock.now() + step);
      await keep(book, well(clock.now()));
    }
    expect(statSync(path).ino).toBe(ino);
  });

  it('is gone on with by the next worker, without a second record', async () => {
    const start = clock.now();
    await keep(open(), away(start, 2));
    await clock.advance(8 * 3_600_000);
    const next = open();
    await keep(next, away(start, 2));
    await keep(next, well(clock.now()));
    expect(written().outages).toMatchObject([
      { start: '2026-11-16T14:02:00.000Z', end: '2026-11-16T22:02:00.000Z', longestWaitSeconds: 8 * 3_600 },
    ]);
    expect(open().history).toEqual(next.history);
  });

  it('is saved by one at a time, so that the copy before is whole', async () => {
    const book = open();
    const names = ['plex', 'attic', 'shed'];
    const saves: Promise<void>[] = [];
    for (const name of names) {
      book.observe(name, away(clock.now()));
      saves.push(book.save());
      await Promise.resolve(); // the save has begun
    }
    await Promise.all(saves);
    const targets = (document: { outages: { target: string }[] }) =>
      document.outages.map(({ target }) => target);
    expect(targets(written())).toEqual(names);
    expect(targets(JSON.parse(readFileSync(`${path}.prev`, 'utf8')))).toEqual(['plex']);
  });

  it('falls back to the copy before when it is damaged, and keeps what was broken', async () => {
    const start = clock.now();
    const book = open();
    await keep(book, away(start));
    await keep(book, well(start + 1_000));
    writeFileSync(path, '{"version":1,"outages":[');
    const next = open();
    expect(next.history.outages).toMatchObject([{ start, end: null }]);
    expect(log.warnings.join()).toContain('The list of past outages begins anew.');
    expect(readdirSync(dir).some((name) => name.includes('.broken-'))).toBe(true);
    await keep(next, well(start + 1_000));
    expect(written().outages).toMatchObject([{ end: '2026-11-16T14:02:01.000Z' }]);
  });

  it('of a newer version is left alone', () => {
    writeFileSync(path, '{"version":2}');
    expect(open).toThrow(NewerState);
  });

  it('holds no secret', async () => {
    registerSecret('hush-hush-of-the-book');
    await keep(open(), {
      ...away(clock.now()),
      outage: { since: clock.now(), cause: 'It is hush-hush-of-the-book.' },
    });
    expect(written().outages).toMatchObject([{ cause: 'It is ***.' }]);
  });

  it('that cannot be written says so once, disturbs nobody, and is written as soon as it can be', async () => {
    const book = open();
    const start = clock.now();
    mkdirSync(path);
    mkdirSync(`${path}.prev/occupied`, { recursive: true });
    for (let n = 0; n < 3; n++) await keep(book, away(start));
    expect(log.warnings).toHaveLength(1);
    expect(log.warnings[0]).toContain('The list of outages could not be written');
    rmdirSync(path);
    await keep(book, away(start));
    expect(written().outages).toMatchObject([{ end: null }]);
  });
});
