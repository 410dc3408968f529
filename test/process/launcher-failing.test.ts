import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ownMounts, withoutPrivileges } from '../support/machine';
import { type HookOptions, type HookRun, PluginFolder } from '../support/plugin-folder';
import { livingProcess } from '../support/processes';
import { pathOf, type Shell, underEachShell } from '../support/shells';

/** How each of the two hooks is run. */
type Hook = (folder: PluginFolder, options: HookOptions) => Promise<HookRun>;

const typeScript: Hook = (folder, options) => folder.runTypeScript(options);
const launcherUnder =
  (shell: Shell): Hook =>
  (folder, options) =>
    folder.run({ ...options, shell });

describe('a hook that cannot write', () => {
  underEachShell((shell) => {
    refusalsOf(launcherUnder(shell));

    it('says so when the event cannot be given its name, and leaves nothing', async () => {
      const folder = PluginFolder.inUse();
      const run = await folder.run({ shell, env: { PATH: folder.tools(tools, { mv: 'exit 1' }) } });
      expectRefusal(run, folder.inbox);
      expect(folder.events()).toEqual([]);
    });

    it('says so when half of the event was written, and leaves nothing', async () => {
      const folder = PluginFolder.inUse();
      const dd = `${pathOf('dd')} bs=100 count=1; exit 1`;
      const run = await folder.run({ shell, env: { PATH: folder.tools(tools, { dd }) } });
      expectRefusal(run, folder.inbox);
      expect(folder.events()).toEqual([]);
    });

    it('does not take a failed write for a dd without conv=fsync', async () => {
      const folder = PluginFolder.inUse();
      const flag = folder.beside('flag');
      // Reads its input, writes nothing, and fails, the first time.
      const dd = `[ -e '${flag}' ] && exec ${pathOf('dd')} "$@"; true >'${flag}'; cat >/dev/null; exit 1`;
      const run = await folder.run({ shell, env: { PATH: folder.tools(tools, { dd }) } });
      expectRefusal(run, folder.inbox);
      expect(folder.events()).toEqual([]);
    });

    it.skipIf(!ownMounts)('says so on a full disk where dd does not know conv=fsync', async () => {
      const dd = `case $* in *conv=*) exit 1 ;; esac; exec ${pathOf('dd')} "$@"`;
      await expectRefusalOnDisk(launcherUnder(shell), 'size=64k', ':', ['inbox'], { dd });
    });

    it('starts no worker', async () => {
      const folder = PluginFolder.inUse({ node: '/nonexistent/node' });
      const run = await folder.run({ shell, env: { PATH: folder.tools(tools, { mv: 'exit 1' }) } });
      expectRefusal(run, folder.inbox);
      expect(folder.claims()).toEqual([]);
    });
  });

  describe('in TypeScript', () => {
    refusalsOf(typeScript);

    it('says so when neither folder for the state can be made', async () => {
      const folder = new PluginFolder();
      writeFileSync(folder.stateDir, 'a file in the way');
      writeFileSync(join(folder.pluginDir, 'data'), 'a file in the way');
      expectRefusal(await folder.run(), folder.inbox);
    });
  });
});

describe('a hook that finds no inbox', () => {
  underEachShell((shell) => {
    it('makes it again through Node and records there', async () => {
      const folder = PluginFolder.inUse();
      rmSync(folder.inbox, { recursive: true });
      folder.setAlive(livingProcess());
      expect((await folder.run({ shell })).answer).toEqual({ output: 'queued' });
      expect(readFileSync(folder.event(), 'utf8')).toBe(folder.input());
    });

    it('makes the whole state folder again', async () => {
      const folder = PluginFolder.inUse();
      rmSync(folder.stateDir, { recursive: true });
      folder.letWorkersStay();
      expect((await folder.run({ shell })).answer).toEqual({ output: 'queued' });
      expect(readFileSync(folder.event(), 'utf8')).toBe(folder.input());
      await folder.started();
    });
  });
});

function refusalsOf(hook: Hook): void {
  it.skipIf(!withoutPrivileges)('says so in a folder that is not writable for Stash', async () => {
    const folder = PluginFolder.inUse();
    for (const dir of [folder.configDir, folder.stateDir]) chmodSync(dir, 0o755);
    folder.makeReadOnly(folder.inbox, folder.pluginDir);
    const run = await hook(folder, { prefix: withoutPrivileges ?? [] });
    expectRefusal(run, folder.inbox);
    expect(folder.events()).toEqual([]);
  });

  it.skipIf(!ownMounts)('says so on a read-only file system', async () => {
    const folder = PluginFolder.inUse();
    const script = 'mount --bind "$CONFIG" "$CONFIG" && mount -o remount,ro,bind "$CONFIG" && exec "$@"';
    const run = await hook(folder, {
      prefix: [...(ownMounts ?? []), 'sh', '-c', script, 'sh'],
      env: { CONFIG: folder.configDir },
    });
    expectRefusal(run, folder.inbox);
    expect(folder.events()).toEqual([]);
  });

  it.skipIf(!ownMounts)('says so when the disk fills up on the way, and leaves nothing', async () => {
    await expectRefusalOnDisk(hook, 'size=64k', ':', ['inbox']);
  });

  it.skipIf(!ownMounts)('says so when the disk is full from the start, and leaves nothing', async () => {
    const fill = `cat /dev/zero >"$STATE/full" 2>/dev/null`;
    await expectRefusalOnDisk(hook, 'size=64k', fill, ['full', 'inbox']);
  });

  it.skipIf(!ownMounts)('says so when the disk takes no more files, and leaves nothing', async () => {
    await expectRefusalOnDisk(hook, 'nr_inodes=2', ':', ['inbox']);
  });
}

const tools = ['dd', 'mv', 'rm', 'cat', 'date', 'tr', 'sed', 'sh', 'mkdir'];

/** A state folder on a small disk that only the hook sees: what is on it afterwards is listed in a file. */
async function expectRefusalOnDisk(
  hook: Hook,
  disk: string,
  before: string,
  left: string[],
  scripts: Record<string, string> = {},
): Promise<void> {
  const folder = PluginFolder.inUse();
  const report = folder.beside('report');
  const script =
    `mount -t tmpfs -o ${disk} tmpfs "$STATE" && mkdir "$STATE/inbox" || exit 99; ${before}; ` +
    `"$@"; status=$?; { ls -A "$STATE"; ls -A "$STATE/inbox"; } >'${report}'; exit $status`;
  const run = await hook(folder, {
    input: folder.input('hook-scene-update-cover.json', ({ args }) => {
      Object.assign(args?.hookContext?.input ?? {}, { cover_image: 'A'.repeat(300_000) });
    }),
    prefix: [...(ownMounts ?? []), 'sh', '-c', script, 'sh'],
    env: { STATE: folder.stateDir, PATH: `${folder.tools([], scripts)}:${folder.env.PATH}` },
  });
  expectRefusal(run, folder.inbox);
  expect(readFileSync(report, 'utf8').trim().split('\n')).toEqual(left);
}

function expectRefusal(run: HookRun, place: string): void {
  expect(run.code).toBe(1);
  expect(Object.keys(run.answer)).toEqual(['error']);
  expect(run.answer.error).toMatch(/^Sluice could not record this edit/);
  expect(run.answer.error).toContain(place);
  expect(run.answer.error).toMatch(/(Make|Mend).* then save again/);
  expect(run.stderr).toBe('');
}
