import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { ask } from '../../sim/stash/person';
import type { StashSim } from '../../sim/stash/stash-sim';
import { tempDir } from '../../support/temp-dir';
import { hookTypes, startStash, writePlugin, writeRecorder } from './stash-helpers';

const update = 'Scene.Update.Post';

/** A gate in the plugin's folder: what reads it (`cat go`) waits until it is opened. */
const makeGate = (folder: string) => spawnSync('mkfifo', [join(folder, 'go')]);
const open = (folder: string) => writeFile(join(folder, 'go'), '');
const rejection = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'nothing was wrong',
    (error: Error) => error.message,
  );

/** A Stash with one scene and one plugin, whose hook is `script`. */
async function withHook(script: string, manifest = ''): Promise<{ stash: StashSim; folder: string }> {
  const dir = tempDir('stash');
  const folder = writePlugin(dir, 'probe', { script, hooks: hookTypes.scene, manifest });
  const stash = await startStash({ dir });
  stash.addScene();
  return { stash, folder };
}

describe('a plugin’s process', () => {
  it('gets its arguments, Stash’s environment and working folder', async () => {
    const dir = tempDir('stash');
    const cwd = tempDir('cwd');
    writePlugin(dir, 'probe', { script: 'echo "$PWD $FROM_STASH $HOME_ALONE $*"', manifest: 'tasks: []\n' });
    const stash = await startStash({ dir, cwd, env: { FROM_STASH: 'yes', HOME_ALONE: undefined } });
    expect(await stash.runOperation('probe', {})).toBe(`${cwd} yes  \n`);
  });

  it('gets execArgs for hooks, and default arguments beside the hook’s context', async () => {
    const dir = tempDir('stash');
    const calls = writeRecorder(
      dir,
      'probe',
      [],
      `hooks:\n  - name: h\n    execArgs: [hook]\n    triggeredBy: [${update}]\n    defaultArgs: {zz: "1", aa: "2"}\n`,
    );
    const stash = await startStash({ dir });
    await stash.edit({ id: stash.addScene(), title: 'a < b & c' });
    expect(Object.keys(JSON.parse(calls()[0] ?? '').args)).toEqual(['aa', 'hookContext', 'zz']);
    expect(calls()[0]).toContain('"title":"a \\u003c b \\u0026 c"');
    expect(stash.runs.entries[0]?.argv.slice(2)).toEqual(['hook']);
  });

  it('is found in PATH, and else in the plugin’s folder', async () => {
    const dir = tempDir('stash');
    const folder = writePlugin(dir, 'probe', { script: 'echo own' });
    const manifest = join(folder, 'probe.yml');
    writeFileSync(manifest, 'name: Probe\nexec: [plugin.sh]\n');
    const stash = await startStash({ dir });
    expect(await stash.runOperation('probe', {})).toBe('own\n');

    const bin = tempDir('bin');
    writeFileSync(join(bin, 'plugin.sh'), '#!/bin/sh\necho from PATH\n', { mode: 0o755 });
    const other = await startStash({ dir, env: { PATH: `${bin}:${process.env.PATH}` } });
    expect(await other.runOperation('probe', {})).toBe('from PATH\n');
  });

  it('is told a relative plugin folder when Stash’s own is relative', async () => {
    const cwd = tempDir('stash');
    writePlugin(cwd, 'probe', { script: 'cat > /dev/null; echo "$0"' });
    const stash = await startStash({ dir: cwd, cwd, plugins: 'plugins' });
    expect(await stash.runOperation('probe', {})).toBe('plugins/probe/plugin.sh\n');
    writeFileSync(join(cwd, 'plugins', 'probe', 'probe.yml'), 'name: Probe\nexec: [plugin.sh]\n');
    await stash.gql('mutation{reloadPlugins}');
    expect(await stash.runOperation('probe', {})).toBe('plugins/probe/plugin.sh\n');
    expect(stash.runs.entries[0]?.input.server_connection).toMatchObject({
      Dir: cwd,
      PluginDir: 'plugins/probe',
    });
  });

  it('has real pipes: /dev/stdin can be opened, and 5 MB come through whole', async () => {
    const { stash } = await withHook('wc -c < /dev/stdin; echo said > /dev/stderr', 'errLog: info\n');
    const cover_image = `data:image/jpeg;base64,${'A'.repeat(5_000_000)}`;
    await stash.edit({ id: 1, cover_image });
    const { message } = await stash.log.waitFor(({ message }) => message.includes('returned: '));
    expect(Number(/returned: "(\d+)/.exec(message)?.[1])).toBeGreaterThan(5_000_000);
    expect(stash.log.messages('info')).toEqual(['[Plugin / Plugin probe] said']);
  });

  it('need not read its input', async () => {
    const { stash } = await withHook('exec <&-; echo \'{"output":"did not listen"}\'');
    await stash.edit({ id: 1, cover_image: `data:image/jpeg;base64,${'A'.repeat(1_000_000)}` });
    expect(stash.log.messages('debug')).toContain(`${update} [Plugin probe]: returned: "did not listen"`);
    await stash.log.waitFor(({ message }) => message.startsWith('error writing input to plugins stdin'));
  });
});

describe('what a plugin says on stdout', () => {
  const operation = async (script: string) => {
    const { stash } = await withHook(`cat > /dev/null; ${script}`);
    return stash.runOperation('probe', {}).then(
      (output) => ({ output }),
      (error: Error) => ({ error: error.message }),
    );
  };

  it.each([
    ['an object’s output', `echo '{"output": {"b": 1, "a": [2]}}'`, { output: { a: [2], b: 1 } }],
    ['an object’s error', `echo '{"error": "bad", "output": "x"}'`, { error: 'bad' }],
    ['an error in capitals', `echo '{"Error": "bad"}'`, { error: 'bad' }],
    ['an error that is no text', `echo '{"error": 5}'`, { error: '' }],
    ['a null', 'echo null', { output: null }],
    ['a list, which is text', 'echo "[1,2]"', { output: '[1,2]\n' }],
    ['plain text', 'echo hello', { output: 'hello\n' }],
    ['nothing', ':', { output: '' }],
    ['an exit code over an output', `echo '{"output": "x"}'; exit 3`, { error: 'exit status 3' }],
    ['an own error over an exit code', `echo '{"error": "why"}'; exit 3`, { error: 'why' }],
    ['a signal', 'kill -9 $$', { error: 'signal: killed' }],
  ])('%s', async (_, script, expected) => {
    expect(await operation(script)).toEqual(expected);
  });

  it('of a hook is logged and changes nothing for the person', async () => {
    const { stash } = await withHook('cat > /dev/null; exit 3');
    await stash.edit({ id: 1, title: 'saved' });
    expect(stash.log.messages('error')).toEqual([`${update} [Plugin probe]: returned error: exit status 3`]);
  });
});

describe('Stash waits', () => {
  it('for the end of stdout, also when the process has ended', async () => {
    const { stash, folder } = await withHook(
      'cd "$(dirname "$0")"; (cat go; echo late >> order) & exec 0<&-',
    );
    makeGate(folder);
    const saved = stash
      .edit({ id: 1, title: 'x' })
      .then(() => writeFileSync(join(folder, 'order'), 'saved', { flag: 'a' }));
    await stash.log.waitFor(({ message }) => message.includes('started'));
    await open(folder);
    await saved;
    expect(readFileSync(join(folder, 'order'), 'utf8')).toBe('late\nsaved');
  });

  it('for the exit, also when stdout has ended', async () => {
    const { stash, folder } = await withHook(
      'cd "$(dirname "$0")"; exec >&-; cat go > /dev/null; echo late >> order',
    );
    makeGate(folder);
    const saved = stash
      .edit({ id: 1, title: 'x' })
      .then(() => writeFileSync(join(folder, 'order'), 'saved', { flag: 'a' }));
    await stash.log.waitFor(({ message }) => message.includes('started'));
    await open(folder);
    await saved;
    expect(readFileSync(join(folder, 'order'), 'utf8')).toBe('late\nsaved');
  });

  it('not for a child that has let go of stdout', async () => {
    const { stash } = await withHook('sleep 30 > /dev/null 2>&1 < /dev/null & echo $!');
    await stash.edit({ id: 1, title: 'x' });
    const { message } = await stash.log.waitFor(({ message }) => message.includes('returned: '));
    const child = Number(/"(\d+)/.exec(message)?.[1]);
    expect(() => process.kill(child, 0)).not.toThrow();
    process.kill(child, 'SIGKILL');
  });
});

describe('what a plugin says on stderr', () => {
  const say = (text: string) => `printf '${text}' >&2`;

  it('has the level that it names', async () => {
    const { stash } = await withHook(
      [...'tdiwe'].map((level) => say(`\\001${level}\\002 text \\n`)).join('\n'),
    );
    await stash.edit({ id: 1 });
    const lines = stash.log.entries.filter(({ message }) => message === '[Plugin / Plugin probe] text');
    expect(lines.map(({ level }) => level)).toEqual(['trace', 'debug', 'info', 'warning', 'error']);
  });

  it.each([
    ['', 'error'],
    ['errLog: info\n', 'info'],
    ['errLog: nonsense\n', 'error'],
  ])('without a level has that of the manifest (%j)', async (manifest, level) => {
    const { stash } = await withHook(
      `${say('plain\\n\\001i\\002\\n')}\n${say('last without an end')}`,
      manifest,
    );
    await stash.edit({ id: 1 });
    const prefix = '[Plugin / Plugin probe] ';
    const lines = stash.log.entries.filter(({ message }) => message.startsWith(prefix));
    expect(lines).toEqual(
      ['plain', '\x01i\x02', 'last without an end'].map((text) => ({ level, message: prefix + text })),
    );
  });

  it('is not shown where the manifest says none', async () => {
    const { stash } = await withHook(say('plain\\n\\001i\\002shown\\n'), 'errLog: none\n');
    await stash.edit({ id: 1 });
    const lines = stash.log.messages().filter((message) => message.startsWith('[Plugin'));
    expect(lines).toEqual(['[Plugin / Plugin probe] shown']);
  });

  it('is read up to a line of 64 KiB; then the pipe is closed', async () => {
    const line = (length: number) => `head -c ${length} /dev/zero | tr '\\0' x >&2; echo >&2`;
    const fits = await withHook(`${line(65_535)}\necho after >&2`);
    await fits.stash.edit({ id: 1 });
    expect(fits.stash.log.messages('error').map((message) => message.length)).toEqual([24 + 65_535, 24 + 5]);

    const tooLong = await withHook(
      `trap '' PIPE\n${say('before\\n')}\n${line(200_000)}\nwhile echo after >&2; do :; done\necho '{"output":"stderr is gone"}'`,
    );
    await tooLong.stash.edit({ id: 1 });
    expect(tooLong.stash.log.messages('error')).toEqual(['[Plugin / Plugin probe] before']);
    expect(tooLong.stash.log.messages('debug').join()).toContain('stderr is gone');
  });
});

describe('hooks', () => {
  it('run after the commit, for each scene in the order of the request', async () => {
    const dir = tempDir('stash');
    const calls = writeRecorder(dir, 'probe', [update]);
    const stash = await startStash({ dir });
    for (let i = 0; i < 4; i++) stash.addScene();
    const titles: (string | undefined)[] = [];
    stash.runs.listen(() => void titles.push(stash.store.scenes.get(1)?.title));
    await stash.editMany([3, 1, 4], { title: 'all' });
    expect(calls().map((call) => JSON.parse(call).args.hookContext.id)).toEqual([3, 1, 4]);
    expect(titles).toEqual(['all', 'all', 'all']);
  });

  it('do not run for a failed edit, a merge of scenes or a play', async () => {
    const dir = tempDir('stash');
    writeRecorder(dir, 'probe', hookTypes.scene);
    const stash = await startStash({ dir });
    for (let i = 0; i < 2; i++) stash.addScene();
    await rejection(stash.edit({ id: 9, title: 'x' }));
    await stash.gql(
      'mutation{sceneMerge(input:{source:["2"],destination:"1"}){id} sceneAddPlay(id:"1"){count}}',
    );
    expect(stash.runs.entries).toEqual([]);
  });

  it('of a group run under its old name too', async () => {
    const dir = tempDir('stash');
    const calls = writeRecorder(dir, 'probe', hookTypes.others);
    const stash = await startStash({ dir });
    stash.addGroup('Rivers');
    await stash.gql('mutation{groupUpdate(input:{id:"1",name:"Lakes"}){id} groupDestroy(input:{id:"1"})}');
    const types = calls().map((call) => JSON.parse(call).args.hookContext.type);
    expect(types).toEqual([
      'Group.Update.Post',
      'Movie.Update.Post',
      'Group.Destroy.Post',
      'Movie.Destroy.Post',
    ]);
  });

  it('of a scan have no input; new files make scenes, moved ones leave them as they are', async () => {
    const dir = tempDir('stash');
    const calls = writeRecorder(dir, 'probe', hookTypes.scene);
    const stash = await startStash({ dir });
    stash.disk.add('/data/new.mp4');
    stash.disk.add('/elsewhere/new.mp4');
    await stash.scan(['/data']);
    stash.disk.move('/data/new.mp4', '/data/sub/moved.mp4');
    await stash.scan(['/data']);
    const contexts = calls().map((call) => JSON.parse(call).args.hookContext);
    expect(contexts).toEqual([
      { id: 1, type: 'Scene.Create.Post', input: null },
      { id: 1, type: 'Scene.Update.Post', input: null },
    ]);
    expect(await stash.gql('{findScenes{scenes{files{path}}}}')).toEqual({
      findScenes: { scenes: [{ files: [{ path: '/data/sub/moved.mp4' }] }] },
    });
  });

  it('of later plugins are skipped when one cannot be started', async () => {
    const dir = tempDir('stash');
    const calls = writeRecorder(dir, 'second', [update]);
    const first = join(dir, 'plugins', 'first');
    mkdirSync(first);
    writeFileSync(
      join(first, 'first.yml'),
      `name: First\nexec: [no-such-program]\nhooks:\n  - name: h\n    triggeredBy: [${update}]\n`,
    );
    const stash = await startStash({ dir });
    stash.addScene();
    const program = join(first, 'no-such-program');
    const failure = (why: string) =>
      `error executing post hooks: error running plugin: fork/exec ${program}: ${why}`;
    await stash.edit({ id: 1, title: 'saved' });
    writeFileSync(program, 'exit 0\n');
    await stash.edit({ id: 1, title: 'saved' });
    chmodSync(program, 0o755);
    await stash.edit({ id: 1, title: 'saved' });
    expect(stash.log.messages('error')).toEqual(
      ['no such file or directory', 'permission denied', 'exec format error'].map(failure),
    );
    expect(calls()).toEqual([]);
    writeFileSync(program, '#!/bin/sh\n');
    await stash.edit({ id: 1, title: 'saved' });
    expect(calls().length).toBe(1);
  });

  it('stop at the tenth turn of a hook that triggers itself: its cookie counts', async () => {
    const { stash } = await withHook('cat > /dev/null');
    const editWith = (cookie: string) =>
      ask(`${stash.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie: `session=${cookie}` },
        body: '{"query":"mutation{sceneUpdate(input:{id:\\"1\\"}){id}}"}',
      });
    await editWith(stash.serverConnection().SessionCookie.Value);
    for (let turn = 1; turn <= 12; turn++)
      await editWith(stash.runs.entries.at(-1)?.input.server_connection.SessionCookie.Value ?? '');
    expect(stash.runs.entries.length).toBe(10);
    expect(stash.log.messages('debug').join()).toContain('cyclic loop detected');
  });

  it('do not run while the plugin is disabled', async () => {
    const { stash } = await withHook('cat > /dev/null');
    const enable = (on: boolean) =>
      stash.gql('mutation($m: BoolMap!) { setPluginsEnabled(enabledMap: $m) }', { m: { probe: on } });
    await enable(false);
    await stash.edit({ id: 1 });
    expect(await rejection(stash.runOperation('probe', {}))).toBe('plugin probe is disabled');
    expect((await stash.runTask('probe', 'any')).error).toBe(
      'Error creating plugin task: plugin probe is disabled',
    );
    expect(stash.runs.entries).toEqual([]);
    await enable(true);
    await stash.edit({ id: 1 });
    expect(stash.runs.entries.length).toBe(1);
  });
});

describe('when the client goes', () => {
  /** Edits, waits until its first hook runs, and closes the tab. */
  async function closeTabDuring(
    stash: StashSim,
    edit: (signal: AbortSignal) => Promise<unknown>,
  ): Promise<void> {
    const tab = new AbortController();
    const edited = edit(tab.signal);
    await stash.runs.waitFor(() => true);
    tab.abort();
    expect(await rejection(edited)).toContain('aborted');
  }
  const cancelled = 'error executing post hooks: operation cancelled';

  it('a bulk edit is whole, its running hook is killed and the rest never runs', async () => {
    const { stash } = await withHook('exec sleep 60');
    for (let i = 0; i < 4; i++) stash.addScene();
    await closeTabDuring(stash, (signal) => stash.editMany([1, 2, 3, 4], { title: 'all' }, { signal }));
    await stash.log.waitFor(({ message }) => message.includes('context canceled'));
    expect([...stash.store.scenes.all()].map(({ title }) => title)).toEqual(['all', 'all', 'all', 'all', '']);
    expect(stash.log.messages('error').filter((message) => message === cancelled).length).toBe(1);
    expect(stash.runs.entries.length).toBe(1);
    await gone(stash.runs.entries[0]?.pid);
  });

  it('only the process itself is killed, not its children', async () => {
    const dir = tempDir('stash');
    const pidFile = join(tempDir('pid'), 'pid');
    writePlugin(dir, 'probe', { script: `sleep 60 &\necho $! > ${pidFile}\nwait`, hooks: [update] });
    const stash = await startStash({ dir });
    stash.addScene();
    const tab = new AbortController();
    const edited = rejection(stash.edit({ id: 1 }, { signal: tab.signal }));
    await vi.waitFor(() => expect(readFileSync(pidFile, 'utf8')).toMatch(/\n/));
    tab.abort();
    await edited;
    await stash.log.waitFor(({ message }) => message === cancelled);
    await gone(stash.runs.entries[0]?.pid);
    const child = Number(readFileSync(pidFile, 'utf8'));
    expect(() => process.kill(child, 0)).not.toThrow();
    process.kill(child, 'SIGKILL');
  });

  it('the hooks of a destroy are all started, and killed at once', async () => {
    const { stash } = await withHook('exec sleep 60');
    for (let i = 0; i < 2; i++) stash.addScene();
    await closeTabDuring(stash, (signal) => stash.destroy([3, 1, 2], { signal }));
    await stash.runs.waitFor(({ input }) => contextId(input) === 2);
    await stash.log.waitFor(
      () => stash.log.messages().filter((message) => message === cancelled).length === 3,
    );
    expect(stash.store.scenes.size).toBe(0);
    for (const { pid } of stash.runs.entries) await gone(pid);
  });

  it('an operation is killed', async () => {
    const { stash } = await withHook('exec sleep 60');
    await closeTabDuring(stash, (signal) => stash.runOperation('probe', {}, { signal }));
    await gone(stash.runs.entries[0]?.pid);
  });

  it('a scan goes on', async () => {
    const { stash, folder } = await withHook('cd "$(dirname "$0")"; cat go > /dev/null; echo ran >> done');
    makeGate(folder);
    stash.disk.add('/data/new.mp4');
    const scan = stash.gql('mutation{metadataScan(input:{})}');
    await stash.runs.waitFor(() => true);
    await scan;
    await open(folder);
    await stash.jobEnded('1');
    expect(existsSync(join(folder, 'done'))).toBe(true);
  });

  const contextId = (input: { args: Record<string, unknown> }) =>
    (input.args.hookContext as { id: number }).id;
});

/** Resolves once there is no such process. */
async function gone(pid = 0): Promise<void> {
  expect(pid).toBeGreaterThan(0);
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow());
}

describe('tasks', () => {
  it('run one at a time, show their progress and keep it', async () => {
    const dir = tempDir('stash');
    const folder = writePlugin(dir, 'probe', {
      script: `cd "$(dirname "$0")"; printf '\\001p\\0020.25\\n' >&2; printf '\\001i\\002quarter\\n' >&2; cat go > /dev/null; printf '\\001p\\0027\\n\\001p\\002abc\\n' >&2`,
      manifest: 'tasks:\n  - name: Work\n    description: works\n',
    });
    makeGate(folder);
    const stash = await startStash({ dir });
    const queue = () => stash.gql('{jobQueue{id status progress description}}');
    const first = stash.runTask('probe', 'Work');
    const second = stash.runTask('probe', 'Work');
    await stash.log.waitFor(({ message }) => message.endsWith('quarter'));
    await vi.waitFor(async () =>
      expect(await queue()).toEqual({
        jobQueue: [
          { id: '1', status: 'RUNNING', progress: 0.25, description: 'Running plugin task: Work' },
          { id: '2', status: 'READY', progress: 0, description: 'Running plugin task: Work' },
        ],
      }),
    );
    await open(folder);
    expect(await first).toMatchObject({ status: 'FINISHED', progress: 1, error: null });
    expect(stash.log.messages('error')).toContain(
      `Error parsing progress value 'abc': strconv.ParseFloat: parsing "abc": invalid syntax`,
    );
    await open(folder);
    await second;
    expect(await stash.gql('{findJob(input:{id:"1"}){status progress} jobQueue{id}}')).toEqual({
      findJob: { status: 'FINISHED', progress: 1 },
      jobQueue: null,
    });
  });

  it('that report an error finish; that cannot start fail', async () => {
    const { stash, folder } = await withHook('echo \'{"error":"no Plex"}\'', 'tasks:\n  - name: Work\n');
    expect(await stash.runTask('probe', 'Work')).toMatchObject({ status: 'FINISHED', error: null });
    expect(stash.log.messages('error')).toContain('Plugin returned error: no Plex');
    expect(await stash.runTask('probe', 'Other')).toMatchObject({
      status: 'FAILED',
      error: 'Error creating plugin task: no task with name Other in plugin Plugin probe',
    });
    writeFileSync(join(folder, 'probe.yml'), 'name: P\nexec: [missing]\ntasks:\n  - name: Work\n');
    await stash.gql('mutation{reloadPlugins}');
    expect((await stash.runTask('probe', 'Work')).error).toMatch(
      /^Error running plugin task: error running plugin: fork/,
    );
  });

  it('an operation of an unknown plugin is Stash’s own mistake', async () => {
    const stash = await startStash();
    expect(await rejection(stash.runOperation('none', {}))).toContain('nil pointer dereference');
  });
});
