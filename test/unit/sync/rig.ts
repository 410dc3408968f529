/** One scene's way to Plex with everything real but Stash and the ledger's file. */
import { createHash } from 'node:crypto';
import { afterEach, expect } from 'vitest';
import { MemoryStore } from '../../../src/persist/keyed-store';
import { PlexClient } from '../../../src/plex/client';
import { PlexFinder } from '../../../src/plex/finder';
import { FolderScanner } from '../../../src/plex/scanner';
import { makeFetch } from '../../../src/shared/fetch';
import type { Outcome } from '../../../src/shared/outcome';
import { parsePathRules } from '../../../src/stash/path-rule';
import type { Cover } from '../../../src/stash/picture';
import type { Scene } from '../../../src/stash/scene';
import { type SyncSettings, syncDefaults } from '../../../src/stash/sync-settings';
import { Habits } from '../../../src/sync/habits';
import { StoredLedger } from '../../../src/sync/ledger';
import type { LedgerEntry } from '../../../src/sync/ledger-entry';
import { OneAtATime } from '../../../src/sync/one-at-a-time';
import type { SyncJob } from '../../../src/sync/plan';
import { type SyncPorts, syncScene } from '../../../src/sync/sync-scene';
import { type Difference, whyDifferent } from '../../../src/sync/whether-different';
import type { Behaviour } from '../../sim/plex/behaviour';
import { PlexSim, type PlexSimOptions } from '../../sim/plex/plex-sim';
import { aScene } from '../../support/scenes';
import { VirtualClock } from '../../support/virtual-clock';

export interface RigOptions {
  behaviour?: Partial<Behaviour>;
  libraries?: PlexSimOptions['libraries'];
  chosen?: string[];
  rules?: string;
  settings?: Partial<SyncSettings>;
}

export const coverMs = 600_000;

const running: Rig[] = [];
afterEach(async () => {
  for (const { plex } of running.splice(0)) {
    await plex.stop();
    expect(plex.violations).toEqual([]);
  }
});

/** A rig whose Plex is stopped after the test. */
export async function startRig(options: RigOptions = {}): Promise<Rig> {
  const rig = await Rig.start(options);
  running.push(rig);
  return rig;
}

export class Rig {
  readonly clock: VirtualClock;
  ledger = new StoredLedger(new MemoryStore<LedgerEntry>());
  readonly scenes = new Map<number, Scene>();
  /** What Stash has under the addresses of covers; an error is thrown. */
  readonly covers = new Map<string, Cover | Error>();
  /** The addresses that were fetched from Stash. */
  readonly fetched: string[] = [];
  /** How often the ledger had to be on disk before something was sent. */
  keeps = 0;
  settings: SyncSettings;
  stop = new AbortController();
  readonly client: PlexClient;
  readonly #chosen: string[];
  readonly #rules: string;
  readonly #items = new OneAtATime();
  readonly #habits = new Habits();
  readonly #scanner: FolderScanner;
  #finders = new Map<boolean, PlexFinder>();

  private constructor(
    readonly plex: PlexSim,
    clock: VirtualClock,
    { chosen = [], rules = '/data => /media', settings = {} }: RigOptions,
  ) {
    this.clock = clock;
    this.settings = { ...syncDefaults, ...settings };
    this.client = new PlexClient({
      url: plex.url,
      token: plex.token,
      clientIdentifier: 'sluice-test',
      version: '0',
      fetch: makeFetch({ trustAnyCertificate: false }),
      clock,
    });
    this.#chosen = chosen;
    this.#rules = rules;
    this.#scanner = new FolderScanner({ client: this.client, clock });
  }

  static async start(options: RigOptions): Promise<Rig> {
    const { behaviour = {}, libraries } = options;
    const clock = new VirtualClock();
    const plex = await PlexSim.start({ behaviour, clock, ...(libraries ? { libraries } : {}) });
    return new Rig(plex, clock, options);
  }

  /** What Stash answers; a test may put a failure here. */
  readScene = (id: number): Scene | null => structuredClone(this.scenes.get(id) ?? null);

