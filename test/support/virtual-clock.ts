import type { Clock } from '../../src/shared/clock';

/** Time that passes only when the test says so. Sleepers wake in the order of their instants. */
export class VirtualClock implements Clock {
  #now: number;
  #sleepers: { at: number; wake: () => void }[] = [];

  constructor(start = Date.parse('2026-01-02T03:04:05Z')) {
    this.#now = start;
  }

  now = (): number => this.#now;

  sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal?.aborted || ms <= 0) return resolve();
      const sleeper = { at: this.#now + ms, wake: resolve };
      this.#sleepers.push(sleeper);
      signal?.addEventListener('abort', () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        resolve();
      });
    });

  /** Lets time pass, waking whoever is due on the way. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      await settle();
      const next = this.#sleepers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#sleepers = this.#sleepers.filter((other) => other !== next);
      this.#now = Math.max(this.#now, next.at);
      next.wake();
    }
    this.#now = end;
  }

  /** A person sets the clock; nobody wakes. */
  set(now: number): void {
    this.#now = now;
  }
}

/** Lets everything that is ready to run do so. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
