/**
 * Somebody's home: a Stash with Sluice installed from `dist/`, a Plex with the same files, and a small library. All
 * of it real processes, files and HTTP except the two servers. For tests, soak, demo and benchmarks.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type StatePaths, statePaths } from '../../src/persist/paths';
import { leaveInInbox } from '../../src/queue/inbox';
import { isRunning } from '../../src/shared/process';
import type { Status } from '../../src/shared/status';
import { leaseHolder } from '../../src/worker/lease';
import { PlexSim, type PlexSimOptions } from './plex/plex-sim';
import { pictureOf } from './stash/pictures';
import type { SceneRecord } from './stash/records';
import { StashSim, type StashSimOptions } from './stash/stash-sim';
import type { NewScene } from './stash/store';

export interface HouseholdOptions {
  scenes?: number;
  /** False: nothing is set on the settings page. */
  configured?: boolean;
  settings?: Record<string, unknown>;
  env?: Record<string, string | undefined>;
  stash?: Partial<StashSimOptions>;
  plex?: PlexSimOptions;
}

/**
 * Time is real here, and the machine may be slow: unless a test is about them, neither the ramp after an outage nor
 * the adaptive cap should make it last longer. What a test sets on the settings page wins.
 */
const hasty = {
  SLUICE_FLOW_INITIAL_RATE: '500',
  SLUICE_FLOW_TARGET_RATE: '1000',
  SLUICE_FLOW_RECOVERY_SECONDS: '1',
  SLUICE_FLOW_QUICK_MS: '10000',
};

const root = findRoot();
const token = 'a-plex-token-nobody-may-see';

/**
 * What a scene looks like on either side, as far as Sluice keeps it in step unless told otherwise. Labels, collections
 * and the content rating are Plex's own business then.
 */
export interface Shown {
  title: string;
  sortTitle: string;
  summary: string;
  studio: string;
  date: string;
  rating: number | null;
  tagline: string;
  directors: string[];
  actors: string[];
  /** In alphabetical order. */
  genres: string[];
  /** SHA-1 of the picture; null: none that we brought. */
  poster: string | null;
  background: string | null;
}

export class Household {
  readonly people: number[] = [];
  readonly tags: number[] = [];
  readonly studios: number[] = [];
  readonly groups: number[] = [];
  readonly scenes: number[] = [];
  readonly state: StatePaths;
  readonly #names = new Map<number, string>();
  readonly #killed = new Set<number>();

  private constructor(
    readonly dir: string,
    readonly pluginDir: string,
    readonly stash: StashSim,
    readonly plex: PlexSim,
  ) {
    this.state = statePaths(join(dir, 'config', 'sluice-data'));
  }

  static async open(options: HouseholdOptions = {}): Promise<Household> {
    const dir = mkdtempSync(join(tmpdir(), 'sluice-home-'));
    const pluginDir = join(dir, 'config', 'plugins', 'sluice');
    mkdirSync(pluginDir, { recursive: true });
    cpSync(join(root, 'plugin.yml'), join(pluginDir, 'sluice.yml'));
    cpSync(join(root, 'dist'), join(pluginDir, 'dist'), {
      recursive: true,
      filter: (path) => basename(path) !== 'state-dir',
    });
    const plex = await PlexSim.start({
      token,
      libraries: [{ title: 'Films', locations: ['/media'] }],
      ...options.plex,
    });
    const stash = await StashSim.start({
      dir: join(dir, 'config'),
      cwd: dir,
      // It slows Node's start threefold.
      env: { NODE_EXTRA_CA_CERTS: undefined, ...hasty, ...options.env },
      ...options.stash,
    });
    const home = new Household(dir, pluginDir, stash, plex);
    home.#furnish(options.scenes ?? 5);
    if (options.configured ?? true) await home.configure(options.settings);
    return home;
  }

  configure(settings: Record<string, unknown> = {}): Promise<void> {
    const usual = { plexUrl: this.plex.url, plexToken: this.plex.token, plexPathMap: '/data => /media' };
    return this.stash.configure('sluice', { ...usual, ...settings });
  }

