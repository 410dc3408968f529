import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { pipesOfLaunched } from '../support/launch';
import { PluginFolder, writeScript } from '../support/plugin-folder';
import { deadProcess, killed, livingProcess, zombie } from '../support/processes';
import { pathOf, type Shell, underEachShell } from '../support/shells';

/** Whether a worker was started shows in the claims: each start makes one, and only a worker removes them. */
describe('the launcher, having recorded an event', () => {
  underEachShell((shell) => {
    let folder: PluginFolder;
    beforeEach(() => {
      folder = PluginFolder.inUse();
      folder.pointTo(folder.stateDir, folder.recordingNode());
    });

    describe('starts no worker and leaves no claim', () => {
      it('while one is alive', async () => {
        folder.setAlive(livingProcess());
        await expectStarts(0);
      });

      it('while one is alive whose start the system does not tell', async () => {
        folder.setAlive(`${livingProcess().pid}\n`);
        await expectStarts(0);
      });

      it('when one came alive after the first look', async () => {
        const { pid, ticks } = livingProcess();
        const alive = join(folder.stateDir, 'alive');
        // The time is asked for between the first look and the claim.
        const date = `echo ${pid} ${ticks} >'${alive}'; touch -d '+10 seconds' '${alive}'; exec ${pathOf('date')} "$@"`;
        await expectStarts(0, folder.tools(['dd', 'mv', 'rm', 'touch'], { date }));
      });

      it('when the event was taken out of the inbox after the first look', async () => {
        const date = `rm '${folder.inbox}'/*; exec ${pathOf('date')} "$@"`;
        await expectStarts(0, folder.tools(['dd', 'mv', 'rm'], { date }));
      });
    });

    describe('starts exactly one worker', () => {
      it('when there is none', async () => {
        await expectStarts(1);
      });

      it('when the one there was has not shown itself for too long', async () => {
        folder.setAlive(livingProcess(), -1_000);
        await expectStarts(1);
      });

      it('when the one there was is dead', async () => {
        folder.setAlive(await deadProcess());
        await expectStarts(1);
      });

      it('when the one there was is a zombie', async () => {
        folder.setAlive(await zombie());
        await expectStarts(1);
      });

      it('when its process id belongs to another process by now', async () => {
        const { pid, ticks } = livingProcess();
        folder.setAlive({ pid, ticks: String(Number(ticks) - 1) });
        await expectStarts(1);
      });

      it.each(['', '\n', 'garbage', '-1', '0', '01', '1e3', '9'.repeat(30), '$(kill $$)', '*', '\0\xff\n'])(
        'when what says that it lives is %j',
        async (garbage) => {
          folder.setAlive(garbage);
          await expectStarts(1);
        },
      );
    });

    describe('looks at the claim of another hook', () => {
      it('and starts none while that one lives', async () => {
        const claims = folder.claimAs(`${livingProcess().pid}\n`);
        await run();
        expect(folder.claims()).toEqual(claims);
      });

      it('and starts none while that one is just writing its name', async () => {
        const claims = folder.claimAs('');
        await run();
        expect(folder.claims()).toEqual(claims);
      });

      it('and starts none when twenty have died in a few seconds', async () => {
        const claims = folder.claimAs(`${(await deadProcess()).pid}\n`, 20);
        await run();
        expect(folder.claims()).toEqual(claims);
      });

      it('and starts one when that one died', async () => {
        folder.claimAs(`${(await deadProcess()).pid}\n`);
        await run();
        expect(folder.claims()).toEqual(expect.arrayContaining([expect.stringMatching(/^starting-\d+-1$/)]));
        expect((await folder.nodeRun())[1]).toBe('start');
      });

      it('and starts one when that one is a zombie', async () => {
        folder.claimAs(`${(await zombie()).pid}\n`);
        await run();
        expect((await folder.nodeRun())[1]).toBe('start');
      });
    });

    async function run(path?: string): Promise<void> {
      const result = await folder.run({ shell, ...(path ? { env: { PATH: path } } : {}) });
      expect(result).toMatchObject({ code: 0, stderr: '', answer: { output: 'queued' } });
    }

    async function expectStarts(count: 0 | 1, path?: string): Promise<void> {
      await run(path);
      expect(folder.claims()).toHaveLength(count);
      if (count === 1) expect((await folder.nodeRun())[1]).toBe('start');
    }
  });
});

