/**
 * What a job costs apart from the network: the worker's own drain loop, gate, sync, queue, ledger and log, all on
 * disk, with a Stash and a Plex in this process that answer at once. As for any work in bulk, Plex's library is
 * listed first; every item is written, and gets the scene's cover as its poster and background.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { PlexItem } from '../../src/plex/answers';
import type { PlexClient } from '../../src/plex/client';
import { PlexFinder } from '../../src/plex/finder';
import { FolderScanner } from '../../src/plex/scanner';
import { Bell } from '../../src/shared/bell';
import { systemClock } from '../../src/shared/clock';
import type { Outcome } from '../../src/shared/outcome';
import type { Cover } from '../../src/stash/picture';
import type { Scene } from '../../src/stash/scene';
import { syncDefaults } from '../../src/stash/sync-settings';
import { Habits } from '../../src/sync/habits';
import type { StoredLedger } from '../../src/sync/ledger';
import { OneAtATime } from '../../src/sync/one-at-a-time';
import type { SyncJob } from '../../src/sync/plan';
import { syncScene } from '../../src/sync/sync-scene';
import { Drain } from '../../src/worker/drain';
import { FlightLog } from '../../src/worker/flight-log';
import { Notices } from '../../src/worker/notices';
import { StashLink } from '../../src/worker/stash-link';
import { Target } from '../../src/worker/target';
import { type Compared, compare, median, progress, type Sampled, timeOf } from './measure';
import { type OwnState, openOwnState, queueScenes, targetName } from './own-state';

const rounds = 2;
/** So often are few jobs drained for each time that many are. */
const fewTimes = 15;

export async function drainCost(many: number, few: number): Promise<Compared[]> {
  const [of, to] = [draining(many, 1), draining(few, fewTimes)];
  await to.sample(); // what runs for the first time is slow, and would make the few look dear
  const what = `drain ${many} jobs, each (in one process, servers that answer at once)`;
  return compare([{ what, of, to, limit: 1.2 }], rounds);
}

function draining(jobs: number, times: number): Sampled {
  return {
    name: `drain ${jobs} jobs`,
    sample: async () => {
      const taken: number[] = [];
      for (let time = 0; time < times; time++) taken.push((await drainOnce(jobs)) / jobs);
      return median(taken);
    },
  };
}

async function drainOnce(jobs: number): Promise<number> {
  const state = await openOwnState();
  await queueScenes(state, jobs);
  const { queue, deadLetters, paths, log } = state;
  const ledger = await state.ledger(targetName);
  const done = new AbortController();
  const notices = new Notices(paths.notice, log);
  const drain = new Drain({
    target: new InstantTarget(state, ledger, jobs),
    queue,
    deadLetters,
    stash: new InstantStash(paths.connection, paths.root, systemClock, log, notices),
    flights: new FlightLog(join(paths.targets, targetName, 'in-flight.json')),
    bell: new Bell(),
    clock: systemClock,
    random: Math.random,
    log,
    notices: notices.about(targetName, ''),
    flush: state.flush,
    onNews: () => {
      const { waiting } = queue.counts(targetName);
      progress(`drain: ${waiting} of ${jobs} jobs wait`);
      if (waiting === 0) done.abort();
    },
  });
  const ms = await timeOf(() => drain.run(done.signal));
  const synced = queue.tally(targetName).done;
  if (synced !== jobs || ledger.get(jobs) === undefined)
    throw new Error(`Only ${synced} of ${jobs} jobs were done`);
  await state.remove();
  return ms;
}

class InstantStash extends StashLink {
  override scene(id: number): Promise<Scene> {
    return Promise.resolve(sceneOf(id));
  }

  override cover(path: string): Promise<Cover> {
    const bytes = Buffer.from(path);
    const sha1 = createHash('sha1').update(bytes).digest('hex');
    return Promise.resolve({ bytes, sha1, type: 'image/jpeg' });
  }
}

/** Its gate and its ledger are the real ones. */
class InstantTarget extends Target {
  readonly #items = new OneAtATime();
  readonly #habits = new Habits();
  readonly #plex: InstantPlex;
  readonly #finder: PlexFinder;
  readonly #scanner: FolderScanner;

