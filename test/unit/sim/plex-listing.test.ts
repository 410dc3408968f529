import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Client } from '../../sim/plex/client';
import { PlexSim } from '../../sim/plex/plex-sim';

const all = '/library/sections/1/all?type=1';
let plex: PlexSim;
let client: Client;

beforeEach(async () => {
  plex = await PlexSim.start({ libraries: [{ title: 'Films' }, { title: 'Series', type: 'show' }] });
  client = new Client(plex);
});

afterEach(() => plex.stop());

function addFive(): void {
  for (const letter of ['C', 'A', 'E', 'B', 'D']) plex.addItem({ file: `/media/${letter}.mp4` });
}

describe('pages', () => {
  beforeEach(addFive);

  test('a page by headers says where it is, in the body and in headers', async () => {
    const headers = { 'X-Plex-Container-Start': '1', 'X-Plex-Container-Size': '2' };
    expect(await client.get(all, { headers })).toMatchObject({
      size: 2,
      totalSize: 5,
      offset: 1,
      librarySectionID: 1,
      librarySectionTitle: 'Films',
      Metadata: [{ title: 'B' }, { title: 'C' }],
    });
    const answer = await client.ask(all, { headers });
    expect(answer.headers.get('x-plex-container-total-size')).toBe('5');
    expect(answer.headers.get('x-plex-container-start')).toBe('1');
  });

  test('a page by parameters is the same, and the last one is short', async () => {
    expect(await client.titles(`${all}&X-Plex-Container-Start=4&X-Plex-Container-Size=3`)).toEqual(['E']);
  });

  test('size 0 gives the total alone', async () => {
    const container = await client.get(`${all}&X-Plex-Container-Start=0&X-Plex-Container-Size=0`);
    expect(container).toMatchObject({ size: 0, totalSize: 5 });
    expect(container).not.toHaveProperty('Metadata');
  });

  test('without a page everything comes, and no total', async () => {
    const container = await client.get(all);
    expect(container.size).toBe(5);
    expect(container).not.toHaveProperty('totalSize');
  });

  test('the server may give fewer than asked for', async () => {
    plex.behaviour.pageCap = 2;
    const container = await client.get(`${all}&X-Plex-Container-Start=0&X-Plex-Container-Size=100`);
    expect(container).toMatchObject({ size: 2, totalSize: 5 });
  });

  test('the order is by sort title and follows an edit', async () => {
    expect(await client.titles(all)).toEqual(['A', 'B', 'C', 'D', 'E']);
    await client.put('/library/metadata/2', { 'titleSort.value': 'Z' });
    expect(await client.titles(all)).toEqual(['B', 'C', 'D', 'E', 'A']);
  });
});

describe('what a line holds', () => {
  const people = ['Ann', 'Bob', 'Cy', 'Dee'];
  beforeEach(() => {
    plex.addItem({
      file: '/media/a.mp4',
      genres: ['One', 'Two', 'Three'],
      actors: people,
      collections: ['K', 'L', 'M'],
      labels: ['Seen'],
      locked: ['title', 'genre'],
    });
  });

  test('a listing has the first tags only, without numbers, labels or locks', async () => {
    const line = (await client.get(all)).Metadata?.[0];
    expect(line?.Genre).toEqual([{ tag: 'One' }, { tag: 'Two' }]);
    expect(line?.Role).toEqual([{ tag: 'Ann' }, { tag: 'Bob' }, { tag: 'Cy' }]);
    expect(line?.Collection).toHaveLength(2);
    for (const missing of ['Label', 'Field', 'librarySectionID']) expect(line).not.toHaveProperty(missing);
  });

  test('an item has all of them, with numbers, labels, locks and its library', async () => {
    const item = (await client.get('/library/metadata/1?skipRefresh=1')).Metadata?.[0];
    expect(item?.Genre).toHaveLength(3);
    expect(item?.Genre?.[0]).toEqual({
      id: expect.any(Number),
      filter: expect.stringMatching(/^genre=\d+$/),
      tag: 'One',
    });
    expect(item?.Role?.map(({ tag }) => tag)).toEqual(people);
    expect(item).toMatchObject({
      Label: [{ tag: 'Seen' }],
      Field: [
        { name: 'title', locked: true },
        { name: 'genre', locked: true },
      ],
      librarySectionID: 1,
      librarySectionKey: '/library/sections/1',
    });
  });

  test('several versions and parts of a film are all there', async () => {
    plex.addItem({ files: ['/media/b.mkv', ['/media/b-cd1.avi', '/media/b-cd2.avi']] });
    const media = (await client.get('/library/metadata/2')).Metadata?.[0]?.Media;
    expect(media?.map(({ Part }) => Part.map(({ file }) => file))).toEqual([
      ['/media/b.mkv'],
      ['/media/b-cd1.avi', '/media/b-cd2.avi'],
    ]);
  });

  test('several items come at once, unknown ones are left out', async () => {
    plex.addItem({ file: '/media/b.mp4' });
    expect(await client.titles('/library/metadata/2,77,1')).toEqual(['b', 'a']);
    expect(await client.titles('/library/metadata/2%2C1')).toEqual(['b', 'a']);
  });
});

