import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'vitest';
import { type Household, until } from '../sim/household';
import { modeOf } from '../support/files';
import { home } from '../support/home';
import { attentive, inboxFiles, jobsOnDisk, livesOn, plexIn, workerEnded } from '../support/worker-life';

const shortLife = { SLUICE_IDLE_SECONDS: '0.5' };
/** Several times the idle time above. */
const longEnoughMs = 1_500;

const exited = async (child: ChildProcess): Promise<number | null> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
};

describe.concurrent('the worker, when nothing is to be done,', () => {
  it('ends after a while and says so, and begins again when a person is renamed', async ({
    expect,
    onTestFinished,
  }) => {
    const household = await home({ scenes: 2, env: shortLife }, onTestFinished);
    const { stash, state } = household;
    await stash.edit({ id: 1, title: 'First' });
    await household.drained();
    await workerEnded(household);
    expect(household.status()?.worker).toEqual({ alive: false, pid: null, since: null });
    expect(household.log()).toContain('Sluice ended: idle.');
    for (const path of [state.alive, state.leaseLock]) expect(existsSync(path)).toBe(false);

    await stash.rename('Performer', household.people[0] ?? 0, 'Ada Crane');
    await until('it works again', () => household.log().split('at work').length === 3);
    await workerEnded(household);
    expect(household.status()).toMatchObject({ worker: { alive: false }, queue: { fanOuts: 0, waiting: 0 } });

    await stash.edit({ id: 2, title: 'Starts it again' });
    await household.drained();
    expect(await household.differences()).toEqual([]);
  });

  it('stays while a job waits, is tried again later, or a hook is still writing', async ({
    expect,
    onTestFinished,
  }) => {
    const household = await home({ scenes: 1, env: shortLife }, onTestFinished);
    const { stash, plex, state } = household;
    plex.setFault({ kind: 'maintenance' });
    await stash.edit({ id: 1, title: 'Waits' });
    await until('it is held back', () => plexIn(household)?.breaker.state === 'OPEN');
    expect((await livesOn(household, longEnoughMs)).queue).toMatchObject({ waiting: 1, due: 1 });

    plex.setFault(null);
    await household.tryPlexNow();
    const elsewhere = stash.addScene({ path: '/data/Not in Plex.mp4' });
    await stash.edit({ id: elsewhere, title: 'Nobody knows' });
    await until('it is tried again', () => household.status()?.queue.retrying === 1);
    expect((await livesOn(household, longEnoughMs)).queue).toMatchObject({ waiting: 1, due: 0 });

    const part = join(state.inbox, 'h1-0.part');
    writeFileSync(part, '{"args":', { mode: 0o600 });
    await stash.runOperation('sluice', { mode: 'clear_queue' });
    await until('only the unfinished file is left', () => household.status()?.queue.waiting === 0);
    expect(await livesOn(household, longEnoughMs)).toMatchObject({ inbox: 1, queue: { waiting: 0 } });
    expect(household.log()).not.toContain('at the last moment');
    rmSync(part);
    await workerEnded(household);
    expect(household.log()).toContain('Sluice ended: idle.');
  });

  it('ends in a pause although jobs wait, and "resume" brings it back', async ({
    expect,
    onTestFinished,
  }) => {
    const household = await home({ scenes: 1, env: shortLife }, onTestFinished);
    const { stash } = household;
    await stash.runOperation('sluice', { mode: 'pause' });
    await stash.edit({ id: 1, title: 'Kept' });
    await until('it waits', () => household.status()?.queue.waiting === 1);
    await workerEnded(household);
    expect(household.status()).toMatchObject({
      paused: true,
      worker: { alive: false },
      queue: { waiting: 1 },
    });
    expect(household.inPlex(1)?.title).not.toBe('Kept');
    await stash.runOperation('sluice', { mode: 'resume' });
    await household.drained();
    expect(await household.differences()).toEqual([]);
  });
});

