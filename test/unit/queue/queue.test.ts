import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JournaledMap } from '../../../src/persist/journaled-map';
import { type KeyedStore, MemoryStore } from '../../../src/persist/keyed-store';
import { type Job, parseQueueEntry, type QueueEntry } from '../../../src/queue/entries';
import { Queue } from '../../../src/queue/queue';
import { MemoryLog } from '../../support/memory-log';
import { tempDir } from '../../support/temp-dir';
import { VirtualClock } from '../../support/virtual-clock';

const edit = { bulk: false, asked: false };
const bulk = { bulk: true, asked: false };

interface Fixture {
  queue: Queue;
  clock: VirtualClock;
  /** The same queue as the next process finds it. */
  reopen(): Promise<Queue>;
}

const inMemory = async (): Promise<Fixture> => {
  const clock = new VirtualClock();
  const store: KeyedStore<QueueEntry> = new MemoryStore();
  return { queue: new Queue(store, clock), clock, reopen: async () => new Queue(store, clock) };
};

const onDisk = async (): Promise<Fixture> => {
  const clock = new VirtualClock();
  const base = join(tempDir(), 'queue');
  let epoch = 0;
  let queue: Queue;
  const open = async () => {
    const log = new MemoryLog();
    const mayCommit = () => {};
    const options = {
      base,
      parse: parseQueueEntry,
      epoch: ++epoch,
      mayCommit,
      clock,
      log,
      worthSnapshotLines: 5,
    };
    return new Queue(await JournaledMap.open(options), clock);
  };
  queue = await open();
  return {
    queue,
    clock,
    reopen: async () => {
      await queue.flush();
      queue = await open();
      return queue;
    },
  };
};

const takeAll = (queue: Queue): number[] => {
  const scenes: number[] = [];
  for (let job = queue.take('plex'); job; job = queue.take('plex')) scenes.push(job.scene);
  return scenes;
};

const take = (queue: Queue): Job => {
  const job = queue.take('plex');
  if (!job) throw new Error('nothing is due');
  return job;
};

