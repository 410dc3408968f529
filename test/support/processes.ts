import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import type { ProcessName } from '../../src/shared/process';

/** A process that runs until the test is over. */
export function livingProcess(): ProcessName {
  const child = spawn('sleep', ['600'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return nameOf(child.pid ?? 0);
}

export async function deadProcess(): Promise<ProcessName> {
  const child = spawn('sleep', ['600'], { stdio: 'ignore' });
  const name = nameOf(child.pid ?? 0);
  child.kill('SIGKILL');
  await once(child, 'exit');
  return name;
}

/** A process that has ended and that nobody collects, as in a container without an init. */
export async function zombie(): Promise<ProcessName> {
  const parent = spawn('sh', ['-c', 'sleep 600 & echo $!; exec sleep 600'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void parent.kill('SIGKILL'));
  const [line]: Buffer[] = await once(parent.stdout, 'data');
  const pid = Number(line);
  // Only once the shell has become `sleep` does nobody collect: a shell would.
  while (readFileSync(`/proc/${parent.pid}/comm`, 'utf8').trim() !== 'sleep') {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  process.kill(pid, 'SIGKILL');
  while (stateOf(pid) !== 'Z') await new Promise((resolve) => setTimeout(resolve, 1));
  return nameOf(pid);
}

/** Ends a process that somebody else started, and waits until it has ended. */
export async function killed(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL');
  while (!['Z', undefined].includes(stateOf(pid))) await new Promise((resolve) => setTimeout(resolve, 1));
}

const fieldsOf = (pid: number): string[] =>
  readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');

const nameOf = (pid: number): ProcessName => ({ pid, ticks: fieldsOf(pid)[19] ?? '' });

function stateOf(pid: number): string | undefined {
  try {
    return fieldsOf(pid)[0];
  } catch {
    return undefined;
  }
}
