/**
 * Named instants at which a test cuts the power or holds the process. In production nothing listens and the call
 * costs nothing. A test in the same process passes a listener that throws; a real process is killed at the point
 * that SLUICE_CRASH_AT names, or stopped (until it is told to continue) at each of those in SLUICE_STOP_AT, after
 * it has written down where it is in the file SLUICE_STOPPED.
 */
import { writeFileSync } from 'node:fs';

type Listener = (point: string) => void;

const signals: Record<string, NodeJS.Signals> = {};
for (const point of (process.env.SLUICE_STOP_AT ?? '').split(',').filter(Boolean)) signals[point] = 'SIGSTOP';
if (process.env.SLUICE_CRASH_AT) signals[process.env.SLUICE_CRASH_AT] = 'SIGKILL';

function obey(point: string): void {
  const signal = signals[point];
  if (!signal) return;
  if (process.env.SLUICE_STOPPED) writeFileSync(process.env.SLUICE_STOPPED, point);
  process.kill(process.pid, signal);
}

let listener: Listener | null = Object.keys(signals).length > 0 ? obey : null;

export function crashPoint(point: string): void {
  if (listener) listener(point);
}

export function listenAtCrashPoints(next: Listener | null): void {
  listener = next;
}
