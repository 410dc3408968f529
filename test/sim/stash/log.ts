import { Recorder } from './recorder';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warning' | 'error';

export interface LogEntry {
  level: LogLevel;
  message: string;
}

/** Stash's log, as its page "Logs" shows it. */
export class StashLog extends Recorder<LogEntry> {
  write(level: LogLevel, message: string): void {
    this.add({ level, message });
  }

  messages(level?: LogLevel): string[] {
    return this.entries.filter((entry) => !level || entry.level === level).map(({ message }) => message);
  }
}
