import { createHash } from 'node:crypto';
import type { Behaviour } from './behaviour';
import { FileIndex } from './file-index';
import type { Item } from './item';

/** Plex's numbers for kinds of item, as in `type=1`. */
export const typeNumbers = { movie: 1, show: 2, artist: 8, photo: 13 } as const;
export const collectionType = 18;

export type SectionType = keyof typeof typeNumbers;

/** The agent of "Other Videos": a film library that nobody but its owner describes. */
export const noAgent = 'com.plexapp.agents.none';

const usual: Record<SectionType, { agent: string; scanner: string }> = {
  movie: { agent: noAgent, scanner: 'Plex Video Files Scanner' },
  show: { agent: 'tv.plex.agents.series', scanner: 'Plex TV Series' },
  artist: { agent: 'tv.plex.agents.music', scanner: 'Plex Music' },
  photo: { agent: noAgent, scanner: 'Plex Photo Scanner' },
};

export interface LibraryOptions {
  title: string;
  /** Film library unless told otherwise. */
  type?: SectionType;
  agent?: string;
  scanner?: string;
  locations?: string[];
}

/** When an item shows: at once, after a scan of its folder, after so many listings of its library, or after a time. */
export type Appearance = 'now' | 'scan' | { lookups: number } | { ms: number };

export interface Pending {
  item: Item;
  appears: 'scan' | { lookups: number } | { at: number };
}

/** One library. */
export class Section {
  readonly title: string;
  readonly type: SectionType;
  readonly agent: string;
  readonly scanner: string;
  readonly locations: readonly string[];
  readonly uuid: string;
  readonly items = new Map<number, Item>();
  readonly files = new FileIndex<Item>();
  /** On disk, but not seen by Plex yet. */
  pending: Pending[] = [];
  refreshing = false;
  scannedAt: number;
  /** A counter, in spite of its name. */
  contentChangedAt = 1;
  #titleOrder: Item[] | null = null;

  constructor(
    readonly key: number,
    options: LibraryOptions,
    readonly createdAt: number,
    readonly behaviour: Behaviour,
  ) {
    this.title = options.title;
    this.type = options.type ?? 'movie';
    this.agent = options.agent ?? usual[this.type].agent;
    this.scanner = options.scanner ?? usual[this.type].scanner;
    this.locations = options.locations ?? ['/media'];
    const digest = createHash('sha1').update(`${key} ${options.title}`).digest('hex');
    this.uuid = digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5');
    this.scannedAt = createdAt;
  }

  get hasAgent(): boolean {
    return this.agent !== noAgent;
  }

  add(item: Item): void {
    this.items.set(item.ratingKey, item);
    for (const path of item.files) this.files.add(path, item);
    this.changed();
  }

  remove(item: Item): void {
    this.items.delete(item.ratingKey);
    for (const path of item.files) this.files.remove(path);
    this.changed();
  }

  /** To be called after every change of an item; `retitled` when the order of the library may be another now. */
  changed(retitled = true): void {
    this.contentChangedAt += 1;
    if (retitled) this.#titleOrder = null;
  }

  /** Plex's own order of a library. Kept until something changes: a walk over 200 pages sorts once. */
  inTitleOrder(): readonly Item[] {
    this.#titleOrder ??= [...this.items.values()]
      .map((item) => ({ item, key: item.titleSort.toLowerCase() }))
      .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.item.ratingKey - b.item.ratingKey))
      .map(({ item }) => item);
    return this.#titleOrder;
  }
}
