import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hookTypes } from '../../src/queue/inbox-message';
import { settingsTable } from '../../src/stash/settings';
import { fieldNames, syncRows } from '../../src/stash/sync-settings';
import { parseManifest } from '../sim/stash/manifest';
import { repository } from '../support/plugin-folder';

const path = join(repository, 'plugin.yml');
const manifest = parseManifest(path, readFileSync(path, 'utf8'));

describe('plugin.yml', () => {
  it('asks for the hooks that we understand, each once, and for no other', () => {
    expect(manifest.hooks.flatMap(({ triggeredBy }) => triggeredBy).sort()).toEqual([...hookTypes].sort());
  });

  it('runs hooks through the launcher as such, and tasks without an argument', () => {
    expect(manifest.exec).toEqual(['sh', '{pluginDir}/dist/sluice.sh']);
    for (const { execArgs } of manifest.hooks) expect(execArgs).toEqual(['hook']);
    for (const { execArgs } of manifest.tasks) expect(execArgs).toEqual([]);
  });

  const read = Object.entries(settingsTable).flatMap(([name, { label, fallback }]) =>
    label === undefined ? [] : [{ name, label, fallback: fallback as unknown }],
  );

  it('has the settings that we read, under the names that our messages use', () => {
    const shown = manifest.settings.map(({ name, displayName }) => [name, displayName]);
    const sorted = read.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    expect(shown).toEqual(sorted.map(({ name, label }) => [name, label]));
  });

  it.each(read)('shows $name as the kind of value that we expect, with its default', ({ name, fallback }) => {
    const shown = manifest.settings.find((setting) => setting.name === name);
    const kind =
      typeof fallback === 'boolean' ? 'BOOLEAN' : typeof fallback === 'number' ? 'NUMBER' : 'STRING';
    expect(shown?.type).toBe(kind);
    if (kind === 'NUMBER') expect(shown?.description).toMatch(new RegExp(` Empty or 0: ${fallback}\\.$`));
    if (typeof fallback === 'string' && fallback !== '') {
      expect(shown?.description).toMatch(new RegExp(` Empty: ${fallback}\\.$`));
    }
  });

  const isSync = (name: string): name is keyof typeof syncRows => Object.hasOwn(syncRows, name);
  const sync = manifest.settings.filter(({ name }) => isSync(name));

  it.each(sync)('says what $name is when it is left alone', ({ type, description }) => {
    expect(description).toMatch(type === 'BOOLEAN' ? /^Off: .* On: / : / Empty: [^.]+\.$/);
  });

  it.each<[keyof typeof syncRows, readonly string[]]>([
    ['plexMissing', ['wait', 'drop']],
    ['syncSkipFields', fieldNames],
    ['syncTagsAs', ['genres', 'labels', 'collections']],
    ['syncCollectionsFrom', ['studio', 'groups', 'tag:Rivers']],
    ['syncPictureAs', ['both', 'poster', 'background', 'none']],
    ['syncReconcile', ['daily', 'never', 'hourly', 'weekly']],
  ])('names each word that %s takes', (key, words) => {
    const shown = manifest.settings.find(({ name }) => name === key);
    for (const word of words) {
      expect(shown?.description).toMatch(new RegExp(`\\b${word}\\b`));
      expect(() => syncRows[key].parse(word)).not.toThrow();
    }
  });

  it.each(['dry_run', 'dead_letters', 'status', 'health', 'outages'])(
    'says where the answer of %s is to be read',
    (mode) => {
      const task = manifest.tasks.find(({ defaultArgs }) => defaultArgs.mode === mode);
      expect(task?.description).toContain('in the log (Settings > Logs)');
    },
  );

  it('names no task twice, and gives the tasks on dead letters all of them', () => {
    const names = manifest.tasks.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const mode of ['retry_dead_letters', 'discard_dead_letters']) {
      const task = manifest.tasks.find(({ defaultArgs }) => defaultArgs.mode === mode);
      expect(task?.defaultArgs).toEqual({ mode, all: 'true' });
    }
  });

  it.skipIf(!existsSync(join(repository, '.git')))(
    'is the only .yml file: Stash loads every one it finds',
    () => {
      const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
        cwd: repository,
        encoding: 'utf8',
      });
      expect(listed.split('\n').filter((name) => name.toLowerCase().endsWith('.yml'))).toEqual([
        'plugin.yml',
      ]);
    },
  );
});
