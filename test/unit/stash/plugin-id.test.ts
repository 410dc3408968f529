import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { pluginId } from '../../../src/stash/plugin-id';
import { tempDir } from '../../support/temp-dir';

let dir: string;
const manifest = 'exec:\n  - sh\n  - "{pluginDir}/dist/sluice.sh"\n';

beforeEach(() => {
  dir = join(tempDir(), 'the-folder');
  mkdirSync(dir);
});

describe('the plugin id', () => {
  it("is the manifest's file name, whatever it is called", () => {
    writeFileSync(join(dir, 'my.sluice.yml'), 'name: anything');
    writeFileSync(join(dir, 'readme.txt'), manifest);
    expect(pluginId(dir)).toBe('my.sluice');
  });

  it('is the one that starts sluice.sh when there are several manifests', () => {
    writeFileSync(join(dir, 'another.yml'), 'name: something else');
    writeFileSync(join(dir, 'renamed.yml'), manifest);
    mkdirSync(join(dir, 'folder.yml'));
    expect(pluginId(dir)).toBe('renamed');
  });

  it("is the folder's name when no manifest can be found", () => {
    expect(pluginId(dir)).toBe('the-folder');
    expect(pluginId(join(dir, 'gone'))).toBe('gone');
    writeFileSync(join(dir, 'a.yml'), 'name: a');
    writeFileSync(join(dir, 'b.yml'), 'name: b');
    expect(pluginId(dir)).toBe('the-folder');
  });
});