describe('the worker that a hook starts', () => {
  const hooks: [string, (folder: PluginFolder, shell: Shell) => ReturnType<PluginFolder['run']>][] = [
    ['the launcher', (folder, shell) => folder.run({ shell })],
    ['the hook in TypeScript', (folder) => folder.runTypeScript()],
  ];

  underEachShell((shell) => {
    it.each(hooks)('lives on in a session of its own while Stash sees the end of %s', async (_, hook) => {
      const folder = PluginFolder.inUse();
      folder.letWorkersStay();
      const run = await hook(folder, shell);
      expect(run).toMatchObject({ code: 0, stderr: '', heldOpen: false });
      const [start] = await folder.started();
      if (!start) throw new Error('No start');
      expect(process.kill(start.pid, 0)).toBe(true);
      expect(start.session).toBe(start.pid);
      expect(start.cwd).toBe(folder.stateDir);
      expect(start.argv).toEqual([join(folder.dist, 'worker.js'), folder.stateDir, folder.pluginDir]);
      expect(start.files.filter((file) => file.includes(pipesOfLaunched))).toEqual([]);
      expect(start.files.slice(0, 3)).toEqual(['/dev/null', '/dev/null', '/dev/null']);
    });

    it('keeps Stash waiting not even for the Node that starts it [lesson 1: a hook does no work, because Stash waits for it]', async () => {
      const folder = PluginFolder.inUse();
      folder.pointTo(folder.stateDir, writeScript(folder.beside('slow-node'), 'exec sleep 30'));
      const run = await folder.run({ shell });
      const [claim = ''] = folder.claims();
      await killed(Number(readFileSync(join(folder.stateDir, claim), 'utf8')));
      expect(run).toMatchObject({ code: 0, stderr: '', heldOpen: false });
    });

    it('is named by the claim, so that a start that dies halfway is noticed', async () => {
      const folder = PluginFolder.inUse();
      folder.letWorkersStay();
      await folder.run({ shell });
      const [start] = await folder.started();
      const [claim = ''] = folder.claims();
      const named = () => readFileSync(join(folder.stateDir, claim), 'utf8');
      await expect.poll(named, { timeout: 10_000 }).toBe(`${start?.pid}\n`);
    });

    it('is one, or two where a slot begins, for fifty hooks at once [lesson 4: to look whether something is to be started and to claim it is one step]', async () => {
      const folder = PluginFolder.inUse();
      folder.letWorkersStay();
      const runs = await Promise.all(Array.from({ length: 50 }, () => folder.run({ shell })));
      expect(runs.map(({ answer }) => answer)).toEqual(Array(50).fill({ output: 'queued' }));
      expect(folder.events()).toHaveLength(50);
      expect(folder.claims().length).toBeGreaterThanOrEqual(1);
      expect(folder.claims().length).toBeLessThanOrEqual(2);
      expect(await folder.started(folder.claims().length)).toHaveLength(folder.claims().length);
    });
  });

  it('is one, or two where a slot begins, for launchers and TypeScript hooks at once', async () => {
    const folder = PluginFolder.inUse();
    folder.letWorkersStay();
    const runs = Array.from({ length: 30 }, (_, i) => (i % 2 ? folder.run() : folder.runTypeScript()));
    expect((await Promise.all(runs)).map(({ code }) => code)).toEqual(Array(30).fill(0));
    expect(folder.events()).toHaveLength(30);
    expect(folder.claims().length).toBeGreaterThanOrEqual(1);
    expect(folder.claims().length).toBeLessThanOrEqual(2);
    expect(await folder.started(folder.claims().length)).toHaveLength(folder.claims().length);
  });

  it('is followed by another for the next event once it was killed', async () => {
    const folder = PluginFolder.inUse();
    folder.letWorkersStay();
    await folder.run();
    const [start] = await folder.started();
    if (!start) throw new Error('No start');
    await killed(start.pid);
    await folder.run();
    expect(await folder.started(2)).toHaveLength(2);
  });
});
