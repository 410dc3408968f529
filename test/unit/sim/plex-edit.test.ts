import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Client } from '../../sim/plex/client';
import { PlexSim } from '../../sim/plex/plex-sim';
import { VirtualClock } from '../../support/virtual-clock';

const all = '/library/sections/1/all';
let plex: PlexSim;
let client: Client;
let clock: VirtualClock;

beforeEach(async () => {
  clock = new VirtualClock(1_700_000_000_000);
  plex = await PlexSim.start({
    libraries: [{ title: 'Films' }, { title: 'More films' }],
    clock,
  });
  client = new Client(plex);
  plex.addItem({
    file: '/media/a.mp4',
    title: 'A',
    genres: ['Nature', 'Water'],
    actors: [{ name: 'Ann', role: 'Guide' }],
  });
  plex.addItem({ file: '/media/b.mp4', title: 'B' });
});

afterEach(() => plex.stop());

const edit = (parameters: Record<string, string>) => client.put(all, { type: '1', id: '1', ...parameters });

describe('fields', () => {
  test('both addresses take values and locks, and answer with an empty 200', async () => {
    for (const path of [`${all}?type=1&id=1&`, '/library/metadata/1?']) {
      const parameters = new URLSearchParams({ 'studio.value': path, 'studio.locked': '1' });
      const answer = await client.ask(path + parameters, { method: 'PUT' });
      expect(answer).toMatchObject({ status: 200, text: '' });
      expect(plex.item(1)).toMatchObject({ studio: path, locked: ['studio'] });
    }
  });

  test('every field of the reference can be set, and emptied with an empty value', async () => {
    const fields = {
      title: 'T',
      titleSort: 'S',
      originalTitle: 'O',
      summary: 'one\ntwo 100% & ü',
      tagline: 'L',
      studio: 'U',
      contentRating: 'PG',
      editionTitle: 'E',
      originallyAvailableAt: '2024-02-29',
    };
    const numbers = { rating: 7.5, audienceRating: 0, userRating: 10, addedAt: 1_600_000_000 };
    for (const [name, value] of Object.entries({ ...fields, ...numbers }))
      await edit({ [`${name}.value`]: String(value) });
    expect(plex.item(1)).toMatchObject({ ...fields, ...numbers, year: 2024 });
    for (const name of Object.keys({ ...fields, rating: 0, userRating: 0 }))
      await edit({ [`${name}.value`]: '' });
    expect(plex.item(1)).toMatchObject({
      summary: '',
      originallyAvailableAt: '',
      year: null,
      rating: null,
      userRating: null,
    });
  });

  test('a value without a lock leaves the lock as it is, 0 takes it away', async () => {
    await edit({ 'title.value': 'X' });
    expect(plex.item(1)?.locked).toEqual([]);
    await edit({ 'title.locked': '1', 'genre.locked': '1', 'thumb.locked': '1' });
    await edit({ 'title.value': 'Y' });
    expect(plex.item(1)).toMatchObject({ title: 'Y', locked: ['genre', 'thumb', 'title'] });
    await edit({ 'title.locked': '0' });
    expect(plex.item(1)?.locked).toEqual(['genre', 'thumb']);
  });

  test('a new title is the new sort title, unless that is locked', async () => {
    await edit({ 'titleSort.value': 'Z' });
    await edit({ 'title.value': 'N' });
    expect(plex.item(1)?.titleSort).toBe('N');
    await edit({ 'titleSort.value': 'Z', 'titleSort.locked': '1' });
    await edit({ 'title.value': 'M' });
    expect(plex.item(1)?.titleSort).toBe('Z');
  });

  test.each([
    ['The lake', 'lake'],
    ['AN hour', 'hour'],
    ['Der Wald', 'Wald'],
    ['Theory', 'Theory'],
    ['A', 'A'],
    ['a ', 'a '],
  ])('Plex itself sorts %j by %j, and says so only where it differs', async (title, titleSort) => {
    await edit({ 'title.value': title });
    expect(plex.item(1)?.titleSort).toBe(titleSort);
    const [line] = (await client.get('/library/metadata/1')).Metadata ?? [];
    expect(line?.titleSort).toBe(titleSort === title ? undefined : titleSort);
  });

  test('an emptied sort title is made of the title again', async () => {
    await edit({ 'title.value': 'The lake', 'titleSort.value': 'Z', 'titleSort.locked': '1' });
    await edit({ 'titleSort.value': '' });
    expect(plex.item(1)?.titleSort).toBe('lake');
  });

  test('articles stay when the server is like that', async () => {
    plex.behaviour.sortArticles = false;
    await edit({ 'title.value': 'The lake' });
    expect(plex.item(1)?.titleSort).toBe('The lake');
  });

  test.each([
    ['originallyAvailableAt.value', '2024'],
    ['originallyAvailableAt.value', '2023-02-29'],
    ['originallyAvailableAt.value', '29.02.2024'],
    ['addedAt.value', '2024-01-01'],
    ['rating.value', '11'],
    ['userRating.value', '-1'],
    ['title.locked', 'true'],
  ])('%s=%s is refused with 400, and nothing of the request is done', async (name, value) => {
    expect(await edit({ 'title.value': 'X', [name]: value })).toBe(400);
    expect(plex.item(1)).toMatchObject({ title: 'A', locked: [] });
  });

  test('unknown parameters and fields are ignored', async () => {
    expect(
      await edit({
        'colour.value': 'red',
        'colour.locked': '1',
        'mood[0].tag.tag': 'x',
        'genre[x].tag.tag': 'y',
      }),
    ).toBe(200);
    expect(plex.item(1)).toMatchObject({ genres: ['Nature', 'Water'], locked: [] });
  });

  test('an edit moves updatedAt, in whole seconds, also when it changes nothing', async () => {
    await clock.advance(5_999);
    await edit({ 'title.value': 'A' });
    expect(plex.item(1)?.updatedAt).toBe(1_700_000_005);
    expect(plex.item(2)?.updatedAt).toBe(1_700_000_000);
  });

  test('an edit moves the library’s contentChangedAt', async () => {
    const changedAt = async () => (await client.get('/library/sections')).Directory?.[0]?.contentChangedAt;
    const before = await changedAt();
    await edit({ 'summary.value': 'x' });
    expect(await changedAt()).not.toBe(before);
  });
});

