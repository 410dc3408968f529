/**
 * A Python that has plexapi: one that is installed, or an environment of its own in a temporary folder outside the
 * repository, made once and remembered in `node_modules/.cache`.
 *
 * Holds: nothing is installed into a Python that belongs to somebody; nothing waits longer than its time limit;
 * where there is no such Python, and none can be made, there is a sentence that says why, and no error.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface PythonOptions {
  /** What Python may be called here. */
  commands?: readonly string[];
  /** Where the environment is remembered. */
  memory: string;
  installMs?: number;
}

export type FoundPython = { python: string } | { missing: string };

const lookMs = 20_000;
const wanted = 'plexapi>=4.15,<5';

export async function findPython(options: PythonOptions): Promise<FoundPython> {
  const { commands = ['python3', 'python'], memory, installMs = 180_000 } = options;
  const remembered = recall(memory);
  for (const python of [...commands, ...(remembered === null ? [] : [remembered])]) {
    if (await runs(python, ['-c', 'import plexapi'], lookMs)) return { python };
  }
  for (const command of commands) {
    // `python` may still be Python 2 somewhere.
    if (!(await runs(command, ['-c', 'import sys; assert sys.version_info >= (3, 8)'], lookMs))) continue;
    const made = await install(command, installMs);
    if (made === null)
      return { missing: 'plexapi could not be installed, most likely for want of a network' };
    mkdirSync(dirname(memory), { recursive: true });
    writeFileSync(memory, made);
    return { python: made };
  }
  return { missing: 'there is no Python 3 here' };
}

function recall(memory: string): string | null {
  try {
    return readFileSync(memory, 'utf8').trim() || null;
  } catch {
    return null;
  }
}

/** The Python of a new environment with plexapi in it, or null. */
async function install(command: string, limitMs: number): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-contract-'));
  const python =
    process.platform === 'win32' ? join(folder, 'Scripts', 'python.exe') : join(folder, 'bin', 'python');
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-input', wanted];
  const done =
    (await runs(command, ['-m', 'venv', folder], limitMs)) &&
    (await runs(python, pip, limitMs)) &&
    (await runs(python, ['-c', 'import plexapi'], lookMs));
  if (done) return python;
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  return null;
}

function runs(command: string, args: readonly string[], timeout: number): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(command, [...args], { timeout, killSignal: 'SIGKILL' }, (error) => resolve(error === null));
  });
}
