/** Records by id, ascending. Ids count up and are never given twice. */
export class Table<T extends { readonly id: number }> {
  readonly #records = new Map<number, T>();
  #lastId = 0;

  constructor(readonly name: string) {}

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  get size(): number {
    return this.#records.size;
  }

  get(id: number): T | undefined {
    return this.#records.get(id);
  }

  has(id: number): boolean {
    return this.#records.has(id);
  }

  all(): IterableIterator<T> {
    return this.#records.values();
  }

  put(record: T): T {
    this.#records.set(record.id, record);
    return record;
  }

  remove(id: number): void {
    if (!this.#records.delete(id)) throw new Error(`id ${id} does not exist in ${this.name}`);
  }
}
