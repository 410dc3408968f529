import type { Clock } from './clock';

/** Lets one loop sleep until another has something for it. A ring between two waits is not lost. */
export class Bell {
  #rung = false;
  #waiting: AbortController | null = null;

  ring(): void {
    this.#rung = true;
    this.#waiting?.abort();
  }

  /** Resolves after `ms`, at a ring, or when `signal` aborts. One waiter at a time. */
  async wait(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
    const waiting = new AbortController();
    this.#waiting = waiting;
    const stop = () => waiting.abort();
    signal.addEventListener('abort', stop);
    if (!this.#rung && !signal.aborted) await clock.sleep(ms, waiting.signal);
    signal.removeEventListener('abort', stop);
    this.#waiting = null;
    this.#rung = false;
  }
}
