/**
 * The folder where short-lived processes leave what they have to say: one new file per process, no lock.
 *
 * A file is written and synced under a name ending in `.part`, then renamed to the same name ending in `.json`,
 * which nobody has used. Readers take `.json` files only: such a file is whole. The launcher does the same in shell.
 * Part of the hook's bundle: node: modules only.
 */
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { privateFile, privateFolder } from '../persist/paths';
import { codeOf } from '../shared/errors';

export const finished = '.json';
export const unfinished = '.part';

/** Leaves the text in the inbox and returns the file's path. What cannot be written whole leaves nothing behind. */
export function leaveInInbox(inbox: string, text: string): string {
  mkdirSync(inbox, { recursive: true, mode: privateFolder });
  const { fd, name } = createNew(inbox);
  const part = join(inbox, name + unfinished);
  try {
    try {
      const bytes = Buffer.from(text);
      for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(part, join(inbox, name + finished));
  } catch (error) {
    unlinkSync(part);
    throw error;
  }
  return join(inbox, name + finished);
}

/** What waits in the inbox, finished or not. */
export function inboxNames(inbox: string): string[] {
  try {
    return readdirSync(inbox).filter((name) => name.endsWith(finished) || name.endsWith(unfinished));
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    return [];
  }
}

function createNew(inbox: string): { fd: number; name: string } {
  for (;;) {
    const name = `${Date.now()}-${process.pid}-${Math.random().toString(36).slice(2, 10)}`;
    try {
      return { name, fd: openSync(join(inbox, name + unfinished), 'wx', privateFile) };
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
}
