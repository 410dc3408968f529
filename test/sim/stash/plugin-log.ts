import type { LogLevel, StashLog } from './log';

/** bufio.Scanner's limit, the line's end included. */
const longestLineBytes = 64 * 1024;

const levels: Record<string, LogLevel | 'progress'> = {
  t: 'trace',
  d: 'debug',
  i: 'info',
  w: 'warning',
  e: 'error',
  p: 'progress',
};

export interface PluginLogOptions {
  pluginName: string;
  /** The manifest's `errLog`: the level of lines that do not say one. */
  errLog: string;
  log: StashLog;
  /** Absent for hooks and operations: Stash has no bar to show there. */
  onProgress?: (progress: number) => void;
}

/** Reads a plugin's stderr: lines of `\x01<level>\x02message`. */
export class PluginLogReader {
  #rest = Buffer.alloc(0);
  #gaveUp = false;

  constructor(private readonly options: PluginLogOptions) {}

  /** False after a line that is too long: Stash reads no further and closes the pipe. */
  push(chunk: Buffer): boolean {
    if (this.#gaveUp) return false;
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (let end = this.#rest.indexOf(10); end >= 0 && end < longestLineBytes; end = this.#rest.indexOf(10)) {
      this.#line(this.#rest.subarray(0, end));
      this.#rest = this.#rest.subarray(end + 1);
    }
    this.#gaveUp = this.#rest.length >= longestLineBytes;
    return !this.#gaveUp;
  }

  end(): void {
    if (!this.#gaveUp && this.#rest.length > 0) this.#line(this.#rest);
    this.#rest = Buffer.alloc(0);
  }

  #line(bytes: Buffer): void {
    const line = bytes.toString('utf8').replace(/\r$/, '');
    if (line === '') return;
    const { log, errLog, pluginName } = this.options;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the protocol is made of them
    const [, letter = '', message] = /^\x01(.)\x02(.+)$/su.exec(line) ?? [];
    const level = levels[letter];
    const text = level ? (message ?? '').trim() : line;
    const shownAs = level ?? defaultLevel(errLog);
    if (shownAs === 'progress') this.#progress(text);
    else if (shownAs !== 'none') log.write(shownAs, `[Plugin / ${pluginName}] ${text}`);
  }

  #progress(text: string): void {
    const value = text === '' ? Number.NaN : Number(text);
    if (Number.isNaN(value)) {
      const why = `strconv.ParseFloat: parsing "${text}": invalid syntax`;
      this.options.log.write('error', `Error parsing progress value '${text}': ${why}`);
    } else {
      this.options.onProgress?.(value);
    }
  }
}

function defaultLevel(errLog: string): LogLevel | 'none' {
  const level = ['none', ...Object.values(levels)].find((name) => name === errLog);
  return level === undefined || level === 'progress' ? 'error' : (level as LogLevel | 'none');
}
