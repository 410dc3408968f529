import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { modeOf, tree } from '../support/files';
import { ownMounts } from '../support/machine';
import { PluginFolder, writeScript } from '../support/plugin-folder';
import { underEachShell } from '../support/shells';

/** SLUICE_NODE means that one and no other: a machine that has Node is like one that has none. */
const noNode = { SLUICE_NODE: '/nonexistent/node' };
const tools = ['dd', 'mv', 'rm', 'date', 'mkdir', 'cat', 'tr', 'sed'];

const usualPlaces = [
  '/usr/local/bin/node',
  '/usr/bin/node',
  '/opt/homebrew/bin/node',
  '/opt/local/bin/node',
  '/opt/bin/node',
  '/snap/bin/node',
];

/** For a shell with mounts of its own. */
const hideNode = usualPlaces
  .map((path) => `[ ! -e ${path} ] || mount --bind /dev/null ${path} || exit 99`)
  .join('; ');

describe('without Node', () => {
  underEachShell((shell) => {
    it('a hook is recorded in the state folder, and Stash logs what to install', async () => {
      const folder = PluginFolder.inUse({ node: '/nonexistent/node' });
      const run = await folder.run({ shell, env: noNode });
      expect(run).toMatchObject({ code: 0, answer: { output: 'queued' } });
      expect(readFileSync(folder.event(), 'utf8')).toBe(folder.input());
      expect(run.warnings).toEqual([
        expect.stringMatching(/^Your edit is recorded, but.*Node\.js 20\.17 or newer.*Install.*SLUICE_NODE/),
      ]);
      expect(run.stderr).toBe(`\x01w\x02${run.warnings[0]}\n`);
    });

    it('no claim is left that would keep a Node installed a second later from being started', async () => {
      const folder = PluginFolder.inUse({ node: '/nonexistent/node' });
      await folder.run({ shell, env: noNode });
      expect(folder.claims()).toEqual([]);
    });

    it('and without a state folder a hook is recorded in the plugin folder', async () => {
      const folder = new PluginFolder();
      const run = await folder.run({ shell, env: noNode });
      expect(run).toMatchObject({ code: 0, answer: { output: 'queued' } });
      expect(run.warnings).toEqual([expect.stringContaining('Node.js 20.17 or newer')]);
      const data = join(folder.pluginDir, 'data');
      expect(tree(data)).toEqual(['inbox/ 700', `inbox/h${run.pid}-0.json 600`]);
      expect(modeOf(data)).toBe('700');
      expect(readFileSync(join(data, 'inbox', `h${run.pid}-0.json`), 'utf8')).toBe(folder.input());
    });

    it('and without any folder to write to a hook is refused, with what to do', async () => {
      const folder = new PluginFolder();
      writeFileSync(join(folder.pluginDir, 'data'), 'a file in the way');
      const run = await folder.run({ shell, env: noNode });
      expect(run.code).toBe(1);
      expect(run.answer.error).toMatch(
        /Node\.js was not found.*Install Node\.js 20\.17 or newer, then save again/,
      );
      expect(run.answer.error).toContain('dist/../data/inbox');
    });

    it('a task is refused, with what to install', async () => {
      const folder = PluginFolder.inUse({ node: '/nonexistent/node' });
      const run = await folder.run({ shell, env: noNode, args: [], input: folder.input('hook-task.json') });
      expect(run.code).toBe(1);
      expect(run.answer.error).toMatch(/^Sluice needs Node\.js 20\.17 or newer.*SLUICE_NODE to its path\.$/);
    });

    it.skipIf(!ownMounts)('in PATH or in any of the usual places it is all the same', async () => {
      const folder = new PluginFolder();
      const run = await folder.run({
        shell,
        prefix: [...(ownMounts ?? []), '/bin/sh', '-c', `${hideNode}; PATH=$TOOLS exec "$@"`, 'sh'],
        env: { TOOLS: folder.tools(tools) },
      });
      expect(run).toMatchObject({ code: 0, answer: { output: 'queued' } });
      expect(run.warnings).toEqual([expect.stringContaining('Node.js 20.17 or newer')]);
      expect(existsSync(join(folder.pluginDir, 'data/inbox', `h${run.pid}-0.json`))).toBe(true);
    });

    it.skipIf(!ownMounts)('in PATH one that nvm installed in the home folder is used', async () => {
      const folder = new PluginFolder();
      const bin = join(folder.env.HOME ?? '', '.nvm/versions/node/v22.1.0/bin');
      mkdirSync(bin, { recursive: true });
      const nvm = writeScript(join(bin, 'node'), 'exit 99');
      const script = `mount --bind ${process.execPath} ${nvm}; ${hideNode}; PATH=$TOOLS exec "$@"`;
      const run = await folder.run({
        shell,
        prefix: [...(ownMounts ?? []), '/bin/sh', '-c', script, 'sh'],
        env: { TOOLS: folder.tools(tools) },
      });
      expect(run).toMatchObject({ code: 0, stderr: '', answer: { output: 'queued' } });
      expect(folder.events()).toHaveLength(1);
      expect(readFileSync(folder.pointer, 'utf8')).toBe(`${folder.stateDir}\n${nvm}\n`);
      await folder.started();
    });
  });
});

