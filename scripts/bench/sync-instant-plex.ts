/**
 * A Plex inside this process that answers at once, in place of the client: everything else of ours is real.
 *
 * Holds: an item shows what was last written to it. It needs to keep no more of that than the take of the scene (see
 * `sync-library.ts`), so that the memory and the time of this server stay out of what is measured.
 */
import type { PlexItem, PlexLibrary, PlexPage } from '../../src/plex/answers';
import type { WantedPage } from '../../src/plex/client';
import type { PlexFinderOptions } from '../../src/plex/finder';
import type { Params } from '../../src/plex/query-string';
import type { FolderScanner } from '../../src/plex/scanner';
import { systemClock } from '../../src/shared/clock';
import { syncDefaults } from '../../src/stash/sync-settings';
import type { PlanPorts } from '../../src/sync/plan';
import { wantedState } from '../../src/sync/wanted';
import { fileOf, folder, sceneOf, takeIn } from './sync-library';

type ScanningClient = ConstructorParameters<typeof FolderScanner>[0]['client'];
type Client = PlanPorts['plex'] & PlexFinderOptions['client'] & ScanningClient;

export interface Asked {
  GET: number;
  PUT: number;
  POST: number;
}

const nothingAsked: Asked = { GET: 0, PUT: 0, POST: 0 };
const library: PlexLibrary = { key: '1', title: 'Films', type: 'movie', locations: [folder] };
const longAgo = 1_700_000_000;

export class InstantPlex implements Client {
  /** Requests since `clear`. */
  asked = { ...nothingAsked };
  /** By key, which is the scene's id; 0: nothing was written yet. */
  readonly #takes: Int32Array;
  readonly #updatedAt: Float64Array;
  /** Keys in the listing that is being paged: those that changed since some time. */
  #listed: { since: number; keys: number[] } = { since: 0, keys: [] };

  constructor(readonly size: number) {
    this.#takes = new Int32Array(size + 1);
    this.#updatedAt = new Float64Array(size + 1).fill(longAgo);
  }

  clear(): void {
    this.asked = { ...nothingAsked };
  }

  async libraries(): Promise<PlexLibrary[]> {
    this.asked.GET += 1;
    return [library];
  }

  async findByFile(_sectionKey: string, fragment: string): Promise<PlexItem[]> {
    this.asked.GET += 1;
    return [this.#item(/\d+/.exec(fragment)?.[0] ?? '')];
  }

  async page(_sectionKey: string, { start, size, updatedSince = 0, order }: WantedPage): Promise<PlexPage> {
    this.asked.GET += 1;
    if (order === 'newest') return { items: [this.#bare(this.#newest())], sent: 1, total: this.size };
    if (start === 0 || this.#listed.since !== updatedSince) {
      const all = Array.from({ length: this.size }, (_, index) => index + 1);
      const keys = all.filter((key) => (this.#updatedAt[key] ?? 0) >= updatedSince);
      this.#listed = { since: updatedSince, keys };
    }
    const { keys } = this.#listed;
    const items = keys.slice(start, start + size).map((key) => this.#bare(String(key)));
    return { items, sent: items.length, total: keys.length };
  }

  async item(ratingKey: string): Promise<PlexItem> {
    this.asked.GET += 1;
    return this.#item(ratingKey);
  }

  async edit(_sectionKey: string, ratingKey: string, params: Params): Promise<void> {
    this.asked.PUT += 1;
    const take = takeIn(params.find(([name]) => name === 'title.value')?.[1] ?? '');
    if (take === null) throw new Error(`The edit of item ${ratingKey} names no title of a scene`);
    this.#takes[Number(ratingKey)] = take;
    this.#updatedAt[Number(ratingKey)] = Math.floor(systemClock.now() / 1_000);
  }

  async images(): Promise<[]> {
    this.asked.GET += 1;
    return [];
  }

  async upload(): Promise<void> {
    this.asked.POST += 1;
  }

  async select(): Promise<void> {
    this.asked.PUT += 1;
  }

  async scan(): Promise<void> {
    this.asked.GET += 1;
  }

  #newest(): string {
    const at = (key: number) => this.#updatedAt[key] ?? 0;
    return String(this.#takes.reduce((best, _, key) => (key > 0 && at(key) > at(best) ? key : best), 1));
  }

  /** As in a listing, of which only files and times are read. */
  #bare(ratingKey: string): PlexItem {
    return this.#item(ratingKey, 0);
  }

  #item(ratingKey: string, take = this.#takes[Number(ratingKey)] ?? 0): PlexItem {
    const shown = take === 0 ? {} : wantedState(sceneOf(Number(ratingKey), take), syncDefaults);
    return {
      ratingKey,
      sectionKey: library.key,
      library: library.title,
      files: [fileOf(ratingKey)],
      title: shown.title ?? `Scene ${ratingKey}`,
      titleSort: shown.titleSort ?? '',
      summary: shown.summary ?? '',
      tagline: shown.tagline ?? '',
      studio: shown.studio ?? '',
      contentRating: '',
      originallyAvailableAt: shown.originallyAvailableAt ?? '',
      userRating: shown.userRating === undefined ? null : Number(shown.userRating),
      actors: shown.actor ?? [],
      directors: shown.director ?? [],
      genres: shown.genre ?? [],
      labels: [],
      collections: [],
      thumb: `/library/metadata/${ratingKey}/thumb/${take}`,
      art: `/library/metadata/${ratingKey}/art/${take}`,
      locked: take === 0 ? [] : [...Object.keys(shown), 'thumb', 'art'],
      updatedAt: this.#updatedAt[Number(ratingKey)] ?? longAgo,
    };
  }
}
