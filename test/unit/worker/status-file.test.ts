import { mkdirSync, readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type StatePaths, statePaths } from '../../../src/persist/paths';
import type { Status } from '../../../src/shared/status';
import { readSettings } from '../../../src/stash/settings';
import { Notices } from '../../../src/worker/notices';
import { StashLink } from '../../../src/worker/stash-link';
import { openState, type State } from '../../../src/worker/state';
import { StatusFile } from '../../../src/worker/status-file';
import { Targets } from '../../../src/worker/targets';
import { MemoryLog } from '../../support/memory-log';
import { tempDir } from '../../support/temp-dir';
import { VirtualClock } from '../../support/virtual-clock';

describe('the status', () => {
  let paths: StatePaths;
  let clock: VirtualClock;
  let state: State;
  let file: StatusFile;

  beforeEach(async () => {
    paths = statePaths(tempDir());
    clock = new VirtualClock();
    const log = new MemoryLog();
    mkdirSync(paths.inbox, { recursive: true });
    state = await openState(paths, { epoch: 1, token: 'ours' }, clock, log);
    const notices = new Notices(paths.notice, log);
    const stash = new StashLink(paths.connection, paths.root, clock, log, notices);
    const shared = { paths, state, stash, clock };
    const targets = new Targets({
      ...shared,
      notices,
      clientIdentifier: 'test',
      random: () => 0,
      log,
      keepUp: async () => {},
      onNews: () => {},
    });
    onTestFinished(() => targets.end());
    await targets.begin({ servers: new Map(), problems: [] });
    const { settings } = readSettings({ plexUrl: 'http://127.0.0.1:9', plexToken: 'secret' }, {});
    await targets.configure(settings, { servers: new Map(), problems: [] });
    file = new StatusFile({ ...shared, targets, inbox: { count: () => 3 } });
  });

  const written = async (alive = true): Promise<Status> => {
    await file.write(alive);
    return JSON.parse(readFileSync(paths.status, 'utf8'));
  };

  it('names the passes that are under way as their tasks are named, and how far they are', async () => {
    expect((await written()).passes).toEqual([]);
    for (const name of ['reconcile', 'recent', 'all'] as const) state.queue.beginSweep(name, null);
    const [{ sweep } = { sweep: null }] = state.queue.sweeps();
    if (sweep) state.queue.setSweep('all', { ...sweep, looked: 7, queued: 5, total: 9 });
    const startedAt = new Date(clock.now()).toISOString();
    expect((await written()).passes).toEqual([
      { name: 'sync_all', startedAt, looked: 7, queued: 5, total: 9 },
      { name: 'sync_recent', startedAt, looked: 0, queued: 0, total: null },
      { name: 'reconcile', startedAt, looked: 0, queued: 0, total: null },
    ]);
  });

  it('adds up the queues, and counts what each filter left out', async () => {
    state.queue.add('plex', 1, { bulk: false, asked: false });
    state.queue.add('plex', 2, { bulk: false, asked: false });
    const job = state.queue.take('plex');
    if (job) state.queue.settle(job, { kind: 'done', filteredBy: 'syncOnlyTags' });
    const status = await written();
    expect(status).toMatchObject({ inbox: 3, deadLetters: 0, queue: { waiting: 1, due: 1, inFlight: 0 } });
    expect(status.targets.plex).toMatchObject({ done: 1, filtered: { syncOnlyTags: 1 } });
    expect(JSON.stringify(status)).not.toContain('secret');
  });

  it('says at the end that no worker is alive', async () => {
    expect((await written()).worker).toMatchObject({ alive: true, pid: process.pid });
    expect((await written(false)).worker).toEqual({ alive: false, pid: null, since: null });
  });

  it('is told to scrapers every five seconds, and at the end', async () => {
    const metrics = () => readFileSync(paths.metrics, 'utf8');
    await written();
    const first = metrics();
    state.queue.add('plex', 1, { bulk: false, asked: false });
    await clock.advance(4_999);
    await written();
    expect(metrics()).toBe(first);
    await clock.advance(1);
    await written();
    expect(metrics()).not.toBe(first);
    state.queue.clear();
    await written(false);
    expect(metrics()).not.toContain('sluice_queue_waiting 1');
  });
});
