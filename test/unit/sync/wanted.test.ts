import { describe, expect, it } from 'vitest';
import type { Scene } from '../../../src/stash/scene';
import { fingerprints } from '../../../src/sync/fields';
import { wantedState } from '../../../src/sync/wanted';

const bare: Scene = {
  id: 1,
  title: '',
  details: '',
  date: null,
  files: ['/data/talks/Tiny Boats.mp4'],
  studio: null,
  performers: [],
  tags: [],
  groups: [],
};
const named = (...names: string[]) => names.map((name, i) => ({ id: String(i), name }));
const wanted = (changes: Partial<Scene>) => wantedState({ ...bare, ...changes });

describe('what Plex should show', () => {
  it('is what Stash says, in Stash’s order and spelling', () => {
    const scene: Partial<Scene> = {
      title: 'Kelp, "Forest" & 100%',
      details: 'An hour under water.\nSecond line with “quotes”. ',
      date: '2024-05-17',
      studio: { id: '1', name: 'Northern Lights' },
      performers: named('Bo "The Guide" Ødegård, Jr.', 'Ada Lindqvist-Berg'),
      tags: named('Slow, quiet', 'Wild/life', '🌊'),
    };
    expect(wanted(scene)).toEqual({
      title: 'Kelp, "Forest" & 100%',
      summary: 'An hour under water.\nSecond line with “quotes”. ',
      studio: 'Northern Lights',
      originallyAvailableAt: '2024-05-17',
      actors: ['Bo "The Guide" Ødegård, Jr.', 'Ada Lindqvist-Berg'],
      genres: ['Slow, quiet', 'Wild/life', '🌊'],
    });
  });

  it('is empty where Stash is empty', () => {
    expect(wanted({ title: 'x' })).toEqual({
      title: 'x',
      summary: '',
      studio: '',
      originallyAvailableAt: null,
      actors: [],
      genres: [],
    });
  });

  it.each([
    ['/data/talks/Tiny Boats.mp4', 'Tiny Boats'],
    ['C:\\v\\a.b.mkv', 'a.b'],
    ['/data/no extension', 'no extension'],
    ['/data/.mp4', '.mp4'],
    ['/data/AC\\DC.mp4', 'AC\\DC'],
  ])('takes the title of %s from its name', (file, title) => {
    expect(wanted({ title: '  ', files: [file, '/data/other.mp4'] }).title).toBe(title);
  });

  it.each([
    ['2024', '2024-01-01'],
    ['2024-05', '2024-05-01'],
    ['2024-05-17', '2024-05-17'],
    ['2024-02-29', '2024-02-29'],
    ['2023-02-29', null],
    ['2024-13', null],
    ['2024-5-1', null],
    ['soon', null],
    ['', null],
    [null, null],
  ])('makes of the date %s the day %s', (date, day) => {
    expect(wanted({ date }).originallyAvailableAt).toBe(day);
  });

  it('has each name once, whatever its case and Unicode form, and no empty ones', () => {
    const tags = named('Nature', ' nature ', '', '  ', 'V\u00e9lo', 'Ve\u0301lo', 'Sea');
    expect(wanted({ tags, performers: tags })).toMatchObject({
      genres: ['Nature', 'V\u00e9lo', 'Sea'],
      actors: ['Nature', 'V\u00e9lo', 'Sea'],
    });
  });

  it('holds nothing that an address cannot carry', () => {
    expect(wanted({ title: 'half \ud83c pair' }).title).toBe('half \ufffd pair');
  });
});

describe('fingerprints', () => {
  const scene: Partial<Scene> = { title: 'a', performers: named('A', 'B'), tags: named('x', 'y') };
  const changed = (changes: Partial<Scene>) => {
    const before = fingerprints(wanted(scene));
    const after = fingerprints(wanted({ ...scene, ...changes }));
    return Object.keys(after).filter((name) => after[name] !== before[name]);
  };

  it('are short', () => {
    for (const hash of Object.values(fingerprints(wanted(scene)))) expect(hash).toMatch(/^[\w-]{10}$/);
  });

  it('change with their own field only', () => {
    expect(changed({ title: 'b' })).toEqual(['title']);
    expect(changed({ details: 'b' })).toEqual(['summary']);
    expect(changed({ studio: { id: '1', name: 'b' } })).toEqual(['studio']);
    expect(changed({ date: '2024' })).toEqual(['originallyAvailableAt']);
    expect(changed({ performers: named('A') })).toEqual(['actor']);
    expect(changed({ tags: named('x') })).toEqual(['genre']);
  });

  it('see the order of people, and not that of tags', () => {
    expect(changed({ performers: named('B', 'A') })).toEqual(['actor']);
    expect(changed({ tags: named('y', 'x') })).toEqual([]);
  });

  it('do not see what Plex does not see', () => {
    expect(changed({ tags: named('X', 'Y', 'y'), performers: named('a', 'b') })).toEqual([]);
  });
});
