import {
  chmodSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ServersFile } from '../../../src/worker/servers-file';
import { modeOf } from '../../support/files';
import { MemoryLog } from '../../support/memory-log';
import { tempDir } from '../../support/temp-dir';

const isRoot = process.getuid?.() === 0;
const hasModes = process.platform !== 'win32';

describe('servers.json on disk', () => {
  let path: string;
  let log: MemoryLog;
  let file: ServersFile;
  let time = 1_700_000_000;

  beforeEach(() => {
    path = join(tempDir(), 'servers.json');
    log = new MemoryLog();
    file = new ServersFile(path, log);
  });

  /** Each writing has a time of its own, whatever the file system's clock can tell apart. */
  const write = (text: string, mode = 0o600) => {
    writeFileSync(path, text, { mode });
    chmodSync(path, mode);
    utimesSync(path, ++time, time);
  };
  const server = (name: string) => `"${name}": {"url": "${name}", "token": "token-of-${name}"}`;
  const names = () => [...file.read().servers.keys()];

  it('that is not there names no servers, and that is no problem', () => {
    expect(file.read()).toEqual({ servers: new Map(), problems: [] });
    expect(log.lines).toEqual([]);
  });

  it('is noticed when it comes, changes and goes', () => {
    expect(names()).toEqual([]);
    write(`{${server('attic')}}`);
    expect(names()).toEqual(['attic']);
    write(`{${server('attic')}, ${server('cabin')}}`);
    expect(names()).toEqual(['attic', 'cabin']);
    write(`{${server('cabin')}}`);
    expect(names()).toEqual(['cabin']);
    rmSync(path);
    expect(file.read()).toEqual({ servers: new Map(), problems: [] });
    write(`{${server('cabin')}}`);
    expect(names()).toEqual(['cabin']);
  });

  it('is not parsed again as long as it stays the same', () => {
    write(`{${server('attic')}}`);
    const first = file.read();
    expect(file.read()).toBe(first);
    write(`{${server('attik')}}`);
    expect(names()).toEqual(['attik']);
  });

  it('is read again when another file of the same size and time takes its place', () => {
    write(`{${server('attic')}}`);
    expect(names()).toEqual(['attic']);
    const { mtime } = statSync(path);
    writeFileSync(`${path}.new`, `{${server('cabin')}}`, { mode: 0o600 });
    utimesSync(`${path}.new`, mtime, mtime);
    renameSync(`${path}.new`, path);
    expect(names()).toEqual(['cabin']);
  });

  it('that was broken leaves the servers as they were, says so, and is taken on when it is mended', () => {
    write(`{${server('attic')}}`);
    expect(names()).toEqual(['attic']);
    write(`{${server('attic')},`);
    for (let i = 0; i < 2; i++) {
      expect(names()).toEqual(['attic']);
      expect(file.read().problems).toEqual([
        expect.stringMatching(
          /^servers\.json is not valid JSON .* Until this is mended, the servers that it named before stay in use\.$/,
        ),
      ]);
    }
    write(`{${server('cabin')}}`);
    expect(file.read().problems).toEqual([]);
    expect(names()).toEqual(['cabin']);
  });

  it('that was broken from the start counts as empty', () => {
    write('attic');
    expect(file.read()).toEqual({
      servers: new Map(),
      problems: [expect.stringMatching(/^servers\.json is not valid JSON.* it counts as empty\.$/)],
    });
  });

  it('that cannot be read leaves the servers as they were, and is tried again', () => {
    write(`{${server('attic')}}`);
    expect(names()).toEqual(['attic']);
    rmSync(path);
    mkdirSync(path, { mode: 0o700 });
    expect(names()).toEqual(['attic']);
    expect(file.read().problems).toEqual([
      'servers.json cannot be read (it is a folder). Until this is mended, the servers that it named before stay in use.',
    ]);
    rmSync(path, { recursive: true });
    write(`{${server('cabin')}}`);
    expect(file.read().problems).toEqual([]);
    expect(names()).toEqual(['cabin']);
  });

  it.skipIf(!hasModes || isRoot)('that we may not read is read as soon as we may', () => {
    write(`{${server('attic')}}`, 0o000);
    expect(file.read().problems[0]).toContain('cannot be read (no permission)');
    chmodSync(path, 0o600);
    expect(names()).toEqual(['attic']);
  });

  it.skipIf(!hasModes).each(['644', '640', '604', '666'])(
    'that others can read (%s) becomes private before it is read, which is said once',
    (mode) => {
      write(`{${server('attic')}}`, Number.parseInt(mode, 8));
      expect(names()).toEqual(['attic']);
      expect(modeOf(path)).toBe('600');
      chmodSync(path, 0o644);
      expect(names()).toEqual(['attic']);
      expect(modeOf(path)).toBe('600');
      expect(log.lines).toEqual([
        {
          level: 'info',
          message: 'servers.json holds tokens and could be read by other users; now only its owner can.',
        },
      ]);
    },
  );

  it.skipIf(!hasModes).each(['600', '400', '700'])('that only its owner can read (%s) stays so', (mode) => {
    write(`{${server('attic')}}`, Number.parseInt(mode, 8));
    expect(names()).toEqual(['attic']);
    expect(modeOf(path)).toBe(mode);
    expect(log.lines).toEqual([]);
  });

  it.skipIf(!existsSync('/proc/self/status'))(
    'that cannot be made private is read all the same, with a warning',
    () => {
      const fixed = new ServersFile('/proc/self/status', log);
      for (let i = 0; i < 2; i++) expect(fixed.read().problems[0]).toContain('is not valid JSON');
      expect(log.warnings).toEqual([
        'servers.json holds tokens and can be read by other users, which cannot be changed from here ' +
          "(no permission). Run: chmod 600 '/proc/self/status'.",
      ]);
    },
  );

  it('passes on what is wrong with single servers', () => {
    write(`{${server('attic')}, "cabin": {}}`);
    const { servers, problems } = file.read();
    expect([...servers.keys()]).toEqual(['attic', 'cabin']);
    expect(problems).toEqual([servers.get('cabin')?.problem]);
  });
});
