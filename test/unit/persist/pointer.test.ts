import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { forgetPointer, leavePointer, pointerName } from '../../../src/persist/pointer';
import { modeOf } from '../../support/files';
import { tempDir } from '../../support/temp-dir';

let dist: string;
beforeEach(() => {
  dist = tempDir();
});
const pointer = () => readFileSync(join(dist, pointerName), 'utf8');

describe('the pointer beside the launcher', () => {
  it('names the state folder and this Node, a line each, and nothing else is left', () => {
    leavePointer(dist, '/config/sluice data');
    expect(pointer()).toBe(`/config/sluice data\n${process.execPath}\n`);
    expect(readdirSync(dist)).toEqual([pointerName]);
    expect(modeOf(join(dist, pointerName))).toBe('600');
  });

  it('is mended when it names something else', () => {
    for (const old of ['', '/elsewhere\n/usr/bin/node\n', '/config/sluice-data\n/old/node\n', 'garbage']) {
      writeFileSync(join(dist, pointerName), old);
      leavePointer(dist, '/config/sluice-data');
      expect(pointer()).toBe(`/config/sluice-data\n${process.execPath}\n`);
    }
  });

  it('is not written again when it is right', () => {
    leavePointer(dist, '/config/sluice-data');
    const longAgo = new Date(1_000);
    utimesSync(join(dist, pointerName), longAgo, longAgo);
    leavePointer(dist, '/config/sluice-data');
    expect(statSync(join(dist, pointerName)).mtime).toEqual(longAgo);
  });

  it('is not left for a path with a line break, which a shell could not read from it', () => {
    leavePointer(dist, '/config\n/sluice-data');
    expect(readdirSync(dist)).toEqual([]);
  });

  it('is simply not there in a folder that cannot be written to', () => {
    const file = join(dist, 'file');
    writeFileSync(file, '');
    expect(() => leavePointer(join(file, 'dist'), '/config/sluice-data')).not.toThrow();
    expect(() => forgetPointer(join(file, 'dist'))).not.toThrow();
  });

  it('can be forgotten, whether it is there or not', () => {
    leavePointer(dist, '/config/sluice-data');
    forgetPointer(dist);
    forgetPointer(dist);
    expect(readdirSync(dist)).toEqual([]);
    mkdirSync(join(dist, pointerName));
    expect(() => forgetPointer(dist)).not.toThrow();
  });
});
