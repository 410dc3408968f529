import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { PictureKind } from '../../../src/plex/client';
import type { Call } from '../../../src/shared/call';
import { makeFetch } from '../../../src/shared/fetch';
import { VirtualClock } from '../../support/virtual-clock';
import { clientFor, failure, signal, startPlex } from './rig';

const kinds: PictureKind[] = ['poster', 'art'];
const shown = { poster: 'poster', art: 'art' } as const;

/** Every byte there is, so that nothing on the way may take it for text. */
const picture = (seed: number) => Uint8Array.from({ length: 2_048 }, (_, i) => (i + seed) % 256);
const sha1 = (bytes: Uint8Array) => createHash('sha1').update(bytes).digest('hex');

async function rig(more: Parameters<typeof clientFor>[1] = {}) {
  const plex = await startPlex();
  const key = String(plex.addItem({ file: '/media/a.mp4' }).ratingKey);
  return { plex, key, client: clientFor(plex, more) };
}

describe.each(kinds)('the %s', (kind) => {
  it('is uploaded byte for byte, without an address of any kind', async () => {
    const { plex, key, client } = await rig();
    await client.upload(key, kind, picture(0), signal);
    expect(plex.item(Number(key))?.[shown[kind]]).toContain(sha1(picture(0)));
    expect(plex.requests[0]).toMatchObject({
      method: 'POST',
      url: `/library/metadata/${key}/${kind}s`,
    });
    expect(plex.requests[0]?.headers['content-length']).toBe('2048');
  });

  it('is one of those that the item has, and another can be chosen', async () => {
    const { plex, key, client } = await rig();
    const before = (await client.images(key, kind, signal)).length;
    await client.upload(key, kind, picture(1), signal);
    await client.upload(key, kind, picture(2), signal);
    const [one, two] = (await client.images(key, kind, signal)).slice(before);
    expect(one?.key).toMatch(new RegExp(`^upload://.*/${sha1(picture(1))}$`));
    expect([one?.selected, two?.selected]).toEqual([false, true]);
    await client.select(key, kind, one?.key ?? '', signal);
    expect(plex.item(Number(key))?.[shown[kind]]).toBe(one?.key);
    const after = (await client.images(key, kind, signal)).slice(before);
    expect(after.map(({ selected }) => selected)).toEqual([true, false]);
  });

  it('of an item that has gone is a 404, whatever is asked', async () => {
    const { client } = await rig();
    const errors = await Promise.all([
      failure(client.images('99', kind, signal)),
      failure(client.upload('99', kind, picture(0), signal)),
      failure(client.select('99', kind, 'upload://posters/1', signal)),
    ]);
    for (const error of errors) expect(error).toMatchObject({ status: 404, kind: 'bad-data' });
  });
});

it.each(['', ' ', '5,6', 'x', '-1', '5/posters?'])('sends no picture for the key %j', async (key) => {
  const { plex, client } = await rig();
  const errors = await Promise.all([
    failure(client.images(key, 'poster', signal)),
    failure(client.upload(key, 'poster', picture(0), signal)),
    failure(client.select(key, 'art', 'upload://art/1', signal)),
  ]);
  expect(errors.map(({ kind }) => kind)).toEqual(['bad-data', 'bad-data', 'bad-data']);
  expect(plex.requests).toEqual([]);
});

it.each([
  [413, 'bad-data'],
  [500, 'transient'],
  [503, 'overloaded'],
  [502, 'server-down'],
] as const)('an upload that is answered with HTTP %i is %s', async (status, kind) => {
  const { plex, key, client } = await rig();
  plex.setFault({ kind: 'server-error', status, on: 'upload' });
  expect((await failure(client.upload(key, 'poster', picture(0), signal))).kind).toBe(kind);
});

it('a token that may not edit may not upload either', async () => {
  const plex = await startPlex({ guestToken: 'guest-token' });
  const { ratingKey } = plex.addItem({ file: '/media/a.mp4' });
  const guest = clientFor({ url: plex.url, token: 'guest-token' });
  const work = guest.upload(String(ratingKey), 'poster', picture(0), signal);
  expect((await failure(work)).kind).toBe('may-not-edit');
});

it('an upload has three times as long as other requests', async () => {
  const clock = new VirtualClock();
  const { plex, key, client } = await rig({ clock, timeoutMs: 10_000 });
  plex.setFault({ kind: 'hang' });
  let ended = false;
  const work = failure(client.upload(key, 'poster', picture(0), signal)).finally(() => {
    ended = true;
  });
  while (plex.requests.length === 0) await clock.advance(0);
  await clock.advance(29_999);
  expect(ended).toBe(false);
  await clock.advance(1);
  expect(await work).toMatchObject({
    kind: 'server-down',
    message: 'Plex is not answering (no answer within 30 s).',
  });
});

it('tells what was called, and uploads apart from edits', async () => {
  const calls: Call[] = [];
  const { key, client } = await rig({ onCall: (call) => calls.push(call) });
  await client.upload(key, 'poster', picture(0), signal);
  const [, uploaded] = await client.images(key, 'poster', signal);
  await client.select(key, 'poster', uploaded?.key ?? '', signal);
  expect(calls.map(({ kind }) => kind)).toEqual(['upload', 'read', 'edit']);
});

it('pictures also reach a server with a certificate that nobody signed', async () => {
  const plex = await startPlex({ https: true });
  const { ratingKey } = plex.addItem({ file: '/media/a.mp4' });
  const client = clientFor(plex, { fetch: makeFetch({ trustAnyCertificate: true }) });
  await client.upload(String(ratingKey), 'art', picture(3), signal);
  expect(plex.item(ratingKey)?.art).toContain(sha1(picture(3)));
});