describe.concurrent('the worker, when it is not wanted any more,', () => {
  it('ends with what waits kept, and goes on when the plugin is enabled and something happens', async ({
    expect,
    onTestFinished,
  }) => {
    const household = await home(
      { scenes: 2, env: attentive, settings: { flowOpenSeconds: 1 } },
      onTestFinished,
    );
    const { stash, plex } = household;
    await plex.goDown();
    await stash.edit({ id: 1, title: 'Before it was disabled' });
    await until('it waits', () => plexIn(household)?.breaker.state === 'OPEN');
    const enable = (on: boolean) =>
      stash.gql('mutation($map: BoolMap!) { setPluginsEnabled(enabledMap: $map) }', { map: { sluice: on } });
    await enable(false);
    await workerEnded(household);
    expect(household.log()).toContain('The plugin was disabled or removed in Stash. What waits is kept.');
    expect(household.status()).toMatchObject({ worker: { alive: false }, queue: { waiting: 1 } });
    expect(jobsOnDisk(household)).toMatchObject([{ scene: 1, attempts: 0 }]);
    await plex.comeBack();
    await enable(true);
    await stash.edit({ id: 2, title: 'After it was enabled' });
    await household.drained();
    expect(await household.differences()).toEqual([]);
  });

  it('ends when its files are removed', async ({ expect, onTestFinished }) => {
    const household = await home({ scenes: 1, env: attentive }, onTestFinished);
    await household.stash.edit({ id: 1, title: 'The last one' });
    await household.drained();
    rmSync(join(household.pluginDir, 'dist'), { recursive: true });
    await workerEnded(household);
    expect(household.log()).toContain('Sluice ended: not wanted.');
    expect(household.status()?.worker.alive).toBe(false);
  });

  it('hands over to another version that was unpacked over it', async ({ expect, onTestFinished }) => {
    const household = await home({ scenes: 2, env: attentive }, onTestFinished);
    await household.stash.edit({ id: 1, title: 'With the old one' });
    await household.drained();
    const old = household.worker();
    const script = join(household.pluginDir, 'dist', 'worker.js');
    const text = readFileSync(script, 'utf8');
    expect(text).toContain('"0.1.0"');
    writeFileSync(script, text.replaceAll('"0.1.0"', '"0.2.0-next"'));
    // Without any hook: the old one starts the new one.
    await until('another one works', () => household.log().includes('Sluice 0.2.0-next at work'));
    await until('the old one has ended', () => household.workers().length === 1);
    expect(household.worker()).not.toBe(old);
    expect(household.log()).toContain('Sluice ended: replaced.');
    await household.stash.edit({ id: 2, title: 'With the new one' });
    await household.drained();
    expect(await household.differences()).toEqual([]);
  });
});

describe.concurrent('the worker, when things go wrong around it,', () => {
  it('ends cleanly at once when it is told to, also in the middle of a request', async ({
    expect,
    onTestFinished,
  }) => {
    const household = await home({ scenes: 1 }, onTestFinished);
    const { plex, state } = household;
    household.changeSilently(1, { title: 'Cut short' });
    household.leaveEvent(1);
    plex.setFault({ kind: 'hang', on: 'item' });
    const worker = household.startWorker();
    await until('it waits for Plex', () => plex.requests.some(({ kind }) => kind === 'item'));
    const from = Date.now();
    worker.kill('SIGTERM');
    expect(await exited(worker)).toBe(0);
    expect(Date.now() - from).toBeLessThan(5_000); // the request would have taken 30 s
    for (const path of [state.alive, state.leaseLock]) expect(existsSync(path)).toBe(false);
    expect(household.status()).toMatchObject({
      worker: { alive: false },
      queue: { waiting: 1, inFlight: 0 },
    });
    expect(jobsOnDisk(household)).toMatchObject([{ scene: 1, attempts: 0 }]);
    expect(plexIn(household)?.breaker.state).toBe('CLOSED');
    plex.setFault(null);
    household.startWorker();
    await household.drained();
    expect(await household.differences()).toEqual([]);
  });

  it('starts its thread again after that crashed', async ({ expect, onTestFinished }) => {
    const household = await home({ scenes: 1 }, onTestFinished);
    crashThread(
      household,
      `if (!fs.existsSync(flag)) { fs.writeFileSync(flag, ''); throw new Error('bang'); }`,
    );
    await household.stash.edit({ id: 1, title: 'After the crash' });
    await household.drained();
    expect(await household.differences()).toEqual([]);
    expect(household.log()).toMatch(/error The worker failed: .*bang/);
    expect(household.log().match(/at work/g)).toHaveLength(1);
  });

  it('ends when it is told to, also while its thread crashes again and again', async ({
    expect,
    onTestFinished,
  }) => {
    const household = await home({ scenes: 1 }, onTestFinished);
    crashThread(household, `throw new Error('bang');`);
    const worker = household.startWorker();
    await until('it crashed', () => household.log().includes('bang'));
    worker.kill('SIGTERM');
    expect(await exited(worker)).toBe(0);
    expect(household.log().match(/bang/g)?.length).toBeLessThanOrEqual(3);
    expect(household.log()).toContain('Sluice ended: stopped.');
  });

  it('shows that it lives, also where no new file can be made', async ({ expect, onTestFinished }) => {
    const household = await home({ scenes: 2 }, onTestFinished);
    await household.stash.edit({ id: 1, title: 'Before' });
    await household.drained();
    const before = household.worker();
    const { alive } = household.state;
    mkdirSync(`${alive}.next`); // where its sign of life is written
    const { mtimeMs } = statSync(alive);
    await until('it has shown it', () => statSync(alive).mtimeMs > mtimeMs);
    await household.stash.edit({ id: 2, title: 'All the same' });
    await household.drained();
    expect(await household.differences()).toEqual([]);
    expect(household.worker()).toBe(before);
  });

  it('begins a new log when the old one has grown, and keeps three', async ({ expect, onTestFinished }) => {
    const household = await home({ scenes: 1 }, onTestFinished);
    const { log, root, inbox } = household.state;
    mkdirSync(inbox, { recursive: true, mode: 0o700 });
    for (const [path, age] of [
      [log, 'newest'],
      [`${log}.1`, 'newer'],
      [`${log}.2`, 'old'],
      [`${log}.3`, 'oldest'],
    ] as const) {
      writeFileSync(path, age, { mode: 0o600 });
    }
    appendFileSync(log, `${' '.repeat(1024 * 1024)}\n`);
    await household.stash.edit({ id: 1, title: 'One more line' });
    await household.drained();
    expect(statSync(log).size).toBeLessThan(100_000);
    expect(modeOf(log)).toBe('600');
    const kept = readdirSync(root).filter((name) => name.startsWith('worker.log.'));
    expect(kept.sort()).toEqual(['worker.log.1', 'worker.log.2', 'worker.log.3']);
    expect(kept.map((name) => readFileSync(join(root, name), 'utf8').trim())).toEqual([
      'newest',
      'newer',
      'old',
    ]);
  });
});

