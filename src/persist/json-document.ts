/**
 * One small JSON document with one writer: `gate.json`, `connection.json`.
 *
 * Saving copies the old file to `<name>.prev` and then replaces it by the new one atomically: at every instant there is
 * a whole document under its own name, and loading falls back to the copy when that was damaged. A document of a newer
 * version is never touched.
 */
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { codeOf, messageOf } from '../shared/errors';
import type { Log } from '../shared/log';
import { writeJson } from './atomic-file';
import { NewerState, setAside } from './set-aside';

export interface DocumentFormat<T> {
  path: string;
  version: number;
  /** Throws when the value is not of this version's shape. */
  parse(value: Record<string, unknown>): T;
  /** What a person loses when neither copy can be read; the end of the warning's sentence. */
  ifLost: string;
}

export interface Loaded<T> {
  value: T | null;
  /** A copy was there that could not be used. */
  broken: boolean;
}

export function loadDocument<T>(format: DocumentFormat<T>, now: number, log: Log): Loaded<T> {
  let broken = false;
  for (const path of [format.path, `${format.path}.prev`]) {
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch (error) {
      if (codeOf(error) === 'ENOENT') continue;
      setAside(path, messageOf(error), format.ifLost, now, log);
      broken = true;
      continue;
    }
    try {
      return { value: parseDocument(format, text, path), broken };
    } catch (error) {
      if (error instanceof NewerState) throw error;
      setAside(path, messageOf(error), format.ifLost, now, log);
      broken = true;
    }
  }
  return { value: null, broken };
}

/** For those who only read: throws what is wrong, `NewerState` when a newer version wrote it. */
export function parseDocument<T>(format: DocumentFormat<T>, text: string, path = format.path): T {
  const value = JSON.parse(text) as unknown;
  if (typeof value !== 'object' || value === null || !('version' in value)) throw new Error('no version');
  if (typeof value.version === 'number' && value.version > format.version) throw new NewerState(path);
  if (value.version !== format.version) throw new Error(`unknown version ${String(value.version)}`);
  return format.parse(value as Record<string, unknown>);
}

export async function saveDocument<T extends object>(format: DocumentFormat<T>, value: T): Promise<void> {
  if (existsSync(format.path)) copyFileSync(format.path, `${format.path}.prev`);
  await writeJson(format.path, { version: format.version, ...value });
}
