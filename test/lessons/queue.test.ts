/** What others learned about queues, kept by ours on disk and over restarts. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { JournaledMap } from '../../src/persist/journaled-map';
import { type Job, parseQueueEntry } from '../../src/queue/entries';
import { Queue } from '../../src/queue/queue';
import { MemoryLog } from '../support/memory-log';
import { tempDir } from '../support/temp-dir';
import { VirtualClock } from '../support/virtual-clock';

const edit = { bulk: false, asked: false };

/** A queue on disk, and each time a process that opens it anew. */
function queueOnDisk() {
  const clock = new VirtualClock();
  const base = join(tempDir(), 'queue');
  let epoch = 0;
  const open = async () => {
    const options = { base, parse: parseQueueEntry, mayCommit: () => {}, clock, log: new MemoryLog() };
    return new Queue(await JournaledMap.open({ ...options, epoch: ++epoch }), clock);
  };
  return { clock, open };
}

const take = (queue: Queue, target = 'plex'): Job => {
  const job = queue.take(target);
  if (!job) throw new Error('nothing is due');
  return job;
};

it('an acknowledged job stays away, and its neighbours stay [lesson 7: a job has a key of our own, and an acknowledgement ends no other job]', async () => {
  const { open } = queueOnDisk();
  let queue = await open();
  // Numbers that any count of rows would have too, for targets that look alike.
  const targets = ['plex', 'plex1', '1'];
  for (const target of targets) for (const scene of [1, 2, 11, 12]) queue.add(target, scene, edit);
  const left = new Set(targets.flatMap((target) => [1, 2, 11, 12].map((scene) => `${target} ${scene}`)));
  for (let round = 0; left.size > 0; round++) {
    const target = targets[round % targets.length] ?? '';
    const job = take(queue, target);
    expect(left.delete(`${target} ${job.scene}`)).toBe(true);
    queue.settle(job, { kind: round % 2 ? 'failed' : 'done' });
    await queue.flush();
    queue = await open();
    const waiting = targets.reduce((sum, name) => sum + queue.counts(name).waiting, 0);
    expect(waiting).toBe(left.size);
  }
});

it('the instant of a retry outlives the process [lesson 10: a job is not touched before its next try is due]', async () => {
  const { clock, open } = queueOnDisk();
  let queue = await open();
  for (const scene of [1, 2]) queue.add('plex', scene, edit);
  const at = clock.now() + 600_000;
  queue.settle(take(queue), { kind: 'retry', at, reason: 'not in Plex yet', charged: true });
  await queue.flush();
  queue = await open();
  expect(take(queue).scene).toBe(2);
  expect(queue.take('plex')).toBeNull();
  expect(queue.nextAt('plex')).toBe(at);
  await clock.advance(599_999);
  expect(queue.take('plex')).toBeNull();
  await clock.advance(1);
  expect(take(queue)).toMatchObject({ scene: 1, attempts: 1 });
});

it('ten edits are one job, one during its sync is one more, and one right after it is not taken for old [lesson 11: one job per scene, told apart by revisions and not by time]', async () => {
  const { open } = queueOnDisk();
  const queue = await open();
  for (let n = 0; n < 10; n++) queue.add('plex', 7, edit);
  const first = take(queue);
  expect(queue.take('plex')).toBeNull();
  for (let n = 0; n < 10; n++) queue.add('plex', 7, edit);
  queue.settle(first, { kind: 'done' });
  queue.settle(take(queue), { kind: 'done' });
  expect(queue.take('plex')).toBeNull();
  // The clock has not moved since: no window of time may swallow this one.
  queue.add('plex', 7, edit);
  expect(take(queue).scene).toBe(7);
  expect(queue.tally('plex').done).toBe(2);
});

it('twenty processes that open and flush the queue count what ended once [lesson 18: numbers have one writer]', async () => {
  const { open } = queueOnDisk();
  for (let n = 1; n <= 20; n++) {
    const queue = await open();
    queue.add('plex', n, edit);
    queue.settle(take(queue), { kind: n % 4 ? 'done' : 'failed' });
    await queue.flush();
  }
  expect((await open()).tally('plex')).toMatchObject({ done: 15, failed: 5, retried: 0 });
});
