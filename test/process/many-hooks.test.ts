import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { JournaledMap } from '../../src/persist/journaled-map';
import { statePaths } from '../../src/persist/paths';
import { leavePointer } from '../../src/persist/pointer';
import { parseQueueEntry } from '../../src/queue/entries';
import { InboxReader } from '../../src/queue/fold';
import { leaveInInbox } from '../../src/queue/inbox';
import { Queue } from '../../src/queue/queue';
import { systemClock } from '../../src/shared/clock';
import { until } from '../sim/household';
import { runHook } from '../sim/run-hook';
import { hookInput } from '../sim/stash/hook-input';
import { serverConnection } from '../sim/stash/server-connection';
import { home } from '../support/home';
import { MemoryLog } from '../support/memory-log';
import { tempDir } from '../support/temp-dir';

describe('two hundred hooks at once', () => {
  it('are two hundred jobs, and start at most two workers, of which one stays [lesson 2: hooks are tiny and share one worker]', async () => {
    const settings = { flowInitialRate: 500, flowTargetRate: 1_000 };
    const household = await home({ scenes: 200, settings });
    await household.plex.goDown();
    mkdirSync(household.state.inbox, { recursive: true });
    leavePointer(join(household.pluginDir, 'dist'), household.state.root);
    const runs = household.scenes.map((scene) => {
      const input = household.stash.hookInput('Scene.Update.Post', scene, { id: String(scene), title: 'x' });
      return runHook(household, input, { inNode: scene % 2 === 0 });
    });
    for (const { code, stdout } of await Promise.all(runs)) {
      expect(JSON.parse(stdout)).toEqual({ output: 'queued' });
      expect(code).toBe(0);
    }
    await until('all are in the queue', () => household.status()?.queue.waiting === 200);
    expect(readdirSync(household.state.inbox)).toEqual([]);
    const started = household.log().match(/Process \d+ was started/g) ?? [];
    expect(started.length).toBeLessThanOrEqual(2);
    await until('one is left', () => household.workers().length === 1);

    for (const scene of household.scenes) household.changeSilently(scene, { title: `Title ${scene}` });
    await household.plex.comeBack();
    await household.tryPlexNow();
    await household.drained(60_000);
    expect(await household.differences()).toEqual([]);
    expect(household.status()?.targets.plex?.done).toBe(200);
  }, 180_000);
});

describe('a bulk edit of a thousand scenes', () => {
  /** Folds these hooks of one bulk edit into a queue on disk. */
  async function fold(size: number, hooks: number): Promise<{ waiting: number; bytes: number }> {
    const dir = tempDir();
    const paths = statePaths(dir);
    const ids = Array.from({ length: size }, (_, n) => String(n + 1));
    const connection = serverConnection({
      scheme: 'http',
      host: '127.0.0.1',
      port: 9999,
      cookie: 'cookie',
      dir,
      pluginDir: join(dir, 'plugin'),
    });
    const store = await JournaledMap.open({
      base: join(dir, 'queue'),
      parse: parseQueueEntry,
      epoch: 1,
      mayCommit: () => {},
      clock: systemClock,
      log: new MemoryLog(),
      worthSnapshotLines: 1_000_000, // so that the journal keeps every byte
    });
    const queue = new Queue(store, systemClock);
    const receiver = {
      connection: () => {},
      event: (event: { ids: number[]; bulk: boolean }) => {
        for (const id of event.ids) queue.add('plex', id, { bulk: event.bulk, asked: false });
      },
      command: () => {},
      flush: () => queue.flush(),
      passOn: () => false,
    };
    const folder = new InboxReader(paths, dir, receiver, systemClock, new MemoryLog());
    for (let n = 1; n <= hooks; n++) {
      const input = hookInput(connection, 'Scene.Update.Post', n, { ids, studio_id: '1' });
      leaveInInbox(paths.inbox, JSON.stringify(input));
      await folder.fold();
    }
    return { waiting: queue.counts('plex').waiting, bytes: statSync(join(dir, 'queue.ndjson')).size };
  }

  it('is whole with its first hook alone', async () => {
    expect((await fold(1_000, 1)).waiting).toBe(1_000);
  });

  it('is a thousand jobs with all hooks, and writes no more than its share to the journal', async () => {
    const small = await fold(250, 250);
    const large = await fold(1_000, 1_000);
    expect([small.waiting, large.waiting]).toEqual([250, 1_000]);
    expect(large.bytes / small.bytes).toBeLessThan(4 * 1.2);
    expect(large.bytes).toBeLessThan(1_000 * 2 * 250);
  });
});

it('the journal is not secret-bearing: it holds ids, never what was typed', async () => {
  const household = await home({ scenes: 1 });
  await household.stash.edit({ id: 1, title: 'A title typed by a person' });
  await household.drained();
  expect(readFileSync(join(household.state.root, 'queue.ndjson'), 'utf8')).not.toContain('typed by a person');
});
