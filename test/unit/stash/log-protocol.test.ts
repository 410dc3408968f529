import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { registerSecret } from '../../../src/shared/secrets';
import { stashLog, writeFully } from '../../../src/stash/log-protocol';
import { tempDir } from '../../support/temp-dir';

function recorded() {
  const lines: string[] = [];
  return { lines, log: stashLog((bytes) => lines.push(bytes)) };
}

const failure = (code: string) => Object.assign(new Error(code), { code });

describe("Stash's log", () => {
  it('gets each level with its letter', () => {
    const { lines, log } = recorded();
    log.debug('one');
    log.info('two');
    log.warn('three');
    log.error('four');
    expect(lines).toEqual(['\x01d\x02one\n', '\x01i\x02two\n', '\x01w\x02three\n', '\x01e\x02four\n']);
  });

  it('gets the prefix on every line, and no empty line', () => {
    const { lines, log } = recorded();
    log.info('first\r\n\n  \nsecond\n');
    log.info('\n');
    log.info('');
    expect(lines).toEqual(['\x01i\x02first\n\x01i\x02second\n']);
  });

  it('gets no control characters, so that a title cannot forge a line', () => {
    const { lines, log } = recorded();
    log.info('Kelp\x01e\x02 Forest\tand\x1b[31m red\x00\u0085');
    expect(lines).toEqual(['\x01i\x02Kelpe Forest and[31m red\n']);
  });

  it('gets lines well below 64 KiB, cut between characters', () => {
    const { lines, log } = recorded();
    log.info(`x${'🎬'.repeat(40_000)}`);
    const [line = ''] = lines;
    expect(Buffer.byteLength(line)).toBeLessThan(32_768);
    expect(line.endsWith('🎬 …\n')).toBe(true);
    expect(Buffer.from(line).toString()).toBe(line);
  });

  it('gets no secret, not even a part of one that a cut would leave', () => {
    registerSecret('very-secret-cookie');
    const { lines, log } = recorded();
    log.error(`${'x'.repeat(7_990)} very-secret-cookie`);
    expect(lines.join('')).not.toContain('very');
  });

  it('gets progress between 0 and 1', () => {
    const { lines, log } = recorded();
    for (const fraction of [0, 0.42, 7, -1, Number.NaN]) log.progress(fraction);
    expect(lines).toEqual([
      '\x01p\x020.0000\n',
      '\x01p\x020.4200\n',
      '\x01p\x021.0000\n',
      '\x01p\x020.0000\n',
    ]);
  });
});

describe('writing to a pipe', () => {
  it('goes on after a part was taken and after the pipe was full', () => {
    const taken: string[] = [];
    const waits: number[] = [];
    let calls = 0;
    writeFully(
      'grüne Wiese',
      (bytes) => {
        calls++;
        if (calls % 2 === 1) throw failure('EAGAIN');
        taken.push(Buffer.from(bytes.subarray(0, 3)).toString('latin1'));
        return Math.min(3, bytes.length);
      },
      (ms) => waits.push(ms),
    );
    expect(Buffer.from(taken.join(''), 'latin1').toString()).toBe('grüne Wiese');
    expect(waits).toHaveLength(4);
  });

  it('gives up without a word at once when nobody reads any more, and after 2 s when the pipe stays full', () => {
    for (const [code, waitedMs] of [
      ['EPIPE', 0],
      ['EAGAIN', 2_000],
    ] as const) {
      let waited = 0;
      const write = () => {
        throw failure(code);
      };
      writeFully('lost', write, (ms) => {
        waited += ms;
      });
      expect(waited).toBe(waitedMs);
    }
  });

  it('arrives whole at a slow reader, and survives one that went away', async () => {
    const outfile = join(tempDir(), 'talk.js');
    const source = `import { stashLog } from './src/stash/log-protocol';
        const log = stashLog();
        for (let i = 0; i < 300; i++) log.info(i + ' x'.repeat(1000));
        process.exit(7);`;
    const stdin = { contents: source, resolveDir: join(__dirname, '../../..'), loader: 'ts' as const };
    await build({ stdin, outfile, bundle: true, platform: 'node', logLevel: 'silent' });

    const slow = spawn(process.execPath, [outfile], { stdio: ['ignore', 'ignore', 'pipe'] });
    let text = '';
    slow.stderr.setEncoding('utf8');
    slow.stderr.on('data', (chunk: string) => {
      text += chunk;
      slow.stderr.pause();
      setTimeout(() => slow.stderr.resume(), 1);
    });
    const exit = await new Promise((resolve) => slow.on('close', resolve));
    expect([exit, text.split('\x01i\x02').filter((line) => /^\d+( x){1000}\n$/.test(line)).length]).toEqual([
      7, 300,
    ]);

    const deaf = spawn(process.execPath, [outfile], { stdio: ['ignore', 'ignore', 'pipe'] });
    deaf.stderr.destroy();
    expect(await new Promise((resolve) => deaf.on('exit', resolve))).toBe(7);
  });
});
