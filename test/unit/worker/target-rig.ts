/** Targets with everything real but Stash and the files of the ledger: what is read goes over HTTP to a Plex simulator. */
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { MemoryStore } from '../../../src/persist/keyed-store';
import type { DeadLetter, QueueEntry } from '../../../src/queue/entries';
import { Queue } from '../../../src/queue/queue';
import type { Clock } from '../../../src/shared/clock';
import type { PageWanted, ScenesPage, StashClient } from '../../../src/stash/client';
import type { Cover } from '../../../src/stash/picture';
import type { Scene } from '../../../src/stash/scene';
import { missingSettings, readSettings } from '../../../src/stash/settings';
import { StoredLedger } from '../../../src/sync/ledger';
import { Notices } from '../../../src/worker/notices';
import { StashLink } from '../../../src/worker/stash-link';
import { Target } from '../../../src/worker/target';
import { PlexSim } from '../../sim/plex/plex-sim';
import { MemoryLog } from '../../support/memory-log';
import { aScene } from '../../support/scenes';
import { tempDir } from '../../support/temp-dir';
import { VirtualClock } from '../../support/virtual-clock';

const { signal } = new AbortController();

/** A Stash that holds what the test says. */
class SmallStash extends StashLink {
  readonly library = new Map<number, Scene>();
  covers: Cover | null = null;
  /** Which pages were asked for, by where they begin. */
  readonly pages: PageWanted[] = [];
  /** How many single scenes were asked for. */
  singles = 0;
  before: () => void = () => {};

  override async ask<T>(question: (client: StashClient) => Promise<T>): Promise<T> {
    const client = {
      scene: async (id: number) => {
        this.singles++;
        this.before();
        return this.library.get(id) ?? null;
      },
      scenes: async (wanted: PageWanted): Promise<ScenesPage> => {
        this.pages.push(wanted);
        this.before();
        const rest = [...this.library.values()]
          .filter(({ id }) => id > wanted.after)
          .sort((a, b) => a.id - b.id);
        const scenes = rest.slice(0, wanted.limit);
        const last = scenes.length < rest.length ? (scenes.at(-1)?.id ?? null) : null;
        return { total: rest.length, scenes, last };
      },
      cover: async () => this.covers,
    };
    return super.ask(() => question(client as unknown as StashClient));
  }
}

export class TargetRig {
  readonly clock = new VirtualClock();
  readonly log = new MemoryLog();
  readonly store = new MemoryStore<QueueEntry>();
  readonly queue = new Queue(this.store, this.clock);
  readonly deadLetters = new MemoryStore<DeadLetter>();
  readonly stash: SmallStash;
  readonly targets: { target: Target; plex: PlexSim }[] = [];
  readonly #dir = tempDir();

  constructor() {
    const { clock, log } = this;
    const dir = this.#dir;
    const notices = new Notices(join(dir, 'notice'), log);
    this.stash = new SmallStash(join(dir, 'connection.json'), dir, clock, log, notices);
    this.stash.learn(
      { scheme: 'http', host: '127.0.0.1', port: 9, cookie: null, dir, pluginDir: dir },
      clock.now(),
    );
  }

  all = () => this.targets;

  /** A server of that name, set up and found well. */
  async addTarget(name = 'plex', settings: Record<string, unknown> = {}): Promise<PlexSim> {
    const { clock, log } = this;
    // Its times are those of the virtual clock, so that it is known who changed an item.
    const plex = await PlexSim.start({
      libraries: [{ title: 'Films', locations: ['/media'] }],
      clock: { now: clock.now, sleep: realSleep },
    });
    onTestFinished(() => plex.stop());
    const target = new Target({
      name,
      folder: join(this.#dir, 'targets', name),
      ledger: new StoredLedger(new MemoryStore()),
      clientIdentifier: 'sluice-test',
      clock,
      random: () => 0,
      log,
      due: () => this.queue.counts(name).due,
      keep: async () => {},
    });
    this.targets.push({ target, plex });
    this.configure(settings, name);
    await target.probe(false, signal);
    plex.clearRecords();
    return plex;
  }

  configure(settings: Record<string, unknown>, name = 'plex'): void {
    const { target, plex } = this.at(name);
    const raw = { plexUrl: plex.url, plexToken: plex.token, ...settings };
    const read = readSettings(raw, {});
    if (read.problems.length > 0) throw new Error(read.problems.join());
    target.configure(read.settings, read.settings, read.settings.flow, missingSettings(read.settings));
  }

  at(name = 'plex'): { target: Target; plex: PlexSim } {
    const found = this.targets.find(({ target }) => target.name === name);
    if (!found) throw new Error(`there is no target ${name}`);
    return found;
  }

  /** A scene whose file is `/media/<id>.mp4`. */
  scene(id: number, more: Partial<Scene> = {}): void {
    const before = this.stash.library.get(id) ?? aScene({ id, files: [`/media/${id}.mp4`] });
    this.stash.library.set(id, { ...before, ...more });
  }

  /** The same on both sides, and not yet synced. */
  film(id: number, more: Partial<Scene> = {}): void {
    this.scene(id, { title: `Film ${id}`, ...more });
    for (const { plex } of this.targets) plex.addItem({ library: 'Films', file: `/media/${id}.mp4` });
  }

  /** Syncs it as the drain would. */
  async sync(id: number, name = 'plex'): Promise<string> {
    const { target } = this.at(name);
    const outcome = await target.sync({ scene: id, asked: true }, this.#ticket(target), this.stash, signal);
    return outcome.kind;
  }

  /** Makes the target's server fail until its gate opens. */
  async outage(name = 'plex'): Promise<void> {
    const { target, plex } = this.at(name);
    plex.setFault({ kind: 'unauthorised' });
    const scene = 999_999;
    this.scene(scene, { title: 'Weather' });
    await target.sync({ scene, asked: true }, this.#ticket(target), this.stash, signal);
    this.stash.library.delete(scene);
    if (target.isClosed) throw new Error('the gate did not open');
  }

  async recover(name = 'plex'): Promise<void> {
    const { target, plex } = this.at(name);
    plex.setFault(null);
    target.tryNow();
    target.ask(this.clock.now());
    await target.probe(false, signal);
    if (!target.isClosed) throw new Error('the gate did not close');
  }

  #ticket(target: Target) {
    const pass = target.ask(this.clock.now());
    if (pass.admit !== 'job') throw new Error(`no job was admitted: ${JSON.stringify(pass)}`);
    return pass.ticket;
  }
}

const realSleep: Clock['sleep'] = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
