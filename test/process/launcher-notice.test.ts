import { readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { modeOf } from '../support/files';
import { type HookRun, PluginFolder } from '../support/plugin-folder';
import { livingProcess } from '../support/processes';
import { underEachShell } from '../support/shells';

describe('a notice of the worker', () => {
  underEachShell((shell) => isPassedOn((folder, path) => folder.run({ shell, env: { PATH: path } })));

  describe('in TypeScript', () => {
    isPassedOn((folder) => folder.runTypeScript());
  });

  it('that the launcher has shown is not shown again by the hook in TypeScript, nor the other way round', async () => {
    const folder = PluginFolder.inUse();
    folder.setAlive(livingProcess());
    say(folder, 'First.\n');
    expect((await folder.run()).warnings).toEqual(['First.']);
    expect((await folder.runTypeScript()).warnings).toEqual([]);
    say(folder, 'Second.\n');
    expect((await folder.runTypeScript()).warnings).toEqual(['Second.']);
    expect((await folder.run()).warnings).toEqual([]);
  });
});

function isPassedOn(hook: (folder: PluginFolder, path: string) => Promise<HookRun>): void {
  let folder: PluginFolder;
  let path: string;
  const warnings = async () => {
    const run = await hook(folder, path);
    expect(run.answer).toEqual({ output: 'queued' });
    return run.warnings;
  };

  beforeEach(() => {
    folder = PluginFolder.inUse();
    folder.setAlive(livingProcess());
    path = folder.env.PATH ?? '';
  });

  it('is passed on to Stash once, a line at a time, as it stands', async () => {
    say(folder, 'Set "Plex address" & \\n $HOME.\n  Two  %s spaces.\n');
    expect(await warnings()).toEqual(['Set "Plex address" & \\n $HOME.', '  Two  %s spaces.']);
    expect(await warnings()).toEqual([]);
    expect(modeOf(join(folder.stateDir, 'notice.shown'))).toBe('600');
  });

  it('is passed on again after each change, also within a second', async () => {
    say(folder, 'First.\n');
    expect(await warnings()).toEqual(['First.']);
    say(folder, 'Second.\n');
    expect(await warnings()).toEqual(['Second.']);
    rmSync(join(folder.stateDir, 'notice'));
    expect(await warnings()).toEqual([]);
    say(folder, 'Second.\n');
    expect(await warnings()).toEqual(['Second.']);
    expect(await warnings()).toEqual([]);
  });

  it('that is empty says nothing', async () => {
    say(folder, '');
    expect(await warnings()).toEqual([]);
  });

  it('where there are no hard links is passed on once per change by its time', async () => {
    const shown = join(folder.stateDir, 'notice.shown');
    path = folder.tools(['dd', 'mv'], { ln: 'exit 1' });
    say(folder, 'First.\n');
    writeFileSync(shown, ''); // as a hook leaves it there
    setTime(folder, -60_000);
    expect(await warnings()).toEqual([]);
    setTime(folder, 60_000);
    expect(await warnings()).toEqual(['First.']);
  });
}

/** As the worker does it: a new file takes the place of the old one. */
function say(folder: PluginFolder, text: string): void {
  const notice = join(folder.stateDir, 'notice');
  writeFileSync(`${notice}.new`, text, { mode: 0o600 });
  renameSync(`${notice}.new`, notice);
  expect(readFileSync(notice, 'utf8')).toBe(text);
}

function setTime(folder: PluginFolder, fromNowMs: number): void {
  const time = new Date(Date.now() + fromNowMs);
  utimesSync(join(folder.stateDir, 'notice'), time, time);
}