describe.concurrent('the worker, when it finds', () => {
  it.for(['queue.json', 'targets/plex/gate.json', 'connection.json'])(
    'a %s of a newer version, leaves everything as it is, and hooks still record',
    async (name, { expect, onTestFinished }) => {
      const household = await home({ scenes: 3 }, onTestFinished);
      const { stash, state } = household;
      const file = join(state.root, name);
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      const text = '{"version":99,"what":"nobody knows"}\n';
      writeFileSync(file, text, { mode: 0o600 });
      const said = `${file} was written by a newer version of Sluice.`;

      await stash.edit({ id: 1, title: 'Recorded' });
      await until('the person is told', () => existsSync(state.notice));
      await workerEnded(household);
      expect(household.log()).toContain('Sluice ended: newer state.');
      expect(household.log()).not.toContain('The worker failed');
      for (const scene of [2, 3]) {
        await stash.edit({ id: scene, title: 'Recorded, too' });
        await workerEnded(household);
      }
      expect(stash.log.messages('warning').filter((message) => message.includes(said))).toHaveLength(1);
      expect(inboxFiles(household)).toHaveLength(3);
      expect(readFileSync(file, 'utf8')).toBe(text);
      expect(household.plex.requests).toEqual([]);

      rmSync(file); // as if the newer version had been there and done its work
      household.startWorker();
      await household.drained();
      expect(await household.differences()).toEqual([]);
      expect(existsSync(state.notice) ? readFileSync(state.notice, 'utf8') : '').not.toContain(
        'newer version',
      );
    },
  );

  it('events that were recorded without Node, takes them over', async ({ expect, onTestFinished }) => {
    const household = await home({ scenes: 2 }, onTestFinished);
    household.changeSilently(1, { title: 'From the time without Node' });
    const event = household.leaveEvent(1);
    const spare = join(household.pluginDir, 'data', 'inbox');
    mkdirSync(spare, { recursive: true });
    renameSync(event, join(spare, 'h7-0.json'));
    rmSync(household.state.root, { recursive: true });
    await household.stash.edit({ id: 2, title: 'From now on with Node' });
    await household.drained();
    expect(await household.differences()).toEqual([]);
    expect(readdirSync(spare)).toEqual([]);
  });

  it('an event of another Stash, whose plugin folder is a copy, passes it on and mends the pointer', async ({
    expect,
    onTestFinished,
  }) => {
    const first = await home({ scenes: 2 }, onTestFinished);
    await first.stash.edit({ id: 1, title: 'In the first' });
    await first.drained();
    const second = await home({ scenes: 2 }, onTestFinished);
    const pointer = (household: Household) => join(household.pluginDir, 'dist', 'state-dir');
    const copyPointer = () => cpSync(pointer(first), pointer(second));

    copyPointer();
    await second.stash.edit({ id: 1, title: 'In the second' });
    await until('it is passed on', () => existsSync(second.state.status));
    await second.drained();
    expect(await second.differences([1])).toEqual([]);
    expect(first.inPlex(1)?.title).toBe('In the first');
    expect(readFileSync(pointer(second), 'utf8').split('\n')[0]).toBe(second.state.root);
    expect(readFileSync(pointer(first), 'utf8').split('\n')[0]).toBe(first.state.root);

    // The same when neither has a worker: the one that is started then is the first's, with the second's files.
    for (const household of [first, second]) {
      household.killWorkers();
      await workerEnded(household);
    }
    copyPointer();
    await second.stash.edit({ id: 2, title: 'Also in the second' });
    await until('it is in step', async () => (await second.differences([1, 2])).length === 0);
    await first.stash.edit({ id: 2, title: 'Also in the first' });
    await first.drained();
    expect(await first.differences([1, 2])).toEqual([]);
    expect(first.log()).toContain(`Passed an event on to ${second.state.root}`);
    expect(second.log()).not.toContain('Passed an event on');
  });
});

/** The thread's script runs `code` first. `flag` is a file that it may leave. */
function crashThread(household: Household, code: string): void {
  const script = join(household.pluginDir, 'dist', 'thread.js');
  const flag = JSON.stringify(join(household.dir, 'flag'));
  const before = `{ const fs = require('node:fs'), flag = ${flag}; ${code} }\n`;
  writeFileSync(script, before + readFileSync(script, 'utf8'));
}