  /** The scene's file as Plex sees it. */
  file(scene: number): string {
    return `/media/${this.#names.get(scene) ?? fileName(scene)}`;
  }

  /** Adds a scene to both sides, as if it had always been there. All that Plex knows of it is the file. */
  addScene(name = fileName(this.scenes.length + 1), known: Omit<NewScene, 'path' | 'files'> = {}): number {
    const id = this.stash.addScene({ ...known, files: [{ path: `/data/${name}` }] });
    this.#names.set(id, name);
    this.scenes.push(id);
    this.plex.addItem({ library: 'Films', file: this.file(id) });
    return id;
  }

  #furnish(scenes: number): void {
    for (const name of ['Ada Heron', 'Bo "The Guide" Ødegård, Jr.', 'Chiara Lupo', 'Dai Nguyễn'])
      this.people.push(this.stash.addPerformer({ name }));
    for (const name of ['Wetland', 'Rivers, lakes & co', 'Night 🌙', '100% calm'])
      this.tags.push(this.stash.addTag({ name }));
    for (const name of ['North Shore Films', "O'Brien / Sons"])
      this.studios.push(this.stash.addStudio({ name }));
    for (const name of ['Seasons at the Lake', 'Talks, 2024'])
      this.groups.push(this.stash.addGroup({ name }));
    for (let n = 0; n < scenes; n++) this.addScene();
  }

  /** What a person might do to this scene; different for each `n`. */
  someEdit(scene: number, n: number) {
    const pick = <T>(from: T[], mask: number) => from.filter((_, index) => mask & (1 << index));
    return {
      id: scene,
      title: n % 7 === 0 ? '' : `Take ${n} of scene ${scene}`,
      details: n % 5 === 0 ? '' : `Notes ${n}:\n"quoted" & 100% <sure>`,
      date: n % 4 === 0 ? null : `2024-0${1 + (n % 9)}-1${n % 10}`,
      studio_id: n % 3 === 0 ? null : String(this.studios[n % 2]),
      performer_ids: pick(this.people, n % 16).map(String),
      tag_ids: pick(this.tags, (n * 5) % 16).map(String),
      rating100: n % 6 === 0 ? null : (n * 5) % 101,
      code: n % 8 === 0 ? '' : `NS-${n}`,
      director: n % 9 === 0 ? '' : `Director No. ${n % 3}`,
      organized: n % 2 === 0,
      groups: pick(this.groups, n % 4).map((id) => ({ group_id: String(id) })),
    };
  }

  /** Asks Sluice for something, and gives what it answers. */
  ask<T = string>(mode: string, args: Record<string, unknown> = {}): Promise<T> {
    return this.stash.runOperation<T>('sluice', { mode, ...args });
  }

  /** What a person does who does not want to wait for the next try. */
  tryPlexNow(): Promise<string> {
    return this.ask('reset_breaker');
  }

  /** Sets what differs from the usual, and resolves when the worker goes by it. */
  async reconfigure(settings: Record<string, unknown>): Promise<void> {
    await this.configure(settings);
    await this.ask('health'); // reads the settings first
  }

  /** Queues all scenes, and resolves when they are synced. */
  async syncAll(patienceMs?: number): Promise<void> {
    await this.ask('sync_all');
    await this.drained(patienceMs);
  }

  /** What the next hook tells the person. */
  notice(): string {
    return existsSync(this.state.notice) ? readFileSync(this.state.notice, 'utf8') : '';
  }

  status(): Status | null {
    try {
      return JSON.parse(readFileSync(this.state.status, 'utf8')) as Status;
    } catch {
      return null;
    }
  }

  /** The worker that holds the lease and lives. */
  worker(): number | null {
    const holder = leaseHolder(this.state.lease);
    return holder && isRunning(holder) ? holder.pid : null;
  }

  /** Leaves an event as a hook would, and starts nothing. */
  leaveEvent(scene: number, given: unknown = { id: String(scene) }): string {
    const input = this.stash.hookInput('Scene.Update.Post', scene, given);
    return leaveInInbox(this.state.inbox, JSON.stringify(input));
  }

  /** Changes a scene in Stash without any hook. */
  changeSilently(scene: number, change: Partial<Omit<SceneRecord, 'id'>>): void {
    const record = this.stash.store.scenes.get(scene);
    if (record) Object.assign(record, change);
  }

  /** Starts a worker as a hook would, but as a child of this process. */
  startWorker(env: Record<string, string> = {}): ChildProcess {
    const script = join(this.pluginDir, 'dist', 'worker.js');
    const { NODE_EXTRA_CA_CERTS: _, ...own } = process.env;
    mkdirSync(this.state.inbox, { recursive: true, mode: 0o700 });
    return spawn(process.execPath, [script, this.state.root, this.pluginDir], {
      detached: true,
      stdio: 'ignore',
      env: { ...own, ...hasty, SLUICE_POLL_SECONDS: '1', SLUICE_DEBUG: '1', ...env },
    });
  }

  /** Every process that works for this household, alive. */
  workers(): number[] {
    // Without /proc (macOS) only the lease tells.
    if (!existsSync('/proc')) return [this.worker() ?? []].flat();
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => {
        try {
          const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
          const isOurs = args.some((arg) => arg.endsWith('worker.js')) && args.includes(this.state.root);
          return isOurs || (this.#killed.has(Number(pid)) && !hasEnded(pid));
        } catch {
          return false;
        }
      })
      .map(Number);
  }

  killWorkers(): void {
    for (const pid of this.workers()) {
      try {
        process.kill(pid, 'SIGKILL');
        this.#killed.add(pid);
      } catch {
        // It ended by itself.
      }
    }
  }

  /** What Plex should show for each scene by the settings' defaults. A scene without a cover leaves Plex's pictures. */
  async inStash(): Promise<Map<number, Omit<Shown, 'poster' | 'background'> & Partial<Shown>>> {
    const query = `{ findScenes(filter: { per_page: -1, sort: "id" }) { scenes {
      id title details date rating100 code director
      studio { name } performers { name } tags { name } files { path } } } }`;
    type Answer = { findScenes: { scenes: StashScene[] } };
    const { findScenes } = await this.stash.gql<Answer>(query);
    return new Map(
      findScenes.scenes.map((scene) => {
        const path = scene.files[0]?.path ?? '';
        const title = scene.title || basename(path, extname(path));
        const cover = this.#coverSha1(Number(scene.id));
        return [
          Number(scene.id),
          {
            title,
            sortTitle: title.replace(/^(the|das|der|an?|el|la) (?=.)/i, ''),
            summary: scene.details ?? '',
            studio: scene.studio?.name ?? '',
            date: firstDay(scene.date ?? ''),
            rating: scene.rating100 ? scene.rating100 / 10 : null,
            tagline: scene.code ?? '',
            directors: scene.director ? [scene.director] : [],
            actors: scene.performers.map(({ name }) => name),
            genres: scene.tags.map(({ name }) => name).sort(),
            ...(cover === null ? {} : { poster: cover, background: cover }),
          },
        ];
      }),
    );
  }

  #coverSha1(scene: number): string | null {
    const cover = this.stash.store.scenes.get(scene)?.cover ?? null;
    return cover && sha1(cover === 'generated' ? pictureOf(scene) : cover);
  }

  inPlex(scene: number): Shown | null {
    if (!this.plex.itemByFile(this.file(scene))) return null;
    const shown = this.plex.shown(this.file(scene));
    return {
      title: shown.title,
      sortTitle: shown.titleSort,
      summary: shown.summary,
      studio: shown.studio,
      date: shown.originallyAvailableAt,
      rating: shown.userRating || null,
      tagline: shown.tagline,
      directors: shown.directors,
      actors: shown.actors,
      genres: shown.genres.toSorted(),
      poster: shown.posterSha1,
      background: shown.artSha1,
    };
  }

  /**
   * Where the two sides differ, one line a field; of the given scenes, or of all. Among all, a scene that was never
   * sent is no difference for its pictures alone.
   */
  async differences(scenes?: number[]): Promise<string[]> {
    const lines: string[] = [];
    for (const [scene, wanted] of await this.inStash()) {
      if (scenes && !scenes.includes(scene)) continue;
      const shown = this.inPlex(scene);
      const wasSent = this.plex.itemByFile(this.file(scene))?.locked.length !== 0;
      for (const field of Object.keys(wanted) as (keyof Shown)[]) {
        if ((field === 'poster' || field === 'background') && !scenes && !wasSent) continue;
        const [a, b] = [JSON.stringify(wanted[field]), JSON.stringify(shown?.[field])];
        if (a !== b) lines.push(`scene ${scene}, ${field}: ${a} in Stash, ${b} in Plex`);
      }
    }
    return lines;
  }

  /**
   * Resolves when nothing is left to do, as the worker says after the inbox was seen empty: in the second status that it
   * writes after that, because the first may have been on its way already. A scene that is looked at once more later
   * does not count, and neither do files of hooks that were killed while they wrote: the worker gives them a minute.
   */
  async drained(patienceMs = 30_000): Promise<void> {
    let emptyAt: number | null = null;
    let firstAt: number | null = null;
    await until(
      'the queue is empty',
      () => {
        const inbox = readdirSync(this.state.inbox).filter((name) => name.endsWith('.json')).length;
        if (inbox > 0) {
          emptyAt = null;
          firstAt = null;
        } else emptyAt ??= Date.now();
        // Before it is read: what is read is at least as new.
        const writtenAt = statSync(this.state.status, { throwIfNoEntry: false })?.mtimeMs ?? 0;
        const status = this.status();
        if (emptyAt === null || status === null || writtenAt <= emptyAt) return false;
        firstAt ??= writtenAt;
        if (status.worker.alive && writtenAt === firstAt) return false;
        const { waiting, due, inFlight, retrying, fanOuts } = status.queue;
        if (fanOuts > 0 || status.passes.length > 0) return false;
        return waiting === 0 || due + inFlight + retrying === 0;
      },
      patienceMs,
    );
  }

  log(): string {
    return existsSync(this.state.log) ? readFileSync(this.state.log, 'utf8') : '';
  }

  async close(): Promise<void> {
    this.killWorkers();
    await this.stash.stop();
    await this.plex.stop();
    this.killWorkers();
    rmSync(this.dir, { recursive: true, force: true, maxRetries: 10 });
  }
}

