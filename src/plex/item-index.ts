/**
 * What the chosen libraries hold, in memory: for bulk work, which would otherwise ask Plex once for every scene.
 *
 * `advance` makes one request at a time, and for each library in this order:
 *
 *   look      how many items there are, and when the newest change was
 *   build     all of them, page by page, in an order that no edit changes
 *   changes   instead of `build`, once a library is known: only what changed since the look before
 *
 * A look comes first because what changes while pages are fetched may be missed: the next refresh asks for everything
 * since then. Plex tells of nothing that was deleted or moved to another folder, so a library whose count does not
 * fit is built again, and each one is once a day. A build during which the library shrank, or whose count does not
 * fit, is repeated once; if it still does not, the server counts what it does not list, and that many are expected.
 *
 * Holds: ready only if every library given to the last `advance` is whole, nothing expired it since, and not longer
 * than `believedMs` after it became ready. A failure keeps what was fetched; the next `advance` goes on with the same
 * request.
 */
import type { Clock } from '../shared/clock';
import type { PlexLibrary, PlexPage } from './answers';
import type { PlexClient, WantedPage } from './client';
import { PlexError } from './errors';
import { type Listed, ListedItems, type Shelf } from './listed-items';

export type { Listed } from './listed-items';

export interface ItemIndexOptions {
  client: Pick<PlexClient, 'page'>;
  clock: Clock;
  /** How long it is believed without asking. */
  believedMs?: number;
}

interface Section extends Shelf {
  step: 'look' | 'build' | 'changes' | 'done';
  /** Where the next page begins, and how many there are in what is being paged. */
  start: number;
  total: number;
  /** Of the last look: how many items Plex counted, and up to when it had changes (seconds). */
  counted: number;
  lookedTo: number;
  /** Everything up to here is known (seconds); null: it was never whole. */
  knownTo: number | null;
  /** How many more items Plex counts than it lists. */
  unlisted: number;
  build: { pass: number; isSecondTry: boolean; at: number };
  /** It expired while it was being built. */
  isStale: boolean;
}

const defaultBelievedMs = 600_000;
const rebuiltAfterMs = 86_400_000;
/** Plex warns of pages above 1,000. */
const pageSize = 500;
/** A change is written a moment after the second that it carries. */
const overlapSeconds = 2;

export class ItemIndex {
  readonly #options: Required<ItemIndexOptions>;
  readonly #sections = new Map<string, Section>();
  readonly #items = new ListedItems();
  #readyAt: number | null = null;
  /** When it was begun to be fetched or refreshed. */
  #begunAt: number | null = null;
  /** Pages in a row that Plex failed to give. */
  #failures = 0;
  #leftAloneAt: number | null = null;
  #running: Promise<boolean> | null = null;
  #pages = 0;
  #passes = 0;
  /** Whether this server takes orders that Plex does not advertise. */
  #takesOrders = true;

  constructor(options: ItemIndexOptions) {
    this.#options = { believedMs: defaultBelievedMs, ...options };
  }

  /** How many items it holds. */
  get size(): number {
    return this.#items.size;
  }

