import type { Clock } from './clock';

/**
 * Runs `work` with a signal that aborts when the caller's does, or when `ms` have passed on the clock.
 *
 * Each call has a signal of its own and leaves nothing on the caller's: that one lives as long as the worker, and
 * every listener left on it would too.
 */
export async function withDeadline<T>(
  ms: number,
  clock: Clock,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  outer?.throwIfAborted();
  const inner = new AbortController();
  const done = new AbortController();
  const abort = () => inner.abort(outer?.reason);
  outer?.addEventListener('abort', abort, { once: true });
  void clock.sleep(ms, done.signal).then(() => {
    if (done.signal.aborted) return;
    inner.abort(new DOMException(`no answer within ${Math.round(ms / 1000)} s`, 'TimeoutError'));
  });
  try {
    return await work(inner.signal);
  } finally {
    outer?.removeEventListener('abort', abort);
    done.abort();
  }
}
