import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Client } from '../../sim/plex/client';
import { PlexSim } from '../../sim/plex/plex-sim';
import { VirtualClock } from '../../support/virtual-clock';

const picture = Buffer.from('not really a picture');
const sha1 = createHash('sha1').update(picture).digest('hex');
let plex: PlexSim;
let client: Client;
let clock: VirtualClock;

beforeEach(async () => {
  clock = new VirtualClock(1_700_000_000_000);
  plex = await PlexSim.start({ clock });
  client = new Client(plex);
  plex.addItem({ file: '/media/a.mp4' });
});

afterEach(() => plex.stop());

const upload = (kind: string, body: Uint8Array = picture) =>
  client.ask(`/library/metadata/1/${kind}`, { method: 'POST', body });

describe.each([
  ['posters', 'poster', 'thumb', `upload://posters/${sha1}`],
  ['arts', 'art', 'art', `upload://art/${sha1}`],
] as const)('%s', (kind, element, field, key) => {
  test('an upload is named after its SHA-1 and selected', async () => {
    expect(await upload(kind)).toMatchObject({ status: 200, text: '' });
    const { Metadata } = await client.get(`/library/metadata/1/${kind}`);
    expect(Metadata?.filter(({ selected }) => selected)).toMatchObject([{ ratingKey: key }]);
    expect(plex.item(1)?.[element]).toBe(key);
  });

  test('the same picture again is listed once and counted twice', async () => {
    const before = (await client.get(`/library/metadata/1/${kind}`)).size;
    await upload(kind);
    await upload(kind);
    expect((await client.get(`/library/metadata/1/${kind}`)).size).toBe(before + 1);
    expect(plex.counts.upload).toBe(2);
  });

  test('one that is there can be selected, an unknown one not', async () => {
    await upload(kind);
    await upload(kind, Buffer.from('another'));
    expect(plex.item(1)?.[element]).not.toBe(key);
    expect(await client.put(`/library/metadata/1/${element}`, { url: key })).toBe(200);
    expect(plex.item(1)?.[element]).toBe(key);
    expect(await client.put(`/library/metadata/1/${element}`, { url: 'upload://posters/0' })).toBe(404);
  });

  test('DELETE takes it away and locks the field', async () => {
    await upload(kind);
    await client.ask(`/library/metadata/1/${field}`, { method: 'DELETE' });
    expect(plex.item(1)).toMatchObject({ [element]: null, locked: [field] });
    expect((await client.get('/library/metadata/1')).Metadata?.[0]).not.toHaveProperty(field);
  });

  test('a refresh takes an unlocked upload back and leaves a locked one', async () => {
    await upload(kind);
    plex.refreshMetadata(1);
    expect(plex.item(1)?.[element]).not.toBe(key);
    await upload(kind);
    await client.put('/library/metadata/1', { [`${field}.locked`]: '1' });
    plex.refreshMetadata(1);
    expect(plex.item(1)?.[element]).toBe(key);
  });

  const address = async () => (await client.get('/library/metadata/1')).Metadata?.[0]?.[field];

  test('another picture has another address, also within one second, and so has one chosen again', async () => {
    const seen = [await address()];
    await upload(kind);
    seen.push(await address());
    await upload(kind, Buffer.from('another'));
    seen.push(await address());
    await client.put(`/library/metadata/1/${element}`, { url: key });
    seen.push(await address());
    expect(new Set(seen).size).toBe(seen.length);
    plex.refreshMetadata(1);
    expect(await address()).not.toBe(seen.at(-1));
  });

  test.each(['item', 'picture'] as const)(
    'by %s: whether an edit of something else moves the address',
    async (by) => {
      plex.behaviour.pictureNumber = by;
      await upload(kind);
      const before = await address();
      await clock.advance(60_000);
      await client.put('/library/metadata/1', { 'summary.value': 'x' });
      expect((await address()) === before).toBe(by === 'picture');
    },
  );

  test('an upload and a selection move updatedAt', async () => {
    for (const [seconds, change] of [
      [10, () => upload(kind)],
      [20, () => client.put(`/library/metadata/1/${element}`, { url: key })],
    ] as const) {
      await clock.advance(10_000);
      await change();
      expect(plex.item(1)?.updatedAt).toBe(1_700_000_000 + seconds);
    }
  });

  test('an upload locks only when the server is like that', async () => {
    await upload(kind);
    expect(plex.item(1)?.locked).toEqual([]);
    plex.behaviour.uploadLocks = true;
    await upload(kind);
    expect(plex.item(1)?.locked).toEqual([field]);
  });
});

test('a picture of more than 10 MB is an error of the server, and nothing is stored', async () => {
  const before = plex.item(1)?.poster;
  expect((await upload('posters', Buffer.alloc(10_000_001))).status).toBe(500);
  expect(plex.item(1)?.poster).toBe(before);
  expect((await upload('posters', Buffer.alloc(10_000_000))).status).toBe(200);
});

test('an empty upload, and one to an unknown item, are refused', async () => {
  expect((await upload('posters', Buffer.alloc(0))).status).toBe(400);
  expect((await client.ask('/library/metadata/9/posters', { method: 'POST', body: picture })).status).toBe(
    404,
  );
});

test('XML calls pictures Photo', async () => {
  const { text } = await client.ask('/library/metadata/1/posters', { accept: '*/*' });
  expect(text).toContain('<Photo key="/library/metadata/1/file?url=media');
  expect(text).toContain('selected="1"');
});
