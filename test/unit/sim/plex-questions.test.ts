/** What a test can ask the simulator afterwards. */
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Client } from '../../sim/plex/client';
import { PlexSim } from '../../sim/plex/plex-sim';

const file = '/media/a.mp4';
let plex: PlexSim;
let client: Client;

beforeEach(async () => {
  plex = await PlexSim.start();
  client = new Client(plex);
  plex.addItem({ file, genres: ['Nature'] });
});

afterEach(() => plex.stop());

test('what an item shows: every field that is kept in step, its locks, and pictures by their SHA-1', async () => {
  expect(plex.shown(file)).toEqual({
    title: 'a',
    titleSort: 'a',
    summary: '',
    tagline: '',
    studio: '',
    contentRating: '',
    originallyAvailableAt: '',
    userRating: null,
    actors: [],
    directors: [],
    genres: ['Nature'],
    labels: [],
    collections: [],
    locked: [],
    posterSha1: null,
    artSha1: null,
  });
  const [poster, art] = [Buffer.from('upright'), Buffer.from('wide')];
  await client.ask('/library/metadata/1/posters', { method: 'POST', body: poster });
  await client.ask('/library/metadata/1/arts', { method: 'POST', body: art });
  await client.put('/library/metadata/1', { 'label[0].tag.tag': 'L', 'label.locked': '1' });
  const sha1 = (bytes: Buffer) => createHash('sha1').update(bytes).digest('hex');
  expect(plex.shown(file)).toMatchObject({
    labels: ['L'],
    locked: ['label'],
    posterSha1: sha1(poster),
    artSha1: sha1(art),
  });
});

test('an item that is not there, or not yet, shows nothing', () => {
  plex.addItem({ file: '/media/later.mp4', appears: 'scan' });
  expect(() => plex.shown('/media/later.mp4')).toThrow('no item for /media/later.mp4');
});

test('requests by method and route', async () => {
  await client.get('/library/sections/1/all?type=1');
  await client.get('/library/sections/1/all?type=1&file=a');
  await client.get('/library/metadata/1,2');
  await client.put('/library/sections/1/all', { type: '1', id: '1', 'title.value': 'X' });
  await client.get('/library/metadata/1/posters');
  expect(plex.byRoute).toEqual({
    'GET /library/sections/{id}/all': 2,
    'GET /library/metadata/{id}': 1,
    'PUT /library/sections/{id}/all': 1,
    'GET /library/metadata/{id}/posters': 1,
  });
});

test('writes are what took effect: not what was refused, nor what only reads', async () => {
  await client.put('/library/metadata/1', { 'title.value': 'X' });
  await client.put('/library/metadata/1', { 'title.locked': 'maybe' });
  await client.put('/library/metadata/9', { 'title.value': 'X' });
  await client.get('/library/metadata/1');
  await client.put('/:/rate', { identifier: 'com.plexapp.plugins.library', key: '1', rating: '5' });
  expect(plex.counts.edit).toBe(3);
  expect(plex.writes).toMatchObject({ edit: 1, rate: 1, upload: 0, 'select-image': 0 });
  plex.clearRecords();
  expect([plex.writes.edit, plex.byRoute]).toEqual([0, {}]);
});
