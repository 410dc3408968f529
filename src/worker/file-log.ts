/**
 * `worker.log`: what the background worker has to say, one line each. It is rotated at 1 MiB; three old ones stay.
 * A log that cannot be written (full disk) stops nobody; the first lines of it are said as soon as there is room.
 */
import { appendFileSync, renameSync, statSync } from 'node:fs';
import { privateFile } from '../persist/paths';
import { type Clock, iso } from '../shared/clock';
import type { Log, LogLevel } from '../shared/log';
import { redact } from '../shared/secrets';

const largestBytes = 1024 * 1024;
const oldLogs = 3;
const mostUnsaid = 50;

export class FileLog implements Log {
  #unsaid: string[] = [];

  constructor(
    private readonly path: string,
    private readonly clock: Clock,
    private readonly withDebug = false,
  ) {}

  debug(message: string): void {
    if (this.withDebug) this.#write('debug', message);
  }
  info(message: string): void {
    this.#write('info', message);
  }
  warn(message: string): void {
    this.#write('warn', message);
  }
  error(message: string): void {
    this.#write('error', message);
  }

  #write(level: LogLevel, message: string): void {
    const text = redact(message).replace(/\s*\n\s*/g, ' | ');
    const line = `${iso(this.clock.now())} ${level.padEnd(5)} ${text}\n`;
    try {
      this.#rotate();
      appendFileSync(this.path, this.#unsaid.join('') + line, { mode: privateFile });
      this.#unsaid = [];
    } catch {
      if (this.#unsaid.length < mostUnsaid) this.#unsaid.push(line);
    }
  }

  #rotate(): void {
    try {
      if (statSync(this.path).size < largestBytes) return;
    } catch {
      return;
    }
    for (let n = oldLogs - 1; n >= 0; n--) {
      try {
        renameSync(n === 0 ? this.path : `${this.path}.${n}`, `${this.path}.${n + 1}`);
      } catch {
        // Not that many yet.
      }
    }
  }
}
