import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withoutPrivileges } from '../support/machine';
import { PluginFolder } from '../support/plugin-folder';
import { livingProcess } from '../support/processes';
import { underEachShell } from '../support/shells';

describe('the launcher hands over to Node', () => {
  underEachShell((shell) => {
    it('what is not a hook, in its own place, so that the kill of Stash reaches Node', async () => {
      const folder = PluginFolder.inUse();
      const stub =
        'process.stdout.write(JSON.stringify({ output: [process.pid, ...process.argv.slice(2)] }))';
      writeFileSync(join(folder.dist, 'sluice.js'), stub);
      const { answer, pid, code } = await folder.run({ shell, args: [] });
      expect({ answer, code }).toEqual({ answer: { output: [pid] }, code: 0 });
    });

    it('the input of a task and the answer to it', async () => {
      const folder = PluginFolder.inUse();
      const tasks =
        'exports.runTask = async (text) => ({ output: JSON.parse(text).args.mode, error: "nothing to do" });';
      writeFileSync(join(folder.dist, 'tasks.js'), tasks);
      const run = await folder.run({ shell, args: [], input: folder.input('hook-task.json') });
      expect(run).toMatchObject({ code: 1, answer: { output: 'process', error: 'nothing to do' } });
    });

    it('a hook on Windows, whose shell is that of Git', async () => {
      const folder = PluginFolder.inUse();
      folder.setAlive(livingProcess());
      const run = await folder.run({ shell, env: { OS: 'Windows_NT' } });
      expect(run).toMatchObject({ code: 0, answer: { output: 'queued' } });
      expect(folder.event()).toMatch(new RegExp(`/\\d+-${run.pid}-\\w+\\.json$`));
      expect(readFileSync(folder.event(), 'utf8')).toBe(folder.input());
    });
  });

  it.skipIf(!withoutPrivileges)('every hook when no pointer can be left in the plugin folder', async () => {
    const folder = PluginFolder.inUse();
    folder.pointTo('', '');
    for (const dir of [folder.stateDir, folder.inbox]) chmodSync(dir, 0o777);
    folder.makeReadOnly(folder.pluginDir, folder.dist);
    for (const count of [1, 2]) {
      const run = await folder.run({ prefix: withoutPrivileges ?? [] });
      expect(run).toMatchObject({ code: 0, stderr: '', answer: { output: 'queued' } });
      expect(folder.events()).toHaveLength(count);
    }
    expect(readFileSync(folder.pointer, 'utf8')).toBe('\n\n');
  });
});
