/**
 * Whole-file writes that are either the old or the new content, never a part of it.
 *
 * write-file-atomic writes a temporary file, fsyncs it and renames it. This wrapper adds what that leaves open:
 * - it ignores short writes (a nearly full tmpfs): room is checked before and the size after, and a file that came
 *   out short is an error, so that the caller, who still has the content, writes it again;
 * - the rename is not durable until the folder is synced;
 * - its options object is mutated, and `chown` fails as root on squashed network shares: fresh options, no chown;
 * - Windows refuses the rename while a scanner holds the target: a few patient retries.
 */
import { closeSync, fsyncSync, openSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { codeOf } from '../shared/errors';
import { privateFile } from './paths';

/** Room that must be left after a write, so that the journal can still be appended to. */
const headroomBytes = 64 * 1024;

export class DiskFull extends Error {
  readonly code = 'ENOSPC';
}

export async function writeFileWhole(path: string, text: string, headroom = headroomBytes): Promise<void> {
  const bytes = Buffer.byteLength(text);
  requireRoom(dirname(path), bytes + headroom);
  for (let attempt = 1; ; attempt++) {
    try {
      await writeFileAtomic(path, text, { mode: privateFile, chown: false });
      break;
    } catch (error) {
      const busy = process.platform === 'win32' && ['EPERM', 'EBUSY', 'EACCES'].includes(codeOf(error));
      if (!busy || attempt === 5) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20 * attempt + 30 * Math.random()));
    }
  }
  if (statSync(path).size !== bytes) throw new DiskFull(`${path} came out short: the disk is full`);
}

export const writeJson = (path: string, value: unknown, headroom = headroomBytes): Promise<void> =>
  writeFileWhole(path, `${JSON.stringify(value, null, 2)}\n`, headroom);

export function syncFolder(dir: string): void {
  if (process.platform === 'win32') return;
  const fd = openSync(dir, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function requireRoom(dir: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(dir);
  if (bavail * bsize < bytes) throw new DiskFull(`no room in ${dir}: the disk is full`);
}
