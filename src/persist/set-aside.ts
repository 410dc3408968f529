import { copyFileSync, renameSync } from 'node:fs';
import { basename } from 'node:path';
import { describeFileError } from '../shared/errors';
import type { Log } from '../shared/log';

/** A state file that a newer Sluice wrote. It is left as it is: going on would destroy what it holds. */
export class NewerState extends Error {
  constructor(path: string) {
    super(
      `${path} was written by a newer version of Sluice. Nothing was changed and nothing is sent to Plex; ` +
        'install that version again. Edits are still recorded meanwhile.',
    );
  }
}

const brokenName = (path: string, now: number): string =>
  `${path}.broken-${new Date(now).toISOString().replace(/[:.]/g, '-')}`;

/** For a file that goes on being used although a part of it cannot be read. */
export function keepCopy(path: string, now: number, log: Log): void {
  try {
    copyFileSync(path, brokenName(path, now));
  } catch (error) {
    log.warn(`A copy of the damaged ${path} could not be kept: ${describeFileError(error)}.`);
  }
}

/** Broken state is never deleted: it gets a name of its own, and the person is told. */
export function setAside(path: string, why: string, consequence: string, now: number, log: Log): void {
  const kept = brokenName(path, now);
  try {
    renameSync(path, kept);
  } catch {
    log.warn(`${path} cannot be used (${why}) and could not be moved aside. ${consequence}`);
    return;
  }
  log.warn(`${path} cannot be used (${why}). It was kept as ${basename(kept)}. ${consequence}`);
}
