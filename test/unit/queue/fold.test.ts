import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { statePaths } from '../../../src/persist/paths';
import { InboxReader, type Receiver } from '../../../src/queue/fold';
import type { StashEvent } from '../../../src/queue/inbox-message';
import { listenAtCrashPoints } from '../../../src/shared/crash-points';
import type { StashConnection } from '../../../src/stash/connection';
import { MemoryLog } from '../../support/memory-log';
import { tempDir } from '../../support/temp-dir';
import { VirtualClock } from '../../support/virtual-clock';

const connection = {
  Scheme: 'http',
  Host: '0.0.0.0',
  Port: 9999,
  SessionCookie: { Name: 'session', Value: 'the-session-cookie' },
  Dir: '/config',
  PluginDir: '/config/plugins/sluice',
};

const hook = (id: number, input: unknown = { id: String(id) }, type = 'Scene.Update.Post') =>
  JSON.stringify({ server_connection: connection, args: { hookContext: { id, type, input } } });

const task = (command: string) =>
  JSON.stringify({ server_connection: connection, sluice: { command, id: 'some-id', args: {} } });

/** Notes what it is told; what is not flushed is lost in a crash. */
class Notebook implements Receiver {
  told: string[] = [];
  kept: string[] = [];
  connections: StashConnection[] = [];
  failFlush: Error | null = null;
  foreign = false;
  connection = (one: StashConnection) => void this.connections.push(one);
  event = (event: StashEvent) => void this.told.push(...event.ids.map((id) => `${event.object} ${id}`));
  command = ({ name }: { name: string }) => void this.told.push(name);
  flush = async () => {
    if (this.failFlush) throw this.failFlush;
    this.kept.push(...this.told);
    this.told = [];
  };
  passOn = () => this.foreign;
}

function setUp() {
  const paths = statePaths(tempDir());
  mkdirSync(paths.inbox);
  const clock = new VirtualClock();
  const log = new MemoryLog();
  const notebook = new Notebook();
  const folder = new InboxReader(paths, '/plugin', notebook, clock, log);
  let written = 0;
  const leave = (text: string, name = `${++written}.json`) => {
    const path = join(paths.inbox, name);
    writeFileSync(path, text);
    utimesSync(path, 1_000 + written, 1_000 + written);
    return path;
  };
  return { paths, clock, log, notebook, folder, leave, inbox: () => readdirSync(paths.inbox).sort() };
}

afterEach(() => listenAtCrashPoints(null));

