/**
 * Whether a process that wrote down its name is still the one that runs.
 *
 * A pid alone is not enough: pids come round again, and a killed process stays as a zombie when nobody collects it
 * (a container without an init). Linux tells when a process began; elsewhere the pid has to do.
 * Part of the hook's bundle: node: modules only.
 */
import { readFileSync } from 'node:fs';

export interface ProcessName {
  pid: number;
  /** Clock ticks from boot to the start of the process; '' where the system does not tell. */
  ticks: string;
}

/** Fields of /proc/<pid>/stat after the name, which may itself hold spaces and brackets. */
const stateField = 0;
const startField = 19;

function statOf(pid: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

/** How a name is written down, and read again. */
export const nameText = ({ pid, ticks }: ProcessName): string => `${pid} ${ticks}\n`;

/** Null when there is no such file, or it is just being written. */
export function readName(path: string): ProcessName | null {
  try {
    const [pid = '', ticks = ''] = readFileSync(path, 'utf8').trim().split(' ');
    return /^[1-9]\d*$/.test(pid) ? { pid: Number(pid), ticks } : null;
  } catch {
    return null;
  }
}

export function ownName(): ProcessName {
  const stat = statOf(process.pid);
  return { pid: process.pid, ticks: stat?.[startField] || '' };
}

export function isRunning({ pid, ticks }: ProcessName): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch {
    // Also somebody else's process with that pid: a worker never runs as another user than the hook.
    return false;
  }
  const stat = statOf(pid);
  if (!stat) return true;
  if (stat[stateField] === 'Z' || stat[stateField] === 'X') return false;
  return ticks === '' || stat[startField] === ticks;
}