describe('which items', () => {
  test('comma ids edit several, on both addresses', async () => {
    await client.put(all, { type: '1', id: '1,2', 'studio.value': 'X' });
    expect([plex.item(1)?.studio, plex.item(2)?.studio]).toEqual(['X', 'X']);
    await client.put('/library/metadata/1,2', { 'studio.value': 'Y' });
    expect([plex.item(1)?.studio, plex.item(2)?.studio]).toEqual(['Y', 'Y']);
  });

  test.each([{}, { id: '' }])(
    'without an id (%j) every item of the library is edited',
    async (id: Record<string, string>) => {
      plex.addItem({ library: 'More films', file: '/media/c.mp4' });
      expect(await client.put(all, { type: '1', ...id, 'title.value': 'Oops' })).toBe(200);
      expect([...plex.items()].map(({ title }) => title)).toEqual(['Oops', 'Oops', 'c']);
    },
  );

  test('an item of another library, or none, is not found', async () => {
    const { ratingKey } = plex.addItem({ library: 'More films', file: '/media/c.mp4' });
    expect(await client.put(all, { type: '1', id: String(ratingKey), 'title.value': 'X' })).toBe(404);
    expect(await client.put(all, { type: '1', id: '77', 'title.value': 'X' })).toBe(404);
    expect(await client.put('/library/metadata/77', { 'title.value': 'X' })).toBe(404);
  });

  test('an edit of a library needs a type, and the right one', async () => {
    expect(await client.put(all, { id: '1', 'title.value': 'X' })).toBe(400);
    expect(await client.put(all, { type: '2', id: '1', 'title.value': 'X' })).toBe(404);
    expect(plex.item(1)?.title).toBe('A');
  });

  test('title= is a filter and not a value', async () => {
    await client.put(all, { type: '1', title: 'B', 'studio.value': 'X' });
    expect([plex.item(1)?.studio, plex.item(2)?.studio]).toEqual(['', 'X']);
  });
});

