import { describe, expect, it } from 'vitest';
import { type Params, queryString } from '../../../src/plex/query-string';
import { difference } from '../../../src/sync/difference';
import { isCutOf, parcelBytes, parcelsOf, shorterLists, shorterTexts } from '../../../src/sync/parcels';
import type { Wanted } from '../../../src/sync/wanted';
import { shownItem } from './shown-item';

const editFor = (wanted: Wanted, shown = {}) => {
  const edit = difference(wanted, shownItem(shown), null, { keepsOwn: false, former: [] });
  if (!edit) throw new Error('nothing to write');
  return edit;
};
const parcels = (...args: Parameters<typeof editFor>) => parcelsOf(editFor(...args));
const size = (params: Params) => queryString(params).length;
const tags = (count: number) => Array.from({ length: count }, (_, i) => `tag, number ${i} 🌊`);

describe('an edit', () => {
  it('is one request if it fits', () => {
    expect(parcels({ title: 'x', summary: 'y'.repeat(3000), genre: tags(20) })).toHaveLength(1);
  });

  it('is several that are not too long otherwise, with each text and each list in one', () => {
    const wanted = { summary: 'y'.repeat(4000), studio: 'é'.repeat(500), actor: tags(40), genre: tags(40) };
    const sent = parcels(wanted);
    expect(sent.length).toBeGreaterThan(1);
    for (const params of sent) expect(size(params)).toBeLessThanOrEqual(parcelBytes);
    for (const kind of ['actor', 'genre']) {
      const holding = sent.filter((params) => params.some(([name]) => name.startsWith(`${kind}[`)));
      expect(holding).toHaveLength(1);
    }
  });

  it('has a text that is too long alone in its request', () => {
    const long = 'y'.repeat(20_000);
    expect(parcels({ summary: long, studio: 'S' }).map((params) => params.map(([name]) => name))).toEqual([
      ['summary.value', 'summary.locked'],
      ['studio.value', 'studio.locked'],
    ]);
  });

  it('has 300 tags in parts that are not too long, numbered on, each name once', () => {
    const sent = parcels({ genre: tags(300) }, { genres: tags(400).map((name) => `old ${name}`) });
    for (const params of sent) {
      expect(size(params)).toBeLessThanOrEqual(parcelBytes);
      expect(params.at(-1)).toEqual(['genre.locked', '1']);
    }
    const named = sent.flat().filter(([name]) => /^genre\[\d+\]/.test(name));
    expect(named).toEqual(tags(300).map((name, i) => [`genre[${i}].tag.tag`, name]));
    const removed = sent.flat().filter(([name]) => name === 'genre[].tag.tag-');
    expect(removed.flatMap(([, value]) => value.split(',').map(decodeURIComponent))).toHaveLength(400);
  });
});

describe('a list in parts', () => {
  const naming = (own: string[]) => {
    const edit = difference({ genre: tags(300) }, shownItem({ genres: own }), null, {
      keepsOwn: true,
      former: [],
    });
    return edit ? parcelsOf(edit).map((params) => params.map(([, value]) => value)) : [];
  };

  it('has what is Plex’s own in each of them', () => {
    const sent = naming(['mine', 'his']);
    expect(sent.length).toBeGreaterThan(2);
    for (const values of sent) expect(values).toEqual(expect.arrayContaining(['mine', 'his']));
    expect([...new Set(sent.flat())].sort()).toEqual([...tags(300), 'mine', 'his', '1'].sort());
  });

  it('has it once if that is too much for each of them', () => {
    const own = tags(90).map((name) => `own ${name}`);
    const sent = naming(own).flat();
    expect(sent.filter((value) => own.includes(value))).toEqual(own);
  });
});

describe('a text that is refused', () => {
  const text = '👩‍👩‍👧‍👦e\u0301'.repeat(1500);
  const [change] = editFor({ summary: text }).texts;
  const attempts = change ? [...shorterTexts(change)] : [];

  it('is tried whole, and then ever shorter until it fits into an ordinary request', () => {
    expect(attempts[0]).toBe(text);
    const sizes = attempts.map((value) =>
      size([
        ['summary.value', value],
        ['summary.locked', '1'],
      ]),
    );
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
    expect(sizes.at(-1)).toBeLessThanOrEqual(parcelBytes);
    expect(sizes.at(-1)).toBeGreaterThan(parcelBytes - 200);
  });

  it('is cut between characters as people see them, and is known for what it is', () => {
    const whole = new Set(Array.from(new Intl.Segmenter().segment(text), ({ index }) => index));
    for (const value of attempts.slice(1)) {
      expect(value.endsWith('…')).toBe(true);
      const kept = value.slice(0, -1);
      expect(text.startsWith(kept)).toBe(true);
      expect(whole.has(kept.length)).toBe(true);
      expect(isCutOf(value, text)).toBe(true);
    }
    expect(isCutOf('👩‍👩‍👧‍👦…', text)).toBe(false);
    expect(isCutOf(text, text)).toBe(false);
    expect(isCutOf(`x${attempts[1]}`, text)).toBe(false);
  });
});

describe('a list that is refused', () => {
  it('loses names at its end, and none that are Plex’s own', () => {
    const edit = difference({ genre: tags(600) }, shownItem({ genres: ['own'] }), null, {
      keepsOwn: true,
      former: [],
    });
    const [list] = edit?.lists ?? [];
    const attempts = list ? [...shorterLists(list)] : [];
    expect(attempts[0]?.names).toHaveLength(601);
    expect(attempts.at(-1)?.names.length).toBeGreaterThan(50);
    for (const { names } of attempts) {
      expect(names.at(-1)).toBe('own');
      expect(names.slice(0, -1)).toEqual(tags(600).slice(0, names.length - 1));
    }
  });
});
