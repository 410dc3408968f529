import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryStore } from '../../../src/persist/keyed-store';
import type { QueueEntry } from '../../../src/queue/entries';
import { Queue } from '../../../src/queue/queue';
import type { Answer } from '../../../src/shared/answer';
import { registerSecret } from '../../../src/shared/secrets';
import { Commands, type CommandsParts } from '../../../src/worker/commands';
import { modeOf } from '../../support/files';
import { MemoryLog } from '../../support/memory-log';
import { tempDir } from '../../support/temp-dir';
import { settle, VirtualClock } from '../../support/virtual-clock';

describe('a command', () => {
  let folder: string;
  let clock: VirtualClock;
  let queue: Queue;
  let log: MemoryLog;
  let rings: number;
  let settingsRead: boolean;
  let commands: Commands;
  let targets: ReturnType<CommandsParts['targets']['all']>[number]['target'][];

  beforeEach(() => {
    folder = join(tempDir(), 'answers');
    clock = new VirtualClock();
    queue = new Queue(new MemoryStore<QueueEntry>(), clock);
    log = new MemoryLog();
    rings = 0;
    settingsRead = false;
    targets = [];
    commands = new Commands({
      folder,
      queue,
      targets: { names: ['plex', 'attic'], all: () => targets.map((target) => ({ target })) },
      clock,
      log,
      ring: () => void rings++,
      freshSettings: async () => {
        settingsRead = true;
      },
      ending: new AbortController().signal,
    });
  });

  const carryOut = (name: string, args = {}, id = name) => commands.carryOut({ name, id, args });
  const answer = (id: string): Answer | null => {
    const path = join(folder, `${id}.json`);
    return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Answer) : null;
  };
  const add = (scene: number) => queue.add('plex', scene, { bulk: false, asked: false });

  it('wakes the loops and is answered in a private file', async () => {
    await carryOut('process');
    expect(answer('process')).toEqual({ done: true, message: 'The worker is awake.' });
    expect(rings).toBe(1);
    expect(modeOf(join(folder, 'process.json'))).toBe('600');
    expect(modeOf(folder)).toBe('700');
  });

  it('"pause" keeps the time of the first one, and "resume" ends it', async () => {
    await carryOut('pause');
    const since = queue.memo('paused');
    expect(since).toBe(clock.now());
    await clock.advance(60_000);
    await carryOut('pause', {}, 'again');
    expect(queue.memo('paused')).toBe(since);
    expect(answer('again')).toMatchObject({ done: true, message: expect.stringContaining('Paused') });
    await carryOut('resume');
    expect(queue.memo('paused')).toBeUndefined();
  });

  it('"clear_queue" says how much it forgot', async () => {
    for (const scene of [1, 2, 3]) add(scene);
    queue.take('plex'); // on its way
    queue.addFanOut({ object: 'Tag', id: 1, action: 'Update', fields: null });
    await carryOut('clear_queue');
    expect(answer('clear_queue')?.message).toMatch(/^3 waiting job/);
    expect(queue.counts('plex')).toMatchObject({ waiting: 1, inFlight: 1 });
    expect(queue.fanOuts).toBe(0);
  });

  it('"sync_all" begins a pass, is answered with each page of it, and ends the welcome', async () => {
    await carryOut('sync_all');
    expect(answer('sync_all')).toBeNull();
    for (const name of ['plex', 'attic']) expect(queue.memo(`synced-all/${name}`)).toBe(clock.now());
    const [first] = queue.sweeps();
    if (!first) throw new Error('no pass');
    expect(first).toMatchObject({ name: 'all', sweep: { since: null, after: 0 } });
    await commands.tellSweep('all', { ...first.sweep, queued: 1_000, total: 2_500 }, false);
    expect(answer('sync_all')).toEqual({
      done: false,
      message: '1000 of 2500 scenes are queued so far.',
      progress: 0.4,
    });
    await commands.tellSweep('recent', { ...first.sweep, queued: 1, total: 1 }, true); // nobody asked for that
    await commands.tellSweep('all', { ...first.sweep, queued: 2_501, total: 2_500 }, true);
    expect(answer('sync_all')).toEqual({ done: true, message: '2501 scenes are queued.', progress: 1 });
    rmSync(join(folder, 'sync_all.json'));
    await commands.tellSweep('all', { ...first.sweep, queued: 9 }, true);
    expect(answer('sync_all')).toBeNull(); // it has been told
  });

  it.each([
    [{}, 24],
    [{ hours: '' }, 24],
    [{ hours: 1 }, 1],
    [{ hours: '1.5' }, 1.5],
    [{ hours: ' 48 ' }, 48],
  ])('"sync_recent" with %j goes back %d hours', async (args, hours) => {
    await carryOut('sync_recent', args);
    expect(queue.sweeps()).toMatchObject([
      { name: 'recent', sweep: { since: clock.now() - hours * 3_600_000 } },
    ]);
    expect(queue.memo('synced-all/plex')).toBeUndefined();
  });

  it.each([0, -1, '-1', 'soon', '1e9', null, Number.NaN, [1, 2], {}])(
    '"sync_recent" refuses %j hours and says why',
    async (hours) => {
      await carryOut('sync_recent', { hours });
      expect(queue.sweeps()).toEqual([]);
      expect(answer('sync_recent')).toMatchObject({
        done: true,
        message: `"hours" is ${JSON.stringify(hours)}, but must be a number above 0 and at most 87840 (ten years).`,
      });
    },
  );

  it('that nobody knows, as after an update, is answered as such', async () => {
    await carryOut('reconcile');
    expect(answer('reconcile')?.message).toBe('The command "reconcile" is unknown to this worker.');
  });

  it('is answered without secrets', async () => {
    registerSecret('hush-hush-in-a-command');
    await carryOut('sync_recent', { hours: 'hush-hush-in-a-command' });
    expect(readFileSync(join(folder, 'sync_recent.json'), 'utf8')).not.toContain('hush');
  });

  it('removes answers that nobody fetched for ten minutes', async () => {
    for (const [name, minutes] of [
      ['old', 11],
      ['new', 9],
    ] as const) {
      const path = join(folder, `${name}.json`);
      writeFileSync(path, '{}');
      const at = new Date(clock.now() - minutes * 60_000);
      utimesSync(path, at, at);
    }
    await carryOut('process');
    const own = new Date(clock.now());
    utimesSync(join(folder, 'process.json'), own, own);
    await carryOut('resume');
    expect(readdirSync(folder).sort()).toEqual(['new.json', 'process.json', 'resume.json']);
  });

  it('is carried out although a task fetches its own answer at that moment', async () => {
    symlinkSync(join(folder, 'just-fetched.json'), join(folder, 'gone.json')); // listed, but not there any more
    await carryOut('pause');
    expect(answer('pause')?.done).toBe(true);
  });

  it('whose answer cannot be written is carried out all the same', async () => {
    rmSync(folder, { recursive: true });
    await carryOut('pause');
    expect(queue.memo('paused')).toBeDefined();
    expect(log.warnings).toEqual(['The answer to a task could not be written: it does not exist.']);
  });

  it('"health" asks every target, with the settings as they are now, and does not hold up the inbox', async () => {
    const target = (name: string) => ({
      name,
      tryNow: () => false,
      health: async () => [`${name}: ${settingsRead ? 'well' : 'asked too soon'}`],
    });
    targets = [target('plex'), target('attic')];
    await carryOut('health');
    while (!answer('health')?.done) await settle();
    expect(answer('health')).toEqual({ done: true, message: 'plex: well\nattic: well' });
  });

  it('"reset_breaker" names those that are tried now, or says that there is nothing to hurry', async () => {
    const target = (name: string, isOpen: boolean) => ({
      name,
      tryNow: () => isOpen,
      health: async () => [],
    });
    targets = [target('plex', false), target('attic', true)];
    await carryOut('reset_breaker');
    expect(answer('reset_breaker')?.message).toContain('The next try is now (attic).');
    targets = [target('plex', false)];
    await carryOut('reset_breaker', {}, 'again');
    expect(answer('again')?.message).toContain('nothing to hurry');
  });
});
