import { appendFileSync, existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { JournaledMap } from '../../../src/persist/journaled-map';
import { NewerState } from '../../../src/persist/set-aside';
import { systemClock } from '../../../src/shared/clock';
import { listenAtCrashPoints } from '../../../src/shared/crash-points';
import { MemoryLog } from '../../support/memory-log';
import { tempDir } from '../../support/temp-dir';

const parse = (value: unknown): number => {
  if (typeof value !== 'number') throw new Error('not a number');
  return value;
};

function opener(dir: string, log = new MemoryLog()) {
  return (epoch: number, mayCommit = () => {}) =>
    JournaledMap.open({
      base: join(dir, 'things'),
      parse,
      epoch,
      mayCommit,
      clock: systemClock,
      log,
      worthSnapshotLines: 50,
    });
}

const contents = (map: JournaledMap<number>) => Object.fromEntries([...map.entries()].sort());

afterEach(() => listenAtCrashPoints(null));

describe('a journaled map', () => {
  it('has after reopening what was flushed', async () => {
    const open = opener(tempDir());
    const map = await open(1);
    map.put('a', 1);
    map.put('b', 2);
    map.delete('a');
    await map.flush();
    map.put('c', 3); // never flushed
    expect(contents(await open(2))).toEqual({ b: 2 });
  });

  it('writes one line per change, however large it is', async () => {
    const dir = tempDir();
    const map = await opener(dir)(1);
    const sizes: number[] = [];
    for (let n = 0; n < 45; n++) {
      map.put(`key-${String(n).padStart(4, '0')}`, 100 + (n % 100));
      await map.flush();
      sizes.push(readFileSync(join(dir, 'things.ndjson')).length);
    }
    const first = (sizes[10] ?? 0) - (sizes[9] ?? 0);
    const last = (sizes[44] ?? 0) - (sizes[43] ?? 0);
    expect(last - first).toBeLessThanOrEqual(2); // the sequence number has a digit more
  });

  it('is written anew when its journal has grown to twice its size, and keeps the copy before', async () => {
    const dir = tempDir();
    const open = opener(dir);
    const map = await open(1);
    for (let n = 0; n < 130; n++) {
      map.put(`key-${n % 10}`, n);
      await map.flush();
    }
    expect(readdirSync(dir).sort()).toEqual([
      'things.json',
      'things.ndjson',
      'things.prev.json',
      'things.prev.ndjson',
    ]);
    expect(readFileSync(join(dir, 'things.ndjson'), 'utf8').split('\n').length).toBeLessThan(60);
    expect(contents(await open(2))).toEqual(contents(map));
  });

  it('drops a line that was cut short and goes on', async () => {
    const dir = tempDir();
    const log = new MemoryLog();
    const open = opener(dir, log);
    const map = await open(1);
    map.put('a', 1);
    await map.flush();
    map.put('b', 2);
    await map.flush();
    const journal = join(dir, 'things.ndjson');
    truncateSync(journal, readFileSync(journal).length - 5);
    const second = await open(2);
    expect(contents(second)).toEqual({ a: 1 });
    expect(second.damage).toEqual([]);
    expect(log.warnings.join()).toContain('things.ndjson');
    second.put('c', 3);
    await second.flush();
    expect(contents(await open(3))).toEqual({ a: 1, c: 3 });
  });

  it('loses nothing when the snapshot is truncated: the previous one and its journal lead to the same', async () => {
    const dir = tempDir();
    const log = new MemoryLog();
    const open = opener(dir, log);
    const map = await open(1);
    for (let n = 0; n < 123; n++) {
      map.put(`key-${n % 7}`, n);
      if (n % 3 === 0) await map.flush();
    }
    await map.flush();
    truncateSync(join(dir, 'things.json'), 20);
    const second = await open(2);
    expect(contents(second)).toEqual(contents(map));
    expect(second.damage).toEqual([]);
    expect(log.warnings.join()).toContain('things.json');
    expect(readdirSync(dir).some((name) => name.startsWith('things.json.broken-'))).toBe(true);
    expect(contents(await open(3))).toEqual(contents(map));
  });

  it.each([
    ['the journal', 'things.ndjson', 'garbage'],
    ['the journal, with a line end', 'things.ndjson', 'garbage\nmore\n'],
    ['binary zeros in the journal', 'things.ndjson', '\0\0\0\0'],
  ])('says what is damaged when %s is garbage, once', async (_, file, garbage) => {
    const dir = tempDir();
    const log = new MemoryLog();
    const open = opener(dir, log);
    const map = await open(1);
    map.put('a', 1);
    await map.close();
    writeFileSync(join(dir, file), garbage);
    expect((await open(2)).damage).toEqual([join(dir, file)]);
    expect(log.warnings.join()).toContain(file);
    expect((await open(3)).damage).toEqual([]);
  });

  it('says so when a line in the middle is unreadable, and keeps the others', async () => {
    const dir = tempDir();
    const open = opener(dir);
    const map = await open(1);
    for (const key of ['a', 'b', 'c']) {
      map.put(key, 1);
      await map.flush();
    }
    const journal = join(dir, 'things.ndjson');
    writeFileSync(journal, readFileSync(journal, 'utf8').replace('"key":"b"', '"key":"b'));
    const second = await open(2);
    expect(second.damage).toEqual([journal]);
    expect(contents(second)).toEqual({ a: 1, c: 1 });
  });

  it('says so when all snapshots are unreadable and no journal tells the rest', async () => {
    const dir = tempDir();
    const open = opener(dir);
    const map = await open(1);
    map.put('a', 1);
    await map.flush();
    writeFileSync(join(dir, 'things.json'), 'garbage');
    writeFileSync(join(dir, 'things.prev.json'), 'garbage');
    const whole = await open(2); // the journal reaches back to the beginning
    expect(contents(whole)).toEqual({ a: 1 });
    expect(whole.damage).toEqual([]);
    await whole.flush();
    for (const name of readdirSync(dir)) if (name.endsWith('.json')) writeFileSync(join(dir, name), '{}');
    writeFileSync(join(dir, 'things.ndjson'), '');
    expect((await open(3)).damage).not.toEqual([]);
  });

  it('refuses a value that its owner cannot use, names it, and keeps the rest', async () => {
    const dir = tempDir();
    const log = new MemoryLog();
    const open = opener(dir, log);
    const map = await open(1);
    map.put('good', 1);
    await map.flush();
    appendFileSync(join(dir, 'things.ndjson'), '{"seq":3,"epoch":1,"key":"odd","value":"x"}\n');
    const second = await open(2);
    expect(contents(second)).toEqual({ good: 1 });
    expect(second.damage).toHaveLength(1);
    expect(log.warnings.join()).toContain('"odd"');
  });

  it('leaves the state of a newer version alone', async () => {
    const dir = tempDir();
    const text = '{"version":2,"kind":"things","epoch":1,"seq":1,"entries":{}}';
    writeFileSync(join(dir, 'things.json'), text);
    await expect(opener(dir)(1)).rejects.toThrow(NewerState);
    expect(readFileSync(join(dir, 'things.json'), 'utf8')).toBe(text);
  });

  it('ignores what a worker that lost its lease wrote after its successor began', async () => {
    const dir = tempDir();
    const open = opener(dir);
    const old = await open(1);
    old.put('a', 1);
    await old.flush();
    const successor = await open(2);
    old.delete('a');
    old.put('stale', 9);
    await old.flush();
    successor.put('b', 2);
    await successor.flush();
    expect(contents(await open(3))).toEqual({ a: 1, b: 2 });
  });

  it('writes nothing once it may not commit any more', async () => {
    const dir = tempDir();
    let lost = false;
    const map = await opener(dir)(1, () => {
      if (lost) throw new Error('the lease was taken');
    });
    map.put('a', 1);
    const before = readFileSync(join(dir, 'things.ndjson'), 'utf8');
    lost = true;
    await expect(map.flush()).rejects.toThrow('the lease was taken');
    await expect(map.close()).rejects.toThrow('the lease was taken');
    expect(readFileSync(join(dir, 'things.ndjson'), 'utf8')).toBe(before);
  });

  it('has an epoch above all that was seen, even when the lease forgot how far it was', async () => {
    const open = opener(tempDir());
    const map = await open(50);
    map.put('a', 1);
    await map.flush();
    const second = await open(3);
    second.put('a', 2);
    await second.flush();
    expect(contents(await open(4))).toEqual({ a: 2 });
  });
});

describe('a crash', () => {
  const points = [
    'append',
    'append.written',
    'append.synced',
    'snapshot',
    'snapshot.written',
    'rotate.journal',
    'rotate.snapshot',
    'rotate.done',
  ];

  /** What was confirmed by a flush must be there; what was under way may be. Cut at every passage of the point. */
  it.each(points)('at "%s" loses nothing that was confirmed, at every passage', async (point) => {
    let passages = 0;
    listenAtCrashPoints((at) => {
      if (at === `things.${point}`) passages++;
    });
    await run(tempDir(), () => {});
    const total = passages;
    expect(total).toBeGreaterThan(0);
    for (let cut = 1; cut <= total; cut++) {
      const dir = tempDir();
      let confirmed: Record<string, number> = {};
      let attempted: Record<string, number> = {};
      let passage = 0;
      listenAtCrashPoints((at) => {
        if (at === `things.${point}` && ++passage === cut) throw new Error('power cut');
      });
      await run(dir, (now, isConfirmed) => {
        if (isConfirmed) confirmed = now;
        else attempted = now;
      }).catch(() => {});
      listenAtCrashPoints(null);
      const log = new MemoryLog();
      const after = await opener(dir, log)(2);
      expect(after.damage, `${point}, passage ${cut}`).toEqual([]);
      expect([confirmed, attempted], `${point}, passage ${cut}`).toContainEqual(contents(after));
      const again = await opener(dir)(3);
      expect(contents(again)).toEqual(contents(after));
      expect(existsSync(join(dir, 'things.next.json'))).toBe(false);
    }
  });

  async function run(
    dir: string,
    tell: (now: Record<string, number>, confirmed: boolean) => void,
  ): Promise<void> {
    const map = await opener(dir)(1);
    for (let n = 0; n < 120; n++) {
      if (n % 11 === 5) map.delete(`key-${n % 5}`);
      else map.put(`key-${n % 5}`, n);
      tell(contents(map), false);
      await map.flush();
      tell(contents(map), true);
    }
    await map.close();
  }
});