  constructor(
    private readonly state: OwnState,
    ledger: StoredLedger,
    jobs: number,
  ) {
    const { paths, log, queue, flush: keep } = state;
    const folder = join(paths.targets, targetName);
    const due = () => queue.counts(targetName).due;
    const [name, clientIdentifier, clock, random] = [targetName, 'bench', systemClock, Math.random];
    super({ name, folder, ledger, clientIdentifier, clock, random, log, due, keep });
    this.missing = null;
    this.#plex = instantPlex(jobs);
    this.#finder = new PlexFinder({
      client: this.#plex,
      libraries: [],
      rules: [],
      matchByName: false,
      clock,
    });
    this.#scanner = new FolderScanner({ client: this.#plex, clock });
  }

  protected override attempt(job: SyncJob, stash: StashLink, signal: AbortSignal): Promise<Outcome> {
    return syncScene(
      { ...job, listFirst: true },
      {
        stash,
        plex: this.#plex,
        finder: this.#finder,
        scanner: this.#scanner,
        habits: this.#habits,
        ledger: this.ledger,
        items: this.#items,
        settings: syncDefaults,
        clock: systemClock,
        coverMs: this.flow.coverSeconds * 1_000,
        keep: this.state.flush,
        signal,
      },
    );
  }
}

type InstantPlex = Pick<
  PlexClient,
  'libraries' | 'findByFile' | 'page' | 'item' | 'edit' | 'images' | 'upload' | 'select' | 'scan'
>;

/** One library with the items of so many scenes. */
const instantPlex = (size: number): InstantPlex => ({
  libraries: () => Promise.resolve([{ key: '1', title: 'Films', type: 'movie', locations: ['/data'] }]),
  findByFile: (_library, name) => Promise.resolve([itemOf(/\d+/.exec(name)?.[0] ?? '')]),
  page: (_library, { start, size: wanted, updatedSince }) => {
    if (updatedSince !== undefined) return Promise.resolve({ items: [], sent: 0, total: 0 });
    const length = Math.min(wanted, size - start);
    const items = Array.from({ length }, (_, n) => itemOf(String(start + n + 1)));
    return Promise.resolve({ items, sent: length, total: size });
  },
  item: (ratingKey) => Promise.resolve(itemOf(ratingKey)),
  edit: () => Promise.resolve(),
  images: () => Promise.resolve([]),
  upload: () => Promise.resolve(),
  select: () => Promise.resolve(),
  scan: () => Promise.resolve(),
});

const fileOf = (id: number | string) => `/data/library/Scene ${id}.mp4`;
const named = (kind: string, count: number, first: number) =>
  Array.from({ length: count }, (_, n) => ({ id: String(first + n), name: `${kind} ${first + n}` }));

function sceneOf(id: number): Scene {
  return {
    id,
    title: `A film about river ${id}`,
    code: `R-${id}`,
    details: 'What the river does in summer, and who lives on its banks. '.repeat(3),
    date: '2024-05-06',
    director: 'Ada North',
    rating100: id % 101,
    organized: true,
    cover: `/scene/${id}/screenshot?t=1714953600`,
    files: [fileOf(id)],
    studio: { id: '3', name: 'North Shore Films', parent: null },
    performers: named('Person', 3, id % 500),
    tags: named('Tag', 6, id % 200),
    groups: [],
  };
}

function itemOf(ratingKey: string): PlexItem {
  return {
    ratingKey,
    sectionKey: '1',
    library: 'Films',
    files: [fileOf(ratingKey)],
    title: `Scene ${ratingKey}`,
    titleSort: '',
    summary: '',
    tagline: '',
    studio: '',
    contentRating: '',
    originallyAvailableAt: '',
    userRating: null,
    actors: [],
    directors: [],
    genres: [],
    labels: [],
    collections: [],
    thumb: `/library/metadata/${ratingKey}/thumb/1714953600`,
    art: '',
    locked: [],
    updatedAt: 1_714_953_600,
  };
}
