import type { Log, LogLevel } from '../../src/shared/log';

/** A log that a test can read. */
export class MemoryLog implements Log {
  readonly lines: { level: LogLevel; message: string }[] = [];
  #add = (level: LogLevel) => (message: string) => void this.lines.push({ level, message });
  debug = this.#add('debug');
  info = this.#add('info');
  warn = this.#add('warn');
  error = this.#add('error');

  get warnings(): string[] {
    return this.lines.filter(({ level }) => level === 'warn').map(({ message }) => message);
  }
}
