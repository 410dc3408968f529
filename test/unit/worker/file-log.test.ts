import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { registerSecret } from '../../../src/shared/secrets';
import { FileLog } from '../../../src/worker/file-log';
import { modeOf } from '../../support/files';
import { tempDir } from '../../support/temp-dir';
import { VirtualClock } from '../../support/virtual-clock';

const read = (path: string) => readFileSync(path, 'utf8');

describe('worker.log', () => {
  it('has a line for each message, with its time and level, private, and debug only when asked for', () => {
    const path = join(tempDir(), 'worker.log');
    const log = new FileLog(path, new VirtualClock());
    log.debug('nothing');
    log.info('First.');
    log.warn('In two\n   lines.');
    expect(read(path)).toBe(
      '2026-01-02T03:04:05.000Z info  First.\n2026-01-02T03:04:05.000Z warn  In two | lines.\n',
    );
    new FileLog(path, new VirtualClock(), true).debug('Something.');
    expect(read(path)).toContain(' debug Something.\n');
    expect(modeOf(path)).toBe('600');
  });

  it('shows no secret', () => {
    const path = join(tempDir(), 'worker.log');
    registerSecret('hush-hush-of-the-log');
    new FileLog(path, new VirtualClock()).error(
      'It is hush-hush-of-the-log, at http://me:pw@plex/?X-Plex-Token=tok.',
    );
    expect(read(path)).toContain('error It is ***, at http://***@plex/?X-Plex-Token=***');
  });

  it('is begun anew at 1 MiB, and three old ones stay', () => {
    const dir = tempDir();
    const path = join(dir, 'worker.log');
    const log = new FileLog(path, new VirtualClock());
    writeFileSync(path, 'x'.repeat(1024 * 1024 - 1));
    log.info('Still the same.');
    expect(readdirSync(dir)).toEqual(['worker.log']);
    for (const round of [1, 2, 3, 4, 5]) {
      writeFileSync(path, `${round} ${'x'.repeat(1024 * 1024)}`);
      log.info(`After ${round}.`);
      expect(statSync(path).size).toBeLessThan(100);
    }
    expect(readdirSync(dir).sort()).toEqual(['worker.log', 'worker.log.1', 'worker.log.2', 'worker.log.3']);
    expect([1, 2, 3].map((n) => read(`${path}.${n}`)[0])).toEqual(['5', '4', '3']);
  });

  it('that cannot be written stops nobody, and has the first lines of that time later', () => {
    const dir = join(tempDir(), 'not-there-yet');
    const path = join(dir, 'worker.log');
    const log = new FileLog(path, new VirtualClock());
    for (let n = 0; n < 1_000; n++) log.info(`Message ${n}.`);
    mkdirSync(dir);
    log.info('Now.');
    log.info('And now.');
    const lines = read(path).trim().split('\n');
    expect(lines[0]).toContain('Message 0.');
    expect(lines.at(-2)).toContain('Now.');
    expect(lines.length).toBeLessThan(100);
  });
});
