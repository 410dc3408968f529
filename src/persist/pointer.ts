/**
 * The pointer beside the launcher: the state folder's path, which a shell should not have to parse out of JSON, and
 * the Node that is known to be new enough, one a line. Written by Node whenever it differs; a folder that cannot be
 * written to or a path with a line break simply gets none, and hooks then run in Node.
 */
import { readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { privateFile } from './paths';

export const pointerName = 'state-dir';

export function leavePointer(distDir: string, stateDir: string): void {
  const text = `${stateDir}\n${process.execPath}\n`;
  if (process.platform === 'win32' || text.split('\n').length !== 3) return;
  const path = join(distDir, pointerName);
  try {
    if (readFileSync(path, 'utf8') === text) return;
  } catch {
    // None yet.
  }
  try {
    const mine = `${path}.${process.pid}`;
    writeFileSync(mine, text, { mode: privateFile });
    renameSync(mine, path);
  } catch {
    // A read-only plugin folder.
  }
}

export function forgetPointer(distDir: string): void {
  try {
    unlinkSync(join(distDir, pointerName));
  } catch {
    // None there, or a read-only plugin folder.
  }
}