describe.each([
  ['in memory', inMemory],
  ['on disk', onDisk],
])('a queue %s', (_, make) => {
  it('makes one job of ten edits of a scene', async () => {
    const { queue, reopen } = await make();
    for (let n = 0; n < 10; n++) queue.add('plex', 7, edit);
    expect(queue.counts('plex').waiting).toBe(1);
    expect(takeAll(await reopen())).toEqual([7]);
  });

  it('syncs a scene again that was edited while it was synced', async () => {
    const { queue, reopen } = await make();
    queue.add('plex', 7, edit);
    const job = take(queue);
    queue.add('plex', 7, edit);
    expect(queue.take('plex')).toBeNull(); // not twice at the same time
    queue.settle(job, { kind: 'done' });
    const again = await reopen();
    const second = take(again);
    expect(second.scene).toBe(7);
    again.settle(second, { kind: 'done' });
    expect(again.counts('plex').waiting).toBe(0);
    expect((await reopen()).counts('plex').waiting).toBe(0);
  });

  it('lets edits of people go before bulk work, and the older first', async () => {
    const { queue, clock, reopen } = await make();
    for (const scene of [11, 12]) queue.add('plex', scene, bulk);
    await clock.advance(1_000);
    queue.add('plex', 3, edit);
    await clock.advance(1_000);
    queue.add('plex', 2, edit);
    queue.add('plex', 12, edit); // a person edits what bulk work had queued
    expect(takeAll(await reopen())).toEqual([12, 3, 2, 11]);
  });

  it('never lets bulk work take priority away from an edit', async () => {
    const { queue } = await make();
    queue.add('plex', 1, bulk);
    queue.add('plex', 2, edit);
    queue.add('plex', 2, bulk);
    expect(takeAll(queue)).toEqual([2, 1]);
  });

  it('remembers that a person asked', async () => {
    const { queue, reopen } = await make();
    queue.add('plex', 1, { bulk: true, asked: true });
    queue.add('plex', 1, edit);
    expect(take(await reopen()).asked).toBe(true);
  });

  it('waits with a retry until its instant, without blocking others', async () => {
    const { queue, clock, reopen } = await make();
    queue.add('plex', 1, edit);
    const job = take(queue);
    queue.settle(job, { kind: 'retry', at: clock.now() + 60_000, reason: 'not in Plex yet', charged: true });
    queue.add('plex', 2, bulk);
    const later = await reopen();
    expect(later.counts('plex')).toMatchObject({ waiting: 2, due: 1, retrying: 1 });
    expect(takeAll(later)).toEqual([2]);
    expect(later.nextAt('plex')).toBe(clock.now() + 60_000);
    await clock.advance(60_000);
    expect(take(later)).toMatchObject({ scene: 1, attempts: 1, reason: 'not in Plex yet' });
  });

  it('tries at once what a person edits while it waits for a retry', async () => {
    const { queue, clock } = await make();
    queue.add('plex', 1, edit);
    queue.settle(take(queue), { kind: 'retry', at: clock.now() + 60_000, reason: 'x', charged: true });
    queue.add('plex', 1, edit);
    expect(take(queue)).toMatchObject({ scene: 1, attempts: 0 });
  });

  it('does not wait an hour longer because the clock was set back', async () => {
    const { queue, clock, reopen } = await make();
    queue.add('plex', 1, edit);
    queue.settle(take(queue), { kind: 'retry', at: clock.now() + 60_000, reason: 'x', charged: true });
    clock.set(clock.now() - 3_600_000);
    expect(takeAll(await reopen())).toEqual([1]);
  });

  it('puts a job back in its place, uncharged, when nothing was its fault', async () => {
    const { queue, clock, reopen } = await make();
    queue.add('plex', 1, edit);
    await clock.advance(10);
    queue.add('plex', 2, edit);
    queue.settle(take(queue), { kind: 'back' });
    const again = await reopen();
    expect(take(again)).toMatchObject({ scene: 1, attempts: 0 });
  });

  it('has a job that was in flight when the process died', async () => {
    const { queue, reopen } = await make();
    queue.add('plex', 1, edit);
    take(queue);
    expect(takeAll(await reopen())).toEqual([1]);
  });

  it('counts what ended, over restarts', async () => {
    const { queue, reopen } = await make();
    for (const scene of [1, 2, 3]) queue.add('plex', scene, edit);
    queue.settle(take(queue), { kind: 'done' });
    queue.settle(take(queue), { kind: 'failed' });
    const again = await reopen();
    again.settle(take(again), { kind: 'done' });
    expect((await reopen()).tally('plex')).toMatchObject({ done: 2, failed: 1 });
  });

  it('keeps the jobs of targets apart', async () => {
    const { queue, reopen } = await make();
    queue.add('plex', 1, edit);
    queue.add('attic', 1, edit);
    queue.settle(take(queue), { kind: 'done' });
    const again = await reopen();
    expect(again.take('plex')).toBeNull();
    expect(again.take('attic')?.scene).toBe(1);
  });

  it('keeps fan-outs, one per object, with how far each has come', async () => {
    const { queue, reopen } = await make();
    queue.addFanOut({ object: 'Tag', id: 4, action: 'Update' });
    queue.addFanOut({ object: 'Tag', id: 4, action: 'Update' });
    queue.addFanOut({ object: 'Studio', id: 4, action: 'Destroy' });
    for (const fanOut of queue.waitingFanOuts().slice(0, 1)) queue.moveFanOut(fanOut, 1_000);
    const again = await reopen();
    expect(again.fanOuts).toBe(2);
    expect(again.waitingFanOuts()).toMatchObject([
      { object: 'Tag', id: 4, after: 1_000 },
      { object: 'Studio', id: 4, after: 0 },
    ]);
    expect(again.counts('plex').waiting).toBe(0);
    for (const fanOut of again.waitingFanOuts()) again.moveFanOut(fanOut, null);
    expect((await reopen()).fanOuts).toBe(0);
  });

  it('begins a fan-out anew with the next event of its object, after those that wait already', async () => {
    const { queue, clock, reopen } = await make();
    queue.addFanOut({ object: 'Tag', id: 4, action: 'Update' });
    queue.addFanOut({ object: 'Group', id: 1, action: 'Update' });
    await clock.advance(1);
    const [begun] = queue.waitingFanOuts();
    if (!begun) throw new Error('no fan-out');
    queue.moveFanOut(begun, 1_000);
    expect(queue.isCurrent(begun)).toBe(false);
    const [moved] = queue.waitingFanOuts();
    if (!moved) throw new Error('no fan-out');
    expect(queue.isCurrent(moved)).toBe(true);
    queue.addFanOut({ object: 'Tag', id: 4, action: 'Update' });
    expect(queue.isCurrent(moved)).toBe(false);
    expect(queue.waitingFanOuts()).toMatchObject([{ object: 'Group' }, { object: 'Tag', after: 0 }]);
    expect((await reopen()).waitingFanOuts()).toEqual(queue.waitingFanOuts());
  });

  it('takes an object that is gone for gone, whichever of its events comes last', async () => {
    const { queue } = await make();
    queue.addFanOut({ object: 'Tag', id: 4, action: 'Destroy' });
    queue.addFanOut({ object: 'Tag', id: 4, action: 'Update' });
    expect(queue.waitingFanOuts()).toMatchObject([{ action: 'Destroy' }]);
  });

  it('drops the fan-outs that a look at everything has made needless', async () => {
    const { queue, clock, reopen } = await make();
    queue.addFanOut({ object: 'Tag', id: 4, action: 'Update' });
    const startedAt = clock.now();
    await clock.advance(1);
    queue.addFanOut({ object: 'Tag', id: 5, action: 'Update' });
    queue.dropFanOutsBefore(startedAt);
    expect((await reopen()).waitingFanOuts()).toMatchObject([{ id: 5 }]);
  });

  it('looks once more at what was done, when its time has come, and counts it once', async () => {
    const { queue, clock, reopen } = await make();
    queue.add('plex', 1, { bulk: false, asked: true });
    queue.settle(take(queue), { kind: 'later', at: clock.now() + 600_000 });
    expect(queue.job('plex', 1)).toMatchObject({ bulk: true, asked: false, attempts: 0, secondLook: true });
    const again = await reopen();
    expect(again.counts('plex')).toEqual({ waiting: 1, due: 0, inFlight: 0, retrying: 0 });
    expect(again.tally('plex')).toMatchObject({ done: 1 });
    await clock.advance(599_999);
    expect(again.take('plex')).toBeNull();
    await clock.advance(1);
    const second = take(again);
    expect(second.secondLook).toBe(true);
    again.settle(second, { kind: 'done' });
    expect(again.counts('plex').waiting).toBe(0);
    expect(again.tally('plex')).toMatchObject({ done: 1, failed: 0, retried: 0 });
  });

  it('does not wait with an edit for the second look, and the next may follow it', async () => {
    const { queue, clock } = await make();
    queue.add('plex', 1, edit);
    queue.settle(take(queue), { kind: 'later', at: clock.now() + 600_000 });
    await clock.advance(1_000);
    queue.add('plex', 2, edit);
    await clock.advance(1_000);
    queue.add('plex', 1, edit);
    const [first, then] = [take(queue), take(queue)];
    expect([first.scene, then.scene]).toEqual([2, 1]); // it has its place by the edit, not by what came before
    expect(then.secondLook ?? false).toBe(false);
    queue.settle(first, { kind: 'done' });
    queue.settle(then, { kind: 'done' });
    expect(queue.tally('plex')).toMatchObject({ done: 3 });
  });

  it('calls a second look that failed a retry', async () => {
    const { queue, clock } = await make();
    queue.add('plex', 1, edit);
    queue.settle(take(queue), { kind: 'later', at: clock.now() });
    queue.settle(take(queue), { kind: 'retry', at: clock.now() + 1_000, reason: 'x', charged: false });
    expect(queue.counts('plex')).toMatchObject({ waiting: 1, retrying: 1 });
    await clock.advance(1_000);
    expect(take(queue).secondLook).toBe(true);
  });

  it('counts what each rule left out, among what is done', async () => {
    const { queue, reopen } = await make();
    for (const scene of [1, 2, 3]) queue.add('plex', scene, edit);
    queue.settle(take(queue), { kind: 'done', filteredBy: 'syncOnlyOrganized' });
    queue.settle(take(queue), { kind: 'done', filteredBy: 'syncOnlyOrganized' });
    queue.settle(take(queue), { kind: 'done', filteredBy: 'not-in-plex' });
    expect((await reopen()).tally('plex')).toMatchObject({
      done: 3,
      filtered: { syncOnlyOrganized: 2, 'not-in-plex': 1 },
    });
  });

  it('forgets a deleted scene at every target, and looks again at one that was read before it went', async () => {
    const { queue, reopen } = await make();
    queue.add('plex', 1, edit);
    queue.add('attic', 1, edit);
    queue.add('plex', 2, edit);
    const flying = take(queue);
    expect(queue.flying('plex')).toEqual([1]);
    queue.forget(1);
    queue.forget(3);
    expect(queue.counts('attic').waiting).toBe(0);
    queue.settle(flying, { kind: 'done' });
    expect(queue.flying('plex')).toEqual([]);
    const again = await reopen();
    expect(takeAll(again).sort()).toEqual([1, 2]);
    expect(again.counts('attic').waiting).toBe(0);
  });

  it('goes on with a sweep where it was', async () => {
    const { queue, reopen } = await make();
    queue.beginSweep('all', null);
    const [started] = queue.sweeps();
    if (!started) throw new Error('no sweep');
    queue.setSweep('all', { ...started.sweep, after: 1_000, queued: 990 });
    expect((await reopen()).sweeps()[0]?.sweep).toMatchObject({ after: 1_000, queued: 990 });
  });

  it('forgets all that waits when it is cleared, but not what is on its way', async () => {
    const { queue, reopen } = await make();
    queue.add('plex', 1, edit);
    queue.add('plex', 2, bulk);
    queue.addFanOut({ object: 'Tag', id: 4, action: 'Update' });
    queue.beginSweep('all', null);
    const flying = take(queue);
    expect(queue.clear()).toBe(2);
    expect(queue.counts('plex')).toMatchObject({ waiting: 1, inFlight: 1 });
    expect(queue.fanOuts).toBe(0);
    queue.settle(flying, { kind: 'done' });
    const again = await reopen();
    expect(again.counts('plex').waiting).toBe(0);
    expect(again.fanOuts).toBe(0);
    expect(again.sweeps()).toEqual([]);
  });

  it('knows at any time which scenes are still to be synced (any sequence of events, tries and restarts)', async () => {
    const step = fc.oneof(
      fc.record({
        do: fc.constant('add' as const),
        scene: fc.integer({ min: 1, max: 5 }),
        bulk: fc.boolean(),
      }),
      fc.record({ do: fc.constant('take' as const) }),
      fc.record({
        do: fc.constant('settle' as const),
        verdict: fc.constantFrom(
          'done' as const,
          'failed' as const,
          'back' as const,
          'retry' as const,
          'later' as const,
        ),
      }),
      fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 5_000 }) }),
      fc.record({ do: fc.constant('restart' as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const fixture = await make();
        let { queue } = fixture;
        const wanted = new Map<number, number>(); // scene -> newest event
        const flying: { job: Job; seen: number }[] = [];
        let event = 0;
        for (const one of steps) {
          if (one.do === 'add') {
            queue.add('plex', one.scene, { bulk: one.bulk, asked: false });
            wanted.set(one.scene, ++event);
          } else if (one.do === 'take') {
            const job = queue.take('plex');
            if (!job) continue;
            expect(wanted.has(job.scene)).toBe(true);
            expect(flying.some((other) => other.job.scene === job.scene)).toBe(false);
            flying.push({ job, seen: wanted.get(job.scene) ?? 0 });
          } else if (one.do === 'settle') {
            const flight = flying.shift();
            if (!flight) continue;
            const { job, seen } = flight;
            if (one.verdict === 'retry') {
              queue.settle(job, {
                kind: 'retry',
                at: fixture.clock.now() + 1_000,
                reason: 'x',
                charged: true,
              });
            } else if (one.verdict === 'later') {
              queue.settle(job, { kind: 'later', at: fixture.clock.now() + 2_000 });
            } else queue.settle(job, { kind: one.verdict });
            const ended = one.verdict === 'done' || one.verdict === 'failed';
            if (ended && wanted.get(job.scene) === seen) wanted.delete(job.scene);
          } else if (one.do === 'wait') await fixture.clock.advance(one.ms);
          else {
            queue = await fixture.reopen();
            flying.length = 0;
          }
          expect(queue.counts('plex').waiting).toBe(wanted.size);
          expect(queue.counts('plex').inFlight).toBe(flying.length);
        }
        await fixture.clock.advance(10_000);
        flying.forEach(({ job }) => void queue.settle(job, { kind: 'back' }));
        expect(takeAll(queue).sort()).toEqual([...wanted.keys()].sort());
      }),
      { numRuns: make === inMemory ? 300 : 40 },
    );
  });
});

