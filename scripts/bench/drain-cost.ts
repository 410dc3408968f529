/**
 * What a job costs apart from the network: the worker's own drain loop, gate, sync, queue, ledger and log, all on
 * disk, with a Stash and a Plex in this process that answer at once.
 */
import { join } from 'node:path';
import type { PlexItem } from '../../src/plex/answers';
import { PlexFinder } from '../../src/plex/finder';
import { Bell } from '../../src/shared/bell';
import { systemClock } from '../../src/shared/clock';
import type { Outcome } from '../../src/shared/outcome';
import type { Scene } from '../../src/stash/scene';
import type { EditingPlex } from '../../src/sync/apply-edit';
import type { StoredLedger } from '../../src/sync/ledger';
import { OneAtATime } from '../../src/sync/one-at-a-time';
import { type SyncJob, syncScene } from '../../src/sync/sync-scene';
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
    target: new InstantTarget(state, ledger),
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
}

/** Its gate and its ledger are the real ones. */
class InstantTarget extends Target {
  readonly #lanes = new OneAtATime();
  readonly #finder = new PlexFinder({ client: instantPlex, libraries: [], rules: [], clock: systemClock });

  constructor({ paths, log }: OwnState, ledger: StoredLedger) {
    const folder = join(paths.targets, targetName);
    const [name, clientIdentifier, clock, random] = [targetName, 'bench', systemClock, Math.random];
    super({ name, folder, ledger, clientIdentifier, clock, random, log });
    this.missing = null;
  }

  protected override attempt(job: SyncJob, stash: StashLink, signal: AbortSignal): Promise<Outcome> {
    const { ledger } = this;
    const ports = { stash, plex: instantPlex, finder: this.#finder, ledger, items: this.#lanes };
    return syncScene(job, { ...ports, clock: systemClock, signal });
  }
}

const instantPlex: EditingPlex & ConstructorParameters<typeof PlexFinder>[0]['client'] = {
  libraries: () => Promise.resolve([{ key: '1', title: 'Films', type: 'movie', locations: ['/data'] }]),
  findByFile: (_library, name) => Promise.resolve([itemOf(/\d+/.exec(name)?.[0] ?? '')]),
  item: (ratingKey) => Promise.resolve(itemOf(ratingKey)),
  edit: () => Promise.resolve(),
};

const fileOf = (id: number | string) => `/data/library/Scene ${id}.mp4`;
const named = (kind: string, count: number, first: number) =>
  Array.from({ length: count }, (_, n) => ({ id: String(first + n), name: `${kind} ${first + n}` }));

function sceneOf(id: number): Scene {
  return {
    id,
    title: `A film about river ${id}`,
    details: 'What the river does in summer, and who lives on its banks. '.repeat(3),
    date: '2024-05-06',
    files: [fileOf(id)],
    studio: { id: '3', name: 'North Shore Films' },
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
    summary: '',
    studio: '',
    originallyAvailableAt: '',
    actors: [],
    genres: [],
  };
}
