/**
 * How many scenes a second the worker brings in step apart from the network, and whether a scene costs more when there
 * are many: the real queue, drain loop, target with its gate, index, ledger and log, all on disk, with a Stash and a
 * Plex in this process that answer at once.
 *
 * What grows is judged by processor time: other work on the machine lengthens the time on the wall, hardly that. Sizes
 * are measured in turns and medians are compared.
 */
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Bell } from '../../src/shared/bell';
import { systemClock } from '../../src/shared/clock';
import { Drain } from '../../src/worker/drain';
import { FlightLog } from '../../src/worker/flight-log';
import { Notices } from '../../src/worker/notices';
import { median, progress, say } from './measure';
import { type OwnState, openOwnState, targetName } from './own-state';
import { type Asked, InstantPlex } from './sync-instant-plex';
import { InstantTarget } from './sync-instant-target';
import { InstantStash } from './sync-library';
import { duration, type Row } from './table';

const sizes = [1_000, 10_000, 50_000] as const;
type Size = (typeof sizes)[number];

const passes = {
  first: 'first sync_all, everything is written',
  second: 'second sync_all, nothing has changed',
  changed: 'bulk edit, every title has changed',
} as const;
type Pass = keyof typeof passes;
const passNames = ['first', 'second', 'changed'] as const satisfies readonly Pass[];

/** Of one scene. */
interface Cost {
  /** Time of the processor. */
  cpuMs: number;
  wallMs: number;
}

type Samples = Record<Pass, Cost[]>;

/** The largest is measured in the middle: what the machine does meanwhile meets the others before and after it. */
const turns: readonly Size[] = [
  ...Array<Size>(5).fill(1_000),
  10_000,
  50_000,
  10_000,
  ...Array<Size>(5).fill(1_000),
];
const warmUp = 5_000;
const limit = 1.2;
const mostTries = 3;

export interface Speed {
  /** Scenes per second, by size and pass. */
  speeds: Row[];
  growth: Row[];
  memory: Row[];
}

export async function syncSpeed(): Promise<Speed> {
  const memory: Row[] = [];
  say('Warming up ...');
  await passesOver(warmUp); // what runs for the first time is slow, and would make the few look dear
  let samples = await sampleAll(memory);
  const earlier = new Map<string, number[]>();
  for (let tries = 2; tries <= mostTries; tries++) {
    const above = growthOf(samples).filter(({ ratio }) => ratio > limit);
    if (above.length === 0) break;
    say(`Above the limit, so measured once more: ${above.map(({ what }) => what).join('; ')}`);
    for (const { what, ratio } of above) earlier.set(what, [...(earlier.get(what) ?? []), ratio]);
    samples = await sampleAll([]);
  }
  return { speeds: speedRows(samples), growth: growthRows(samples, earlier), memory };
}

type AllSamples = ReadonlyMap<Size, Samples>;

async function sampleAll(memory: Row[]): Promise<AllSamples> {
  const all = new Map(sizes.map((size): [Size, Samples] => [size, { first: [], second: [], changed: [] }]));
  for (const [turn, size] of turns.entries()) {
    say(`Three passes over ${counted(size)} scenes (${turn + 1} of ${turns.length}) ...`);
    const costs = await passesOver(size, size === 50_000 ? memory : []);
    for (const pass of passNames) all.get(size)?.[pass].push(costs[pass]);
  }
  return all;
}

/** Each pass once over a new library of so many scenes; into `memory` goes what is held in the end. */
async function passesOver(size: number, memory: Row[] = []): Promise<Record<Pass, Cost>> {
  const state = await openOwnState();
  const plex = new InstantPlex(size);
  try {
    const { queue, deadLetters, paths, log } = state;
    const folder = join(paths.targets, targetName);
    const ledger = await state.ledger(targetName);
    const notices = new Notices(paths.notice, log);
    const stash = new InstantStash(paths.connection, paths.root, systemClock, log, notices);
    const shared = { clock: systemClock, random: Math.random, log };
    const target = new InstantTarget(
      {
        ...shared,
        name: targetName,
        folder,
        ledger,
        clientIdentifier: 'bench',
        due: () => queue.counts(targetName).due,
        keep: () => ledger.flush(),
      },
      plex,
    );
    let done = new AbortController();
    const flights = new FlightLog(join(folder, 'in-flight.json'));
    const drain = new Drain({
      ...shared,
      target,
      queue,
      deadLetters,
      stash,
      flights,
      bell: new Bell(),
      notices: notices.about(targetName, ''),
      flush: state.flush,
      onNews: () => {
        const { waiting } = queue.counts(targetName);
        progress(`${counted(waiting)} of ${counted(size)} scenes wait`);
        if (waiting === 0) done.abort();
      },
    });
    const pass = async (expected: Asked, queueAll: () => Promise<void>): Promise<Cost> => {
      plex.clear();
      done = new AbortController();
      const wall = performance.now();
      const cpu = process.cpuUsage();
      await queueAll();
      await drain.run(done.signal);
      const { user, system } = process.cpuUsage(cpu);
      expectAsked(plex.asked, expected, size);
      return { cpuMs: (user + system) / 1_000 / size, wallMs: (performance.now() - wall) / size };
    };
    const syncAll = async () => {
      target.relist();
      await queueScenes(state, size, true);
    };

    const first = await pass({ GET: 3 * size, PUT: size, POST: 2 * size }, syncAll);
    const second = await pass({ GET: 0, PUT: 0, POST: 0 }, syncAll);
    stash.take = 2;
    const changed = await pass({ GET: size, PUT: size, POST: 0 }, () => queueScenes(state, size, false));
    if (ledger.size !== size || deadLetters.size > 0) throw new Error('Not every scene is in the ledger');
    memory.push(...memoryRows(size));
    flights.close();
    return { first, second, changed };
  } finally {
    await state.remove();
  }
}

