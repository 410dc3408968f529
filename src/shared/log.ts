/** Where a part of Sluice says something to a person. Messages are whole sentences without secrets. */
export interface Log {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

export type LogLevel = keyof Log;
