/**
 * Finds the items in Plex that are a scene's files. Only the file decides, never a title: its whole path, or, if the
 * person allows it and no path fits, its name, provided that a single item has it.
 *
 * While the index is ready it is asked. Otherwise Plex is: for a part of a path (`file=`). It takes a comma in it for
 * "or", and matches loosely, so it is asked for the longest part of the file's name without a comma, and the whole
 * path is compared here. Where no path fits, every chosen library was asked for the name: what came back is all that
 * has to be known for a match by name.
 *
 * Holds: an item is found only if one of its files is one of the scene's, or has the name of one, in a library that
 * the person chose; a mistake in the settings is never taken for "not in Plex".
 */
import type { Clock } from '../shared/clock';
import type { PathRule } from '../stash/path-rule';
import type { PlexItem, PlexLibrary } from './answers';
import type { PlexClient } from './client';
import { PlexError, PlexSettingsError } from './errors';
import { ItemIndex, type Listed } from './item-index';
import { chooseLibraries, isChosen, type LibraryChoice } from './library-choice';
import { baseName, isInside, mapPath, sameName, samePath } from './path-map';

export interface Candidate {
  ratingKey: string;
  title: string;
  library: string;
  /** The file that matched, as Plex sees it. */
  file: string;
  /** Only the name of the file matched, and no other item has it. */
  byName: boolean;
}

export interface PlexFinderOptions {
  client: Pick<PlexClient, 'libraries' | 'findByFile' | 'page'>;
  /** Names of libraries; none: all that hold films or other videos. */
  libraries: readonly string[];
  rules: readonly PathRule[];
  /** Whether a unique name is enough where no path fits. */
  matchByName: boolean;
  clock: Clock;
}

/** How long the list of libraries is believed, and how long while it does not satisfy the settings. */
const believedMs = 600_000;
const believedWithProblemMs = 60_000;

export class PlexFinder {
  readonly rules: readonly PathRule[];
  readonly index: ItemIndex;
  readonly #options: PlexFinderOptions;
  #known: (LibraryChoice & { at: number }) | null = null;

  constructor(options: PlexFinderOptions) {
    this.rules = options.rules;
    this.index = new ItemIndex({ client: options.client, clock: options.clock });
    this.#options = options;
  }

  /** A path of Stash as Plex sees it. */
  mapped(path: string): string {
    return mapPath(path, this.rules);
  }

  /** Whether this item is one of these files (as Plex sees them), in a library that the person chose. */
  matches(item: PlexItem, files: readonly string[]): boolean {
    return isChosen(item.library, this.#options.libraries) && fileOf(item, files, samePath) !== undefined;
  }

  /** The same for the name of a file, wherever it is. Says nothing about other items of that name. */
  matchesName(item: PlexItem, files: readonly string[]): boolean {
    return isChosen(item.library, this.#options.libraries) && fileOf(item, files, sameName) !== undefined;
  }

  /** What is wrong with the chosen libraries, as far as is known; null also before Plex was first asked. */
  libraryProblem(): string | null {
    return this.#known?.problem ?? null;
  }

  /** The folders of the chosen libraries, as far as they are known. */
  folders(): string[] {
    return this.#known?.chosen.flatMap(({ locations }) => locations) ?? [];
  }

  /**
   * The items that are one of these files (as Plex sees them): none, the one, or several. `byIndex`: whether to look
   * into the index, which knows nothing of what came to Plex since it was refreshed.
   */
  find(files: readonly string[], signal: AbortSignal, byIndex = this.index.isReady()): Promise<Candidate[]> {
    return this.#inLibraries(signal, async (libraries) =>
      byIndex ? this.#findInIndex(files) : await this.#ask(files, libraries, signal),
    );
  }

  /** Fetches the next part of the index that is missing; true: it is ready now. */
  advance(signal: AbortSignal): Promise<boolean> {
    return this.#inLibraries(signal, (libraries) => this.index.advance(libraries, signal));
  }

  async #inLibraries<T>(signal: AbortSignal, work: (libraries: PlexLibrary[]) => Promise<T>): Promise<T> {
    try {
      return await work(await this.libraries(signal));
    } catch (error) {
      if (!(error instanceof PlexError) || error.status !== 404) throw error;
      // A library was removed since the list was read.
      this.#known = null;
      return await work(await this.libraries(signal));
    }
  }

