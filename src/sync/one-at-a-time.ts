/**
 * Work on the same key runs one after another, in the order it came; on different keys at once. Two scenes may be
 * the same Plex item, and two lanes must not find that out at the same moment.
 */
export class OneAtATime {
  readonly #last = new Map<string, Promise<unknown>>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const mine = (async () => {
      await before?.catch(() => {});
      return await work();
    })();
    this.#last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(key) === mine) this.#last.delete(key);
    }
  }
}
