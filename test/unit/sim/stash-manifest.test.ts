import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseManifest } from '../../sim/stash/manifest';
import { parseYaml } from '../../sim/stash/yaml-subset';
import { tempDir } from '../../support/temp-dir';
import { startStash } from './stash-helpers';

describe('a manifest', () => {
  it('is read with its tasks, hooks and settings', () => {
    const plugin = parseManifest(
      'plugins/x/sluice.yml',
      `
# requires: nothing
name: Sluice   # shown in the list
description: >-
  Keeps Plex in step
  with Stash
url: https://example.org/#a
version: 0.1.0
interface: raw
exec:
- sh
- "{pluginDir}/dist/sluice.sh"
errLog: info
tasks:
  - name: Process the queue
    description: Sends what waits,
      and says so
    execArgs: [task]
    defaultArgs:
      mode: process
  - name: 'Plex''s "status"'
    defaultArgs: { mode: "status", n: 5 }
hooks:
  - name: Changes
    execArgs:
      - hook
    triggeredBy:
      - Scene.Update.Post
      - Tag.Merge.Post
settings:
  plexUrl:
    displayName: "Plex: address"
    type: STRING
  flowOpenSeconds:
    type: NUMBER
`,
    );
    expect(plugin).toMatchObject({
      id: 'sluice',
      name: 'Sluice',
      description: 'Keeps Plex in step with Stash',
      url: 'https://example.org/#a',
      version: '0.1.0',
      exec: ['sh', '{pluginDir}/dist/sluice.sh'],
      errLog: 'info',
      tasks: [
        {
          name: 'Process the queue',
          description: 'Sends what waits, and says so',
          execArgs: ['task'],
          defaultArgs: { mode: 'process' },
        },
        { name: `Plex's "status"`, description: '', execArgs: [], defaultArgs: { mode: 'status', n: '5' } },
      ],
      hooks: [{ name: 'Changes', execArgs: ['hook'], triggeredBy: ['Scene.Update.Post', 'Tag.Merge.Post'] }],
      settings: [
        { name: 'flowOpenSeconds', displayName: '', type: 'NUMBER' },
        { name: 'plexUrl', displayName: 'Plex: address', type: 'STRING' },
      ],
    });
  });

  it.each([
    ['a key that Stash does not know', 'name: A\nid: b\n', 'field id not found in type plugin.Config'],
    ['one inside of a task', 'tasks:\n  - name: A\n    default: b\n', 'field default not found'],
    ['an interface that does not exist', 'interface: wire\n', 'invalid interface type wire'],
    ['a type of setting that does not exist', 'settings:\n  a:\n    type: TEXT\n', 'invalid type'],
    ['a text where a list should be', 'exec: sh\n', 'expected a list'],
    ['wrong indentation', 'name: A\n   version: 1\n', 'line 2: mapping values are not allowed'],
    ['a key that comes twice', 'name: A\nname: B\n', 'already set'],
  ])('with %s is refused', (_, source, message) => {
    expect(() => parseManifest('a.yml', source)).toThrow(message);
  });

  it('keeps the lines of a literal block', () => {
    expect(parseYaml('a: |\n  one\n    two\n\n  three\nb: c\n')).toEqual({
      a: 'one\n  two\n\nthree\n',
      b: 'c',
    });
  });
});

describe('the plugins folder', () => {
  it('is searched to its depths, through links; the first of an id wins, and what is broken is logged', async () => {
    const dir = tempDir('stash');
    mkdirSync(join(dir, 'plugins', 'deep', 'er'), { recursive: true });
    writeFileSync(join(dir, 'plugins', 'deep', 'er', 'probe.yml'), 'exec: [sh]\n');
    const elsewhere = tempDir('elsewhere');
    writeFileSync(join(elsewhere, 'linked.yml'), 'name: Linked\nexec: [sh]\n');
    symlinkSync(elsewhere, join(dir, 'plugins', 'link'));
    mkdirSync(join(dir, 'plugins', 'z'));
    writeFileSync(join(dir, 'plugins', 'z', 'LINKED.yml'), 'name: Second\nexec: [sh]\n');
    writeFileSync(join(dir, 'plugins', 'z', 'broken.yml'), 'nonsense\n');
    writeFileSync(join(dir, 'plugins', 'z', 'other.yaml'), 'name: Not looked at\n');
    const stash = await startStash({ dir });
    expect(await stash.gql('{plugins{id name}}')).toEqual({
      plugins: [
        { id: 'probe', name: 'probe' },
        { id: 'linked', name: 'Linked' },
      ],
    });
    expect(stash.log.messages('error')).toEqual([
      expect.stringContaining('LINKED already exists'),
      expect.stringContaining('broken.yml'),
    ]);
  });
});
