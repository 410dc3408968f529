/** The two kinds of picture: the word in a listing's address, in a selection's, and the field that a lock names. */
export const imageKinds = {
  posters: { element: 'poster', field: 'thumb', folder: 'posters' },
  arts: { element: 'art', field: 'art', folder: 'art' },
} as const;

export type ImageKind = keyof typeof imageKinds;

export function isImageKind(name: string): name is ImageKind {
  return Object.hasOwn(imageKinds, name);
}

/** Above this Plex answers 500. */
export const largestImageBytes = 10_000_000;

/**
 * The pictures of one kind that an item can choose from. Plex names an upload after the SHA-1 of its bytes, so
 * the same picture uploaded twice is listed once; the bytes themselves are not kept here.
 */
export class ImageShelf {
  readonly #keys: string[];
  #selected: string | null;

  /** `found` is the picture that the scan came with, null for none. */
  constructor(readonly found: string | null) {
    this.#keys = found === null ? [] : [found];
    this.#selected = found;
  }

  get keys(): readonly string[] {
    return this.#keys;
  }

  get selected(): string | null {
    return this.#selected;
  }

  add(key: string): void {
    if (!this.#keys.includes(key)) this.#keys.push(key);
  }

  /** False when there is no such picture. */
  select(key: string): boolean {
    if (!this.#keys.includes(key)) return false;
    this.#selected = key;
    return true;
  }

  /** Back to what the scan found. */
  revert(): void {
    this.#selected = this.found;
  }

  clear(): void {
    this.#selected = null;
  }
}