describe('with a Node that is too old', () => {
  underEachShell((shell) => {
    it('a hook is recorded in the state folder, and Stash logs what to install', async () => {
      const folder = PluginFolder.inUse({ node: '/nonexistent/node' });
      const run = await folder.run({ shell, env: { SLUICE_NODE: oldNode(folder) } });
      expect(run).toMatchObject({ code: 0, answer: { output: 'queued' } });
      expect(run.warnings).toEqual([expect.stringContaining('Node.js 20.17 or newer')]);
      expect(readFileSync(folder.event(), 'utf8')).toBe(folder.input());
      expect(folder.claims()).toEqual([]);
    });

    it('the first hook is recorded by it, and Stash logs which Node is too old', async () => {
      const folder = new PluginFolder();
      const run = await folder.run({ shell, env: { SLUICE_NODE: oldNode(folder) } });
      expect(run).toMatchObject({ code: 0, answer: { output: 'queued' } });
      expect(run.warnings).toEqual([expect.stringMatching(/20\.17 or newer, and .* is v18\.19\.0\./)]);
      expect(readFileSync(folder.event(), 'utf8')).toBe(folder.input());
      expect(existsSync(folder.pointer)).toBe(false);
      expect(folder.claims()).toEqual([]);
    });

    it('a task is refused, with what to install', async () => {
      const folder = PluginFolder.inUse({ node: '/nonexistent/node' });
      const run = await folder.run({ shell, env: { SLUICE_NODE: oldNode(folder) }, args: [], input: '{}' });
      expect(run.code).toBe(1);
      expect(run.answer.error).toContain('Node.js 20.17 or newer');
    });
  });

  it('because it was replaced by an older one, another is looked for at the next hook', async () => {
    const folder = PluginFolder.inUse();
    folder.pointTo(folder.stateDir, oldNode(folder));
    expect((await folder.run()).answer).toEqual({ output: 'queued' });
    await vi.waitFor(() => expect(existsSync(folder.pointer)).toBe(false), { timeout: 10_000 });
    expect(folder.starts()).toEqual([]);

    const bin = folder.tools(tools, { node: `exec ${process.execPath} "$@"` });
    expect((await folder.run({ env: { PATH: bin } })).answer).toEqual({ output: 'queued' });
    expect(readFileSync(folder.pointer, 'utf8')).toBe(`${folder.stateDir}\n${process.execPath}\n`);
    await folder.started();
  });
});

/** This Node, under a false name. */
function oldNode(folder: PluginFolder): string {
  const disguise = folder.beside('old-node.js');
  writeFileSync(
    disguise,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.19.0' } });
    Object.defineProperty(process, 'version', { value: 'v18.19.0' });`,
  );
  return writeScript(folder.beside('old-node'), `exec ${process.execPath} --require '${disguise}' "$@"`);
}
