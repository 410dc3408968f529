/**
 * Whatever Plex shows and whatever it should show, under every way in which Plex may treat tags: after the writes
 * it shows what it should, and a second look finds nothing to do. Also when what was learned from one item is
 * believed for the next, and when values of Plex's own are to stay.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlexItem } from '../../src/plex/answers';
import type { Params } from '../../src/plex/query-string';
import type { Scene } from '../../src/stash/scene';
import { type SyncSettings, syncDefaults } from '../../src/stash/sync-settings';
import { applyEdit } from '../../src/sync/apply-edit';
import { difference } from '../../src/sync/difference';
import { Habits } from '../../src/sync/habits';
import { fold } from '../../src/sync/names';
import { isSettled, type Ours, oursAfter, triedBefore } from '../../src/sync/own-values';
import { parcelsOf } from '../../src/sync/parcels';
import { formerLists, wantedState } from '../../src/sync/wanted';

interface Server {
  tags: 'merge' | 'merge-front' | 'replace';
  oneRemoval: boolean;
  capitalises: boolean;
}

const lists = {
  director: 'directors',
  actor: 'actors',
  genre: 'genres',
  label: 'labels',
  collection: 'collections',
} as const;
const texts = [
  'title',
  'titleSort',
  'summary',
  'studio',
  'tagline',
  'contentRating',
  'originallyAvailableAt',
] as const;

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
/** Of the composed form: the capital of half a letter is no capital. */
const capital = (name: string) => {
  const composed = name.normalize('NFC');
  const [first = ''] = composed;
  return first.toUpperCase() + composed.slice(first.length);
};

/** Plex as a few lines: what its edits do to one item. Written from the reference, not from our code. */
function edited(item: PlexItem, params: Params, { tags, oneRemoval, capitalises }: Server): PlexItem {
  const next = structuredClone(item);
  const value = (name: string) => params.find(([key]) => key === name)?.[1];
  if (value('title.value') !== undefined && !item.locked.includes('titleSort')) next.titleSort = '';
  for (const name of texts) next[name] = value(`${name}.value`) ?? next[name];
  const rating = value('userRating.value');
  if (rating !== undefined) next.userRating = rating === '' ? null : Number(rating);
  let removals = 0;
  for (const [kind, key] of Object.entries(lists) as [keyof typeof lists, (typeof lists)['actor']][]) {
    const sent = params.filter(([name]) => name.startsWith(`${kind}[`) && name.endsWith('].tag.tag'));
    const current = next[key];
    const arrived = sent.map(
      ([, tag]) => current.find((one) => same(one, tag)) ?? (capitalises ? capital(tag) : tag),
    );
    const missesIn = (list: string[]) => (tag: string) => !list.some((one) => same(one, tag));
    if (sent.length > 0 && tags === 'merge') next[key] = [...current, ...arrived.filter(missesIn(current))];
    if (sent.length > 0 && tags === 'merge-front')
      next[key] = [...arrived, ...current.filter(missesIn(arrived))];
    if (sent.length > 0 && tags === 'replace') next[key] = arrived;
    for (const tag of value(`${kind}[].tag.tag-`)?.split(',').map(decodeURIComponent) ?? []) {
      if (oneRemoval && removals > 0) continue;
      removals += 1;
      next[key] = next[key].filter((one) => one !== tag);
    }
    if (value(`${kind}[].tag`) !== undefined) next[key] = [];
  }
  for (const [name] of params) {
    const lock = /^(\w+)\.locked$/.exec(name)?.[1];
    if (lock) next.locked = [...new Set([...next.locked, lock])];
  }
  return next;
}

const tag = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('a', 'b', 'c', 'A', 'B', 'x, y', '50%', '%2C', 'a&b=c', '"q"') },
  { weight: 2, arbitrary: fc.constantFrom('Ünï', '🌊', 'a/b', '+', 'שלום', 'ßa', 'e\u0301t') },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 5 }) },
);
const text = fc.oneof(
  fc.constantFrom('', 'x', 'The x', 'a b', 'b.mp4'),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
);
const named = fc
  .array(tag, { maxLength: 6 })
  .map((names) => names.map((name, i) => ({ id: String(i), name })));
