/**
 * Finds the items in Plex that are a scene's files. Only the file decides, never a title.
 *
 * Plex can be asked for a part of a path (`file=`), takes a comma in it for "or", and matches loosely: so it is
 * asked for the longest part of the file's name without a comma, and the whole path is compared here.
 *
 * Holds: an item is found only if one of its files is one of the scene's, in a library that the person chose; a
 * mistake in the settings is never taken for "not in Plex".
 */
import type { Clock } from '../shared/clock';
import type { PathRule } from '../stash/path-rule';
import type { PlexItem, PlexLibrary } from './answers';
import type { PlexClient } from './client';
import { PlexError, PlexSettingsError } from './errors';
import { chooseLibraries, isChosen, type LibraryChoice } from './library-choice';
import { baseName, isInside, mapPath, samePath } from './path-map';

export interface Candidate {
  ratingKey: string;
  title: string;
  library: string;
  /** The file that matched, as Plex sees it. */
  file: string;
}

export interface PlexFinderOptions {
  client: Pick<PlexClient, 'libraries' | 'findByFile'>;
  /** Names of libraries; none: all that hold films or other videos. */
  libraries: readonly string[];
  rules: readonly PathRule[];
  clock: Clock;
}

/** How long the list of libraries is believed, and how long while it does not satisfy the settings. */
const believedMs = 600_000;
const believedWithProblemMs = 60_000;

export class PlexFinder {
  readonly rules: readonly PathRule[];
  readonly #options: PlexFinderOptions;
  #known: (LibraryChoice & { at: number }) | null = null;

  constructor(options: PlexFinderOptions) {
    this.rules = options.rules;
    this.#options = options;
  }

  /** A path of Stash as Plex sees it. */
  mapped(path: string): string {
    return mapPath(path, this.rules);
  }

  /** Whether this item is one of these files (as Plex sees them), in a library that the person chose. */
  matches(item: PlexItem, files: readonly string[]): boolean {
    return isChosen(item.library, this.#options.libraries) && fileOf(item, files) !== undefined;
  }

  /** What is wrong with the chosen libraries, as far as is known; null also before Plex was first asked. */
  libraryProblem(): string | null {
    return this.#known?.problem ?? null;
  }

  /** The folders of the chosen libraries, as far as they are known. */
  folders(): string[] {
    return this.#known?.chosen.flatMap(({ locations }) => locations) ?? [];
  }

  /** The items that are one of these files (as Plex sees them): none, the one, or several. */
  async find(files: readonly string[], signal: AbortSignal): Promise<Candidate[]> {
    try {
      return await this.#findAll(files, await this.libraries(signal), signal);
    } catch (error) {
      if (!(error instanceof PlexError) || error.status !== 404) throw error;
      // A library was removed since the list was read.
      this.#known = null;
      return await this.#findAll(files, await this.libraries(signal), signal);
    }
  }

  async #findAll(
    files: readonly string[],
    libraries: PlexLibrary[],
    signal: AbortSignal,
  ): Promise<Candidate[]> {
    const found = new Map<string, Candidate>();
    for (const file of files) {
      const likely = libraries.filter(({ locations }) => locations.some((folder) => isInside(file, folder)));
      const others = libraries.filter((library) => !likely.includes(library));
      const before = found.size;
      for (const library of likely) await this.#findIn(library, file, found, signal);
      if (found.size > before) continue;
      for (const library of others) await this.#findIn(library, file, found, signal);
    }
    return [...found.values()];
  }

  async #findIn(
    library: PlexLibrary,
    file: string,
    found: Map<string, Candidate>,
    signal: AbortSignal,
  ): Promise<void> {
    for (const fragment of fragments(baseName(file))) {
      const items = await this.#options.client.findByFile(library.key, fragment, signal);
      const hits = items.filter((item) => fileOf(item, [file]) !== undefined);
      for (const { ratingKey, title } of hits) {
        found.set(ratingKey, { ratingKey, title, library: library.title, file });
      }
      if (hits.length > 0) return;
    }
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

const fileOf = (item: PlexItem, files: readonly string[]) =>
  item.files.find((part) => files.some((file) => samePath(part, file)));

/**
 * What to ask Plex for: the longest part of the name without a comma. Plex compares bytes, and the same name may
 * be composed at one end and decomposed at the other: then both forms, one after the other.
 */
function fragments(name: string): string[] {
  const parts = name.split(',').map((part) => part.trim());
  const longest = parts.reduce((best, part) => (part.length > best.length ? part : best), '');
  return [...new Set([longest, longest.normalize('NFC'), longest.normalize('NFD')])];
}
