import type { Clock } from '../../../src/shared/clock';
import type { Behaviour } from './behaviour';
import { checkValue, fieldNames, type Values } from './fields';
import { Item } from './item';
import { scannedTitle } from './scanned-title';
import { type Appearance, type LibraryOptions, type Pending, Section } from './section';
import { type SentTag, type Taggings, type TagKind, TagRegistry, tagKindNames, withSent } from './tags';

export type TagNames = readonly (string | { name: string; role?: string; thumb?: string })[];

/** An item as a test writes it down; what is left out is empty, the title is what the scanner makes of the file. */
export interface NewItem {
  /** Title or number of the library; the first film library when left out. */
  library?: string | number;
  file?: string;
  /** Several versions; an inner list is one version in several parts. */
  files?: readonly (string | readonly string[])[];
  title?: string;
  titleSort?: string;
  originalTitle?: string;
  summary?: string;
  tagline?: string;
  studio?: string;
  contentRating?: string;
  editionTitle?: string;
  originallyAvailableAt?: string;
  rating?: number;
  audienceRating?: number;
  userRating?: number;
  genres?: TagNames;
  actors?: TagNames;
  directors?: TagNames;
  writers?: TagNames;
  producers?: TagNames;
  countries?: TagNames;
  collections?: TagNames;
  labels?: TagNames;
  locked?: readonly string[];
  guid?: string;
  /** Seconds since 1970. */
  addedAt?: number;
  durationMs?: number;
  appears?: Appearance;
}

const tagProperties = {
  genre: 'genres',
  country: 'countries',
  director: 'directors',
  writer: 'writers',
  producer: 'producers',
  actor: 'actors',
  collection: 'collections',
  label: 'labels',
} as const satisfies Record<TagKind, keyof NewItem>;

/** All libraries and items of the server, and the one place that creates them. */
export class Catalogue {
  readonly sections: readonly Section[];
  readonly tags = new TagRegistry();
  readonly #clock: Clock;
  readonly #collectionKeys = new Map<string, number>();
  #lastRatingKey = 0;

  constructor(libraries: readonly LibraryOptions[], clock: Clock, behaviour: Behaviour) {
    this.#clock = clock;
    this.sections = libraries.map((library, index) => new Section(index + 1, library, this.now(), behaviour));
  }

  /** Plex's time: whole seconds. */
  now(): number {
    return Math.floor(this.#clock.now() / 1000);
  }

  section(name: string | number): Section | undefined {
    return this.sections.find(({ key, title }) => key === name || title === name);
  }

  item(ratingKey: number): Item | undefined {
    for (const section of this.sections) {
      const item = section.items.get(ratingKey);
      if (item) return item;
    }
    return undefined;
  }

  itemByFile(path: string): Item | undefined {
    for (const section of this.sections) {
      const item = section.files.get(path);
      if (item) return item;
    }
    return undefined;
  }

  /** Collections are items of their own and keep their number as long as the server lives. */
  collectionKey(section: Section, name: string): number {
    const id = `${section.key}:${name}`;
    const known = this.#collectionKeys.get(id);
    if (known !== undefined) return known;
    this.#lastRatingKey += 1;
    this.#collectionKeys.set(id, this.#lastRatingKey);
    return this.#lastRatingKey;
  }

  add(wanted: NewItem): Item {
    const section = this.#sectionFor(wanted);
    const media = mediaOf(wanted);
    const addedAt = wanted.addedAt ?? this.now();
    this.#lastRatingKey += 1;
    const scanned = { values: valuesOf(wanted, media, section.behaviour), tags: this.#tagsOf(wanted) };
    const item = new Item(
      this.#lastRatingKey,
      section,
      media,
      scanned,
      wanted.durationMs ?? 60_000,
      wanted.guid ?? null,
      addedAt,
    );
    if (wanted.locked) item.locked = new Set(wanted.locked);
    const pending = this.#pendingOf(item, wanted.appears ?? 'now');
    if (pending) section.pending.push(pending);
    else section.add(item);
    return item;
  }

  /**
   * Shows what is due by now. `lookup` says that the library is being listed: items that wait for a number of
   * listings count this one, and are not in it.
   */
  reveal(section: Section, lookup: boolean): Item[] {
    if (section.pending.length === 0) return [];
    return this.#show(section, ({ appears }) => {
      if (appears === 'scan') return false;
      if ('at' in appears) return appears.at <= this.#clock.now();
      if (appears.lookups <= 0) return true;
      if (lookup) appears.lookups -= 1;
      return false;
    });
  }

  /** Shows what a scan of `folder` (or of everything) finds. */
  scan(section: Section, folder: string | null): Item[] {
    const inside = (path: string) => folder === null || isInside(path, folder);
    return this.#show(section, ({ item, appears }) => appears === 'scan' && item.files.some(inside));
  }

  #show(section: Section, due: (pending: Pending) => boolean): Item[] {
    const shown: Item[] = [];
    section.pending = section.pending.filter((pending) => {
      if (!due(pending)) return true;
      shown.push(pending.item);
      return false;
    });
    for (const item of shown) section.add(item);
    return shown;
  }

  #pendingOf(item: Item, appears: Appearance): Pending | null {
    if (appears === 'now') return null;
    if (appears === 'scan') return { item, appears };
    if ('ms' in appears) return { item, appears: { at: this.#clock.now() + appears.ms } };
    return { item, appears: { lookups: appears.lookups } };
  }

  #sectionFor({ library }: NewItem): Section {
    const section =
      library === undefined ? this.sections.find(({ type }) => type === 'movie') : this.section(library);
    if (section) return section;
    const titles = this.sections.map(({ title }) => title).join(', ');
    throw new Error(`The Plex simulator has no library "${library ?? 'of films'}"; it has: ${titles}`);
  }

  #tagsOf(wanted: NewItem): Taggings {
    const tags: Partial<Record<TagKind, Taggings[TagKind]>> = {};
    for (const kind of tagKindNames) {
      const names = wanted[tagProperties[kind]];
      if (!names || names.length === 0) continue;
      const sent = names.map(
        (tag): SentTag =>
          typeof tag === 'string'
            ? { name: tag, text: undefined, thumb: undefined }
            : { name: tag.name, text: tag.role, thumb: tag.thumb },
      );
      tags[kind] = withSent([], kind, sent, { tags: 'replace', capitaliseTags: false }, this.tags);
    }
    return tags as Taggings;
  }
}

export function isInside(path: string, folder: string): boolean {
  const root = folder.replace(/[\\/]+$/, '');
  return path.startsWith(`${root}/`) || path.startsWith(`${root}\\`);
}

function mediaOf({ file, files }: NewItem): readonly (readonly string[])[] {
  const media = (files ?? (file === undefined ? [] : [file])).map((parts) =>
    typeof parts === 'string' ? [parts] : parts,
  );
  if (media.length === 0) throw new Error('An item of the Plex simulator needs a file');
  return media;
}

function valuesOf(
  wanted: NewItem,
  media: readonly (readonly string[])[],
  behaviour: Pick<Behaviour, 'scannedTitle'>,
): Values {
  const values: Record<string, string> = { title: scannedTitle(media[0]?.[0] ?? '', behaviour) };
  for (const name of fieldNames) {
    const value = wanted[name];
    if (value === undefined || name === 'addedAt') continue;
    checkValue(name, String(value));
    values[name] = String(value);
    if (value === '') delete values[name];
  }
  return values;
}
