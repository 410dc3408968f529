/** What others learned about locks. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { statePaths } from '../../src/persist/paths';
import { Lease } from '../../src/worker/lease';
import { MemoryLog } from '../support/memory-log';
import { tempDir } from '../support/temp-dir';
import { settle } from '../support/virtual-clock';

it('a worker that could not write down who it is leaves no lock behind [lesson 6: a lock is let go also when the start fails]', async () => {
  const paths = statePaths(tempDir());
  let waitedMs = 0;
  const sleep = async (ms: number) => {
    waitedMs += ms;
    await settle();
  };
  const take = () => Lease.take(paths, { now: Date.now, sleep }, new MemoryLog(), '1.0.0');
  mkdirSync(paths.lease);
  writeFileSync(join(paths.lease, 'in-the-way'), '');
  await expect(take()).rejects.toThrow();
  expect(existsSync(paths.leaseLock)).toBe(false);

  rmSync(paths.lease, { recursive: true });
  waitedMs = 0;
  const lease = await take();
  expect(lease?.epoch).toBe(1);
  expect(waitedMs).toBeLessThan(500); // it proves that the lease is its own, and waits for nobody
  await lease?.release();
});
