import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { statePaths } from '../../src/persist/paths';
import { systemClock } from '../../src/shared/clock';
import { runWorker } from '../../src/worker/worker';
import { type Household, until } from '../sim/household';
import { runHook } from '../sim/run-hook';
import { home } from '../support/home';
import { MemoryLog } from '../support/memory-log';

/** A household with one scene synced, two waiting because Plex is away, and no worker alive. */
async function waiting(whenOver?: Parameters<typeof home>[1]): Promise<Household> {
  const household = await home({ scenes: 4, settings: { flowOpenSeconds: 1 } }, whenOver);
  await household.stash.edit({ id: 4, title: 'Synced before' });
  await household.drained();
  await household.plex.goDown();
  await household.stash.edit({ id: 1, title: 'Waits' });
  await household.stash.edit({ id: 2, title: 'Waits too', tag_ids: [String(household.tags[0])] });
  await until('both wait', () => household.status()?.queue.waiting === 2);
  household.killWorkers();
  await until('no worker is left', () => household.workers().length === 0);
  return household;
}

const garbage = '\u0000\u0001 garbage {"version":1,';

/** Everything that Sluice keeps, and whether a warning must name it. */
const files: [name: string, named: boolean][] = [
  ['queue.json', true],
  ['queue.ndjson', true],
  ['dead-letters.json', true],
  ['dead-letters.ndjson', true],
  ['targets/plex/ledger.json', true],
  ['targets/plex/ledger.ndjson', true],
  ['targets/plex/gate.json', true],
  ['connection.json', true],
  ['lease.json', false],
  ['status.json', false],
  ['alive', false],
  ['notice', false],
  ['inbox/broken.json', true],
  ['inbox/broken.part', false],
];

describe('garbage in', () => {
  it.concurrent.for(files)('%s loses no event', async ([name, named], { expect, onTestFinished }) => {
    const household = await waiting(onTestFinished);
    const path = join(household.state.root, name);
    writeFileSync(path, garbage);
    await household.plex.comeBack();
    await household.stash.edit({ id: 3, title: 'Starts a worker' });
    await household.drained();
    expect(await household.differences()).toEqual([]);
    expect(household.status()?.deadLetters).toBe(0);
    if (named) expect(household.log()).toContain(`warn  ${path}`);
    const queueLost = name === 'queue.ndjson';
    expect(household.log().includes('The queue was damaged')).toBe(queueLost);
    if (name === 'queue.ndjson') {
      // The person is told where they look, and the next start does not do it all again.
      expect(readFileSync(household.state.notice, 'utf8')).toContain(path);
      household.killWorkers();
      await until('no worker is left', () => household.workers().length === 0);
      await household.stash.edit({ id: 3, title: 'Once more' });
      await household.drained();
      expect(household.log().match(/The queue was damaged/g)).toHaveLength(1);
    }
  });

  it('the pointer beside the launcher loses no event', async () => {
    const household = await waiting();
    writeFileSync(join(household.pluginDir, 'dist', 'state-dir'), garbage);
    await household.plex.comeBack();
    await household.stash.edit({ id: 3, title: 'Through Node' });
    await household.drained();
    expect(await household.differences()).toEqual([]);
    expect(readFileSync(join(household.pluginDir, 'dist', 'state-dir'), 'utf8')).toContain(
      household.state.root,
    );
  });
});

it('a journal that was cut in the middle of its last line loses nothing but that line', async () => {
  const household = await waiting();
  const journal = join(household.state.root, 'queue.ndjson');
  const event = household.leaveEvent(3); // not yet in the journal, so its file is still there
  truncateSync(journal, readFileSync(journal).length - 7);
  household.changeSilently(3, { title: 'From its file' });
  await household.plex.comeBack();
  household.leaveEvent(2); // the hook of the line that was cut had not been confirmed: its file is there, too
  household.startWorker();
  await household.drained();
  expect(await household.differences()).toEqual([]);
  expect(existsSync(event)).toBe(false);
  expect(household.log()).toContain('ends in the middle of a line');
  expect(household.log()).not.toContain('The queue was damaged');
});

it('a clock that is set back an hour loses and delays nothing', async () => {
  const household = await home({ scenes: 3, settings: { flowOpenSeconds: 1 } });
  let offset = 0;
  const clock = { now: () => Date.now() + offset, sleep: systemClock.sleep };
  mkdirSync(household.state.inbox, { recursive: true });
  const stop = new AbortController();
  const log = new MemoryLog();
  const ended = runWorker(
    {
      paths: statePaths(household.state.root),
      pluginDir: household.pluginDir,
      lease: { epoch: 1, token: 'none' },
      clock,
      random: () => 0.5,
      log,
      env: {},
      idleMs: 3_600_000,
      pollMs: 1_000,
      wakeOther: () => {},
    },
    stop.signal,
  );
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
  const sync = async (scene: number, title: string) => {
    household.changeSilently(scene, { title });
    household.leaveEvent(scene);
    await household.drained(10_000);
    expect(await household.differences([scene])).toEqual([]);
  };
  await sync(1, 'Before');
  await household.plex.goDown();
  household.changeSilently(2, { title: 'During' });
  household.leaveEvent(2);
  await until('the gate is open', () => household.status()?.targets.plex?.breaker.state === 'OPEN');
  offset = -3_600_000;
  await household.plex.comeBack();
  await household.drained(10_000);
  await sync(3, 'After');
  expect(await household.differences()).toEqual([]);
  expect(log.warnings.join()).not.toContain('broken');
});

const canMount =
  process.platform === 'linux' && process.getuid?.() === 0 && spawnSync('mount', ['--version']).status === 0;
if (!canMount) console.log('Left out: the full disk (it needs root and mount, for a small tmpfs).');

describe.skipIf(!canMount)('a full disk', () => {
  it('is said in plain words, loses nothing, and is over by itself', async () => {
    const household = await home({ scenes: 30 });
    const { root } = household.state;
    mkdirSync(root, { recursive: true });
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=512k,mode=0700', 'tmpfs', root]);
    expect(mounted.stderr.toString()).toBe('');
    onTestFinished(() => void spawnSync('umount', ['-l', root]));
    await household.stash.edit({ id: 1, title: 'While there is room' });
    await household.drained();

    const filler = join(root, 'filler');
    const fill = spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=512']);
    expect(fill.status).not.toBe(0);
    const input = household.stash.hookInput('Scene.Update.Post', 2, { id: '2', details: 'x'.repeat(60_000) });
    const hook = await runHook(household, input);
    expect(hook.code).not.toBe(0);
    expect(JSON.parse(hook.stdout).error).toMatch(/disk is full/);
    expect(readdirSync(household.state.inbox).filter((name) => name.startsWith('h'))).toEqual([]);

    // A little room: enough for small events, not for what the worker has to write.
    rmSync(filler);
    spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=1k']);
    truncateSync(filler, Math.max(0, readFileSync(filler).length - 40 * 1024));
    const some = household.scenes.slice(2, 10);
    for (const scene of some) await household.stash.edit({ id: scene, title: `Tight ${scene}` });
    await until('it is said', () => /cannot write to .*: the disk is full/.test(household.log()));
    rmSync(filler);
    await household.stash.edit({ id: 2, title: 'Room again' });
    await household.drained();
    expect(await household.differences()).toEqual([]);
    expect(readdirSync(root).filter((name) => name.includes('broken'))).toEqual([]);
  });
});
