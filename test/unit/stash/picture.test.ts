import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StashClient } from '../../../src/stash/client';
import { coverPath, UnusableCover } from '../../../src/stash/picture';
import { VirtualClock } from '../../support/virtual-clock';
import { type Answer, type Asked, isKeyQuery, keyAnswer, type SmallStash, smallStash } from './small-stash';

const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]);
/** What Plex takes. */
const largestCoverBytes = 10_000_000;
const path = '/scene/7/screenshot?t=1794790044';

describe("a cover's path", () => {
  it.each([
    ['http://localhost:9999/scene/7/screenshot?t=1', '/scene/7/screenshot?t=1'],
    ['https://films.example/scene/7/screenshot?t=1', '/scene/7/screenshot?t=1'],
    ['https://films.example/stash/scene/7/screenshot?t=1', '/scene/7/screenshot?t=1'],
    ['https://films.example/scene/stash/scene/7/screenshot?t=1', '/scene/7/screenshot?t=1'],
    ['films.example:9999/stash/scene/7/screenshot?t=1', '/scene/7/screenshot?t=1'],
    ['http://localhost:9999/scene/7/screenshot', '/scene/7/screenshot'],
    ['http://localhost:9999/picture/7?size=full', '/picture/7?size=full'],
    ['data:image/png;base64,AA', null],
    ['nonsense', null],
  ])('is what Stash itself would call it: %s', (address, expected) => {
    expect(coverPath(address)).toBe(expected);
  });
});

