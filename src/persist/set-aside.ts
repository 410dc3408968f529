import { renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
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

/** Broken state is never deleted: it gets a name of its own, and the person is told. */
export function setAside(path: string, why: string, consequence: string, now: number, log: Log): void {
  const stamp = new Date(now).toISOString().replace(/[:.]/g, '-');
  const kept = join(dirname(path), `${basename(path)}.broken-${stamp}`);
  try {
    renameSync(path, kept);
  } catch {
    log.warn(`${path} cannot be used (${why}) and could not be moved aside. ${consequence}`);
    return;
  }
  log.warn(`${path} cannot be used (${why}). It was kept as ${basename(kept)}. ${consequence}`);
}
