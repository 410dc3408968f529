import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tree } from '../support/files';
import { PluginFolder } from '../support/plugin-folder';
import { livingProcess } from '../support/processes';
import { anyShell, type Shell, underEachShell } from '../support/shells';

/** In the name of every folder: Stash's configuration, the plugin's, and with the first the state. */
const oddities = [
  ' a  space ',
  `'single' and "double"`,
  'émoji 🎬',
  '\\back\\n\\\\',
  '-rf --',
  '$(touch pwned)`touch pwned`$HOME',
  '*?[a-z]',
  ';&|<>#!%s~{pluginDir}',
  '\t\r\x1b',
];
const withLineBreak = 'a\nline\nbreak\n';

describe('the launcher, whatever the folders are called', () => {
  underEachShell((shell) => {
    it.each(oddities)('records and starts a worker in %j', async (odd) => {
      const folder = PluginFolder.inUse({ odd });
      folder.pointTo(folder.stateDir, folder.recordingNode());
      await expectRecorded(folder, shell);
      const [claim = ''] = folder.claims();
      expect(await folder.nodeRun()).toEqual([
        join(folder.dist, 'sluice.js'),
        'start',
        folder.stateDir,
        join(folder.stateDir, claim),
      ]);
      expectNothingElseRan(folder);
    });

    it('records with a line break in the plugin folder, and the state elsewhere', async () => {
      const folder = new PluginFolder({ odd: withLineBreak });
      const stateDir = folder.beside('state');
      mkdirSync(join(stateDir, 'inbox'), { recursive: true });
      folder.pointTo(stateDir, '/nonexistent/node');
      const run = await folder.run({ shell, env: { SLUICE_NODE: '/nonexistent/node' } });
      expect(run.answer).toEqual({ output: 'queued' });
      expect(tree(join(stateDir, 'inbox'))).toEqual([`h${run.pid}-0.json 600`]);
    });

    it('records in a state folder whose name ends with white space', async () => {
      const folder = new PluginFolder();
      const stateDir = folder.beside('state \t ');
      mkdirSync(join(stateDir, 'inbox'), { recursive: true });
      folder.pointTo(stateDir, '/nonexistent/node');
      const { pid } = await folder.run({ shell, env: { SLUICE_NODE: '/nonexistent/node' } });
      expect(tree(join(stateDir, 'inbox'))).toEqual([`h${pid}-0.json 600`]);
    });

    it('leaves it to Node, every time, with a line break in the state folder', async () => {
      const folder = new PluginFolder({ odd: withLineBreak });
      for (const count of [1, 2]) {
        const run = await folder.run({ shell });
        expect(run).toMatchObject({ code: 0, stderr: '', answer: { output: 'queued' } });
        expect(folder.events()).toHaveLength(count);
        expect(existsSync(folder.pointer)).toBe(false);
      }
      expect(readFileSync(join(folder.inbox, folder.events()[0] ?? ''), 'utf8')).toBe(folder.input());
      const [start] = await folder.started();
      expect(start?.argv.slice(1)).toEqual([folder.stateDir, folder.pluginDir]);
    });

    it('answers valid JSON that names the folder when it cannot record there', async () => {
      for (const odd of oddities) {
        const folder = new PluginFolder({ odd });
        mkdirSync(folder.stateDir);
        symlinkSync('/proc/self', folder.inbox); // where nobody, not even root, can create a file
        folder.pointTo(folder.stateDir, process.execPath);
        const run = await folder.run({ shell });
        expect(run.code).toBe(1);
        expect(run.answer.error).toContain(printable(folder.inbox));
      }
    });

    it('works with a relative path of the plugin, wherever Stash runs', async () => {
      const folder = PluginFolder.inUse();
      folder.setAlive(livingProcess());
      const elsewhere = folder.beside('elsewhere');
      mkdirSync(elsewhere);
      await expectRecorded(folder, shell, {
        cwd: elsewhere,
        script: relative(elsewhere, join(folder.dist, 'sluice.sh')),
      });
    });

    it('works when it is called by its bare name', async () => {
      const folder = PluginFolder.inUse();
      folder.setAlive(livingProcess());
      await expectRecorded(folder, shell, { cwd: folder.dist, script: 'sluice.sh' });
    });

    it('works when the plugin folder is a link to a clone elsewhere', async () => {
      const folder = PluginFolder.inUse();
      folder.setAlive(livingProcess());
      symlinkSync(folder.pluginDir, folder.beside('link'));
      await expectRecorded(folder, shell, { script: folder.beside('link/dist/sluice.sh') });
    });
  });
});

describe('the first hook, whatever the folders are called', () => {
  it.each(oddities)('finds the state folder through Node and the next one without it in %j', async (odd) => {
    const folder = new PluginFolder({ odd });
    folder.letWorkersStay();
    await expectRecorded(folder, anyShell);
    expect(readFileSync(folder.pointer, 'utf8')).toBe(`${folder.stateDir}\n${process.execPath}\n`);
    const [start] = await folder.started();
    expect(start?.argv).toEqual([join(folder.dist, 'worker.js'), folder.stateDir, folder.pluginDir]);
    const { pid, answer } = await folder.run({ env: { SLUICE_NODE: '/nonexistent/node' } });
    expect(answer).toEqual({ output: 'queued' });
    expect(folder.events()).toContain(`h${pid}-0.json`);
    expectNothingElseRan(folder);
  });

  it('makes absolute what Stash says relative to its own working folder', async () => {
    const folder = new PluginFolder();
    const cwd = dirname(folder.configDir);
    const input = folder.input('hook-scene-update.json', ({ server_connection }) => {
      Object.assign(server_connection ?? {}, { Dir: 'config', PluginDir: 'config/plugins/sluice' });
    });
    await folder.run({ cwd, input, script: 'config/plugins/sluice/dist/sluice.sh' });
    expect(readFileSync(folder.event(), 'utf8')).toBe(input);
    expect(readFileSync(folder.pointer, 'utf8')).toBe(`${folder.stateDir}\n${process.execPath}\n`);
    const [start] = await folder.started();
    expect(start?.argv.slice(1)).toEqual([folder.stateDir, folder.pluginDir]);
  });
});

async function expectRecorded(
  folder: PluginFolder,
  shell: Shell,
  how: { cwd?: string; script?: string } = {},
): Promise<void> {
  const run = await folder.run({ shell, ...how });
  expect(run).toMatchObject({ code: 0, stderr: '', answer: { output: 'queued' } });
  expect(readFileSync(folder.event(), 'utf8')).toBe(folder.input());
}

/** Control characters would need escapes in JSON that a shell does not know. */
const printable = (path: string): string => path.replace(/\p{Cc}/gu, ' ');

function expectNothingElseRan(folder: PluginFolder): void {
  expect(tree(dirname(folder.configDir)).filter((line) => line.includes('pwned '))).toEqual([]);
}
