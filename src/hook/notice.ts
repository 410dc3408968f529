/**
 * What the worker wants a person to read (see src/worker/notices.ts), once per change of it. A change makes a new
 * file, so a hard link to the one that was shown tells; where there are no hard links, an empty file and its time.
 * The launcher does the same. Part of the hook's bundle: node: modules only.
 */
import { linkSync, readFileSync, type Stats, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { privateFile, statePaths } from '../persist/paths';

/** The lines that were not shown yet; from now on they count as shown. */
export function unseenNotice(stateDir: string): string[] {
  const { notice } = statePaths(stateDir);
  const mark = `${notice}.shown`;
  try {
    if (wasShown(statSync(notice), mark)) return [];
    const lines = readFileSync(notice, 'utf8').split('\n');
    markShown(notice, mark);
    return lines.filter((line) => line !== '');
  } catch {
    return []; // There is none, or it cannot be read.
  }
}

function wasShown(notice: Stats, mark: string): boolean {
  let shown: Stats;
  try {
    shown = statSync(mark);
  } catch {
    return false;
  }
  if (shown.size === 0) return notice.mtimeMs <= shown.mtimeMs;
  return shown.ino === notice.ino && shown.dev === notice.dev;
}

function markShown(notice: string, mark: string): void {
  try {
    unlinkSync(mark);
  } catch {
    // The first one.
  }
  try {
    linkSync(notice, mark);
  } catch {
    writeFileSync(mark, '', { mode: privateFile });
  }
}
