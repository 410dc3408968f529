import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type StatePaths, statePaths } from '../../../src/persist/paths';
import { readServers } from '../../../src/stash/servers';
import { readSettings } from '../../../src/stash/settings';
import { Notices } from '../../../src/worker/notices';
import { StashLink } from '../../../src/worker/stash-link';
import { openState, type State } from '../../../src/worker/state';
import { Targets } from '../../../src/worker/targets';
import { MemoryLog } from '../../support/memory-log';
import { tempDir } from '../../support/temp-dir';
import { VirtualClock } from '../../support/virtual-clock';

const dayMs = 24 * 3_600_000;
const attic = '"attic": {"url": "http://127.0.0.1:9", "token": "of-the-attic"}';
const none = { servers: new Map(), problems: [] };
const settings = (raw: Record<string, unknown>) => readSettings(raw, {}).settings;
const own = settings({ plexUrl: 'http://127.0.0.1:9', plexToken: 'of-plex' });
const unset = settings({});

describe('the targets', () => {
  let paths: StatePaths;
  let clock: VirtualClock;
  let log: MemoryLog;
  let state: State;

  beforeEach(async () => {
    paths = statePaths(tempDir());
    clock = new VirtualClock();
    log = new MemoryLog();
    mkdirSync(paths.inbox, { recursive: true });
    state = await openState(paths, { epoch: 1, token: 'ours' }, clock, log);
  });

  /** As the next process would find them; nothing is sent. */
  const open = () => {
    const notices = new Notices(paths.notice, log);
    const targets = new Targets({
      paths,
      state,
      stash: new StashLink(paths.connection, paths.root, clock, log, notices),
      notices,
      clientIdentifier: 'test',
      clock,
      random: () => 0,
      log,
      keepUp: async () => {},
      onNews: () => {},
    });
    onTestFinished(() => targets.end());
    return targets;
  };

  it('are the one of the settings and those of the file, each with what is its own', async () => {
    const targets = open();
    await targets.begin(none);
    expect(targets.names).toEqual(['plex']);
    await targets.configure(own, readServers(`{${attic}}`));
    expect(targets.names).toEqual(['plex', 'attic']);
    expect(readdirSync(paths.targets).sort()).toEqual(['attic', 'plex']);
    expect(targets.all().map(({ target }) => target.missing)).toEqual([null, null]);
  });

  it('include the one of the settings while nothing is set up, but not when there are others', async () => {
    const targets = open();
    await targets.begin(none);
    await targets.configure(unset, none);
    expect(targets.names).toEqual(['plex']);
    expect(targets.all()[0]?.target.missing).toContain('"Plex address"');
    await targets.configure(unset, readServers(`{${attic}}`));
    expect(targets.names).toEqual(['attic']);
    // Also for what comes in before the next process has read the settings.
    const next = open();
    await next.begin(readServers(`{${attic}}`));
    expect(next.names).toEqual(['attic']);
  });

  it('that are in a file which cannot be read since the start stay in use, and say why', async () => {
    const before = open();
    await before.begin(none);
    await before.configure(own, readServers(`{${attic}}`));
    const targets = open();
    const broken = { servers: new Map(), problems: ['servers.json is not valid JSON.'] };
    await targets.begin(broken);
    expect(targets.names).toEqual(['plex', 'attic']);
    await targets.configure(own, broken);
    expect(targets.names).toEqual(['plex', 'attic']);
    expect(targets.all().map(({ target }) => target.missing)).toEqual([
      null,
      'servers.json is not valid JSON.',
    ]);
  });

  it('that left the settings keep what waits for 30 days, and are archived then', async () => {
    const targets = open();
    await targets.begin(none);
    await targets.configure(own, readServers(`{${attic}}`));
    state.queue.add('attic', 7, { bulk: false, asked: false });
    state.deadLetters.put('attic/8', {
      target: 'attic',
      scene: 8,
      kind: 'x',
      reason: 'x',
      attempts: 1,
      at: 1,
    });
    await targets.configure(own, none);
    expect(targets.names).toEqual(['plex']);
    expect(targets.takeLeft()).toEqual(['attic']);
    clock.set(clock.now() + 29 * dayMs);
    const next = open();
    await next.begin(none);
    expect(next.names).toEqual(['plex']);
    await next.configure(own, none);
    expect(state.queue.counts('attic').waiting).toBe(1);
    clock.set(clock.now() + dayMs);
    await next.configure(own, none);
    expect(existsSync(join(paths.targets, 'attic'))).toBe(false);
    expect(readdirSync(join(paths.targets, 'archived'))).toEqual([
      `attic-${new Date(clock.now()).toISOString().slice(0, 10)}`,
    ]);
    expect(state.queue.counts('attic').waiting).toBe(0);
    expect(state.deadLetters.size).toBe(0);
    expect(log.lines.at(-1)?.message).toContain('left the settings 30 days ago');
  });

  it('that come back within that time find what waited', async () => {
    const targets = open();
    await targets.begin(none);
    await targets.configure(own, readServers(`{${attic}}`));
    state.queue.add('attic', 7, { bulk: false, asked: false });
    await targets.configure(own, none);
    clock.set(clock.now() + 29 * dayMs);
    await targets.configure(own, readServers(`{${attic}}`));
    clock.set(clock.now() + 29 * dayMs);
    await targets.configure(own, readServers(`{${attic}}`));
    expect(state.queue.counts('attic').waiting).toBe(1);
    // It counts as in use again, also for a process that cannot read the file.
    const next = open();
    await next.begin(none);
    expect(next.names).toContain('attic');
  });
});
