import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Real pipes to a child, as Stash gives it. Node itself would use sockets, which hold more before they block, and
 * which a script cannot open as /dev/stdin or /dev/stderr.
 */
export interface Pipe {
  /** Our end. */
  socket: Socket;
  /** The child's end; to be closed here once the child has it. */
  fd: number;
}

export function pipeToChild(): Pipe {
  const { read, write } = pipe();
  return { socket: new Socket({ fd: write, readable: false, writable: true }), fd: read };
}

export function pipeFromChild(): Pipe {
  const { read, write } = pipe();
  return { socket: new Socket({ fd: read, readable: true, writable: false }), fd: write };
}

/** Made ahead, many at once: making one costs a process. */
const madeAhead: { read: number; write: number }[] = [];
const batch = 24;

function pipe(): { read: number; write: number } {
  const ready = madeAhead.pop();
  if (ready) return ready;
  makeBatch();
  return pipe();
}

/** Named ones, whose names are gone at once: nothing is left behind however this process ends. */
function makeBatch(): void {
  const dir = mkdtempSync(join(tmpdir(), 'stash-sim-pipes-'));
  const paths = Array.from({ length: batch }, (_, i) => join(dir, String(i)));
  execFileSync('mkfifo', ['-m', '600', ...paths]);
  for (const path of paths) {
    // Opened for both first, so that neither of the others has to wait for its counterpart.
    const both = openSync(path, constants.O_RDWR);
    madeAhead.push({
      read: openSync(path, constants.O_RDONLY),
      write: openSync(path, constants.O_WRONLY),
    });
    closeSync(both);
  }
  rmSync(dir, { recursive: true });
}
