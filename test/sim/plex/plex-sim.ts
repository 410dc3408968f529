import { type Clock, systemClock } from '../../../src/shared/clock';
import { type Behaviour, usualBehaviour } from './behaviour';
import { Catalogue, type NewItem } from './catalogue';
import { Events } from './events';
import { type ExchangeOptions, exchange } from './exchange';
import { type Fault, Faults } from './faults';
import type { Item } from './item';
import { type ItemState, type Shown, shownOf, stateOf } from './item-state';
import { Listener } from './listener';
import { Records, type RequestKind, type RequestRecord, type Violation, type WriteKind } from './records';
import { Scanner } from './scanner';
import type { LibraryOptions, Section } from './section';

export interface PlexSimOptions {
  /** The owner's token. */
  token?: string;
  /** A token that may read and rate but not edit. */
  guestToken?: string;
  /** One library of films called Videos unless told. */
  libraries?: LibraryOptions[];
  /** 0, any free one, unless told. */
  port?: number;
  /** With a self-signed certificate that does not match the address. */
  https?: boolean;
  behaviour?: Partial<Behaviour>;
  clock?: Clock;
  /** How many of the newest requests are kept in full; 0 keeps none. */
  keepRequests?: number;
}

/**
 * A Plex server for tests: real HTTP on the loopback address, the parts of Plex's interface that Sluice and
 * python-plexapi use, and every kind of trouble that a server can make. It answers as
 * public sources say the real one does; where the real one is unknown, `behaviour` has a switch.
 *
 * What a test can ask it:
 * - `shown(file)`: all that Sluice writes, as this item shows it now, pictures by their SHA-1; `item(ratingKey)`,
 *   `itemByFile(file)` and `items()` for everything else that Plex knows of an item.
 * - `counts.edit`, `counts.find`, ...: requests by what they are for; `byRoute['PUT /library/sections/{id}/all']`:
 *   by method and path; `requests`: each of them, with `applied` saying whether it took effect.
 * - `writes.edit`, `writes.upload`, ...: what took effect, also when its answer was lost. A refused edit is in
 *   `counts` and not in here.
 * - `violations`: what no client may do, such as a token in an address.
 * `clearRecords()` begins all of these anew. Trouble comes from `setFault`, for one kind of request or for all,
 * before the request takes effect or (`applied`) after it.
 */
export class PlexSim {
  readonly token: string;
  /** Can be changed at any time. */
  readonly behaviour: Behaviour;
  /** Added to every answer. Can be changed at any time. */
  latencyMs = 0;
  readonly #catalogue: Catalogue;
  readonly #records: Records;
  readonly #faults = new Faults();
  readonly #events: Events;
  readonly #scanner: Scanner;
  readonly #listener: Listener;
  #down = new AbortController();

