/**
 * How many requests Plex gets for one changed scene, by what has changed and by what that Plex does with lists. The
 * Plex simulator counts them, over real HTTP; client, finder, sync and ledger are the real ones.
 *
 * What a Plex does with lists is learned by looking once (`habits.ts`), so the first scene of a kind may cost more. It
 * is told apart; what counts is the dearest of those that follow.
 */
import { PlexClient } from '../../src/plex/client';
import { PlexFinder } from '../../src/plex/finder';
import { FolderScanner } from '../../src/plex/scanner';
import { systemClock } from '../../src/shared/clock';
import { makeFetch } from '../../src/shared/fetch';
import type { Outcome } from '../../src/shared/outcome';
import type { Scene } from '../../src/stash/scene';
import { syncDefaults } from '../../src/stash/sync-settings';
import { Habits } from '../../src/sync/habits';
import { OneAtATime } from '../../src/sync/one-at-a-time';
import { type SyncPorts, syncScene } from '../../src/sync/sync-scene';
import type { Behaviour } from '../../test/sim/plex/behaviour';
import { PlexSim } from '../../test/sim/plex/plex-sim';
import { progress } from './measure';
import { openOwnState, targetName } from './own-state';
import { coverFrom, fileOf, folder, sceneOf } from './sync-library';
import type { Row } from './table';

type Mode = Behaviour['tags'];

/** What a Plex may do with lists; sources disagree which of them the real one does. */
export const modes = {
  merge: 'keeps the names of a list where they are and adds new ones at the end',
  'merge-front': 'puts the names that are sent first and keeps the others',
  replace: 'keeps only the names that are sent',
} satisfies Record<Mode, string>;
export const modeNames = ['merge', 'merge-front', 'replace'] as const satisfies readonly Mode[];

/** The first one, and those that are measured. */
const scenesOfAKind = 6;

interface Requests {
  GET: number;
  PUT: number;
  POST: number;
}

interface Kind {
  what: string;
  change(scene: Scene): Partial<Scene>;
  /** The most requests in the usual case; null: for information. */
  limit: Requests | null;
  /** A Plex that merges may need another PUT. */
  mergingPuts?: 2;
  /** It was never synced before. */
  isNew?: true;
  asked?: true;
}

const edited: Requests = { GET: 1, PUT: 1, POST: 0 };
/** Poster and background. */
const withPictures: Requests = { ...edited, POST: 2 };
const named = (...names: string[]) => names.map((name) => ({ id: `id of ${name}`, name }));

const kinds: readonly Kind[] = [
  { what: 'title', limit: edited, change: () => ({ title: 'The estuary' }) },
  { what: 'all texts, date and rating', limit: edited, change: () => texts },
  { what: 'rating', limit: edited, change: () => ({ rating100: 40 }) },
  { what: 'studio', limit: edited, change: () => ({ studio }) },
  {
    what: 'two tags more',
    limit: edited,
    change: ({ tags }) => ({ tags: [...tags, ...named('Dusk', 'Salt')] }),
  },
  { what: 'two tags fewer', limit: edited, mergingPuts: 2, change: ({ tags }) => ({ tags: tags.slice(2) }) },
  { what: 'no tags any more', limit: edited, mergingPuts: 2, change: () => ({ tags: [] }) },
  {
    what: 'two people more, at the end',
    limit: edited,
    change: ({ performers }) => ({ performers: [...performers, ...named('Ada Lind', 'Bo Falk')] }),
  },
  {
    what: 'people change places',
    limit: edited,
    mergingPuts: 2,
    change: ({ performers }) => ({ performers: performers.toReversed() }),
  },
  { what: 'cover', limit: withPictures, change: ({ id }) => ({ cover: `/scene/${id}/screenshot?t=2` }) },
  {
    what: 'everything at once',
    limit: withPictures,
    mergingPuts: 2,
    change: ({ id, tags, performers }) => ({
      ...texts,
      studio,
      title: 'The estuary',
      tags: [...tags.slice(2), ...named('Dusk')],
      performers: [...performers.toReversed(), ...named('Ada Lind')],
      cover: `/scene/${id}/screenshot?t=2`,
    }),
  },
  { what: 'nothing', limit: { GET: 0, PUT: 0, POST: 0 }, change: () => ({}) },
  {
    what: 'nothing, a person asked for a look',
    limit: { GET: 1, PUT: 0, POST: 0 },
    asked: true,
    change: () => ({}),
  },
  { what: 'never synced before, by itself', limit: null, isNew: true, change: () => ({}) },
];