describe('tags', () => {
  test.each([
    ['merge', ['Nature', 'Water', 'Sun']],
    ['merge-front', ['Sun', 'Water', 'Nature']],
    ['replace', ['Sun', 'Water']],
  ] as const)('%s: sending Sun and Water to Nature and Water gives %j', async (tags, expected) => {
    plex.behaviour.tags = tags;
    await edit({ 'genre[0].tag.tag': 'Sun', 'genre[1].tag.tag': 'Water' });
    expect(plex.item(1)?.genres).toEqual(expected);
  });

  test.each(['merge', 'merge-front', 'replace'] as const)(
    '%s: kinds that are not sent stay',
    async (tags) => {
      plex.behaviour.tags = tags;
      await edit({ 'actor[0].tag.tag': 'Bob' });
      expect(plex.item(1)?.genres).toEqual(['Nature', 'Water']);
    },
  );

  test('indexes give the order, not the place in the URL', async () => {
    await client.put('/library/metadata/2', {
      'actor[10].tag.tag': 'Last',
      'actor[2].tag.tag': 'Second',
      'actor[0].tag.tag': 'First',
    });
    expect(plex.item(2)?.actors).toEqual(['First', 'Second', 'Last']);
  });

  test('a role belongs to the item, a picture to the person everywhere', async () => {
    await edit({ 'actor[0].tag.tag': 'Ann', 'actor[0].tag.thumb': 'http://pictures/ann' });
    await client.put('/library/metadata/2', { 'actor[0].tag.tag': 'Ann', 'actor[0].tagging.text': 'Singer' });
    expect(plex.item(1)?.roles).toEqual([{ name: 'Ann', role: 'Guide', thumb: 'http://pictures/ann' }]);
    expect(plex.item(2)?.roles).toEqual([{ name: 'Ann', role: 'Singer', thumb: 'http://pictures/ann' }]);
    const role = (await client.get('/library/metadata/2')).Metadata?.[0]?.Role?.[0];
    expect(role).toMatchObject({ tag: 'Ann', role: 'Singer', thumb: 'http://pictures/ann' });
  });

  test('an item has a tag once, in the spelling that came first', async () => {
    await edit({ 'genre[0].tag.tag': 'nature', 'genre[1].tag.tag': 'Sun', 'genre[2].tag.tag': 'SUN' });
    expect(plex.item(1)?.genres).toEqual(['Nature', 'Water', 'Sun']);
  });

  test('the first letter becomes upper case when the server does that', async () => {
    plex.behaviour.capitaliseTags = true;
    await edit({ 'genre[0].tag.tag': 'über all' });
    expect(plex.item(1)?.genres).toContain('Über all');
  });

  test('director, collection and label work alike', async () => {
    await edit({ 'director[0].tag.tag': 'D', 'collection[0].tag.tag': 'C', 'label[0].tag.tag': 'L' });
    expect(plex.item(1)).toMatchObject({ directors: ['D'], collections: ['C'], labels: ['L'] });
  });
});

