import { describe, expect, it } from 'vitest';
import type { Scene } from '../../../src/stash/scene';
import { fieldNames, type SyncSettings, syncDefaults } from '../../../src/stash/sync-settings';
import { formerLists, wantedState } from '../../../src/sync/wanted';

const bare: Scene = {
  id: 1,
  title: '',
  code: '',
  details: '',
  date: null,
  director: '',
  rating100: null,
  organized: false,
  cover: null,
  files: ['/data/talks/Tiny Boats.mp4'],
  studio: null,
  performers: [],
  tags: [],
  groups: [],
};
const named = (...names: string[]) => names.map((name, i) => ({ id: String(i), name }));
const studio = (name: string, parent: string | null = null) => ({
  id: '1',
  name,
  parent: parent === null ? null : { id: '2', name: parent },
});
const wanted = (changes: Partial<Scene>, settings: Partial<SyncSettings> = {}) =>
  wantedState({ ...bare, ...changes }, { ...syncDefaults, ...settings });
const collectionsFrom = (from: Partial<SyncSettings['syncCollectionsFrom']>) => ({
  syncCollectionsFrom: { studio: false, groups: false, tags: [], ...from },
});

describe('what Plex should show', () => {
  it('is what Stash says, in Stash’s order and spelling', () => {
    const scene: Partial<Scene> = {
      title: 'The Kelp, "Forest" & 100%',
      code: 'NL-7/b',
      details: 'An hour under water.\r\nSecond line with “quotes”. ',
      date: '2024-05-17',
      director: ' Ada Berg, Bo Lind ',
      rating100: 85,
      studio: studio('Northern Lights', 'Aurora'),
      performers: named('Bo "The Guide" Ødegård, Jr.', 'Ada Lindqvist-Berg', 'דנה'),
      tags: named('Slow, quiet', 'Wild/life', '🌊', 'e\u0301te\u0301'),
      groups: named('Sea, Part 1'),
    };
    expect(wanted(scene)).toEqual({
      title: 'The Kelp, "Forest" & 100%',
      titleSort: 'Kelp, "Forest" & 100%',
      summary: 'An hour under water.\r\nSecond line with “quotes”. ',
      studio: 'Northern Lights',
      originallyAvailableAt: '2024-05-17',
      userRating: '8.5',
      tagline: 'NL-7/b',
      director: ['Ada Berg, Bo Lind'],
      actor: ['Bo "The Guide" Ødegård, Jr.', 'Ada Lindqvist-Berg', 'דנה'],
      genre: ['Slow, quiet', 'Wild/life', '🌊', 'e\u0301te\u0301'],
    });
  });

  it('is empty where Stash is empty', () => {
    expect(wanted({ title: 'x' })).toEqual({
      title: 'x',
      titleSort: 'x',
      summary: '',
      studio: '',
      originallyAvailableAt: '',
      userRating: '',
      tagline: '',
      director: [],
      actor: [],
      genre: [],
    });
  });

  it.each([
    ['/data/talks/Tiny Boats.mp4', 'Tiny Boats', 'Tiny Boats'],
    ['/data/The Boats.mp4', 'The Boats', 'Boats'],
    ['C:\\v\\a.b.mkv', 'a.b', 'a.b'],
    ['/data/no extension', 'no extension', 'no extension'],
    ['/data/.mp4', '.mp4', '.mp4'],
    ['/data/AC\\DC.mp4', 'AC\\DC', 'AC\\DC'],
  ])('takes the title of %s from its name', (file, title, titleSort) => {
    const files = [file, '/data/other.mp4'];
    expect(wanted({ title: ' \u0000', files })).toMatchObject({ title, titleSort });
  });

  it.each([
    ['2024', '2024-01-01'],
    ['2024-05', '2024-05-01'],
    ['2024-05-17', '2024-05-17'],
    ['2024-02-29', '2024-02-29'],
    ['2023-02-29', ''],
    ['2024-13', ''],
    ['2024-5-1', ''],
    ['soon', ''],
    ['', ''],
    [null, ''],
  ])('makes of the date %s the day %s', (date, day) => {
    expect(wanted({ date }).originallyAvailableAt).toBe(day);
  });

  it.each([
    [null, ''],
    [0, ''],
    [1, '0.1'],
    [29, '2.9'],
    [73, '7.3'],
    [80, '8'],
    [100, '10'],
  ])('makes of the rating %s the rating "%s"', (rating100, rating) => {
    expect(wanted({ rating100 }).userRating).toBe(rating);
  });

  it('names the studio above in brackets, if asked to and if it is another', () => {
    const parent = { syncStudioParent: true };
    expect(wanted({ studio: studio('Shore', 'Ocean') }, parent).studio).toBe('Shore (Ocean)');
    expect(wanted({ studio: studio('Shore', 'shore') }, parent).studio).toBe('Shore');
    expect(wanted({ studio: studio('Shore') }, parent).studio).toBe('Shore');
    expect(wanted({ studio: studio('Shore', 'Ocean') }).studio).toBe('Shore');
    expect(wanted({}, parent).studio).toBe('');
  });

  it('has a content rating only where one is set', () => {
    expect(wanted({})).not.toHaveProperty('contentRating');
    expect(wanted({}, { syncContentRating: 'PG' }).contentRating).toBe('PG');
  });

  it('has each name once, whatever its case and Unicode form, and no empty ones', () => {
    const tags = named('Nature', ' nature ', '', '  ', 'V\u00e9lo', 'Ve\u0301lo', 'Sea');
    expect(wanted({ tags, performers: tags })).toMatchObject({
      genre: ['Nature', 'V\u00e9lo', 'Sea'],
      actor: ['Nature', 'V\u00e9lo', 'Sea'],
    });
  });

  it('holds nothing that an address or XML cannot carry, and keeps ends of lines', () => {
    expect(wanted({ title: 'half \ud83c pair' }).title).toBe('half \ufffd pair');
    expect(wanted({ details: 'a\u0000b\u001b\uffff\tc\r\nd\n\u200fe' }).summary).toBe('ab\tc\r\nd\n\u200fe');
    expect(wanted({ tags: named('\u0007') }).genre).toEqual([]);
  });

  it('leaves out each field that the person leaves out', () => {
    const scene = { title: 't', tags: named('x'), studio: studio('S') };
    const settings = { syncContentRating: 'PG', ...collectionsFrom({ studio: true }) };
    const all = Object.keys(wanted(scene, settings));
    expect(all).toHaveLength(12);
    const leftOut = fieldNames.map((field) => {
      const left = Object.keys(wanted(scene, { ...settings, syncSkipFields: [field] }));
      return [field, all.filter((name) => !left.includes(name))];
    });
    expect(leftOut).toEqual([
      ['title', ['title']],
      ['sortTitle', ['titleSort']],
      ['summary', ['summary']],
      ['studio', ['studio']],
      ['date', ['originallyAvailableAt']],
      ['rating', ['userRating']],
      ['director', ['director']],
      ['code', ['tagline']],
      ['contentRating', ['contentRating']],
      ['performers', ['actor']],
      ['tags', ['genre']],
      ['collections', ['collection']],
      ['picture', []],
    ]);
  });
});

