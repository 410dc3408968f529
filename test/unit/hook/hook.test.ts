import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { runHook } from '../../../src/hook/hook';
import { PluginFolder } from '../../support/plugin-folder';
import { livingProcess } from '../../support/processes';

let folder: PluginFolder;
beforeEach(() => {
  folder = new PluginFolder();
  vi.stubEnv('SLUICE_STATE_DIR', undefined);
});

const hook = (text = folder.input(), nodeProblem: string | null = null) =>
  runHook(text, folder.dist, nodeProblem);

describe('the hook in TypeScript', () => {
  it('records the event as it came, leaves the pointer and starts a worker', async () => {
    expect(hook()).toEqual({ output: 'queued', warnings: [] });
    expect(readFileSync(folder.event(), 'utf8')).toBe(folder.input());
    expect(existsSync(folder.pointer)).toBe(true);
    const [start] = await folder.started();
    expect(start?.argv.slice(1)).toEqual([folder.stateDir, folder.pluginDir]);
  });

  it('starts no worker while one is alive', () => {
    mkdirSync(folder.stateDir);
    folder.setAlive(livingProcess());
    expect(hook().output).toBe('queued');
    expect(folder.claims()).toEqual([]);
  });

  it('with a Node that is too old records, says so, and starts nothing that could not run', () => {
    expect(hook(folder.input(), 'It is too old.')).toEqual({
      output: 'queued',
      warnings: ['Your edit is recorded, but not sent to Plex: It is too old.'],
    });
    expect(folder.events()).toHaveLength(1);
    expect(folder.claims()).toEqual([]);
    expect(existsSync(folder.pointer)).toBe(false);
  });

  it('refuses an input that no worker could use and leaves nothing', () => {
    expect(hook('{}')).toEqual({
      error: 'Sluice could not use this event: server_connection is missing.',
    });
    expect(existsSync(folder.stateDir)).toBe(false);
  });

  it('makes nothing where Stash has no folder', () => {
    const text = folder.input('hook-scene-update.json', ({ server_connection }) => {
      const nowhere = folder.beside('nowhere/config');
      Object.assign(server_connection ?? {}, { Dir: nowhere });
    });
    mkdirSync(join(folder.pluginDir, 'data'));
    folder.letWorkersStay();
    expect(hook(text).output).toBe('queued');
    expect(existsSync(folder.beside('nowhere'))).toBe(false);
    expect(existsSync(join(folder.pluginDir, 'data/inbox'))).toBe(true);
  });

  it('records in the plugin folder when the configuration folder cannot be used', () => {
    writeFileSync(folder.stateDir, 'a file in the way');
    expect(hook().output).toBe('queued');
    expect(readFileSync(folder.pointer, 'utf8')).toContain(`${join(folder.pluginDir, 'data')}\n`);
  });

  it('records in the folder that SLUICE_STATE_DIR names', () => {
    const elsewhere = folder.beside('elsewhere');
    vi.stubEnv('SLUICE_STATE_DIR', elsewhere);
    expect(hook().output).toBe('queued');
    expect(existsSync(join(elsewhere, 'inbox'))).toBe(true);
    expect(readFileSync(folder.pointer, 'utf8')).toContain(`${elsewhere}\n`);
    expect(existsSync(folder.stateDir)).toBe(false);
  });

  it('says which folder it cannot write to, why, and what to do', () => {
    writeFileSync(folder.stateDir, 'a file in the way');
    writeFileSync(join(folder.pluginDir, 'data'), 'another');
    expect(hook()).toEqual({
      error:
        `Sluice could not record this edit in ${folder.inbox}: a part of the path is not a folder. ` +
        'Make room or make the folder writable for Stash, then save again.',
    });
  });

  it('passes on what the worker has to say', () => {
    mkdirSync(folder.stateDir);
    folder.setAlive(livingProcess());
    writeFileSync(join(folder.stateDir, 'notice'), 'One.\nTwo.\n');
    expect(hook().warnings).toEqual(['One.', 'Two.']);
    expect(hook().warnings).toEqual([]);
  });
});
