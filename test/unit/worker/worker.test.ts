import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type StatePaths, statePaths } from '../../../src/persist/paths';
import { leaveInInbox } from '../../../src/queue/inbox';
import type { Queue } from '../../../src/queue/queue';
import type { Status } from '../../../src/shared/status';
import { openState } from '../../../src/worker/state';
import { type EndReason, runWorker } from '../../../src/worker/worker';
import { MemoryLog } from '../../support/memory-log';
import { tempDir } from '../../support/temp-dir';
import { VirtualClock } from '../../support/virtual-clock';

const minuteMs = 60_000;

/** Without a Stash that could be reached: what is here is about what the worker does by itself. */
describe('the worker', () => {
  let paths: StatePaths;
  let clock: VirtualClock;
  let log: MemoryLog;
  let stop: AbortController;

  beforeEach(() => {
    paths = statePaths(tempDir());
    mkdirSync(paths.inbox, { recursive: true });
    clock = new VirtualClock();
    log = new MemoryLog();
    stop = new AbortController();
  });

  /** What the worker before left behind. */
  const before = async (leave: (queue: Queue) => void) => {
    const state = await openState(paths, { epoch: 1, token: 'ours' }, clock, log);
    leave(state.queue);
    await state.flush();
    await state.close();
  };
  const status = (): Status => JSON.parse(readFileSync(paths.status, 'utf8'));
  /** Lets so much time pass, or less if it ends before. */
  const run = async (ms: number, meanwhile: () => void = () => {}): Promise<EndReason> => {
    let reason: EndReason | null = null;
    const ended = runWorker(
      {
        paths,
        pluginDir: paths.root,
        lease: { epoch: 2, token: 'ours' },
        clock,
        random: () => 0.5,
        log,
        env: { SLUICE_STATE_DIR: paths.root },
        idleMs: 5 * minuteMs,
        pollMs: 15_000,
        wakeOther: () => {},
      },
      stop.signal,
    ).then((found) => {
      reason = found;
    });
    const end = clock.now() + ms;
    while (reason === null && clock.now() < end) await clock.advance(500);
    meanwhile();
    stop.abort();
    await ended;
    return reason ?? 'stopped';
  };

  it('ends when there was nothing to do for a while', async () => {
    expect(await run(20 * minuteMs)).toBe('idle');
  });

  it('stays while a pass is under way, and says in the status which one and how far it is', async () => {
    await before((queue) => {
      queue.beginSweep('reconcile', null);
      queue.setSweep('all', {
        is: 'sweep',
        since: null,
        asked: false,
        after: 900,
        total: 2_000,
        looked: 800,
        queued: 800,
        found: {},
        startedAt: Date.parse('2026-01-01T00:00:00Z'),
      });
    });
    const reason = await run(10 * minuteMs, () => {
      expect(status().passes).toEqual([
        { name: 'sync_all', startedAt: '2026-01-01T00:00:00.000Z', looked: 800, queued: 800, total: 2_000 },
        { name: 'reconcile', startedAt: '2026-01-02T03:04:05.000Z', looked: 0, queued: 0, total: null },
      ]);
    });
    expect(reason).toBe('stopped');
  });

  it('does not stay for a reconcile that waits until the person resumes', async () => {
    await before((queue) => {
      queue.setMemo('paused', clock.now());
      queue.beginSweep('reconcile', null);
    });
    expect(await run(20 * minuteMs)).toBe('idle');
    expect(status().passes).toHaveLength(1);
    await before((queue) => expect(queue.sweeps()).toHaveLength(1));
  });

  it('answers a question that nobody can answer yet, and says why', async () => {
    const sluice = { command: 'explain', id: 'question-1', args: { scene: 3 } };
    const { root } = paths;
    const server_connection = { Scheme: 'http', Host: '127.0.0.1', Port: 9, Dir: root, PluginDir: root };
    leaveInInbox(paths.inbox, JSON.stringify({ sluice, server_connection }));
    await run(1 * minuteMs);
    const answer = JSON.parse(readFileSync(join(paths.answers, 'question-1.json'), 'utf8'));
    expect(answer).toEqual({
      done: true,
      message: 'Plex cannot be asked now: The settings have not been read yet.',
    });
  });
});
