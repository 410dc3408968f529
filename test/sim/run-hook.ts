import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Household } from './household';

export interface HookRun {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the hook as Stash does: input on stdin, then waits for the end of stdout and of the process. */
export function runHook(
  household: Household,
  input: unknown,
  how: { inNode?: boolean; env?: Record<string, string> } = {},
): Promise<HookRun> & { pid: number | undefined } {
  const dist = join(household.pluginDir, 'dist');
  const [command, ...args] = how.inNode
    ? [process.execPath, join(dist, 'sluice.js'), 'hook']
    : ['sh', join(dist, 'sluice.sh'), 'hook'];
  const { NODE_EXTRA_CA_CERTS: _, ...own } = process.env;
  const env = { ...own, SLUICE_POLL_SECONDS: '1', SLUICE_DEBUG: '1', ...how.env };
  const child = spawn(command ?? 'sh', args, { cwd: household.dir, env });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  // A hook that was killed does not read.
  child.stdin.on('error', () => {});
  child.stdin.end(JSON.stringify(input));
  const ended = new Promise<HookRun>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
  return Object.assign(ended, { pid: child.pid });
}
