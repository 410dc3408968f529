/** What happened, in order, for tests to look at or to wait for. */
export class Recorder<T> {
  readonly entries: T[] = [];
  readonly #listeners = new Set<(entry: T) => void>();

  add(entry: T): void {
    this.entries.push(entry);
    for (const listener of this.#listeners) listener(entry);
  }

  /** Calls `listener` for each further entry, until the returned function is called. */
  listen(listener: (entry: T) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** The first entry that matches: one that is there already, or else the next to come. */
  async waitFor(matches: (entry: T) => boolean, timeoutMs = 10_000): Promise<T> {
    const found = this.entries.find(matches);
    if (found !== undefined) return found;
    return new Promise((resolve, reject) => {
      const stop = this.listen((entry) => {
        if (matches(entry)) settle(() => resolve(entry));
      });
      const timer = setTimeout(
        () => settle(() => reject(new Error(`Nothing that matches came within ${timeoutMs} ms`))),
        timeoutMs,
      );
      const settle = (how: () => void) => {
        clearTimeout(timer);
        stop();
        how();
      };
    });
  }

  clear(): void {
    this.entries.length = 0;
  }
}
