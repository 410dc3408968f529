/** What others learned about jobs that fail. */
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { MemoryStore } from '../../src/persist/keyed-store';
import type { DeadLetter, QueueEntry } from '../../src/queue/entries';
import { Queue } from '../../src/queue/queue';
import { Bell } from '../../src/shared/bell';
import { Drain } from '../../src/worker/drain';
import { FlightLog } from '../../src/worker/flight-log';
import { Notices } from '../../src/worker/notices';
import { StashLink } from '../../src/worker/stash-link';
import { MemoryLog } from '../support/memory-log';
import { tempDir } from '../support/temp-dir';
import { settle, VirtualClock } from '../support/virtual-clock';
import { GatedTarget, ok } from '../unit/worker/gated-target';

/** A drain with a single lane, in which whoever blocks would block everybody. */
function oneLane() {
  const dir = tempDir();
  const clock = new VirtualClock();
  const log = new MemoryLog();
  const queue = new Queue(new MemoryStore<QueueEntry>(), clock);
  const deadLetters = new MemoryStore<DeadLetter>();
  const target = new GatedTarget(clock, { lanes: 1 });
  const notices = new Notices(join(dir, 'notice'), log);
  const stop = new AbortController();
  const drain = new Drain({
    target,
    queue,
    deadLetters,
    stash: new StashLink(join(dir, 'connection.json'), dir, clock, log, notices),
    flights: new FlightLog(join(dir, 'in-flight.json')),
    bell: new Bell(),
    clock,
    random: () => 1,
    log,
    notices: notices.about('plex', ''),
    flush: async () => {},
    onNews: () => {},
  });
  const add = (scene: number) => queue.add('plex', scene, { bulk: false, asked: false });
  /** Lets it work, and this much time pass. */
  const pass = async (ms = 0) => {
    for (let step = 0; step < 100; step++) {
      await clock.advance(ms / 100);
      await settle();
    }
  };
  const end = async (ended: Promise<void>) => {
    stop.abort();
    await ended;
  };
  return { clock, queue, deadLetters, target, drain, add, pass, end, stop };
}

it('fifty scenes pass one that Plex does not have, which was there first [lesson 9: a job that fails goes behind the others]', async () => {
  const { target, drain, add, pass, end, stop } = oneLane();
  for (let scene = 1; scene <= 51; scene++) add(scene);
  target.become = ({ scene }) =>
    scene === 1 ? { kind: 'not-in-plex', message: 'Plex does not have scene 1.' } : ok;
  const ended = drain.run(stop.signal);
  await pass();
  expect(target.synced).toEqual(Array.from({ length: 51 }, (_, n) => n + 1));
  await pass(60_000);
  expect(target.synced.slice(51)).toEqual([1]);
  await end(ended);
});

it('a scene that waits for its next try is neither sent nor taken up meanwhile [lesson 10: a job is not touched before its next try is due]', async () => {
  const { clock, queue, target, drain, add, pass, end, stop } = oneLane();
  add(1);
  target.become = () => ({ kind: 'not-in-plex', message: 'Plex does not have scene 1.' });
  const takes = vi.spyOn(queue, 'take');
  const ended = drain.run(stop.signal);
  await pass();
  const { length } = takes.mock.calls;
  const due = queue.nextAt('plex') ?? 0;
  await pass(due - clock.now() - 1);
  expect(target.synced).toEqual([1]);
  expect(takes.mock.calls).toHaveLength(length);
  await pass(1);
  expect(target.synced).toEqual([1, 1]);
  await end(ended);
});

it('a scene that always meets a defect of ours is given up, and holds up nobody [lesson 13: whatever fails is given up in the end]', async () => {
  const { clock, queue, deadLetters, target, drain, add, pass, end, stop } = oneLane();
  for (const scene of [1, 2, 3]) add(scene);
  target.become = ({ scene }) => (scene === 1 ? Promise.reject(new TypeError('nobody expected this')) : ok);
  // As the worker keeps it up: again after every defect.
  const keepUp = async () => {
    while (!stop.signal.aborted) await drain.run(stop.signal).catch(() => clock.sleep(5_000, stop.signal));
  };
  const ended = keepUp();
  await pass(60_000);
  expect(new Set(target.synced)).toEqual(new Set([1, 2, 3]));
  for (let scene = 10; scene < 40; scene++) {
    add(scene);
    await pass(120_000);
  }
  expect(queue.counts('plex').waiting).toBe(0);
  expect(deadLetters.get('plex/1')).toMatchObject({
    attempts: target.flow.transientTries,
    reason: expect.stringContaining('nobody expected this'),
  });
  await end(ended);
});
