/**
 * Whatever Plex shows and whatever it should show, under every way in which Plex may treat tags: after the writes
 * it shows what it should, and a second look finds nothing to do.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlexItem } from '../../src/plex/answers';
import type { Params } from '../../src/plex/query-string';
import { applyEdit } from '../../src/sync/apply-edit';
import { difference } from '../../src/sync/difference';
import { fold } from '../../src/sync/names';
import { type Wanted, wantedState } from '../../src/sync/wanted';

type TagMode = 'merge' | 'merge-front' | 'replace';

/** Plex as a few lines: what its edits do to one item. Written from the reference, not from our code. */
function edited(item: PlexItem, params: Params, mode: TagMode, oneRemoval: boolean): PlexItem {
  const next = structuredClone(item);
  const fields = {
    title: 'title',
    summary: 'summary',
    studio: 'studio',
    originallyAvailableAt: 'originallyAvailableAt',
  } as const;
  for (const [name, value] of params) {
    for (const field of Object.values(fields)) if (name === `${field}.value`) next[field] = value;
  }
  let removals = 0;
  for (const [kind, key] of [
    ['actor', 'actors'],
    ['genre', 'genres'],
  ] as const) {
    const sent = params
      .filter(([name]) => name.startsWith(`${kind}[`) && name.endsWith('].tag.tag'))
      .map(([, v]) => v);
    const has = (list: string[], tag: string) => list.some((one) => one.toLowerCase() === tag.toLowerCase());
    const current = params.some(([name]) => name === `${kind}[].tag`) ? [] : next[key];
    const added = sent.filter((tag) => !has(current, tag));
    const first = sent.map((tag) => current.find((one) => one.toLowerCase() === tag.toLowerCase()) ?? tag);
    if (sent.length === 0) next[key] = current;
    else if (mode === 'merge') next[key] = [...current, ...added];
    else if (mode === 'merge-front') next[key] = [...first, ...current.filter((tag) => !has(sent, tag))];
    else next[key] = sent;
    const removal = params.find(([name]) => name === `${kind}[].tag.tag-`)?.[1];
    for (const tag of removal?.split(',').map(decodeURIComponent) ?? []) {
      if (oneRemoval && removals > 0) continue;
      removals += 1;
      next[key] = next[key].filter((one) => one !== tag);
    }
  }
  return next;
}

const tag = fc.oneof(
  fc.constantFrom('a', 'b', 'c', 'A', 'B', 'x, y', '50%', '%2C', 'a&b=c', 'Ünï', '🌊', '"q"', 'a/b', '+'),
  fc.string({ unit: 'grapheme', maxLength: 5 }),
);
const text = fc.oneof(fc.constantFrom('', 'x'), fc.string({ unit: 'grapheme', maxLength: 8 }));
const date = fc.constantFrom(null, '2024', '2024-05', '2024-05-17');
const named = fc
  .array(tag, { maxLength: 6 })
  .map((names) => names.map((name, i) => ({ id: String(i), name })));
const wanted: fc.Arbitrary<Wanted> = fc
  .record({ title: text, details: text, date, studioName: text, performers: named, tags: named })
  .map(({ studioName, ...rest }) =>
    wantedState({ ...rest, id: 1, files: ['/a/b.mp4'], groups: [], studio: { id: '1', name: studioName } }),
  );
/** What Plex holds was once wanted, by us or by somebody else. */
const item: fc.Arbitrary<PlexItem> = wanted.map((once) => ({
  ...once,
  originallyAvailableAt: once.originallyAvailableAt ?? '',
  ratingKey: '5',
  sectionKey: '1',
  library: 'Films',
  files: ['/a/b.mp4'],
}));
const mode = fc.constantFrom<TagMode>('merge', 'merge-front', 'replace');

describe('an edit', () => {
  it('never names and removes the same tag', () => {
    fc.assert(
      fc.property(wanted, item, (want, shown) => {
        const params = difference(want, shown)?.params ?? [];
        for (const kind of ['actor', 'genre']) {
          const sent = params.filter(([name]) => /^\w+\[\d+\]/.test(name) && name.startsWith(kind));
          const removal = params.find(([name]) => name === `${kind}[].tag.tag-`)?.[1] ?? '';
          const removed =
            removal === '' ? [] : removal.split(',').map((name) => fold(decodeURIComponent(name)));
          expect(sent.filter(([, name]) => removed.includes(fold(name)))).toEqual([]);
        }
      }),
    );
  });

  it('leads to what was wanted, whatever Plex does with tags', async () => {
    await fc.assert(
      fc.asyncProperty(wanted, item, mode, fc.boolean(), async (want, before, tags, oneRemoval) => {
        let shown = before;
        let requests = 0;
        const plex = {
          item: async () => {
            requests += 1;
            return shown;
          },
          edit: async (_section: string, _key: string, params: Params) => {
            requests += 1;
            shown = edited(shown, params, tags, oneRemoval);
          },
        };
        const edit = difference(want, shown);
        if (edit) await applyEdit(edit, want, shown, plex, new AbortController().signal);
        expect(difference(want, shown)).toBeNull();
        expect(shown.actors.map(fold)).toEqual(want.actors.map(fold));
        expect(shown.genres.map(fold).sort()).toEqual(want.genres.map(fold).sort());
        if (tags !== 'merge' && !oneRemoval) expect(requests).toBeLessThanOrEqual(2);
      }),
      { numRuns: 500 },
    );
  });
});
