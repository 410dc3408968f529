/** What the queue, the dead letters and the ledger are kept in: a map whose changes become durable at `flush`. */
export interface KeyedStore<V> {
  get(key: string): V | undefined;
  put(key: string, value: V): void;
  delete(key: string): void;
  entries(): IterableIterator<[string, V]>;
  readonly size: number;
  /** Resolves when every change made before the call is on disk. Rejects, and keeps the changes for the next
   *  flush, when the disk refuses. */
  flush(): Promise<void>;
  /** Flushes, tidies up and lets go of the files. */
  close(): Promise<void>;
}

/** For tests and for whatever need not outlive the process. */
export class MemoryStore<V> implements KeyedStore<V> {
  readonly #map = new Map<string, V>();
  get = (key: string) => this.#map.get(key);
  put = (key: string, value: V) => void this.#map.set(key, value);
  delete = (key: string) => void this.#map.delete(key);
  entries = () => this.#map.entries();
  get size() {
    return this.#map.size;
  }
  flush = async () => {};
  close = async () => {};
}