describe('removals', () => {
  const removal = (names: string[]) => ({ 'genre[].tag.tag-': names.map(encodeURIComponent).join(',') });

  test('names encoded twice are removed, with commas, percents and pluses in them', async () => {
    const odd = ['a, b', '100%', 'c+d', 'ü/é', 'e&f=g'];
    await edit(Object.fromEntries(odd.map((name, index) => [`genre[${index}].tag.tag`, name])));
    expect(plex.item(1)?.genres).toEqual(['Nature', 'Water', ...odd]);
    await edit(removal([...odd, 'Nature']));
    expect(plex.item(1)?.genres).toEqual(['Water']);
  });

  test('a name with a comma that is encoded once is taken for two', async () => {
    await edit({ 'genre[0].tag.tag': 'Nature,Water' });
    await edit({ 'genre[].tag.tag-': 'Nature,Water' });
    expect(plex.item(1)?.genres).toEqual(['Nature,Water']);
  });

  test('only the exact spelling is removed', async () => {
    await edit(removal(['nature', 'Wate']));
    expect(plex.item(1)?.genres).toEqual(['Nature', 'Water']);
  });

  test('removals come last: a tag that is sent and removed is gone', async () => {
    await edit({ ...removal(['Sun', 'Water']), 'genre[0].tag.tag': 'Sun', 'genre[1].tag.tag': 'Moon' });
    expect(plex.item(1)?.genres).toEqual(['Nature', 'Moon']);
  });

  test('one removal per PUT, when the server is like that', async () => {
    plex.behaviour.oneRemovalPerPut = true;
    const both = { ...removal(['Nature', 'Water']), 'actor[].tag.tag-': 'Ann' };
    await edit(both);
    expect(plex.item(1)).toMatchObject({ genres: ['Water'], actors: ['Ann'] });
    await edit(removal(['Water']));
    expect(plex.item(1)?.genres).toEqual([]);
  });

  test('genre[].tag= clears the kind, also what the same request sends', async () => {
    await edit({ 'genre[].tag': '', 'genre[0].tag.tag': 'Sun' });
    expect(plex.item(1)).toMatchObject({ genres: [], actors: ['Ann'] });
  });

  test('genre[].tag= does nothing when the server is like that', async () => {
    plex.behaviour.clearsLists = false;
    await edit({ 'genre[].tag': '', 'genre.locked': '1' });
    expect(plex.item(1)).toMatchObject({ genres: ['Nature', 'Water'], locked: ['genre'] });
  });

  test('a lock alone removes nothing', async () => {
    await edit({ 'genre.locked': '1' });
    expect(plex.item(1)?.genres).toEqual(['Nature', 'Water']);
  });
});

describe('refresh', () => {
  const change = (locked: '0' | '1') =>
    edit({
      'title.value': 'X',
      'title.locked': locked,
      'summary.value': 'S',
      'summary.locked': locked,
      'genre[0].tag.tag': 'Sun',
      'genre.locked': locked,
      'userRating.value': '9',
    });

  test('takes back what is not locked, but never a rating', async () => {
    await change('0');
    expect(await client.put('/library/metadata/1/refresh')).toBe(200);
    expect(plex.item(1)).toMatchObject({
      title: 'A',
      summary: '',
      genres: ['Nature', 'Water'],
      userRating: 9,
    });
  });

  test('moves updatedAt, whoever asked for it', async () => {
    await clock.advance(5_000);
    await client.put('/library/metadata/1/refresh');
    plex.refreshMetadata(2);
    expect([plex.item(1)?.updatedAt, plex.item(2)?.updatedAt]).toEqual([1_700_000_005, 1_700_000_005]);
  });

  test('leaves what is locked', async () => {
    await change('1');
    await client.put('/library/metadata/1/refresh');
    plex.refreshMetadata(1);
    expect(plex.item(1)).toMatchObject({ title: 'X', summary: 'S', genres: ['Nature', 'Water', 'Sun'] });
  });

  test('comes with a mere GET unless skipRefresh=1, when the server is like that', async () => {
    plex.behaviour.refreshOnGet = true;
    await change('0');
    expect(await client.titles('/library/metadata/1?skipRefresh=1')).toEqual(['X']);
    expect(await client.titles('/library/metadata/1')).toEqual(['A']);
  });
});

describe('/:/rate', () => {
  const rate = (parameters: Record<string, string>) =>
    client.put('/:/rate', { identifier: 'com.plexapp.plugins.library', key: '1', ...parameters });

  test('sets a rating, and -1 takes it away', async () => {
    expect(await rate({ rating: '7.5' })).toBe(200);
    expect(plex.item(1)?.userRating).toBe(7.5);
    await rate({ rating: '-1' });
    expect(plex.item(1)?.userRating).toBeNull();
  });

  test('refuses what is no rating, another identifier and an unknown item', async () => {
    expect(await rate({ rating: '11' })).toBe(400);
    expect(await rate({})).toBe(400);
    expect(await rate({ rating: '5', identifier: 'x' })).toBe(400);
    expect(await rate({ rating: '5', key: '77' })).toBe(404);
  });
});
