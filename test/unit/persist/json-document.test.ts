import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DiskFull, writeFileWhole } from '../../../src/persist/atomic-file';
import { type DocumentFormat, loadDocument, saveDocument } from '../../../src/persist/json-document';
import { NewerState } from '../../../src/persist/set-aside';
import { MemoryLog } from '../../support/memory-log';
import { tempDir } from '../../support/temp-dir';

const format = (dir: string): DocumentFormat<{ size: number }> => ({
  path: join(dir, 'thing.json'),
  version: 1,
  parse: ({ size }) => {
    if (typeof size !== 'number') throw new Error('size is not a number');
    return { size };
  },
  ifLost: 'It begins anew.',
});

describe('a document', () => {
  it('is there after it was saved, for nobody else to read', async () => {
    const document = format(tempDir());
    expect(loadDocument(document, 0, new MemoryLog())).toEqual({ value: null, broken: false });
    await saveDocument(document, { size: 1 });
    await saveDocument(document, { size: 2 });
    expect(loadDocument(document, 0, new MemoryLog())).toEqual({ value: { size: 2 }, broken: false });
    expect(statSync(document.path).mode & 0o777).toBe(0o600);
  });

  it('is under its own name at every instant while it is saved again, and its copy is for nobody else to read', async () => {
    const document = format(tempDir());
    await saveDocument(document, { size: 1 });
    const saving = saveDocument(document, { size: 2 });
    expect(JSON.parse(readFileSync(document.path, 'utf8'))).toMatchObject({ size: 1 });
    await saving;
    expect(JSON.parse(readFileSync(document.path, 'utf8'))).toMatchObject({ size: 2 });
    expect(JSON.parse(readFileSync(`${document.path}.prev`, 'utf8'))).toMatchObject({ size: 1 });
    expect(statSync(`${document.path}.prev`).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['garbage', 'garbage'],
    ['nothing', ''],
    ['another shape', '{"version":1,"size":"large"}'],
    ['no version', '{"size":1}'],
  ])('falls back to its previous copy when it holds %s, and keeps what was broken', async (_, text) => {
    const dir = tempDir();
    const document = format(dir);
    const log = new MemoryLog();
    await saveDocument(document, { size: 1 });
    await saveDocument(document, { size: 2 });
    writeFileSync(document.path, text);
    expect(loadDocument(document, 0, log)).toEqual({ value: { size: 1 }, broken: true });
    expect(log.warnings[0]).toContain(document.path);
    expect(log.warnings[0]).toContain('It begins anew.');
    const kept = readdirSync(dir).find((name) => name.includes('.broken-'));
    expect(kept && readFileSync(join(dir, kept), 'utf8')).toBe(text);
  });

  it('survives a crash between moving the old and writing the new', async () => {
    const document = format(tempDir());
    await saveDocument(document, { size: 1 });
    await saveDocument(document, { size: 2 });
    rmSync(document.path);
    expect(loadDocument(document, 0, new MemoryLog()).value).toEqual({ size: 1 });
  });

  it('of a newer version is left alone', () => {
    const document = format(tempDir());
    writeFileSync(document.path, '{"version":2}');
    expect(() => loadDocument(document, 0, new MemoryLog())).toThrow(NewerState);
    expect(readFileSync(document.path, 'utf8')).toBe('{"version":2}');
  });
});

const canMount = process.platform === 'linux' && process.getuid?.() === 0;

describe.skipIf(!canMount)('on a disk that is nearly full', () => {
  it('a write is refused rather than cut short', async () => {
    const dir = tempDir();
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=128k', 'tmpfs', dir]);
    onTestFinished(() => void spawnSync('umount', ['-l', dir]));
    const path = join(dir, 'thing.json');
    await writeFileWhole(path, 'old');
    await expect(writeFileWhole(path, 'x'.repeat(100_000))).rejects.toThrow(DiskFull);
    expect(readFileSync(path, 'utf8')).toBe('old');
  });
});