  #findInIndex(files: readonly string[]): Candidate[] {
    const byPath = onePerItem(files.flatMap((file) => this.index.find(file)));
    if (byPath.length > 0) return byPath.map((hit) => candidate(hit, false));
    return this.#byName(() => files.flatMap((file) => this.index.findByName(file)));
  }

  async #ask(files: readonly string[], libraries: PlexLibrary[], signal: AbortSignal): Promise<Candidate[]> {
    const found: Hit[] = [];
    const similar: Hit[] = [];
    for (const file of files) {
      const likely = libraries.filter(({ locations }) => locations.some((folder) => isInside(file, folder)));
      const others = libraries.filter((library) => !likely.includes(library));
      const before = found.length;
      for (const library of likely) await this.#askIn(library, file, { found, similar }, signal);
      if (found.length > before) continue;
      for (const library of others) await this.#askIn(library, file, { found, similar }, signal);
    }
    if (found.length > 0) return onePerItem(found).map((hit) => candidate(hit, false));
    return this.#byName(() => similar);
  }

  /** Puts into `found` what has the file, and into `similar` what has a file of its name. */
  async #askIn(
    { key, title: library }: PlexLibrary,
    file: string,
    { found, similar }: { found: Hit[]; similar: Hit[] },
    signal: AbortSignal,
  ): Promise<void> {
    for (const fragment of fragments(baseName(file))) {
      const before = found.length;
      for (const item of await this.#options.client.findByFile(key, fragment, signal)) {
        const { ratingKey, title } = item;
        const same = fileOf(item, [file], samePath);
        const named = same ?? fileOf(item, [file], sameName);
        if (same !== undefined) found.push({ ratingKey, title, library, file: same });
        if (named !== undefined) similar.push({ ratingKey, title, library, file: named });
      }
      if (found.length > before) return;
    }
  }

  #byName(similar: () => readonly Hit[]): Candidate[] {
    if (!this.#options.matchByName) return [];
    const hits = onePerItem(similar());
    return hits.length === 1 ? hits.map((hit) => candidate(hit, true)) : [];
  }

  /** The chosen libraries. Rejects with a PlexSettingsError when there is none. */
  async libraries(signal: AbortSignal): Promise<PlexLibrary[]> {
    const now = this.#options.clock.now();
    const age = this.#known === null ? Number.POSITIVE_INFINITY : now - this.#known.at;
    const limit = this.#known?.problem ? believedWithProblemMs : believedMs;
    if (this.#known === null || age < 0 || age >= limit) {
      const libraries = await this.#options.client.libraries(signal);
      this.#known = { ...chooseLibraries(libraries, this.#options.libraries), at: now };
    }
    const { chosen, problem } = this.#known;
    if (chosen.length === 0) throw new PlexSettingsError(problem ?? 'No library of Plex is chosen.');
    return chosen;
  }
}

type Hit = Pick<Listed, 'ratingKey' | 'title' | 'library' | 'file'>;

/** The first hit of each item. */
const onePerItem = (hits: readonly Hit[]): Hit[] =>
  hits.filter((hit, i) => hits.findIndex(({ ratingKey }) => ratingKey === hit.ratingKey) === i);

const candidate = ({ ratingKey, title, library, file }: Hit, byName: boolean): Candidate => ({
  ratingKey,
  title,
  library,
  file,
  byName,
});

const fileOf = (item: PlexItem, files: readonly string[], same: (a: string, b: string) => boolean) =>
  item.files.find((part) => files.some((file) => same(part, file)));

/**
 * What to ask Plex for: the longest part of the name without a comma. Plex compares bytes, and the same name may
 * be composed at one end and decomposed at the other: then both forms, one after the other.
 */
function fragments(name: string): string[] {
  const parts = name.split(',').map((part) => part.trim());
  const longest = parts.reduce((best, part) => (part.length > best.length ? part : best), '');
  return [...new Set([longest, longest.normalize('NFC'), longest.normalize('NFD')])];
}