  /** Adds a scene, or changes one. */
  scene(id: number, changes: Partial<Scene>): void {
    const bare = aScene({ id, title: `Scene ${id}`, files: [`/data/${id}.mp4`] });
    this.scenes.set(id, { ...(this.scenes.get(id) ?? bare), ...changes });
  }

  /** Gives a scene a cover under a new address, as Stash does; without a picture: Stash's stock picture. */
  cover(id: number, picture: Cover | Error | null, address = `/scene/${id}/screenshot?t=${this.#covers++}`) {
    this.scene(id, { cover: address });
    if (picture) this.covers.set(address, picture);
    else this.covers.delete(address);
  }
  #covers = 1;

  /** A new finder for each value of the setting, as after a change of it. */
  get finder(): PlexFinder {
    const { plexMatchByName: matchByName } = this.settings;
    const finder =
      this.#finders.get(matchByName) ??
      new PlexFinder({
        client: this.client,
        libraries: this.#chosen,
        rules: parsePathRules(this.#rules),
        matchByName,
        clock: this.clock,
      });
    this.#finders.set(matchByName, finder);
    return finder;
  }

  get ports(): SyncPorts {
    return {
      stash: {
        scene: async (id) => this.readScene(id),
        cover: async (path) => {
          this.fetched.push(path);
          const found = this.covers.get(path) ?? null;
          if (found instanceof Error) throw found;
          return found;
        },
      },
      plex: this.client,
      finder: this.finder,
      scanner: this.#scanner,
      habits: this.#habits,
      ledger: this.ledger,
      items: this.#items,
      settings: this.settings,
      clock: this.clock,
      signal: this.stop.signal,
      coverMs,
      keep: async () => {
        this.keeps += 1;
      },
    };
  }

  sync(id: number, more: Partial<SyncJob> = {}): Promise<Outcome> {
    return syncScene({ scene: id, asked: false, ...more }, this.ports);
  }

  /** As work in bulk does: the libraries are listed first. */
  async syncListed(id: number): Promise<Outcome> {
    await this.list();
    return await this.sync(id, { asked: true, listFirst: true });
  }

  /** The libraries as they are now. */
  async list(): Promise<void> {
    const { finder } = this;
    finder.index.expire();
    while (!(await finder.advance(this.stop.signal))) {}
  }

  whyDifferent(id: number, isGivenUp = false): Difference | null {
    const scene = this.readScene(id);
    if (!scene) throw new Error(`There is no scene ${id}.`);
    return whyDifferent(scene, isGivenUp ? 'bad-data' : null, this.ports);
  }

  /** What a person does in Plex, a while later. */
  async byHand(ratingKey: number, params: Parameters<PlexClient['edit']>[2]): Promise<void> {
    await this.clock.advance(60_000);
    await this.client.edit('1', String(ratingKey), params, this.stop.signal);
    await this.clock.advance(60_000);
  }

  /** A person chooses a picture of their own, which locks it. */
  async pictureByHand(ratingKey: number, kind: 'poster' | 'art', text: string): Promise<string> {
    await this.clock.advance(60_000);
    const { bytes, sha1 } = picture(text);
    await this.client.upload(String(ratingKey), kind, bytes, this.stop.signal);
    const field = kind === 'poster' ? 'thumb' : 'art';
    await this.byHand(ratingKey, [[`${field}.locked`, '1']]);
    return sha1;
  }

  /** The kinds of the requests that `work` makes, in their order. */
  async requestsOf(work: () => Promise<unknown>): Promise<string[]> {
    const before = this.plex.requests.length;
    await work();
    return this.plex.requests.slice(before).map(({ kind }) => kind);
  }
}

/** Related objects; the id is the name, so that a rename is another object. */
export const named = (...names: string[]) => names.map((name) => ({ id: `id of ${name}`, name }));

/** A picture, told apart by its text. */
export function picture(text: string): Cover {
  const bytes = Buffer.from(`\x89PNG\r\n\x1a\n${text}`, 'latin1');
  return { bytes, sha1: createHash('sha1').update(bytes).digest('hex'), type: 'image/png' };
}