  /** Whether it is whole, and fresh enough to be believed without asking. */
  isReady(): boolean {
    if (this.#readyAt === null) return false;
    const age = this.#options.clock.now() - this.#readyAt;
    return age >= 0 && age < this.#options.believedMs;
  }

  /** Whether it is worth trying to fetch it. */
  isUsable(): boolean {
    const { clock, believedMs } = this.#options;
    return this.#leftAloneAt === null || Math.abs(clock.now() - this.#leftAloneAt) >= believedMs;
  }

  /** Plex did not give a page. Twice in a row, and it is left alone for as long as a listing would be believed. */
  failed(): void {
    this.#failures++;
    if (this.#failures >= 2) this.#leftAloneAt = this.#options.clock.now();
  }

  /** Whether what Plex had at that instant would be in it. */
  knows(at: number): boolean {
    return this.isReady() && this.#begunAt !== null && this.#begunAt >= at;
  }

  /** It is to be refreshed before it is believed again. */
  expire(): void {
    this.#readyAt = null;
    this.#begunAt = null;
    this.#pages = 0;
    for (const section of this.#sections.values()) {
      if (section.step === 'build') section.isStale = true;
      else section.step = 'look';
    }
  }

  /**
   * Makes the next request that is missing; true: it is ready now. Whoever calls while one is under way gets that
   * one's result.
   */
  async advance(libraries: readonly PlexLibrary[], signal: AbortSignal): Promise<boolean> {
    while (this.#running) {
      const shared = await this.#running.catch((error: unknown) => {
        if (error instanceof PlexError) throw error;
        // Another caller broke it off, which is no answer for this one.
        return null;
      });
      signal.throwIfAborted();
      if (shared !== null) return shared;
    }
    this.#running = this.#advance(libraries, signal).finally(() => {
      this.#running = null;
    });
    return await this.#running;
  }

  /** How far it is with being fetched; `of` is a guess as long as a library was not looked at. */
  progress(): { pages: number; of: number } {
    const missing = [...this.#sections.values()].reduce((sum, section) => sum + missingPages(section), 0);
    return { pages: this.#pages, of: this.#pages + missing };
  }

  /** The items that have this file. */
  find(path: string): Listed[] {
    return this.#items.find(path);
  }

  /** The items that have a file of this name; of a path only the last name counts. */
  findByName(name: string): Listed[] {
    return this.#items.findByName(name);
  }

  item(ratingKey: string): Listed | null {
    return this.#items.item(ratingKey);
  }

  /** Plex has it no more, or not with these files. */
  forget(ratingKey: string): void {
    this.#items.forget(ratingKey);
  }

  async #advance(libraries: readonly PlexLibrary[], signal: AbortSignal): Promise<boolean> {
    this.#follow(libraries);
    if (this.isReady()) return true;
    if (this.#readyAt !== null) this.expire();
    this.#begunAt ??= this.#options.clock.now();
    const next = this.#unfinished();
    if (next) await this.#fetch(next, signal);
    this.#failures = 0;
    if (this.#unfinished()) return false;
    this.#readyAt = this.#options.clock.now();
    return true;
  }

  #unfinished(): Section | undefined {
    return [...this.#sections.values()].find(({ step }) => step !== 'done');
  }

  /** New libraries begin empty, and what was in one that has gone goes. */
  #follow(libraries: readonly PlexLibrary[]): void {
    for (const { key, title } of libraries) {
      const known = this.#sections.get(key);
      if (known) known.title = title;
      else {
        this.#sections.set(key, newSection(key, title));
        this.#readyAt = null;
      }
    }
    for (const [key, section] of this.#sections) {
      if (libraries.some((library) => library.key === key)) continue;
      this.#sections.delete(key);
      this.#items.sweep(section);
    }
  }

  async #fetch(section: Section, signal: AbortSignal): Promise<void> {
    const { step, start, knownTo } = section;
    if (step === 'look') {
      this.#looked(section, await this.#page(section, { start: 0, size: 1, order: 'newest' }, signal));
      return;
    }
    const since = step === 'changes' ? { updatedSince: Math.max(0, (knownTo ?? 0) - overlapSeconds) } : {};
    const page = await this.#page(section, { start, size: pageSize, order: 'id', ...since }, signal);
    for (const item of page.items) this.#items.put(item, section, section.build.pass);
    // It expired meanwhile, and is looked at again.
    if (section.step !== step) return;
    section.start += page.sent;
    section.total = page.total;
    if (page.sent > 0 && section.start < page.total) return;
    if (step === 'build') this.#built(section);
    else this.#refreshed(section);
  }

  async #page(section: Section, wanted: WantedPage, signal: AbortSignal): Promise<PlexPage> {
    const { order: _, ...unordered } = wanted;
    try {
      const asked = this.#takesOrders ? wanted : unordered;
      const page = await this.#options.client.page(section.key, asked, signal);
      this.#pages += 1;
      return page;
    } catch (error) {
      if (!this.#takesOrders || !(error instanceof PlexError) || error.status !== 400) throw error;
      this.#takesOrders = false;
      return await this.#page(section, wanted, signal);
    }
  }

  #looked(section: Section, { items, total }: PlexPage): void {
    const now = this.#options.clock.now();
    section.counted = total;
    // An item with a time in the future would hide every change until then.
    section.lookedTo = Math.min(items[0]?.updatedAt ?? 0, Math.floor(now / 1_000));
    const age = now - section.build.at;
    if (section.knownTo === null || age < 0 || age >= rebuiltAfterMs) this.#beginBuild(section, false);
    else Object.assign(section, { step: 'changes', start: 0, total: 0 } satisfies Partial<Section>);
  }

  #beginBuild(section: Section, isSecondTry: boolean): void {
    this.#passes += 1;
    section.step = 'build';
    section.start = 0;
    section.total = section.counted;
    section.build = { pass: this.#passes, isSecondTry, at: this.#options.clock.now() };
  }

  #built(section: Section): void {
    const { build, total, counted } = section;
    this.#items.sweep(section, build.pass);
    const isSound = total >= counted && total === section.held;
    if (!isSound && !build.isSecondTry) {
      this.#beginBuild(section, true);
      return;
    }
    section.unlisted = total - section.held;
    this.#finish(section);
  }

  #refreshed(section: Section): void {
    if (section.counted === section.held + section.unlisted) this.#finish(section);
    else this.#beginBuild(section, false);
  }

  #finish(section: Section): void {
    section.knownTo = section.lookedTo;
    section.step = section.isStale ? 'look' : 'done';
    section.isStale = false;
  }
}

const newSection = (key: string, title: string): Section => ({
  key,
  title,
  held: 0,
  step: 'look',
  start: 0,
  total: 0,
  counted: 0,
  lookedTo: 0,
  knownTo: null,
  unlisted: 0,
  build: { pass: 0, isSecondTry: false, at: 0 },
  isStale: false,
});

function missingPages({ step, start, total }: Section): number {
  if (step === 'done') return 0;
  if (step === 'look') return 2;
  return Math.max(1, Math.ceil((total - start) / pageSize));
}
