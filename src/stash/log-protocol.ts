/**
 * How a plugin speaks to Stash's log: lines on stderr of the form `\x01<level>\x02message\n`.
 *
 * Every line needs its own prefix (Stash takes one without for an error), an empty message is refused, and a line
 * of 64 KiB or more makes Stash stop reading: longer ones are cut. Written synchronously, because the process may
 * end right after. Holds: speaking never throws, and no secret and no control character gets through.
 */
import { writeSync } from 'node:fs';
import { codeOf } from '../shared/errors';
import type { Log } from '../shared/log';
import { redact } from '../shared/secrets';

/** UTF-16 units, each at most 3 bytes: well below 64 KiB. */
const longestLine = 8_000;

export function stashLog(
  write: (bytes: string) => void = writeToStderr,
): Log & { progress(fraction: number): void } {
  const say = (level: string, message: string) => {
    const lines = redact(message)
      .split(/[\r\n]+/)
      .map(presentable)
      .filter(Boolean);
    if (lines.length > 0) write(lines.map((line) => `\x01${level}\x02${line}\n`).join(''));
  };
  return {
    debug: (message) => say('d', message),
    info: (message) => say('i', message),
    warn: (message) => say('w', message),
    error: (message) => say('e', message),
    progress: (fraction) => {
      if (!Number.isNaN(fraction)) say('p', Math.min(1, Math.max(0, fraction)).toFixed(4));
    },
  };
}

function presentable(line: string): string {
  const text = line
    .replace(/\t/g, ' ')
    .replace(/\p{Cc}/gu, '')
    .trim();
  if (text.length <= longestLine) return text;
  return `${text.slice(0, longestLine).replace(/[\ud800-\udbff]$/, '')} …`;
}

const writeToStderr = (text: string): void => writeFully(text, (bytes) => writeSync(2, bytes));

/** A reader that does not read for this long is given up on, so that a log line never holds up a hook. */
const patienceMs = 2_000;
const pauseMs = 5;

/** Writes all of it: a pipe may take a part, or nothing for now (EAGAIN), or have lost its reader (EPIPE). */
export function writeFully(
  text: string,
  write: (bytes: Uint8Array) => number,
  wait: (ms: number) => void = waitInPlace,
): void {
  let rest: Uint8Array = Buffer.from(text);
  let waitedMs = 0;
  while (rest.length > 0) {
    try {
      rest = rest.subarray(write(rest));
      waitedMs = 0;
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN' || waitedMs >= patienceMs) return;
      wait(pauseMs);
      waitedMs += pauseMs;
    }
  }
}

function waitInPlace(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
