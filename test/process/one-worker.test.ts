import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { until } from '../sim/household';
import { home } from '../support/home';

describe('the lease', () => {
  it('goes to one of two workers that start at the same instant, and the other leaves (20 rounds) [lesson 3: one consumer, whatever makes it drain]', async () => {
    const household = await home({ scenes: 1 });
    for (let round = 1; round <= 20; round++) {
      household.changeSilently(1, { title: `Round ${round}` });
      household.leaveEvent(1);
      const children = [household.startWorker(), household.startWorker()];
      await household.drained();
      await until('one has left', () => children.filter(({ exitCode }) => exitCode === 0).length === 1);
      expect(household.workers(), `round ${round}`).toHaveLength(1);
      expect(await household.differences()).toEqual([]);
      // Every other round the next two find the lease of a dead worker.
      const last = children.find(({ exitCode }) => exitCode === null);
      const exit = last && once(last, 'exit');
      last?.kill(round % 2 === 0 ? 'SIGKILL' : 'SIGTERM');
      await exit;
    }
  });

  it('that was taken lets its worker commit nothing more [lesson 8: work belongs to the holder of a lease, with a name and an end]', async () => {
    const household = await home({ scenes: 2 });
    const { lease } = household.state;
    const worker = household.startWorker();
    await until('it works', () => household.status() !== null);
    worker.kill('SIGSTOP');
    const journal = () => readFileSync(join(household.state.root, 'queue.ndjson'), 'utf8');
    const before = journal();
    writeFileSync(
      lease,
      readFileSync(lease, 'utf8').replace(/"token": "[^"]+"/, '"token": "of-another-worker"'),
    );
    const event = household.leaveEvent(1);
    worker.kill('SIGCONT');
    await once(worker, 'exit');
    expect(worker.exitCode).toBe(0);
    expect(journal()).toBe(before);
    expect(readFileSync(event, 'utf8')).toContain('"Scene.Update.Post"');
    expect(household.log()).toContain('lease lost');
    expect(readFileSync(lease, 'utf8')).toContain('of-another-worker');
  });

  it.each([
    ['', () => {}],
    [', whose lock has a time an hour ahead', (lock: string) => utimesSync(lock, inAnHour(), inAnHour())],
  ])('of a worker that was killed%s goes to the one that the next event starts', async (_, spoil) => {
    const household = await home({ scenes: 2 });
    await household.stash.edit({ id: 1, title: 'Before' });
    await household.drained();
    const first = household.worker();
    household.killWorkers();
    // A process that is just dying still counts as alive.
    await until('it is gone', () => household.workers().length === 0);
    spoil(household.state.leaseLock);
    await household.stash.edit({ id: 2, title: 'After' });
    await household.drained();
    expect(await household.differences()).toEqual([]);
    expect(household.worker()).not.toBe(first);
  });

  it('of a worker that is left as a zombie goes to the one that the next event starts [lesson 5: a lock does not outlive its holder]', async () => {
    const household = await home({ scenes: 2 });
    const script = join(household.pluginDir, 'dist', 'worker.js');
    household.leaveEvent(1); // it tells how to reach Stash
    // `sleep` never collects its child, as Stash does not when it is the first process of a container.
    const parent = spawn(
      'sh',
      [
        '-c',
        '"$@" & exec sleep 600',
        'sh',
        process.execPath,
        script,
        household.state.root,
        household.pluginDir,
      ],
      {
        stdio: 'ignore',
      },
    );
    onTestFinished(() => void parent.kill('SIGKILL'));
    await household.drained();
    const [pid] = household.workers();
    if (pid === undefined) throw new Error('no worker');
    process.kill(pid, 'SIGKILL');
    await until('it is a zombie', () => / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')));
    await household.stash.edit({ id: 2, title: 'After the zombie' });
    await household.drained();
    expect(await household.differences()).toEqual([]);
  });
});

const inAnHour = () => new Date(Date.now() + 3_600_000);
