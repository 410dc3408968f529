import { existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type StatePaths, statePaths } from '../../../src/persist/paths';
import { type Clock, systemClock } from '../../../src/shared/clock';
import { ownName } from '../../../src/shared/process';
import { Lease, LeaseLost, leaseTimes, mayCommit } from '../../../src/worker/lease';
import { MemoryLog } from '../../support/memory-log';
import { tempDir } from '../../support/temp-dir';
import { settle } from '../../support/virtual-clock';

/** A clock on which waiting takes no time, and which knows how long it would have been. */
class ImpatientClock implements Clock {
  waitedMs = 0;
  now = () => Date.now();
  sleep = async (ms: number) => {
    this.waitedMs += ms;
    await settle();
  };
}

const take = (paths: StatePaths, clock: Clock = new ImpatientClock()) =>
  Lease.take(paths, clock, new MemoryLog(), '1.0.0');

/** A lock and a lease as somebody else left them. */
function heldBy(record: Record<string, unknown> | string): StatePaths {
  const paths = statePaths(tempDir());
  mkdirSync(paths.leaseLock);
  const lease = {
    version: 1,
    ...ownName(),
    host: hostname(),
    sluice: '1.0.0',
    epoch: 7,
    token: 'theirs',
    since: '',
  };
  writeFileSync(paths.lease, typeof record === 'string' ? record : JSON.stringify({ ...lease, ...record }));
  return paths;
}

const released = async (lease: Lease | null): Promise<Lease> => {
  if (!lease) throw new Error('the lease was not to be had');
  onTestFinished(() => lease.release());
  return lease;
};

describe('the lease', () => {
  it('is free in an empty folder, says who works, and shows that they live for some seconds ahead', async () => {
    const paths = statePaths(tempDir());
    writeFileSync(join(paths.root, 'starting-1-0'), '1\n');
    const lease = await released(await take(paths));
    expect(JSON.parse(readFileSync(paths.lease, 'utf8'))).toMatchObject({ epoch: 1, pid: process.pid });
    expect(readFileSync(paths.alive, 'utf8')).toBe(`${process.pid} ${ownName().ticks}\n`);
    expect(statSync(paths.alive).mtimeMs).toBeGreaterThan(Date.now() + 5_000);
    expect(existsSync(join(paths.root, 'starting-1-0'))).toBe(false);
    expect(() => mayCommit(paths.lease, lease.token)).not.toThrow();
  });

  it('has a higher epoch each time', async () => {
    const paths = statePaths(tempDir());
    for (const epoch of [1, 2, 3]) {
      const lease = await take(paths);
      expect(lease?.epoch).toBe(epoch);
      await lease?.release();
      expect(existsSync(paths.alive)).toBe(false);
    }
  });

  it('is left to a holder that shows signs of life', async () => {
    const paths = heldBy({});
    const beating = setInterval(() => utimesSync(paths.leaseLock, new Date(), new Date()), 50);
    onTestFinished(() => clearInterval(beating));
    expect(await take(paths, systemClock)).toBeNull();
    expect(existsSync(paths.leaseLock)).toBe(true);
    expect(readFileSync(paths.lease, 'utf8')).toContain('theirs');
  });

  it.each([
    ['is dead', { pid: 2 ** 22 + 1 }],
    ['has our pid of another time', { ticks: '1' }],
  ])('is taken over at once from a holder on this host that %s', async (_, record) => {
    const clock = new ImpatientClock();
    const lease = await released(await take(heldBy(record), clock));
    expect(lease.epoch).toBe(8);
    expect(clock.waitedMs).toBeLessThan(1_000);
  });

  it.each([
    ['on another host', { host: 'elsewhere' }, 0],
    ['whose lock has a time in the future', { host: 'elsewhere' }, 3_600],
    ['that nothing readable names', 'garbage', 0],
  ])(
    'is taken over from a holder %s only after it showed nothing for a while',
    async (_, record, aheadSeconds) => {
      const paths = heldBy(record);
      const time = Date.now() / 1_000 + aheadSeconds;
      utimesSync(paths.leaseLock, time, time);
      const clock = new ImpatientClock();
      await released(await take(paths, clock));
      expect(clock.waitedMs).toBeGreaterThanOrEqual(leaseTimes.staleMs);
    },
  );

  it('is lost when somebody else has written their token, and then removes nothing of theirs', async () => {
    const paths = statePaths(tempDir());
    const lease = await take(paths);
    if (!lease) throw new Error('not taken');
    writeFileSync(paths.lease, readFileSync(paths.lease, 'utf8').replace(lease.token, 'theirs'));
    expect(() => mayCommit(paths.lease, lease.token)).toThrow(LeaseLost);
    lease.beat();
    expect(lease.lost.aborted).toBe(true);
    await lease.release();
    expect(existsSync(paths.leaseLock)).toBe(true);
  });

  it('is not lost because its file became unreadable', async () => {
    const paths = statePaths(tempDir());
    const lease = await released(await take(paths));
    writeFileSync(paths.lease, 'garbage');
    expect(() => mayCommit(paths.lease, lease.token)).not.toThrow();
    lease.beat();
    expect(lease.lost.aborted).toBe(false);
  });
});
