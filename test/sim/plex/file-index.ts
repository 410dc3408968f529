const gramLength = 4;
const bucketCount = 1 << 16;

interface Entry<T> {
  /** A folder or a file's name, in lower case. */
  text: string;
  owners: T[];
}

/**
 * Finds who owns a path that contains a fragment, ignoring case, without looking at all paths.
 *
 * Folders and names are kept apart, each text once, under all its runs of four characters (hashed). A fragment
 * without a separator lies inside one of those texts, so the rarest of its runs gives few texts to look at.
 * Anything else (short, or with a separator) is a plain scan. Built on the first question: most tests never ask.
 */
export class FileIndex<T> {
  readonly #owners = new Map<string, T>();
  #entries: Entry<T>[] = [];
  #byText = new Map<string, Entry<T>>();
  #buckets: Map<number, number[]> | null = null;

  add(path: string, owner: T): void {
    this.#owners.set(path, owner);
    if (this.#buckets) this.#index(this.#buckets, path, owner);
  }

  remove(path: string): void {
    const owner = this.#owners.get(path);
    this.#owners.delete(path);
    for (const text of textsOf(path)) {
      const entry = this.#byText.get(text);
      if (entry) entry.owners = entry.owners.filter((other) => other !== owner);
    }
  }

  get(path: string): T | undefined {
    return this.#owners.get(path);
  }

  containing(fragment: string): Set<T> {
    const wanted = fragment.toLowerCase();
    if (wanted.length < gramLength || /[\\/]/.test(wanted)) return this.#scan(wanted);
    const found = new Set<T>();
    for (const number of this.#rarest(wanted)) {
      const entry = this.#entries[number];
      if (entry?.text.includes(wanted)) for (const owner of entry.owners) found.add(owner);
    }
    return found;
  }

  #scan(wanted: string): Set<T> {
    const found = new Set<T>();
    for (const [path, owner] of this.#owners) if (path.toLowerCase().includes(wanted)) found.add(owner);
    return found;
  }

  #rarest(wanted: string): readonly number[] {
    const buckets = this.#built();
    let rarest: number[] | undefined;
    for (let i = 0; i + gramLength <= wanted.length; i++) {
      const bucket = buckets.get(hash(wanted, i)) ?? [];
      if (rarest === undefined || bucket.length < rarest.length) rarest = bucket;
    }
    return rarest ?? [];
  }

  #built(): Map<number, number[]> {
    if (this.#buckets) return this.#buckets;
    const buckets = new Map<number, number[]>();
    for (const [path, owner] of this.#owners) this.#index(buckets, path, owner);
    this.#buckets = buckets;
    return buckets;
  }

  #index(buckets: Map<number, number[]>, path: string, owner: T): void {
    for (const text of textsOf(path)) {
      const known = this.#byText.get(text);
      if (known) {
        known.owners.push(owner);
        continue;
      }
      const entry = { text, owners: [owner] };
      const number = this.#entries.push(entry) - 1;
      this.#byText.set(text, entry);
      for (let i = 0; i + gramLength <= text.length; i++) {
        const bucket = buckets.get(hash(text, i));
        if (bucket === undefined) buckets.set(hash(text, i), [number]);
        else if (bucket.at(-1) !== number) bucket.push(number);
      }
    }
  }
}

function textsOf(path: string): string[] {
  const split = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  const name = path.slice(split + 1).toLowerCase();
  const folder = path.slice(0, Math.max(split, 0)).toLowerCase();
  return folder === '' || folder === name ? [name] : [folder, name];
}

function hash(text: string, at: number): number {
  let value = 0;
  for (let i = at; i < at + gramLength; i++) value = (Math.imul(value, 31) + text.charCodeAt(i)) | 0;
  return (value ^ (value >>> 16)) & (bucketCount - 1);
}