describe('tags and collections', () => {
  const scene: Partial<Scene> = {
    tags: named('Slow TV', 'Sea'),
    groups: named('Ocean Week'),
    studio: studio('Shore', 'Ocean'),
  };
  const lists = (settings: Partial<SyncSettings>) => {
    const { genre, label, collection } = wanted(scene, settings);
    return { genre, label, collection, former: formerLists({ ...syncDefaults, ...settings }) };
  };

  it('go where the person wants them, and are former elsewhere', () => {
    const tags = ['Slow TV', 'Sea'];
    const none = { genre: undefined, label: undefined, collection: undefined };
    expect(lists({})).toEqual({ ...none, genre: tags, former: ['label', 'collection'] });
    expect(lists({ syncTagsAs: 'labels' })).toEqual({
      ...none,
      label: tags,
      former: ['genre', 'collection'],
    });
    expect(lists({ syncTagsAs: 'collections' })).toEqual({
      ...none,
      collection: tags,
      former: ['genre', 'label'],
    });
  });

  it('come from studio, groups and chosen tags, called as in Stash', () => {
    const from = collectionsFrom({ studio: true, groups: true, tags: ['slow tv', 'absent'] });
    expect(lists(from)).toMatchObject({ collection: ['Shore', 'Ocean Week', 'Slow TV'], former: ['label'] });
    expect(lists({ ...from, syncTagsAs: 'collections' }).collection).toEqual([
      'Shore',
      'Ocean Week',
      'Slow TV',
      'Sea',
    ]);
    expect(wanted({}, from).collection).toEqual([]);
  });

  it('that are left out are neither wanted nor former', () => {
    const from = collectionsFrom({ tags: ['Sea'] });
    expect(lists({ ...from, syncSkipFields: ['tags'] })).toEqual({
      genre: undefined,
      label: undefined,
      collection: ['Sea'],
      former: [],
    });
    expect(lists({ ...from, syncSkipFields: ['collections'] })).toMatchObject({
      collection: undefined,
      former: ['label'],
    });
    expect(lists({ ...from, syncSkipFields: ['collections'], syncTagsAs: 'collections' })).toMatchObject({
      collection: ['Slow TV', 'Sea'],
    });
    expect(lists({ syncSkipFields: ['tags'], syncTagsAs: 'collections' })).toMatchObject({
      collection: undefined,
      former: [],
    });
  });
});