const scene: fc.Arbitrary<Scene> = fc
  .record({
    title: text,
    code: text,
    details: text,
    director: text,
    date: fc.constantFrom(null, '2024', '2024-05', '2024-05-17'),
    rating100: fc.option(fc.integer({ min: 1, max: 100 })),
    performers: named,
    tags: named,
    groups: named,
    studioName: text,
  })
  .map(({ studioName, ...rest }) => ({
    ...rest,
    id: 1,
    files: ['/a/b.mp4'],
    organized: false,
    cover: null,
    studio: { id: '1', name: studioName, parent: null },
  }));
const settings: fc.Arbitrary<SyncSettings> = fc
  .record({
    plexKeepsOwn: fc.boolean(),
    syncTagsAs: fc.constantFrom<SyncSettings['syncTagsAs']>('genres', 'labels', 'collections'),
    syncCollectionsFrom: fc.constantFrom<SyncSettings['syncCollectionsFrom']>(
      { studio: false, groups: false, tags: [] },
      { studio: true, groups: true, tags: ['A'] },
    ),
    syncSkipFields: fc.subarray<SyncSettings['syncSkipFields'][number]>(['title', 'tags', 'performers']),
    syncContentRating: fc.constantFrom('', 'PG'),
  })
  .map((some) => ({ ...syncDefaults, ...some }));
const server: fc.Arbitrary<Server> = fc.record({
  tags: fc.constantFrom('merge', 'merge-front', 'replace'),
  oneRemoval: fc.boolean(),
  capitalises: fc.boolean(),
});
const names = fc
  .uniqueArray(tag, { maxLength: 5, selector: fold })
  .map((all) => all.filter((one) => one.trim()));
const item: fc.Arbitrary<PlexItem> = fc.record({
  ratingKey: fc.constant('5'),
  sectionKey: fc.constant('1'),
  library: fc.constant('Films'),
  files: fc.constant(['/a/b.mp4']),
  title: text,
  titleSort: text,
  summary: text,
  tagline: text,
  studio: text,
  contentRating: fc.constantFrom('', 'PG', 'R'),
  originallyAvailableAt: fc.constantFrom('', '2024-05-17'),
  userRating: fc.constantFrom(null, 7.5, 10),
  actors: names,
  directors: names,
  genres: names,
  labels: names,
  collections: names,
  thumb: fc.constant(''),
  art: fc.constant(''),
  locked: fc.subarray(['title', 'titleSort', 'genre']),
  updatedAt: fc.constant(0),
});

const optionsOf = (of: SyncSettings) => ({ keepsOwn: of.plexKeepsOwn, former: formerLists(of) });

/** One sync: what a worker does with the ledger around it. */
async function sync(
  shown: PlexItem,
  from: Scene,
  of: SyncSettings,
  ours: Ours | null,
  habits: Habits,
  plexIs: Server,
) {
  let now = shown;
  const requests = { put: 0, get: 0 };
  const plex = {
    item: async () => {
      requests.get += 1;
      return structuredClone(now);
    },
    edit: async (_section: string, _key: string, params: Params) => {
      requests.put += 1;
      now = edited(now, params, plexIs);
    },
  };
  const wanted = wantedState(from, of);
  const options = optionsOf(of);
  const edit = difference(wanted, shown, ours, options);
  const tried = edit && triedBefore(wanted, edit, ours);
  const applied = edit && (await applyEdit(edit, shown, plex, habits, new AbortController().signal));
  return {
    now,
    tried,
    requests,
    ours: oursAfter(wanted, shown, edit, tried ?? ours, options, applied),
    wanted,
    edit,
  };
}

const folded = (all: readonly string[]) => all.map(fold).sort();