const studio = { id: '4', name: 'Low Tide Pictures', parent: null };
const texts: Partial<Scene> = {
  title: 'The estuary',
  details: 'Where the river ends, and what begins there.',
  code: 'LTP-7',
  date: '2023-11-02',
  director: 'Olu Brandt',
  rating100: 90,
};

export async function requestsPerChange(mode: Mode): Promise<Row[]> {
  const rows: Row[] = [];
  for (const kind of kinds) {
    progress(`${mode}: ${kind.what}`);
    rows.push(await rowFor(kind, mode));
  }
  return rows;
}

async function rowFor(kind: Kind, mode: Mode): Promise<Row> {
  const [first = nothing, ...others] = await measured(kind, mode);
  const dearest = others.reduce(most, nothing);
  const isDearer = inWords(first) !== inWords(dearest);
  return {
    what: kind.what,
    measured: inWords(dearest),
    ...(kind.limit && verdict(dearest, limitFor(kind, kind.limit, mode))),
    ...(isDearer && { note: `the first: ${inWords(first)}` }),
  };
}

function limitFor({ mergingPuts }: Kind, limit: Requests, mode: Mode): Requests {
  return mode === 'replace' || mergingPuts === undefined ? limit : { ...limit, PUT: mergingPuts };
}

const verdict = (dearest: Requests, limit: Requests) => ({
  limit: inWords(limit),
  ok: dearest.GET <= limit.GET && dearest.PUT <= limit.PUT && dearest.POST <= limit.POST,
  otherwise: 'TOO MUCH' as const,
});

const nothing: Requests = { GET: 0, PUT: 0, POST: 0 };

const most = (a: Requests, b: Requests): Requests => ({
  GET: Math.max(a.GET, b.GET),
  PUT: Math.max(a.PUT, b.PUT),
  POST: Math.max(a.POST, b.POST),
});

function inWords(requests: Requests): string {
  const parts = (['GET', 'PUT', 'POST'] as const).filter((method) => requests[method] > 0);
  return parts.length === 0 ? 'none' : parts.map((method) => `${requests[method]} ${method}`).join(', ');
}

/** What each scene of its kind cost, with a server and a library that nothing is known of. */
async function measured(kind: Kind, mode: Mode): Promise<Requests[]> {
  const state = await openOwnState();
  const plex = await PlexSim.start({
    libraries: [{ title: 'Films', locations: [folder] }],
    behaviour: { tags: mode },
  });
  try {
    const ids = Array.from({ length: scenesOfAKind }, (_, index) => index + 1);
    const scenes = new Map(ids.map((id) => [id, sceneOf(id)]));
    for (const id of ids) plex.addItem({ file: fileOf(id) });
    const ledger = await state.ledger(targetName);
    const client = new PlexClient({
      url: plex.url,
      token: plex.token,
      clientIdentifier: 'bench',
      version: '0',
      fetch: makeFetch({ trustAnyCertificate: false }),
    });
    const clock = systemClock;
    const ports: SyncPorts = {
      stash: {
        scene: async (id) => scenes.get(id) ?? null,
        cover: async (path) => coverFrom(path),
      },
      plex: client,
      finder: new PlexFinder({ client, libraries: [], rules: [], matchByName: false, clock }),
      scanner: new FolderScanner({ client, clock }),
      ledger,
      items: new OneAtATime(),
      habits: new Habits(),
      settings: syncDefaults,
      coverMs: 0,
      keep: () => ledger.flush(),
      clock,
      signal: new AbortController().signal,
    };
    const sync = (scene: number, asked: boolean) => syncScene({ scene, asked }, ports);
    for (const id of kind.isNew ? [] : ids) expectKind(await sync(id, false), 'ok', kind);

    const costs: Requests[] = [];
    for (const [id, scene] of scenes) {
      const change = kind.change(scene);
      const isWritten = kind.isNew || Object.keys(change).length > 0;
      scenes.set(id, { ...scene, ...change });
      plex.clearRecords();
      expectKind(await sync(id, kind.asked ?? false), isWritten ? 'ok' : 'unchanged', kind);
      costs.push(countRequests(plex));
      // Few requests are worth nothing if Plex does not show it all.
      expectKind(await sync(id, true), 'unchanged', kind);
    }
    return costs;
  } finally {
    await plex.stop();
    await state.remove();
  }
}

function expectKind(outcome: Outcome, expected: Outcome['kind'], { what }: Kind): void {
  if (outcome.kind === expected) return;
  throw new Error(`${what}: ${expected} was expected, and this came: ${JSON.stringify(outcome)}`);
}

function countRequests({ requests }: PlexSim): Requests {
  const of = (wanted: string) => requests.filter(({ method }) => method === wanted).length;
  return { GET: of('GET'), PUT: of('PUT'), POST: of('POST') };
}
