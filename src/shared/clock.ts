/** Time is always an argument: production passes `systemClock`, tests a clock that they move themselves. */
export interface Clock {
  /** Milliseconds since 1970. May jump in either direction: people set clocks. */
  now(): number;
  /** Resolves after `ms`, or as soon as `signal` aborts. It never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Longer waits are cut: Node's timers overflow at 2^31 ms, and whoever sleeps looks again anyway. */
const longestSleepMs = 3_600_000;

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted || ms <= 0) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, Math.min(ms, longestSleepMs));
      signal?.addEventListener('abort', done, { once: true });
    }),
};

/** A number in [0, 1), like Math.random. */
export type Random = () => number;

export const iso = (ms: number): string => new Date(ms).toISOString();
