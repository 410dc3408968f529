/** One scene's way to Plex with everything real but Stash and the ledger's file. */
import { PlexClient } from '../../../src/plex/client';
import { PlexFinder } from '../../../src/plex/finder';
import { makeFetch } from '../../../src/shared/fetch';
import type { Outcome } from '../../../src/shared/outcome';
import { parsePathRules } from '../../../src/stash/path-rule';
import type { Scene } from '../../../src/stash/scene';
import type { Ledger, LedgerEntry } from '../../../src/sync/ledger-entry';
import { OneAtATime } from '../../../src/sync/one-at-a-time';
import { type SyncPorts, syncScene } from '../../../src/sync/sync-scene';
import type { Behaviour } from '../../sim/plex/behaviour';
import { PlexSim, type PlexSimOptions } from '../../sim/plex/plex-sim';
import { VirtualClock } from '../../support/virtual-clock';

class MemoryLedger implements Ledger {
  readonly entries = new Map<number, LedgerEntry>();
  puts = 0;

  get = (scene: number) => this.entries.get(scene);
  put(scene: number, entry: LedgerEntry) {
    this.puts += 1;
    this.entries.set(scene, structuredClone(entry));
  }
  remove = (scene: number) => void this.entries.delete(scene);
  sceneAt = (ratingKey: string) => [...this.entries].find(([, entry]) => entry.ratingKey === ratingKey)?.[0];
}

export interface RigOptions {
  behaviour?: Partial<Behaviour>;
  libraries?: PlexSimOptions['libraries'];
  chosen?: string[];
  rules?: string;
}

export class Rig {
  readonly ledger = new MemoryLedger();
  readonly clock = new VirtualClock();
  readonly scenes = new Map<number, Scene>();
  readonly stop = new AbortController();
  readonly client: PlexClient;
  readonly #ports: SyncPorts;

  private constructor(
    readonly plex: PlexSim,
    { chosen = [], rules = '/data => /media' }: RigOptions,
  ) {
    this.client = new PlexClient({
      url: plex.url,
      token: plex.token,
      clientIdentifier: 'sluice-test',
      version: '0',
      fetch: makeFetch({ trustAnyCertificate: false }),
    });
    this.#ports = {
      stash: { scene: async (id) => this.readScene(id) },
      plex: this.client,
      finder: new PlexFinder({
        client: this.client,
        libraries: chosen,
        rules: parsePathRules(rules),
        clock: this.clock,
      }),
      ledger: this.ledger,
      items: new OneAtATime(),
      clock: this.clock,
      signal: this.stop.signal,
    };
  }

  static async start(options: RigOptions = {}): Promise<Rig> {
    const { behaviour = {}, libraries } = options;
    return new Rig(await PlexSim.start({ behaviour, ...(libraries ? { libraries } : {}) }), options);
  }

  /** What Stash answers; a test may put a failure here. */
  readScene = (id: number): Scene | null => structuredClone(this.scenes.get(id) ?? null);

  /** Adds a scene, or changes one. */
  scene(id: number, changes: Partial<Scene>): void {
    const bare: Scene = {
      id,
      title: `Scene ${id}`,
      details: '',
      date: null,
      files: [`/data/${id}.mp4`],
      studio: null,
      performers: [],
      tags: [],
      groups: [],
    };
    this.scenes.set(id, { ...(this.scenes.get(id) ?? bare), ...changes });
  }

  sync(id: number, more: { asked?: boolean } = {}): Promise<Outcome> {
    return syncScene({ scene: id, asked: more.asked ?? false }, this.#ports);
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
