import { beforeEach, describe, expect, it } from 'vitest';
import type { Status } from '../../../src/shared/status';
import { followQueue } from '../../../src/tasks/follow-queue';
import { quietTarget } from '../../support/target-status';
import { type StatusChange, TaskRig } from './rig';

const pass: Status['passes'][number] = {
  name: 'reconcile',
  startedAt: '2026-01-02T03:00:00.000Z',
  looked: 250,
  queued: 0,
  total: 1_000,
};

describe('the task "process"', () => {
  let rig: TaskRig;

  beforeEach(() => {
    rig = new TaskRig();
    rig.workerLives();
    rig.says();
  });

  const inSeconds = (seconds: number) => new Date(rig.clock.now() + seconds * 1_000).toISOString();

  /** Starts it; the worker answers, and its status is this from then on. */
  const follow = async (change: StatusChange) => {
    const summary = followQueue(rig.context);
    await rig.answer({ done: true, message: 'awake' });
    await rig.clock.advance(200);
    rig.says(change);
    await rig.clock.advance(3_000);
    return summary;
  };

  it.each<[string, StatusChange, string]>([
    ['nothing is left', {}, '0 wait. Nothing is left to do.'],
    [
      'scenes are tried again later',
      { queue: { waiting: 2, retrying: 2 } },
      '2 wait. Nothing is due: 2 scenes are tried again later.',
    ],
    [
      'only covers are waited for',
      { queue: { waiting: 2 } },
      '2 wait. Nothing is due now: what waits had no cover yet, and is looked at once more.',
    ],
    [
      'it is paused',
      { paused: true, queue: { waiting: 1, due: 1 } },
      '1 waits. Paused: run "Resume" to go on.',
    ],
    [
      'nothing is configured',
      { queue: { waiting: 1, due: 1 }, plex: { url: null }, breaker: { cause: 'Set "Plex address".' } },
      '1 waits. Set "Plex address".',
    ],
    [
      'Stash is away',
      { queue: { waiting: 1, due: 1 }, stash: { reachable: false, error: 'Stash is not answering.' } },
      '1 waits. Stash is not answering.',
    ],
    [
      'the worker ended',
      { queue: { waiting: 1, due: 1 }, worker: { alive: true, pid: 1, since: null } },
      '1 waits. The worker ended; see worker.log.',
    ],
  ])('ends when %s, and says so', async (_, change, said) => {
    expect(await follow(change)).toBe(`0 scenes processed, ${said}`);
  });

  it('ends when the next try is more than ten seconds away, and follows a sooner one', async () => {
    const open = (seconds: number): StatusChange => ({
      queue: { waiting: 1, due: 1 },
      breaker: { state: 'OPEN', cause: 'Plex is away.', retryAt: inSeconds(seconds) },
    });
    expect(await follow(open(42.6))).toBe(
      '0 scenes processed, 1 waits. Plex is away. The next try is in 40 s.',
    );
    let over = false;
    const following = follow(open(12)).then((summary) => {
      over = true;
      return summary;
    });
    await rig.clock.advance(5_000);
    expect(over).toBe(false);
    rig.says({ plex: { done: 1 } });
    await rig.clock.advance(1_000);
    expect(await following).toBe('1 scene processed, 0 wait. Nothing is left to do.');
  });

  it('goes on while one of two servers gets on, and ends when both are held back', async () => {
    const down = {
      ...quietTarget.breaker,
      state: 'OPEN' as const,
      cause: 'It is away.',
      retryAt: inSeconds(600),
    };
    const others = { attic: { ...quietTarget, queue: { ...quietTarget.queue, due: 5 }, breaker: down } };
    let over = false;
    const following = follow({ queue: { waiting: 9, due: 9 }, others }).then((summary) => {
      over = true;
      return summary;
    });
    await rig.clock.advance(5_000);
    expect(over).toBe(false);
    rig.says({ queue: { waiting: 5, due: 5 }, plex: { queue: quietTarget.queue, done: 4 }, others });
    await rig.clock.advance(1_000);
    expect(await following).toMatch(/^4 scenes processed, 5 wait\. It is away\. The next try is in 9 min/);
  });

  it.each<[string, StatusChange]>([
    ['a pass over the library is under way', { passes: [pass] }],
    ['the scenes of a change are still to be queued', { queue: { fanOuts: 1 } }],
  ])('goes on while %s, although nothing waits yet', async (_, change) => {
    let over = false;
    const following = follow(change).then((summary) => {
      over = true;
      return summary;
    });
    await rig.clock.advance(5_000);
    expect(over).toBe(false);
    rig.says({ plex: { done: 2 } });
    await rig.clock.advance(1_000);
    expect(await following).toBe('2 scenes processed, 0 wait. Nothing is left to do.');
  });

  it('goes on as long as a pass comes on, and not much longer', async () => {
    const following = follow({ passes: [pass] });
    await rig.clock.advance(30_000);
    rig.says({ passes: [{ ...pass, looked: 500 }] });
    await rig.clock.advance(30_000);
    expect(rig.log.lines).toEqual([]);
    await rig.clock.advance(6_000);
    expect(await following).toBe('0 scenes processed, 0 wait. Nothing moves for now; "Status" may say why.');
  });

  it('counts from the moment at which it was asked, and shows how far it has come', async () => {
    rig.says({ plex: { done: 100, failed: 2 } });
    const following = follow({ queue: { waiting: 3, due: 2, inFlight: 1 }, plex: { done: 101, failed: 2 } });
    await rig.clock.advance(4_000);
    expect(rig.log.fractions.at(-1)).toBe(0.25);
    rig.says({ queue: { waiting: 1, due: 1 }, plex: { done: 102, failed: 3 } });
    await rig.clock.advance(500);
    expect(rig.log.fractions.at(-1)).toBe(0.75);
    rig.says({ plex: { done: 103, failed: 3 } });
    await rig.clock.advance(500);
    expect(await following).toBe('4 scenes processed, 0 wait. Nothing is left to do.');
    expect(rig.log.fractions.at(-1)).toBe(1);
  });
});