describe('an edit', () => {
  it('never names and removes the same tag', () => {
    fc.assert(
      fc.property(scene, item, settings, (from, shown, of) => {
        const edit = difference(wantedState(from, of), shown, null, optionsOf(of));
        const params = edit ? parcelsOf(edit).flat() : [];
        for (const kind of Object.keys(lists)) {
          const sent = params.filter(([name]) => /^\w+\[\d+\]/.test(name) && name.startsWith(kind));
          const removal = params.find(([name]) => name === `${kind}[].tag.tag-`)?.[1] ?? '';
          const removed =
            removal === '' ? [] : removal.split(',').map((name) => fold(decodeURIComponent(name)));
          expect(sent.filter(([, name]) => removed.includes(fold(name)))).toEqual([]);
        }
      }),
    );
  });

  it('leads to what was wanted, whatever Plex does with tags and whatever was learned before', async () => {
    const steps = fc.array(fc.record({ from: scene, shown: item }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(steps, settings, server, async (all, of, plexIs) => {
        const habits = new Habits();
        for (const { from, shown } of all) {
          const { now, ours, wanted, edit } = await sync(shown, from, of, null, habits, plexIs);
          expect(difference(wanted, now, ours, optionsOf(of))).toBeNull();
          expect(isSettled(wanted, formerLists(of), ours)).toBe(true);
          for (const [kind, key] of Object.entries(lists) as [
            keyof typeof lists,
            (typeof lists)['actor'],
          ][]) {
            const want = wanted[kind];
            if (!want) expect(now[key]).toEqual(shown[key]);
            else if (of.plexKeepsOwn)
              expect(new Set(folded(now[key]))).toEqual(new Set(folded([...want, ...shown[key]])));
            else expect(new Set(folded(now[key]))).toEqual(new Set(folded(want)));
          }
          const order = now.actors.map(fold).filter((name) => wanted.actor?.map(fold).includes(name));
          if (wanted.actor) expect([...new Set(order)]).toEqual(wanted.actor.map(fold));
          if (!edit) expect(now).toBe(shown);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('removes what was ours and keeps what was not, from one state of Stash to the next', async () => {
    await fc.assert(
      fc.asyncProperty(
        scene,
        scene,
        item,
        settings,
        settings,
        server,
        async (first, second, shown, of, later, plexIs) => {
          const habits = new Habits();
          const before = { ...of, plexKeepsOwn: true };
          const after = { ...later, plexKeepsOwn: true };
          const one = await sync(shown, first, before, null, habits, plexIs);
          const two = await sync(one.now, second, after, one.ours, habits, plexIs);
          expect(difference(two.wanted, two.now, two.ours, optionsOf(after))).toBeNull();
          // The same from a ledger that stopped before the first write was confirmed.
          expect(difference(two.wanted, two.now, two.tried ?? one.ours, optionsOf(after))).toBeNull();
          for (const [kind, key] of Object.entries(lists) as [
            keyof typeof lists,
            (typeof lists)['actor'],
          ][]) {
            const want = two.wanted[kind];
            const wrote = folded(one.wanted[kind] ?? []);
            const own = folded(shown[key]).filter((name) => !wrote.includes(name));
            if (want) expect(new Set(folded(two.now[key]))).toEqual(new Set([...folded(want), ...own]));
            else if (formerLists(after).includes(kind))
              expect(new Set(folded(two.now[key]))).toEqual(new Set(own));
            else expect(two.now[key]).toEqual(one.now[key]);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('costs one request, and a second where people change places, once the server is known', async () => {
    const known = { ...syncDefaults };
    await fc.assert(
      fc.asyncProperty(scene, item, server, async (from, shown, anyServer) => {
        const plexIs = { ...anyServer, oneRemoval: false };
        const habits = new Habits();
        const people = (...all: string[]) => all.map((name) => ({ id: name, name }));
        const lesson = { ...from, performers: people('p', 'q'), tags: people('s') };
        const pupil = { ...shown, actors: ['q', 'p', 'r'], genres: ['t', 'u'] };
        await sync(pupil, lesson, known, null, habits, plexIs);
        await sync(pupil, { ...lesson, tags: [] }, known, null, habits, plexIs);
        const { requests, edit } = await sync(shown, from, known, null, habits, plexIs);
        const moved = edit?.lists.some((list) => list.moved) && plexIs.tags === 'merge';
        expect(requests).toEqual({ get: 0, put: edit ? (moved ? 2 : 1) : 0 });
      }),
      { numRuns: 100 },
    );
  });
});