it('an entry of the version before is read: how far a fan-out has come, and what was filtered, is nothing yet', () => {
  const before = { is: 'fan-out', object: 'Tag', id: 4, action: 'Update', fields: null, queuedAt: 5 };
  expect(parseQueueEntry(before)).toEqual({
    is: 'fan-out',
    object: 'Tag',
    id: 4,
    action: 'Update',
    queuedAt: 5,
    after: 0,
  });
  expect(parseQueueEntry({ is: 'tally', done: 3, failed: 1 })).toMatchObject({ retried: 0, filtered: {} });
});

it('what waits for its next try need not wait when what it failed by has changed, and nothing else moves', async () => {
  const { queue, clock } = await inMemory();
  for (const scene of [1, 2, 3]) queue.add('plex', scene, edit);
  const [failed, looked] = [queue.take('plex'), queue.take('plex')];
  if (!failed || !looked) throw new Error('nothing to take');
  const at = clock.now() + 60_000;
  queue.settle(failed, { kind: 'retry', at, reason: 'Plex has no item for it.', charged: true });
  queue.settle(looked, { kind: 'later', at });
  expect(queue.counts('plex')).toMatchObject({ waiting: 3, due: 1 });
  queue.hurry('plex');
  expect(queue.counts('plex')).toMatchObject({ waiting: 3, due: 2, retrying: 1 });
  expect(queue.job('plex', failed.scene)).toMatchObject({ attempts: 1, reason: 'Plex has no item for it.' });
});