describe('folding the inbox', () => {
  it('tells each event once and leaves nothing of the payload', async () => {
    const { folder, notebook, leave, inbox } = setUp();
    leave(hook(1));
    leave(hook(2));
    expect(await folder.fold()).toBe(2);
    expect(notebook.kept).toEqual(['Scene 1', 'Scene 2']);
    expect(notebook.connections[0]).toMatchObject({ port: 9999, cookie: { value: 'the-session-cookie' } });
    expect(inbox()).toEqual([]);
    expect(await folder.fold()).toBe(0);
  });

  it('takes the first hook of a bulk edit for all of it', async () => {
    const { folder, notebook, leave } = setUp();
    const ids = Array.from({ length: 1_000 }, (_, n) => String(n + 1));
    leave(hook(1, { ids }));
    await folder.fold();
    expect(new Set(notebook.kept).size).toBe(1_000);
  });

  it('deletes nothing before it is on disk, and nothing when the disk refuses', async () => {
    const { folder, notebook, leave, inbox } = setUp();
    leave(hook(1));
    notebook.failFlush = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    await expect(folder.fold()).rejects.toThrow('no space left');
    expect(inbox()).toEqual(['1.json']);
    notebook.failFlush = null;
    await folder.fold();
    expect(notebook.kept).toContain('Scene 1');
    expect(inbox()).toEqual([]);
  });

  it.each(['fold.told', 'fold.flushed', 'fold.deleted'])(
    'loses nothing in a crash at "%s"',
    async (point) => {
      const total = 3;
      for (let cut = 1; cut <= total + 1; cut++) {
        const { folder, notebook, leave, paths, clock, log, inbox } = setUp();
        for (let id = 1; id <= total; id++) leave(hook(id));
        let passages = 0;
        listenAtCrashPoints((at) => {
          if (at === point && ++passages === cut) throw new Error('power cut');
        });
        await folder.fold().catch(() => {});
        listenAtCrashPoints(null);
        const successor = new Notebook();
        await new InboxReader(paths, '/plugin', successor, clock, log).fold();
        const known = new Set([...notebook.kept, ...successor.kept]);
        expect([...known].sort(), `passage ${cut}`).toEqual(['Scene 1', 'Scene 2', 'Scene 3']);
        expect(inbox()).toEqual([]);
      }
    },
  );

  it('carries out a command between what was recorded before and after it', async () => {
    const { folder, notebook, leave } = setUp();
    leave(hook(1));
    leave(task('clear_queue'));
    leave(hook(2));
    const order: string[] = [];
    const flush = notebook.flush;
    notebook.flush = async () => {
      order.push(notebook.told.join('+'));
      await flush();
    };
    await folder.fold();
    expect(order).toEqual(['Scene 1', 'clear_queue', 'Scene 2']);
  });

  it.each([
    ['is no JSON', 'garbage', 'not JSON'],
    ['is empty', '', 'empty'],
    ['has an unknown type', hook(1, null, 'Gallery.Update.Post'), 'Gallery.Update.Post'],
    ['has no connection', '{"args":{}}', 'server_connection'],
    ['has an id that is no number', hook(Number.NaN), 'not a number'],
  ])('sets aside a file that %s, and names it in the log', async (_, text, word) => {
    const { folder, notebook, leave, paths, log, inbox } = setUp();
    const path = leave(text);
    leave(hook(2));
    await folder.fold();
    expect(notebook.kept).toEqual(['Scene 2']);
    expect(log.warnings).toHaveLength(1);
    expect(log.warnings[0]).toContain(path);
    expect(log.warnings[0]).toContain(word);
    expect(readFileSync(join(paths.rejected, '1.json'), 'utf8')).toBe(text);
    expect(inbox()).toEqual(['rejected']);
  });

  it('sets aside what cannot be read at all, and goes on', async () => {
    const { folder, notebook, leave, paths, log } = setUp();
    mkdirSync(join(paths.inbox, 'folder.json'));
    leave(hook(2));
    const locked = leave(hook(3));
    chmodSync(locked, 0);
    await folder.fold();
    expect(notebook.kept).toContain('Scene 2');
    expect(log.warnings.join()).toContain('folder.json');
    expect(existsSync(join(paths.rejected, 'folder.json'))).toBe(true);
    expect(readdirSync(paths.inbox)).toEqual(['rejected']);
  });

  it('keeps at most a hundred rejected files', async () => {
    const { folder, leave, paths, clock } = setUp();
    for (let n = 0; n < 30; n++) leave('garbage');
    await folder.fold();
    await clock.advance(1_000);
    for (let n = 0; n < 100; n++) leave('garbage');
    await folder.fold();
    const kept = readdirSync(paths.rejected);
    expect(kept).toHaveLength(100);
    expect(kept).toContain('130.json');
    expect(kept).not.toContain('1.json');
  });

  it('leaves an unfinished file alone for a minute, then takes it if it is whole', async () => {
    const { folder, notebook, leave, clock, paths, log } = setUp();
    leave(hook(1), 'h1-0.part');
    leave(hook(2).slice(0, 30), 'h2-0.part');
    await folder.fold();
    await clock.advance(59_000);
    await folder.fold();
    expect(notebook.kept).toEqual([]);
    expect(folder.count()).toBe(2);
    await clock.advance(1_000);
    await folder.fold();
    expect(notebook.kept).toEqual(['Scene 1']);
    expect(existsSync(join(paths.rejected, 'h2-0.part'))).toBe(true);
    expect(log.warnings.join()).toContain('h2-0.part');
  });

  it('does not wait for ever for an unfinished file when the clock is set back', async () => {
    const { folder, notebook, leave, clock } = setUp();
    leave(hook(1), 'h1-0.part');
    await folder.fold();
    clock.set(clock.now() - 3_600_000);
    await folder.fold();
    await clock.advance(60_000);
    await folder.fold();
    expect(notebook.kept).toEqual(['Scene 1']);
  });

  it('ignores events of our own writes', async () => {
    const { folder, notebook, leave, inbox } = setUp();
    leave(hook(1, { id: '1', clientMutationId: 'sluice' }));
    await folder.fold();
    expect(notebook.kept).toEqual([]);
    expect(inbox()).toEqual([]);
  });

  it('forgets what was passed on to the Stash that it is from', async () => {
    const { folder, notebook, leave, inbox } = setUp();
    leave(hook(1));
    notebook.foreign = true;
    await folder.fold();
    expect(notebook.kept).toEqual([]);
    expect(inbox()).toEqual([]);
  });

  it('does not believe a relative plugin folder, which is relative to a folder of Stash', async () => {
    const { folder, notebook, leave } = setUp();
    leave(hook(1).replace('/config/plugins/sluice', 'plugins/sluice'));
    await folder.fold();
    expect(notebook.connections[0]?.pluginDir).toBe('/plugin');
  });
});