describe('filters', () => {
  beforeEach(() => {
    plex.addItem({
      file: '/media/Rivers/The Rhine.mp4',
      title: 'Rhine',
      addedAt: 1000,
      studio: 'Water House',
    });
    plex.addItem({ file: '/media/Rivers/Rhine, part 2.mp4', title: 'Rhine, part 2', addedAt: 2000 });
    plex.addItem({ file: '/media/Peaks/Alps.mp4', title: 'Alps', addedAt: 3000 });
  });

  test('file= means "contains", in folders and names, in any case', async () => {
    expect(await client.titles(`${all}&file=the%20rhine.MP4`)).toEqual(['Rhine']);
    expect(await client.titles(`${all}&file=the+rhine`)).toEqual(['Rhine']);
    expect(await client.titles(`${all}&file=rhine`)).toEqual(['Rhine', 'Rhine, part 2']);
    expect(await client.titles(`${all}&file=rivers`)).toEqual(['Rhine', 'Rhine, part 2']);
    expect(await client.titles(`${all}&file=/media/peaks/`)).toEqual(['Alps']);
    expect(await client.titles(`${all}&file=lp`)).toEqual(['Alps']);
    expect(await client.get(`${all}&file=Danube.mp4`)).toMatchObject({ size: 0 });
  });

  test('a comma in file= means "or", so that a name with a comma finds too much', async () => {
    expect(await client.titles(`${all}&file=Alps.mp4,The%20Rhine.mp4`)).toEqual(['Alps', 'Rhine']);
    const name = encodeURIComponent('Rhine, part 2.mp4');
    expect(await client.titles(`${all}&file=${name}`)).toEqual(['Rhine', 'Rhine, part 2']);
  });

  test('file= without type is an error of the server', async () => {
    const { status, text } = await client.ask('/library/sections/1/all?file=Alps.mp4');
    expect(status).toBe(500);
    expect(text).toContain('<h1>500');
  });

  test('items that were removed or moved are found as they are now', async () => {
    plex.moveItem(3, '/media/Peaks/Andes.mp4');
    plex.removeItem(1);
    expect(await client.titles(`${all}&file=Alps.mp4`)).toEqual([]);
    expect(await client.titles(`${all}&file=Andes.mp4`)).toEqual(['Alps']);
    expect(await client.titles(`${all}&file=Rhine`)).toEqual(['Rhine, part 2']);
    expect(plex.itemByFile('/media/Peaks/Andes.mp4')?.ratingKey).toBe(3);
    expect(plex.itemByFile('/media/Peaks/Alps.mp4')).toBeUndefined();
  });

  test('title= means "contains", title== "is"', async () => {
    expect(await client.titles(`${all}&title=rhine`)).toEqual(['Rhine', 'Rhine, part 2']);
    expect(await client.titles(`${all}&title==rhine`)).toEqual(['Rhine']);
    expect(await client.titles(`${all}&title%3D=rhine`)).toEqual(['Rhine']);
    expect(await client.titles(`${all}&title!=rhine`)).toEqual(['Alps']);
    expect(await client.titles(`${all}&studio=water`)).toEqual(['Rhine']);
  });

  test('addedAt>>= and updatedAt>>= take seconds and relative times, and refuse the rest', async () => {
    expect(await client.titles(`${all}&addedAt%3E%3E=1000`)).toEqual(['Alps', 'Rhine, part 2']);
    expect(await client.titles(`${all}&addedAt%3C%3C=2000`)).toEqual(['Rhine']);
    expect(await client.titles(`${all}&addedAt>>=-7d`)).toEqual([]);
    await client.put('/library/metadata/1', { 'tagline.value': 'x' });
    expect(await client.titles(`${all}&updatedAt%3E%3E=-1h`)).toEqual(['Rhine']);
    expect((await client.ask(`${all}&updatedAt%3E%3E=yesterday`)).status).toBe(400);
  });

  test('sort= takes several fields and directions', async () => {
    expect(await client.titles(`${all}&sort=addedAt:desc`)).toEqual(['Alps', 'Rhine, part 2', 'Rhine']);
    expect(await client.titles(`${all}&sort=movie.titleSort:desc`)).toEqual([
      'Rhine, part 2',
      'Rhine',
      'Alps',
    ]);
    await client.put('/library/metadata/3', { 'userRating.value': '5' });
    expect(await client.titles(`${all}&sort=userRating:nullsLast,titleSort`)).toEqual([
      'Alps',
      'Rhine',
      'Rhine, part 2',
    ]);
  });

  test('limit= and unknown parameters', async () => {
    expect(await client.titles(`${all}&limit=1&includeGuids=1&nonsense=5`)).toEqual(['Alps']);
  });

  test('another type than the library’s has no items', async () => {
    plex.addItem({ library: 'Series', file: '/media/s.mp4', title: 'S' });
    expect(await client.titles('/library/sections/2/all?type=1')).toEqual([]);
    expect(await client.titles('/library/sections/2/all')).toEqual(['S']);
    expect((await client.ask('/library/sections/1/all?type=movie')).status).toBe(400);
  });
});

test('includeMeta=1 describes fields, sorts and operators', async () => {
  const container = await client.get('/library/sections/1/all?includeMeta=1&X-Plex-Container-Size=0');
  expect(container.Meta).toMatchObject({
    Type: [{ type: 'movie', active: true, Field: expect.any(Array), Sort: expect.any(Array) }],
    FieldType: expect.arrayContaining([expect.objectContaining({ type: 'date' })]),
  });
  expect(await client.get('/library/sections/1/all')).not.toHaveProperty('Meta');
});

test('collections are those that items carry, with a number that stays', async () => {
  plex.addItem({ file: '/media/a.mp4', collections: ['Seas', 'Coasts'] });
  plex.addItem({ file: '/media/b.mp4', collections: ['Seas'] });
  const { Metadata } = await client.get('/library/sections/1/collections');
  expect(Metadata).toMatchObject([
    { title: 'Coasts', childCount: 1, type: 'collection' },
    { title: 'Seas', childCount: 2 },
  ]);
  expect((await client.get('/library/sections/1/all?type=18')).Metadata).toEqual(Metadata);
});
