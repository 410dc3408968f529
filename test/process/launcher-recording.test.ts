import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { modeOf, tree } from '../support/files';
import { ownPids } from '../support/machine';
import { PluginFolder } from '../support/plugin-folder';
import { livingProcess } from '../support/processes';
import { pathOf, type Shell, underEachShell } from '../support/shells';

const fiveMegabytes = 5 * 1024 * 1024;

describe('the launcher, for a hook while a worker is alive', () => {
  underEachShell((shell) => {
    let folder: PluginFolder;
    beforeEach(() => {
      folder = PluginFolder.inUse({ node: '/nonexistent/node' });
      folder.setAlive(livingProcess());
    });

    it('records stdin as it is in one new file, answers, and leaves nothing else', async () => {
      const before = tree(folder.configDir);
      const input = folder.input();
      const run = await folder.run({ shell, input });
      expect(run).toMatchObject({ code: 0, stdout: '{"output":"queued"}\n', stderr: '', heldOpen: false });
      expect(readFileSync(folder.event(), 'utf8')).toBe(input);
      expect(folder.event()).toMatch(/\.json$/);
      const added = tree(folder.configDir).filter((line) => !before.includes(line));
      expect(added).toEqual([`${relative(folder.configDir, folder.event())} 600`]);
    });

    it('records an input of 5 MB whole', async () => {
      const picture = 'A/+=\\n"'.repeat(fiveMegabytes / 6);
      const input = folder.input('hook-scene-update-cover.json', ({ args }) => {
        Object.assign(args?.hookContext?.input ?? {}, { cover_image: picture });
      });
      const run = await folder.run({ shell, input });
      expect(run.answer).toEqual({ output: 'queued' });
      expect(Buffer.byteLength(input)).toBeGreaterThan(fiveMegabytes);
      expect(readFileSync(folder.event()).equals(Buffer.from(input))).toBe(true);
    });

    it('records bytes that are no JSON and no text: judging them is left to the worker', async () => {
      const input = Buffer.from([...Array(256).keys(), 10, 10, 0]);
      await folder.run({ shell, input });
      expect(readFileSync(folder.event()).equals(input)).toBe(true);
    });

    it('keeps the file private whatever the umask is', async () => {
      await folder.run({ shell, prefix: ['sh', '-c', 'umask 000; exec "$@"', 'sh'] });
      expect(modeOf(folder.event())).toBe('600');
    });

    it('never takes a name that is in use: pids come round again while files wait', async () => {
      const taken = ['h$$-0.json', 'h$$-1.part', 'h$$-2.json', 'h$$-2.part'];
      const take = taken.map((name) => `echo "old $$" >"$INBOX/${name}"`).join('; ');
      const { pid } = await folder.run({
        shell,
        prefix: ['sh', '-c', `${take}; exec "$@"`, 'sh'],
        env: { INBOX: folder.inbox },
      });
      const names = taken.map((name) => name.replace('$$', String(pid)));
      expect(folder.events()).toEqual([...names, `h${pid}-3.json`].sort());
      for (const name of names) expect(readFileSync(join(folder.inbox, name), 'utf8')).toBe(`old ${pid}\n`);
      expect(readFileSync(join(folder.inbox, `h${pid}-3.json`), 'utf8')).toBe(folder.input());
    });

    it('records whole where dd does not know conv=fsync', async () => {
      const called = folder.beside('dd-was-called');
      const dd = `case $* in *conv=*) echo called >>'${called}'; echo 'dd: unknown conv' >&2; exit 1 ;; esac; exec ${pathOf('dd')} "$@"`;
      const input = folder.input('hook-scene-update-cover.json');
      const run = await folder.run({
        shell,
        input,
        env: { PATH: folder.tools(['mv', 'cat', 'rm'], { dd }) },
      });
      expect(run).toMatchObject({ code: 0, stderr: '', answer: { output: 'queued' } });
      expect(readFileSync(called, 'utf8')).toContain('called');
      expect(readFileSync(folder.event(), 'utf8')).toBe(input);
    });

    it('needs no tools but dd and mv', async () => {
      const run = await folder.run({ shell, env: { PATH: folder.tools(['dd', 'mv']) } });
      expect(run).toMatchObject({ code: 0, stderr: '', answer: { output: 'queued' } });
      expect(folder.claims()).toEqual([]);
    });

    it.skipIf(!ownPids)('starts no process but dd and mv', async () => {
      expect(await pidsUsed(folder, shell)).toBe(2);
    });
  });
});

/** Counts the processes that a hook starts, in a world where process ids begin at 1, which is a shell that lives. */
async function pidsUsed(folder: PluginFolder, shell: Shell): Promise<number> {
  const count = folder.beside('count');
  const next = `sh -c 'echo $(($$ - $1 - 1))' sh $launcher`;
  const script = `exec 3<&0; "$@" <&3 & launcher=$!; wait $launcher; ${next} >'${count}'`;
  folder.setAlive('1\n');
  const run = await folder.run({ shell, prefix: [...(ownPids ?? []), 'sh', '-c', script, 'sh'] });
  expect(run.answer).toEqual({ output: 'queued' });
  return Number(readFileSync(count, 'utf8'));
}