interface StashScene {
  id: string;
  title: string | null;
  details: string | null;
  date: string | null;
  rating100: number | null;
  code: string | null;
  director: string | null;
  studio: { name: string } | null;
  performers: { name: string }[];
  tags: { name: string }[];
  files: { path: string }[];
}

const sha1 = (bytes: Buffer): string => createHash('sha1').update(bytes).digest('hex');

/** Stash knows years and months as dates. */
const firstDay = (date: string): string => (date === '' ? '' : `${date}-01-01`.slice(0, '2024-01-01'.length));

const subjects = [
  'Kelp Forest',
  'Snow Leopard',
  'River Delta',
  'Tiny Boats',
  'Evening Concert',
  'On Lichens',
];

const fileName = (scene: number) =>
  `${subjects[(scene - 1) % subjects.length]} ${String(scene).padStart(4, '0')}.mp4`;

/** A process that is dying has no command line any more, but still counts as alive until it is a zombie or gone. */
const hasEnded = (pid: string): boolean => /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

/** Real processes take real time: looks again and again until it is so. */
export async function until(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  patienceMs = 30_000,
): Promise<void> {
  const end = Date.now() + patienceMs;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`Still not so after ${patienceMs / 1_000} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Stash notes changes by the second: what follows is told apart from what was. */
export async function nextSecond(): Promise<void> {
  const second = Math.floor(Date.now() / 1_000);
  await until('the next second', () => Math.floor(Date.now() / 1_000) > second);
}

/** The repository, whether this file runs as it is or bundled. */
function findRoot(): string {
  let dir = fileURLToPath(new URL('.', import.meta.url));
  while (!existsSync(join(dir, 'plugin.yml'))) dir = join(dir, '..');
  return dir;
}