describe('a cover', () => {
  let stash: SmallStash;
  let clock: VirtualClock;
  beforeEach(async () => {
    stash = await smallStash();
    clock = new VirtualClock();
  });
  afterEach(() => stash.close());

  const clientOf = () => new StashClient({ connection: stash.connection, pluginId: 'sluice', clock });
  const answering = (answer: (asked: Asked) => Answer) => {
    stash.answer = (asked) => (isKeyQuery(asked) ? keyAnswer('') : answer(asked));
  };
  const picture = (body: Buffer | string, type = 'image/jpeg'): Answer => ({
    body,
    headers: { 'content-type': type },
  });

  it('is its bytes and their SHA-1, asked for with our cookie under its own path', async () => {
    answering(() => picture(jpeg));
    expect(await clientOf().cover(path)).toEqual({
      bytes: jpeg,
      sha1: createHash('sha1').update(jpeg).digest('hex'),
      type: 'image/jpeg',
    });
    expect(stash.asked.at(-1)).toMatchObject({ path, headers: { cookie: 'session=cookie-from-the-hook' } });
  });

  it('that Stash fails with is the trouble of that one scene', async () => {
    answering(() => ({ status: 500, body: 'no such blob' }));
    await expect(clientOf().cover(path)).rejects.toMatchObject({ name: 'UnusableCover', mayPass: true });
  });

  it.each([
    ['image/jpeg', '\xff\xd8\xff\xdb'],
    ['image/png', '\x89PNG\r\n\x1a\n'],
    ['image/gif', 'GIF89a'],
    ['image/webp', 'RIFF\x00\x0a\x00\x0dWEBPVP8 '],
  ])('is what its first bytes say: %s', async (type, bytes) => {
    answering(() => picture(Buffer.from(bytes, 'latin1'), 'application/octet-stream'));
    expect((await clientOf().cover(path))?.type).toBe(type);
  });

  it('is none where Stash has nothing, or nothing but its own drawing', async () => {
    answering(() => ({ status: 404, body: 'Not Found' }));
    expect(await clientOf().cover(path)).toBeNull();
    answering(() => picture('<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml; charset=utf-8'));
    expect(await clientOf().cover(path)).toBeNull();
  });

  it.each([
    [picture('<html>somebody else</html>', 'text/html; charset=utf-8'), 'WebP picture (text/html).'],
    [picture('<html>somebody else</html>', 'image/jpeg'), 'WebP picture (image/jpeg).'],
    [picture(Buffer.from('ftypavif', 'latin1'), 'application/octet-stream'), '(application/octet-stream).'],
    [picture('', 'image/jpeg'), 'it is empty.'],
  ])('that is no picture is of no use, and Stash is not to blame: %#', async (answer, words) => {
    answering(() => answer);
    const error = await clientOf()
      .cover(path)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UnusableCover);
    expect(String(error)).toContain(words);
  });

  it.each([
    ['its session has expired', { status: 302, headers: { location: '/login?returnURL=x' } }, 'unauthorised'],
    ['it is behind a folder', { status: 302, headers: { location: '/stash/login' } }, 'unauthorised'],
    ['the credential is wrong', { status: 401 }, 'unauthorised'],
    ['it sends us elsewhere', { status: 302, headers: { location: '/setup' } }, 'away'],
    ['a proxy fails', { status: 502, body: 'bad gateway' }, 'away'],
    ['it refuses', { status: 403, body: 'no' }, 'away'],
    ['the answer breaks off', { body: jpeg, headers: { 'content-type': 'image/jpeg' }, cut: true }, 'away'],
  ] satisfies [string, Answer, string][])('is trouble with Stash when %s', async (_, answer, kind) => {
    answering(() => answer);
    await expect(clientOf().cover(path)).rejects.toMatchObject({ name: 'StashTrouble', kind });
    // One question for the API key, one for the picture: no redirect was followed.
    expect(stash.asked).toHaveLength(2);
  });

  it('that does not come within 30 s is trouble', async () => {
    answering(() => {
      void clock.advance(30_000);
      return { silent: true };
    });
    await expect(clientOf().cover(path)).rejects.toMatchObject({
      kind: 'away',
      message: 'Stash is not answering (no answer within 30 s).',
    });
  });

  it('is not waited for by a caller who gives up: the reason comes back as it is', async () => {
    const mine = new AbortController();
    const reason = new Error('the worker stops');
    answering(() => {
      mine.abort(reason);
      return { silent: true };
    });
    await expect(clientOf().cover(path, mine.signal)).rejects.toBe(reason);
  });

  it('that is too large is refused by its length, unread', async () => {
    answering(() => ({
      ...picture(jpeg),
      headers: { 'content-type': 'image/jpeg', 'content-length': String(largestCoverBytes + 1) },
      endless: true,
    }));
    const error = await clientOf()
      .cover(path)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UnusableCover);
    expect(error).toMatchObject({ message: 'it is too large (11 MB; Plex takes at most 10 MB).' });
    expect(await stash.flowed).toBeLessThan(largestCoverBytes);
  });

  for (const scheme of ['http', 'https'] as const) {
    it(`that never ends is read no further than the limit (${scheme})`, async () => {
      const other = await smallStash(scheme);
      try {
        other.answer = (asked) => (isKeyQuery(asked) ? keyAnswer('') : { ...picture(jpeg), endless: true });
        const client = new StashClient({ connection: other.connection, pluginId: 'sluice', clock });
        await expect(client.cover(path)).rejects.toThrow('too large');
        // The client has hung up: what was sent is what it read, and what was under way.
        expect(await other.flowed).toBeLessThan(2 * largestCoverBytes);
      } finally {
        await other.close();
      }
    });
  }

  it('may be as large as the limit', async () => {
    const bytes = Buffer.concat([jpeg, Buffer.alloc(largestCoverBytes - jpeg.length)]);
    answering(() => picture(bytes));
    expect((await clientOf().cover(path))?.bytes.length).toBe(largestCoverBytes);
  });

  it('is asked for at Stash and nowhere else, whatever its path says', async () => {
    answering(() => picture(jpeg));
    for (const odd of ['//elsewhere.example/x', '@elsewhere.example/x', 'http://elsewhere.example/x']) {
      await clientOf().cover(odd);
    }
    expect(stash.asked.filter(({ query }) => query === '').map((asked) => asked.path)).toEqual([
      '/elsewhere.example/x',
      '/@elsewhere.example/x',
      '/http://elsewhere.example/x',
    ]);
  });

  it('is asked for with the API key if there is one, and with the next when that one is refused', async () => {
    let key = 'picture-api-key-1';
    stash.answer = (asked) => {
      const { apikey } = asked.headers;
      if (apikey !== undefined && apikey !== key) return { status: 401 };
      return isKeyQuery(asked) ? keyAnswer(key) : picture(jpeg);
    };
    const client = clientOf();
    await client.cover(path);
    key = 'picture-api-key-2';
    expect((await client.cover(path))?.bytes).toEqual(jpeg);
    expect(stash.asked.map(({ headers }) => headers.apikey ?? headers.cookie)).toEqual([
      'session=cookie-from-the-hook',
      'picture-api-key-1',
      'picture-api-key-1',
      'session=cookie-from-the-hook',
      'picture-api-key-2',
    ]);
  });

  it('renews the cookie it came with', async () => {
    answering(() => ({
      ...picture(jpeg),
      headers: { 'content-type': 'image/jpeg', 'set-cookie': 'session=renewed-by-a-picture; Max-Age=3600' },
    }));
    const client = clientOf();
    await client.cover(path);
    expect(client.connection.cookie?.value).toBe('renewed-by-a-picture');
  });
});
