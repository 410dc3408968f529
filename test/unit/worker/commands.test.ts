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
import type { DeadLetter, QueueEntry } from '../../../src/queue/entries';
import { Queue } from '../../../src/queue/queue';
import type { Answer } from '../../../src/shared/answer';
import { registerSecret } from '../../../src/shared/secrets';
import { Commands, type CommandsParts, type Handler } from '../../../src/worker/commands';
import { modeOf } from '../../support/files';
import { MemoryLog } from '../../support/memory-log';
import { tempDir } from '../../support/temp-dir';
import { settle, VirtualClock } from '../../support/virtual-clock';

describe('a command', () => {
  let folder: string;
  let clock: VirtualClock;
  let queue: Queue;
  let deadLetters: MemoryStore<DeadLetter>;
  let lettersChanged: string[];
  let flush: () => Promise<void>;
  let more: Record<string, Handler>;
  let log: MemoryLog;
  let rings: number;
  let settingsRead: boolean;
  let allSynced: number;
  let commands: Commands;
  let targets: ReturnType<CommandsParts['targets']['all']>[number]['target'][];

  beforeEach(() => {
    folder = join(tempDir(), 'answers');
    clock = new VirtualClock();
    queue = new Queue(new MemoryStore<QueueEntry>(), clock);
    log = new MemoryLog();
    rings = 0;
    settingsRead = false;
    allSynced = 0;
    targets = [];
    deadLetters = new MemoryStore();
    lettersChanged = [];
    flush = async () => {};
    more = {};
    commands = new Commands({
      folder,
      queue,
      deadLetters,
      more,
      flush: () => flush(),
      onLettersChanged: (target) => void lettersChanged.push(target),
      onSyncAll: () => void allSynced++,
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
    queue.addFanOut({ object: 'Tag', id: 1, action: 'Update' });
    await carryOut('clear_queue');
    expect(answer('clear_queue')?.message).toMatch(/^3 waiting job/);
    expect(queue.counts('plex')).toMatchObject({ waiting: 1, inFlight: 1 });
    expect(queue.fanOuts).toBe(0);
  });

  it('"sync_all" begins a pass, is answered with each page of it, and ends the welcome', async () => {
    await carryOut('sync_all');
    expect(allSynced).toBe(1);
    expect(answer('sync_all')).toBeNull();
    for (const name of ['plex', 'attic']) expect(queue.memo(`synced-all/${name}`)).toBe(clock.now());
    const [first] = queue.sweeps();
    if (!first) throw new Error('no pass');
    expect(first).toMatchObject({ name: 'all', sweep: { since: null, after: 0 } });
    await commands.tellSweep('all', { ...first.sweep, looked: 1_000, queued: 1_000, total: 2_500 }, false);
    expect(answer('sync_all')).toEqual({
      done: false,
      message: '1000 of 2500 scenes are queued so far.',
      progress: 0.4,
    });
    await commands.tellSweep('recent', { ...first.sweep, queued: 1, total: 1 }, true); // nobody asked for that
    await commands.tellSweep('all', { ...first.sweep, looked: 2_501, queued: 2_501, total: 2_500 }, true);
    expect(answer('sync_all')).toEqual({ done: true, message: '2501 scenes are queued.', progress: 1 });
    rmSync(join(folder, 'sync_all.json'));
    await commands.tellSweep('all', { ...first.sweep, queued: 9 }, true);
    expect(answer('sync_all')).toBeNull(); // it has been told
  });

  it('"reconcile" begins a pass that compares, and is answered by what it has looked at', async () => {
    await carryOut('reconcile');
    const [first] = queue.sweeps();
    if (!first) throw new Error('no pass');
    expect(first).toMatchObject({
      name: 'reconcile',
      sweep: { since: null, after: 0, looked: 0, found: {} },
    });
    const half = { ...first.sweep, looked: 500, queued: 3, total: 1_000 };
    await commands.tellSweep('reconcile', half, false);
    expect(answer('reconcile')).toEqual({
      done: false,
      message: '500 of 1000 scenes are compared so far, 3 queued.',
      progress: 0.5,
    });
    await commands.tellSweep('reconcile', { ...half, looked: 1_000 }, true);
    expect(answer('reconcile')).toMatchObject({ done: true, progress: 1 });
    expect(answer('reconcile')?.message).toContain('1000 scenes were compared');
    expect(queue.memo('synced-all/plex')).toBeUndefined();
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
    for (const name of ['tidy_up', 'toString']) {
      await carryOut(name);
      expect(answer(name)).toEqual({
        done: true,
        message: `The command "${name}" is unknown to this worker.`,
        failed: true,
      });
    }
  });

  it('that takes its time runs beside the inbox, begins at once, and answers as often as it likes', async () => {
    let finish = () => {};
    const finished = new Promise<void>((resolve) => (finish = resolve));
    let begunWith: unknown;
    more.dry_run = async (args, tell) => {
      begunWith = args;
      await tell({ done: false, message: 'Half of it.', progress: 0.5 });
      await finished;
      await tell({ done: true, message: 'All of it.' });
    };
    const carried = carryOut('dry_run', { hours: 3 });
    expect(begunWith).toEqual({ hours: 3 });
    await carried;
    while (!answer('dry_run')) await settle();
    expect(answer('dry_run')).toEqual({ done: false, message: 'Half of it.', progress: 0.5 });
    const before = rings;
    finish();
    while (!answer('dry_run')?.done) await settle();
    expect(answer('dry_run')?.message).toBe('All of it.');
    while (rings === before) await settle();
  });

  it('that takes its time and fails says so', async () => {
    more.explain = async () => {
      throw new Error('a defect');
    };
    await carryOut('explain');
    while (!answer('explain')) await settle();
    expect(answer('explain')).toMatchObject({ done: true, failed: true });
    expect(answer('explain')?.message).toMatch(/^"explain" could not be finished: a defect\./);
    expect(log.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
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
    writeFileSync(folder, 'in the way');
    await carryOut('pause');
    expect(queue.memo('paused')).toBeDefined();
    expect(log.warnings).toEqual([expect.stringMatching(/^The answer to a task could not be written: /)]);
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

  describe('about dead letters', () => {
    const give = (target: string, scene: number, kind = 'not-in-plex'): DeadLetter => {
      const reason = `Scene ${scene} was not synced.`;
      const letter = { target, scene, kind, reason, attempts: 3, at: clock.now() };
      deadLetters.put(`${target}/${scene}`, letter);
      return letter;
    };
    const keys = () => [...deadLetters.entries()].map(([key]) => key);

    beforeEach(() => {
      give('plex', 1);
      give('plex', 2);
      give('attic', 2);
      give('plex', 3, 'bad-data');
    });

    it('lists them in groups', async () => {
      await carryOut('dead_letters');
      expect(answer('dead_letters')?.done).toBe(true);
      expect(answer('dead_letters')?.message).toMatch(/^4 scenes were given up, for 3 reasons:\n/);
    });

    it('queues one again, before bulk work, and looks at Plex', async () => {
      await carryOut('retry_dead_letters', { scene: '1' });
      expect(answer('retry_dead_letters')).toEqual({ done: true, message: '1 scene is queued again.' });
      expect(queue.job('plex', 1)).toMatchObject({ bulk: false, asked: true });
      expect(keys()).toEqual(['plex/2', 'attic/2', 'plex/3']);
      expect(lettersChanged).toEqual(['plex']);
      expect(rings).toBeGreaterThan(0);
    });

    it('queues all of a reason again as bulk work, each at its own target', async () => {
      await carryOut('retry_dead_letters', { reason: 'not-in-plex' });
      expect(queue.counts('plex').waiting).toBe(2);
      expect(queue.job('attic', 2)).toMatchObject({ bulk: true, asked: true });
      expect(keys()).toEqual(['plex/3']);
      expect(lettersChanged.sort()).toEqual(['attic', 'plex']);
    });

    it('has the jobs on disk before a letter goes: a crash in between loses no scene', async () => {
      const atFlush: [waiting: number, letters: number][] = [];
      flush = async () => void atFlush.push([queue.counts('plex').waiting, deadLetters.size]);
      await carryOut('retry_dead_letters', { all: true });
      expect(atFlush).toEqual([[3, 4]]);
      expect(keys()).toEqual([]);
    });

    it('keeps the letters when the jobs cannot be written', async () => {
      flush = () => Promise.reject(new Error('The disk is full.'));
      await expect(carryOut('retry_dead_letters', { all: true })).rejects.toThrow('The disk is full.');
      expect(deadLetters.size).toBe(4);
    });

    it('keeps a letter that was written anew while the job was', async () => {
      flush = async () => {
        await clock.advance(1);
        give('plex', 1, 'transient');
      };
      await carryOut('retry_dead_letters', { scene: 1 });
      expect(deadLetters.get('plex/1')).toMatchObject({ kind: 'transient' });
    });

    it('forgets what is discarded, and queues nothing', async () => {
      await carryOut('discard_dead_letters', { reason: 'bad-data' });
      expect(answer('discard_dead_letters')?.message).toMatch(/^1 dead letter was discarded\./);
      expect(keys()).toEqual(['plex/1', 'plex/2', 'attic/2']);
      expect(lettersChanged).toEqual(['plex']);
      await carryOut('discard_dead_letters', { all: 'true' }, 'all');
      expect(answer('all')?.message).toMatch(/^3 dead letters were discarded\./);
      expect(deadLetters.size).toBe(0);
      expect(queue.counts('plex').waiting).toBe(0);
    });

    it.each(['retry_dead_letters', 'discard_dead_letters'])(
      '"%s" does nothing without a clear choice, and says what to give',
      async (name) => {
        await carryOut(name);
        expect(answer(name)).toMatchObject({ done: true, failed: true });
        expect(answer(name)?.message).toContain('{"all": true}');
        await carryOut(name, { scene: 9 }, 'none');
        expect(answer('none')).toEqual({
          done: true,
          message: 'Scene 9 is not among the dead letters.',
          failed: true,
        });
        expect(deadLetters.size).toBe(4);
        expect(lettersChanged).toEqual([]);
      },
    );

    it('is content when there is none to deal with', async () => {
      for (const key of keys()) deadLetters.delete(key);
      await carryOut('retry_dead_letters', { all: true });
      expect(answer('retry_dead_letters')).toEqual({ done: true, message: 'There are no dead letters.' });
    });
  });
});
