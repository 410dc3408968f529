/**
 * Items of Plex by key, by path and by file name: what the index holds, without the question where it came from.
 *
 * Holds: kept per item are its title, its files and its time, nothing else of what Plex said. A path is found by a
 * short hash and then compared as `samePath` does, so no path is kept twice.
 */
import { shortHash } from '../shared/hash';
import type { PlexItem } from './answers';
import { nameKey, pathKey, sameName, samePath } from './path-map';

export interface Listed {
  ratingKey: string;
  title: string;
  library: string;
  sectionKey: string;
  /** As Plex sees it: the one that was looked for, or its first. */
  file: string;
  updatedAt: number;
}

/** A library, and how many of its items are here. */
export interface Shelf {
  readonly key: string;
  title: string;
  held: number;
}

interface Entry {
  shelf: Shelf;
  title: string;
  files: readonly string[];
  updatedAt: number;
  /** The pass over the library that saw it last. */
  pass: number;
}

export class ListedItems {
  readonly #entries = new Map<string, Entry>();
  readonly #byPath = new Keys();
  /** Made when it is first asked for; null: to be made again. May hold keys of items that have gone since. */
  #byName: Keys | null = null;

  get size(): number {
    return this.#entries.size;
  }

  put({ ratingKey, title, files, updatedAt }: PlexItem, shelf: Shelf, pass: number): void {
    const old = this.#entries.get(ratingKey);
    if (old?.shelf === shelf && sameList(old.files, files)) {
      Object.assign(old, { title, updatedAt, pass });
      return;
    }
    this.forget(ratingKey);
    // The copy has just the room that it needs; the list that was parsed has room for a dozen more.
    this.#entries.set(ratingKey, { shelf, title, files: files.slice(), updatedAt, pass });
    shelf.held += 1;
    for (const file of files) this.#byPath.add(hashOf(file), ratingKey);
    this.#byName = null;
  }

  forget(ratingKey: string): void {
    const entry = this.#entries.get(ratingKey);
    if (!entry) return;
    this.#entries.delete(ratingKey);
    entry.shelf.held -= 1;
    for (const file of entry.files) this.#byPath.delete(hashOf(file), ratingKey);
  }

  /** Forgets what the given pass over the library has not seen; without one, all of it. */
  sweep(shelf: Shelf, pass?: number): void {
    for (const [ratingKey, entry] of this.#entries) {
      if (entry.shelf === shelf && entry.pass !== pass) this.forget(ratingKey);
    }
  }

  find(path: string): Listed[] {
    return this.#listed(this.#byPath.get(hashOf(path)), (file) => samePath(file, path));
  }

  findByName(path: string): Listed[] {
    this.#byName ??= this.#namesOfAll();
    return this.#listed(this.#byName.get(nameKey(path)), (file) => sameName(file, path));
  }

  item(ratingKey: string): Listed | null {
    return this.#listed([ratingKey], () => true)[0] ?? null;
  }

  #listed(keys: readonly string[], test: (file: string) => boolean): Listed[] {
    return keys.flatMap((ratingKey) => {
      const entry = this.#entries.get(ratingKey);
      const file = entry?.files.find(test);
      if (!entry || file === undefined) return [];
      const { shelf, title, updatedAt } = entry;
      return { ratingKey, title, library: shelf.title, sectionKey: shelf.key, file, updatedAt };
    });
  }

  #namesOfAll(): Keys {
    const names = new Keys();
    for (const [ratingKey, { files }] of this.#entries) {
      for (const file of files) names.add(nameKey(file), ratingKey);
    }
    return names;
  }
}

/** Keys of items by something that nearly always only one of them has. */
class Keys {
  readonly #map = new Map<string, string | string[]>();

  get(of: string): readonly string[] {
    return [this.#map.get(of) ?? []].flat();
  }

  add(of: string, ratingKey: string): void {
    const known = this.get(of);
    if (!known.includes(ratingKey)) this.#map.set(of, known.length === 0 ? ratingKey : [...known, ratingKey]);
  }

  delete(of: string, ratingKey: string): void {
    const others = this.get(of).filter((key) => key !== ratingKey);
    if (others.length === 0) this.#map.delete(of);
    else this.#map.set(of, others);
  }
}

const hashOf = (path: string): string => shortHash(pathKey(path));

const sameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((value, i) => value === b[i]);
