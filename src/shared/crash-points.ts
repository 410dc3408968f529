/**
 * Named instants at which a test cuts the power. In production nothing listens and the call costs nothing.
 * A test in the same process passes a listener that throws; a real process is killed at the point that the
 * environment variable SLUICE_CRASH_AT names.
 */
type Listener = (point: string) => void;

const wanted = process.env.SLUICE_CRASH_AT;
let listener: Listener | null = wanted
  ? (point) => {
      if (point === wanted) process.kill(process.pid, 'SIGKILL');
    }
  : null;

export function crashPoint(point: string): void {
  if (listener) listener(point);
}

export function listenAtCrashPoints(next: Listener | null): void {
  listener = next;
}