  private constructor(options: PlexSimOptions) {
    const clock = options.clock ?? systemClock;
    const guest = options.guestToken ?? null;
    this.token = options.token ?? 'simulated-plex-token';
    this.behaviour = { ...usualBehaviour, ...options.behaviour };
    this.#catalogue = new Catalogue(options.libraries ?? [{ title: 'Videos' }], clock, this.behaviour);
    this.#records = new Records(
      guest === null ? [this.token] : [this.token, guest],
      options.keepRequests ?? 50_000,
    );
    this.#events = new Events();
    this.#scanner = new Scanner(this.#catalogue, this.#events, this.behaviour, clock);
    const exchangeOptions: ExchangeOptions = {
      world: {
        catalogue: this.#catalogue,
        behaviour: this.behaviour,
        scanner: this.#scanner,
        events: this.#events,
      },
      tokens: { admin: this.token, guest },
      records: this.#records,
      faults: this.#faults,
      clock,
      latencyMs: () => this.latencyMs,
    };
    this.#listener = new Listener((request, response) => {
      exchange(request, response, exchangeOptions, this.#down.signal).catch((error) =>
        response.destroy(error),
      );
    }, options.https ?? false);
  }

  static async start(options: PlexSimOptions = {}): Promise<PlexSim> {
    const plex = new PlexSim(options);
    await plex.#listener.open(options.port);
    return plex;
  }

  get url(): string {
    return this.#listener.url;
  }

  get port(): number {
    return this.#listener.port;
  }

  /** The newest requests, oldest first; all of them unless there were very many. */
  get requests(): readonly RequestRecord[] {
    return this.#records.requests;
  }

  /** Requests that no client may make, such as one with the token in its URL. */
  get violations(): readonly Violation[] {
    return this.#records.violations;
  }

  get counts(): Readonly<Record<RequestKind, number>> {
    return this.#records.counts;
  }

  /** Requests by method and path, numbers in the path being `{id}`. A route that nobody asked for is not in it. */
  get byRoute(): Readonly<Record<string, number>> {
    return this.#records.byRoute;
  }

  /** Requests that changed something here, whatever their client was told. */
  get writes(): Readonly<Record<WriteKind, number>> {
    return this.#records.writes;
  }

  /** Forgets requests, counts, writes and violations. */
  clearRecords(): void {
    this.#records.clear();
  }

  addItem(item: NewItem): ItemState {
    return stateOf(this.#catalogue.add(item));
  }

  removeItem(ratingKey: number): void {
    const item = this.#existing(ratingKey);
    item.section.remove(item);
    this.#events.timeline(item, 'deleted');
  }

  /** As if a file had been renamed and Plex had noticed that it is the same film. */
  moveItem(ratingKey: number, file: string): void {
    const item = this.#existing(ratingKey);
    item.section.remove(item);
    item.media = [[file]];
    item.section.add(item);
  }

  /** Undefined when Plex has no such item, or does not show it yet. */
  item(ratingKey: number): ItemState | undefined {
    const item = this.#catalogue.item(ratingKey);
    return item && stateOf(item);
  }

  itemByFile(path: string): ItemState | undefined {
    const item = this.#catalogue.itemByFile(path);
    return item && stateOf(item);
  }

  /** What Sluice writes, as the item of this file shows it. A test that asks has put it there. */
  shown(file: string): Shown {
    const item = this.#catalogue.itemByFile(file);
    if (!item) throw new Error(`The Plex simulator has no item for ${file}`);
    return shownOf(item);
  }

  *items(): Generator<ItemState> {
    for (const section of this.#catalogue.sections)
      for (const item of section.items.values()) yield stateOf(item);
  }

  /** What Plex does every now and then by itself: its agent runs, and edits that are not locked are gone. */
  refreshMetadata(ratingKey: number): void {
    this.#existing(ratingKey).revertUnlocked(this.#catalogue.now());
  }

  /** A scan of one library, or of all. */
  async scan(library?: string | number): Promise<void> {
    const sections = library === undefined ? this.#catalogue.sections : [this.#catalogue.section(library)];
    await Promise.all(
      sections
        .filter((section): section is Section => section !== undefined)
        .map((section) => this.#scanner.scan(section, null, false)),
    );
  }

  /** Replaces all faults; null for a server without any. */
  setFault(fault: Fault | readonly Fault[] | null): void {
    this.#faults.set([fault ?? []].flat());
  }

  /** The server is gone: open connections are cut, new ones refused, until it comes back on the same port. */
  async goDown(): Promise<void> {
    this.#down.abort();
    await this.#listener.close();
  }

  async comeBack(): Promise<void> {
    if (this.#down.signal.aborted) this.#down = new AbortController();
    await this.#listener.open();
  }

  async stop(): Promise<void> {
    await this.goDown();
  }

  #existing(ratingKey: number): Item {
    const item = this.#catalogue.item(ratingKey);
    if (!item) throw new Error(`The Plex simulator has no item ${ratingKey}`);
    return item;
  }
}
