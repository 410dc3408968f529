/**
 * Write first, look second. Whoever left something in the inbox then looks whether a worker is alive and starts one
 * if not; a worker that ends removes `alive` first and looks at the inbox last. Whichever way the two interleave,
 * one of them sees the other. The launcher does the same in shell; both leave the same files.
 *
 * - `alive` holds the worker's pid and start, and its modification time is the moment until which it counts.
 *   It is compared with the time of the file just written: a network share has a clock of its own.
 * - `starting-<slot>-<n>` is created exclusively by whoever starts a worker, and names the process that is at it
 *   (the hook, then the starter, then the worker), so that of two hundred hooks one starts a worker, and a start
 *   that died halfway is noticed by the next hook. The worker removes it once it is alive. A slot is 20 s: where
 *   nothing can be said about a pid, a dead start blocks no longer than that.
 * Part of the hook's bundle: node: modules only.
 */
import { existsSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { privateFile, statePaths } from '../persist/paths';
import { codeOf } from '../shared/errors';
import { isRunning, readName } from '../shared/process';

const slotMs = 20_000;
/** A worker that cannot live (a broken installation) is started no more often than this in a slot. */
const mostTriesPerSlot = 20;

export type Woken = 'alive' | 'starting elsewhere' | 'started';

/** Starts a worker, writes its pid into the claim, and returns. */
export type StartWorker = (claim: string) => void;

/** `event`: the file that was just left in the inbox. */
export function wake(stateDir: string, event: string, start: StartWorker): Woken {
  if (isTakenCareOf(stateDir, event)) return 'alive';
  const claim = claimStart(stateDir);
  if (claim === null) return 'starting elsewhere';
  // Look once more: a worker that came alive meanwhile has removed the claims of those who came before.
  if (isTakenCareOf(stateDir, event)) {
    removeQuietly(claim);
    return 'alive';
  }
  start(claim);
  return 'started';
}

/** Taken out of the inbox already, or a worker lives that will. */
export function isTakenCareOf(stateDir: string, event: string): boolean {
  const { alive } = statePaths(stateDir);
  try {
    if (statSync(alive).mtimeMs <= statSync(event).mtimeMs) return false;
  } catch {
    return !existsSync(event);
  }
  const name = readName(alive);
  return name !== null && isRunning(name);
}

function claimStart(stateDir: string): string | null {
  const slot = Math.floor(Date.now() / slotMs);
  for (let n = 0; n < mostTriesPerSlot; n++) {
    const claim = join(stateDir, `starting-${slot}-${n}`);
    try {
      writeFileSync(claim, `${process.pid}\n`, { flag: 'wx', mode: privateFile });
      return claim;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    const who = readName(claim);
    if (who === null || isRunning(who)) return null;
  }
  return null;
}

/**
 * A worker of its own session that inherits nothing: Stash waits for our stdout's end, and kills our group. The
 * worker gets paths only; the connection waits for it in files of mode 0600.
 */
export function startDetached(where: { distDir: string; stateDir: string; pluginDir: string }): StartWorker {
  const { distDir, stateDir, pluginDir } = where;
  return (claim) => {
    // Loaded here: it costs a tenth of Node's start, and most hooks find a worker.
    const { spawn } = process.getBuiltinModule('node:child_process');
    const child = spawn(process.execPath, [join(distDir, 'worker.js'), stateDir, pluginDir], {
      cwd: stateDir,
      detached: true,
      stdio: 'ignore',
      windowsHide: true,
    });
    // When no process could be made, the claim names one that is about to end: the next hook tries again.
    child.on('error', () => {});
    child.unref();
    if (child.pid) writeFileSync(claim, `${child.pid}\n`, { mode: privateFile });
  };
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // The worker was faster.
  }
}