/** Beyond what the scenes need, one request per hundred of them may list the library. */
function expectAsked(asked: Asked, expected: Asked, size: number): void {
  const more = asked.GET - expected.GET;
  const isRight =
    asked.PUT === expected.PUT && asked.POST === expected.POST && more >= 0 && more <= size / 100;
  if (isRight) return;
  throw new Error(`${size} scenes: asked ${JSON.stringify(asked)} in place of ${JSON.stringify(expected)}`);
}

/** Page by page, as a pass over Stash's library does. */
async function queueScenes({ queue }: OwnState, count: number, asked: boolean): Promise<void> {
  const pageSize = 1_000;
  for (let scene = 1; scene <= count; scene++) {
    queue.add(targetName, scene, { bulk: true, asked });
    if (scene % pageSize === 0 || scene === count) await queue.flush();
  }
}

// --- what is printed ---

interface Growth {
  what: string;
  ofMs: number;
  toMs: number;
  ratio: number;
}

function growthOf(samples: AllSamples): Growth[] {
  const [small, middle, large] = sizes;
  const pairs = [
    [middle, small],
    [large, middle],
    [large, small],
  ] as const;
  return passNames.flatMap((pass) =>
    pairs.map(([of, to]) => {
      const [ofMs, toMs] = [typical(samples, of, pass).cpuMs, typical(samples, to, pass).cpuMs];
      return {
        what: `${passes[pass]}: ${counted(of)} against ${counted(to)}`,
        ofMs,
        toMs,
        ratio: ofMs / toMs,
      };
    }),
  );
}

function growthRows(samples: AllSamples, earlier: ReadonlyMap<string, number[]>): Row[] {
  return growthOf(samples).map(({ what, ofMs, toMs, ratio }) => {
    const before = earlier.get(what) ?? [];
    return {
      what,
      measured: duration(ofMs),
      against: duration(toMs),
      ratio: `${ratio.toFixed(2)} x`,
      limit: `${limit.toFixed(2)} x`,
      ok: ratio <= limit,
      ...(before.length > 0 && { note: `before: ${before.map((one) => one.toFixed(2)).join(', ')}` }),
    };
  });
}

function speedRows(samples: AllSamples): Row[] {
  return passNames.flatMap((pass) =>
    sizes.map((size) => {
      const { wallMs, cpuMs } = typical(samples, size, pass);
      return {
        what: `${passes[pass]}: ${counted(size)} scenes`,
        measured: `${counted(1_000 / wallMs)} scenes/s`,
        note: `each ${duration(wallMs)}, of that processor ${duration(cpuMs)}`,
      };
    }),
  );
}

function memoryRows(size: number): Row[] {
  const { rss } = process.memoryUsage();
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
  const what = `this process with queue, ledger and index after ${counted(size)} scenes`;
  return [
    { what: `memory of ${what}`, measured: megabytes(rss) },
    {
      what: 'of that in use, after a collection of garbage',
      measured: megabytes(process.memoryUsage().heapUsed),
    },
  ];
}

function typical(samples: AllSamples, size: Size, pass: Pass): Cost {
  const costs = samples.get(size)?.[pass] ?? [];
  return {
    cpuMs: median(costs.map(({ cpuMs }) => cpuMs)),
    wallMs: median(costs.map(({ wallMs }) => wallMs)),
  };
}

const counted = (count: number): string => Math.round(count).toLocaleString('en');
