import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { WantedPage } from '../../../src/plex/client';
import type { PlexRequestOptions } from '../../../src/plex/request';
import type { Call } from '../../../src/shared/call';
import { makeFetch } from '../../../src/shared/fetch';
import { settle, VirtualClock } from '../../support/virtual-clock';
import { clientFor, failure, signal, startPlex } from './rig';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** A server that is no Plex. */
async function startOther(listener: RequestListener): Promise<{ url: string; token: string }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => new Promise((resolve) => server.close(resolve)));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: 'secret-token' };
}

describe('what it reads', () => {
  it('knows the server, and says who it is in headers only', async () => {
    const plex = await startPlex();
    const server = await clientFor(plex).probe(signal);
    expect(server.machineIdentifier).not.toBe('');
    expect(server.version).toMatch(/^\d/);
    const [request] = plex.requests;
    expect(request?.headers).toMatchObject({
      'x-plex-token': plex.token,
      'x-plex-client-identifier': 'sluice-test',
      'x-plex-product': 'Sluice',
      'x-plex-version': '0.0.1',
      accept: 'application/json',
    });
    expect(request?.url).toBe('/');
  });

  it('knows the libraries and their folders', async () => {
    const plex = await startPlex({
      libraries: [
        { title: 'Films', locations: ['/media/a', '/media/b'] },
        { title: 'Series', type: 'show' },
      ],
    });
    expect(await clientFor(plex).libraries(signal)).toEqual([
      { key: '1', title: 'Films', type: 'movie', locations: ['/media/a', '/media/b'] },
      { key: '2', title: 'Series', type: 'show', locations: ['/media'] },
    ]);
  });

  it('has no libraries where Plex has none', async () => {
    const plex = await startPlex({ libraries: [] });
    expect(await clientFor(plex).libraries(signal)).toEqual([]);
  });

  it('finds items by a part of a file name, over as many pages as there are', async () => {
    const plex = await startPlex({ behaviour: { pageCap: 2 } });
    for (let i = 0; i < 5; i++) plex.addItem({ file: `/media/Kelp & "Sea" 100% ${i}.mp4` });
    plex.addItem({ file: '/media/other.mp4' });
    const client = clientFor(plex);
    const found = await client.findByFile('1', 'Kelp & "Sea" 100%', signal);
    expect(found.map(({ title }) => title)).toEqual([0, 1, 2, 3, 4].map((i) => `Kelp & "Sea" 100% ${i}`));
    expect(plex.counts.find).toBe(3);
    expect(plex.requests[0]?.headers['x-plex-container-size']).toBe('500');
    expect(await client.findByFile('1', 'nothing like it', signal)).toEqual([]);
  });

  it('reads on after an item of a listing that has another shape, and not by itself', async () => {
    const films = Array.from({ length: 5 }, (_, i) => ({
      ratingKey: String(i),
      title: i === 1 ? [] : `${i}`,
    }));
    const starts: number[] = [];
    const other = await startOther(({ url = '', headers }, response) => {
      const start = Number(headers['x-plex-container-start'] ?? 1);
      if (!url.startsWith('/library/metadata')) starts.push(start);
      const MediaContainer = { totalSize: films.length, Metadata: films.slice(start, start + 2) };
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ MediaContainer }));
    });
    const client = clientFor(other);
    const found = await client.findByFile('1', 'film', signal);
    expect(found.map(({ ratingKey }) => ratingKey)).toEqual(['0', '2', '3', '4']);
    expect(starts).toEqual([0, 2, 4]);
    const { items, total } = await client.page('1', { start: 0, size: 2 }, signal);
    expect([items.length, total]).toEqual([1, 5]);
    await expect(client.item('1', signal)).rejects.toMatchObject({ kind: 'transient' });
  });

  it('reads an item with all its tags and files, without setting off an analysis', async () => {
    const plex = await startPlex({ behaviour: { refreshOnGet: true } });
    const { ratingKey } = plex.addItem({
      files: [['/media/a1.mp4', '/media/a2.mp4'], '/media/b.mkv'],
      title: 'The A',
      titleSort: 'A',
      summary: 'S',
      tagline: 'T',
      studio: 'St',
      contentRating: 'PG',
      originallyAvailableAt: '2024-05-17',
      userRating: 7.5,
      genres: ['1', '2', '3', '4'],
      actors: ['A', 'B', 'C', 'D', 'E'],
      directors: ['Y', 'Z'],
      labels: ['l'],
      collections: ['c', 'd', 'e'],
      locked: ['title', 'genre'],
      addedAt: 1_700_000_000,
    });
    expect(await clientFor(plex).item(String(ratingKey), signal)).toEqual({
      ratingKey: String(ratingKey),
      sectionKey: '1',
      library: 'Videos',
      files: ['/media/a1.mp4', '/media/a2.mp4', '/media/b.mkv'],
      title: 'The A',
      titleSort: 'A',
      summary: 'S',
      tagline: 'T',
      studio: 'St',
      contentRating: 'PG',
      originallyAvailableAt: '2024-05-17',
      userRating: 7.5,
      genres: ['1', '2', '3', '4'],
      actors: ['A', 'B', 'C', 'D', 'E'],
      directors: ['Y', 'Z'],
      labels: ['l'],
      collections: ['c', 'd', 'e'],
      thumb: expect.stringMatching(/./),
      art: '',
      locked: ['title', 'genre'],
      updatedAt: 1_700_000_000,
    });
    expect(plex.requests[0]?.query.get('skipRefresh')).toBe('1');
  });

  it('reads an item without anything as empty, and an item that is gone as null', async () => {
    const plex = await startPlex();
    const { ratingKey } = plex.addItem({ file: '/media/a.mp4' });
    const item = await clientFor(plex).item(String(ratingKey), signal);
    expect(item).toMatchObject({
      title: 'a',
      summary: '',
      studio: '',
      originallyAvailableAt: '',
      genres: [],
    });
    expect(await clientFor(plex).item('999', signal)).toBeNull();
  });
});

describe('a page of a library', () => {
  it('is what was asked for, with the number of all', async () => {
    const plex = await startPlex();
    for (const i of [3, 1, 2]) plex.addItem({ file: `/media/${i}.mp4`, addedAt: 100 + i });
    const client = clientFor(plex);
    const titles = async (wanted: WantedPage) => {
      const { items, total } = await client.page('1', wanted, signal);
      return [items.map(({ title }) => title).join(' '), total];
    };
    expect(await titles({ start: 0, size: 2 })).toEqual(['1 2', 3]);
    expect(await titles({ start: 2, size: 2 })).toEqual(['3', 3]);
    expect(await titles({ start: 0, size: 0 })).toEqual(['', 3]);
    expect(await titles({ start: 0, size: 9, order: 'id' })).toEqual(['3 1 2', 3]);
    expect(await titles({ start: 0, size: 9, order: 'newest' })).toEqual(['3 2 1', 3]);
    expect(await titles({ start: 0, size: 9, updatedSince: 101 })).toEqual(['2 3', 2]);
    expect(plex.requests.at(-1)?.url).toBe('/library/sections/1/all?type=1&updatedAt%3E%3E=101');
  });

  it('is shorter than asked for where the server wants it so', async () => {
    const plex = await startPlex({ behaviour: { pageCap: 1 } });
    for (const i of [1, 2]) plex.addItem({ file: `/media/${i}.mp4` });
    const { items, total } = await clientFor(plex).page('1', { start: 0, size: 500 }, signal);
    expect([items.length, total]).toEqual([1, 2]);
  });

  it('of a library that is gone is a 404', async () => {
    const plex = await startPlex();
    expect((await failure(clientFor(plex).page('9', { start: 0, size: 1 }, signal))).status).toBe(404);
  });
});

describe('how many items a library has', () => {
  it('is asked for without listing them', async () => {
    const plex = await startPlex({
      libraries: [{ title: 'Films' }, { title: 'Series', type: 'show' }, { title: 'Talks' }],
    });
    for (let i = 0; i < 3; i++) plex.addItem({ library: 'Films', file: `/media/${i}.mp4` });
    for (let i = 0; i < 2; i++) plex.addItem({ library: 'Series', file: `/media/s${i}.mp4` });
    const client = clientFor(plex);
    expect(await client.count('1', signal)).toBe(3);
    expect(await client.count('3', signal)).toBe(0);
    expect(plex.requests[0]?.url).toBe('/library/sections/1/all?type=1');
    expect(plex.requests[0]?.headers['x-plex-container-size']).toBe('0');
    expect(await client.count('2', signal, 'show')).toBe(2);
    expect(await client.count('2', signal, 'something new')).toBe(2);
  });

  it('is not asked of what is no library', async () => {
    const plex = await startPlex();
    expect((await failure(clientFor(plex).count('all', signal))).kind).toBe('bad-data');
    expect(plex.requests).toEqual([]);
  });
});

describe('what it writes', () => {
  const values = [
    'a, b',
    '"quoted" and \'single\'',
    'AC/DC \\ back',
    '🌊 family 👨‍👩‍👧',
    '100% %41 %2C',
    'you & me = us; #1? + plus',
    'Ve\u0301lo V\u00e9lo',
    'שלום عليكم',
    ' [0] line\nbreak\ttab ',
  ];

  it.each(values)('arrives unchanged: %j', async (value) => {
    const plex = await startPlex();
    const { ratingKey } = plex.addItem({ file: '/media/a.mp4' });
    const params = [
      ['summary.value', value],
      ['genre[0].tag.tag', value],
      ['summary.locked', '1'],
    ] as const;
    await clientFor(plex).edit('1', String(ratingKey), params, signal);
    expect(plex.item(ratingKey)).toMatchObject({ summary: value, genres: [value], locked: ['summary'] });
    expect(plex.requests[0]?.url).not.toMatch(/[[\]+ ]/);
  });

  it.each(['', ' ', '5,6', '5 ', 'x', '-1', '5&title.value=x'])(
    'sends nothing for the key %j',
    async (key) => {
      const plex = await startPlex();
      plex.addItem({ file: '/media/a.mp4' });
      const client = clientFor(plex);
      const error = await failure(client.edit('1', key, [['title.value', 'all the same']], signal));
      expect(error.kind).toBe('bad-data');
      expect((await failure(client.edit(key, '1', [['title.value', 'x']], signal))).kind).toBe('bad-data');
      expect(plex.requests).toEqual([]);
      expect(plex.itemByFile('/media/a.mp4')?.title).toBe('a');
    },
  );
});

describe('what can go wrong', () => {
  it.each([
    ['maintenance', { kind: 'maintenance', retryAfter: 30 }, { kind: 'overloaded', retryAfterMs: 30_000 }],
    ['too many requests', { kind: 'too-many-requests' }, { kind: 'overloaded', retryAfterMs: null }],
    ['a failing server', { kind: 'server-error' }, { kind: 'transient', status: 500 }],
    ['a dead server behind a proxy', { kind: 'server-error', status: 502 }, { kind: 'server-down' }],
    ['a token that is not accepted', { kind: 'unauthorised' }, { kind: 'not-authorised' }],
    ['an address that is too long', { kind: 'uri-too-long', limitBytes: 10 }, { kind: 'bad-data' }],
    ['a cut connection', { kind: 'reset' }, { kind: 'server-down' }],
    ['half an answer', { kind: 'truncate' }, { kind: 'server-down' }],
  ] as const)('%s', async (_, fault, expected) => {
    const plex = await startPlex();
    const { ratingKey } = plex.addItem({ file: '/media/a.mp4' });
    plex.setFault(fault);
    const error = await failure(clientFor(plex).item(String(ratingKey), signal));
    expect(error).toMatchObject(expected);
    expect(error.message).not.toContain(plex.token);
  });

  it('understands a Retry-After that is a date', async () => {
    const clock = new VirtualClock();
    const plex = await startPlex();
    plex.setFault({ kind: 'maintenance', retryAfter: new Date(clock.now() + 90_000) });
    expect((await failure(clientFor(plex, { clock }).probe(signal))).retryAfterMs).toBe(90_000);
  });

  it('is refused: nobody listens', async () => {
    const plex = await startPlex();
    await plex.goDown();
    const error = await failure(clientFor(plex).probe(signal));
    expect(error).toMatchObject({
      kind: 'server-down',
      message: 'Plex is not answering (connection refused).',
    });
  });

  it('is a name that nobody knows', async () => {
    const unknown = { url: 'http://plex.invalid:32400', token: 'secret-token' };
    expect((await failure(clientFor(unknown).probe(signal))).kind).toBe('server-down');
  });

  it('is silence: after the time limit the server counts as down', async () => {
    const clock = new VirtualClock();
    const plex = await startPlex();
    plex.setFault({ kind: 'hang' });
    const asked = failure(clientFor(plex, { clock }).probe(signal));
    while (plex.requests.length === 0) await clock.advance(0);
    await clock.advance(30_000);
    expect(await asked).toMatchObject({
      kind: 'server-down',
      message: 'Plex is not answering (no answer within 30 s).',
    });
  });

  it('is an abort of our own, which is passed on and says nothing about the server', async () => {
    const plex = await startPlex();
    plex.setFault({ kind: 'hang' });
    const controller = new AbortController();
    const asked = clientFor(plex).probe(controller.signal);
    const reason = new Error('the worker ends');
    setImmediate(() => controller.abort(reason));
    await expect(asked).rejects.toBe(reason);
    const client = clientFor(plex);
    await expect(client.probe(controller.signal)).rejects.toBe(reason);
  });

  it('is a token that may read but not edit', async () => {
    const plex = await startPlex({ guestToken: 'guest-token' });
    const { ratingKey } = plex.addItem({ file: '/media/a.mp4' });
    const guest = clientFor({ url: plex.url, token: 'guest-token' });
    expect(await guest.item(String(ratingKey), signal)).not.toBeNull();
    const error = await failure(guest.edit('1', String(ratingKey), [['title.value', 'x']], signal));
    expect(error.kind).toBe('may-not-edit');
  });

  it('is a page of something else: complete, but not to be read', async () => {
    const other = await startOther((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>');
    });
    const error = await failure(clientFor(other).probe(signal));
    expect(error.kind).toBe('transient');
    expect(error.message).toContain('text/html');
  });

  it.each(['{"MediaContainer":', '{"other":1}', 'null'])('is JSON that is no answer: %s', async (body) => {
    const other = await startOther((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    });
    expect((await failure(clientFor(other).probe(signal))).kind).toBe('transient');
  });

  it('is another web server: a mistake in the settings, not in the scene', async () => {
    const other = await startOther((_, response) => response.writeHead(404).end());
    expect((await failure(clientFor(other).libraries(signal))).kind).toBe('misconfigured');
  });

  it('is a redirect, which is not followed', async () => {
    const plex = await startPlex();
    const other = await startOther((_, response) => {
      response.writeHead(302, { location: `${plex.url}/?somewhere=1` }).end();
    });
    const error = await failure(clientFor(other).probe(signal));
    expect(error).toMatchObject({ kind: 'misconfigured', status: 302 });
    expect(error.message).toContain(`${plex.url} `);
    expect(plex.requests).toEqual([]);
  });

  it('keeps the status of a refusal whose page breaks off', async () => {
    const other = await startOther((_, response) => {
      response.writeHead(503, { 'content-length': 100, 'retry-after': '7' });
      response.write('half', () => response.destroy());
    });
    expect(await failure(clientFor(other).probe(signal))).toMatchObject({
      kind: 'overloaded',
      retryAfterMs: 7_000,
    });
  });
});

describe('what is reported of a call', () => {
  async function rig(more: Partial<PlexRequestOptions> = {}) {
    const plex = await startPlex();
    const key = String(plex.addItem({ file: '/media/a.mp4' }).ratingKey);
    const calls: Call[] = [];
    const client = clientFor(plex, { onCall: (call) => calls.push(call), ...more });
    return { plex, key, calls, client };
  }

  it('is its kind, once for each request; the probe is not reported', async () => {
    const { plex, key, calls, client } = await rig();
    plex.behaviour.pageCap = 1;
    plex.addItem({ file: '/media/ab.mp4' });
    await client.probe(signal);
    expect(calls).toEqual([]);
    await client.libraries(signal);
    await client.item(key, signal);
    await client.findByFile('1', 'a', signal);
    await client.count('1', signal);
    await client.edit('1', key, [['title.value', 'x']], signal);
    expect(calls.map(({ kind, end }) => `${kind} ${end}`)).toEqual([
      'read answered',
      'read answered',
      'listing answered',
      'listing answered',
      'listing answered',
      'edit answered',
    ]);
    expect(calls).toHaveLength(plex.requests.length - 1);
  });

  it('is only trouble where a page of a library is concerned: its length is no measure', async () => {
    const { plex, calls, client } = await rig();
    await client.page('1', { start: 0, size: 500 }, signal);
    expect(calls).toEqual([]);
    plex.setFault({ kind: 'maintenance', retryAfter: 5 });
    await failure(client.page('1', { start: 0, size: 500 }, signal));
    plex.setFault({ kind: 'reset' });
    await failure(client.page('1', { start: 0, size: 500 }, signal));
    expect(calls).toMatchObject([
      { kind: 'listing', end: 'overloaded', retryAfterMs: 5_000 },
      { kind: 'listing', end: 'failed' },
    ]);
  });

  it('is when it began and how long it took, the body included', async () => {
    const clock = new VirtualClock();
    const startedAt = clock.now();
    const slow = await startOther((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"MediaContainer":', async () => {
        await clock.advance(700);
        response.end('{}}');
      });
    });
    const calls: Call[] = [];
    await clientFor(slow, { clock, onCall: (call) => calls.push(call) }).libraries(signal);
    expect(calls).toEqual([{ kind: 'read', startedAt, ms: 700, end: 'answered', retryAfterMs: null }]);
  });

  it('never takes less than no time, whatever the clock does', async () => {
    const clock = new VirtualClock();
    const other = await startOther((_, response) => {
      clock.set(clock.now() - 3_600_000);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"MediaContainer":{}}');
    });
    const calls: Call[] = [];
    await clientFor(other, { clock, onCall: (call) => calls.push(call) }).libraries(signal);
    expect(calls).toMatchObject([{ ms: 0, end: 'answered' }]);
  });

  it.each([
    [{ kind: 'maintenance' }, 'overloaded'],
    [{ kind: 'too-many-requests' }, 'overloaded'],
    [{ kind: 'server-error', status: 408 }, 'failed'],
    [{ kind: 'server-error', status: 502 }, 'failed'],
    [{ kind: 'server-error', status: 504 }, 'failed'],
    [{ kind: 'reset' }, 'failed'],
    [{ kind: 'truncate' }, 'failed'],
    [{ kind: 'server-error', status: 500 }, 'answered'],
    [{ kind: 'server-error', status: 404 }, 'answered'],
    [{ kind: 'server-error', status: 400 }, 'answered'],
    [{ kind: 'unauthorised' }, 'answered'],
  ] as const)('after %j is: %s', async (fault, end) => {
    const { plex, key, calls, client } = await rig();
    plex.setFault(fault);
    await client.item(key, signal).catch(() => {});
    await client.edit('1', key, [['title.value', 'x']], signal).catch(() => {});
    await client.findByFile('1', 'a', signal).catch(() => {});
    expect(calls.map((call) => [call.kind, call.end])).toEqual([
      ['read', end],
      ['edit', end],
      ['listing', end],
    ]);
  });

  it('is a failure when nobody listens, or when no answer comes in time', async () => {
    const clock = new VirtualClock();
    const { plex, key, calls, client } = await rig({ clock });
    plex.setFault({ kind: 'hang' });
    const asked = failure(client.item(key, signal));
    while (plex.requests.length === 0) await clock.advance(0);
    await clock.advance(30_000);
    await asked;
    expect(calls).toMatchObject([{ end: 'failed', ms: 30_000 }]);
    await plex.goDown();
    await failure(client.item(key, signal));
    expect(calls).toMatchObject([{ end: 'failed' }, { end: 'failed' }]);
  });

  it('is an answer when it is whole, though nobody can read it', async () => {
    const calls: Call[] = [];
    const other = await startOther((_, response) => response.writeHead(200).end('<h1>Welcome</h1>'));
    await failure(clientFor(other, { onCall: (call) => calls.push(call) }).libraries(signal));
    expect(calls).toMatchObject([{ end: 'answered' }]);
  });

  it.each([200, 404, 429, 500, 502, 503])('carries the Retry-After of an HTTP %i', async (status) => {
    const calls: Call[] = [];
    const other = await startOther((_, response) => {
      response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '7' });
      response.end('{"MediaContainer":{}}');
    });
    await clientFor(other, { onCall: (call) => calls.push(call) })
      .libraries(signal)
      .catch(() => {});
    expect(calls).toMatchObject([{ retryAfterMs: 7_000 }]);
  });

  it('is nothing when we broke it off ourselves, before or after it began', async () => {
    const { plex, key, calls, client } = await rig();
    for (const fault of [{ kind: 'hang' }, { kind: 'hang', applied: true }] as const) {
      plex.setFault(fault);
      const controller = new AbortController();
      const asked = client.item(key, controller.signal);
      const before = plex.requests.length;
      while (plex.requests.length === before) await settle();
      controller.abort(new Error('the worker ends'));
      await expect(asked).rejects.toThrow('the worker ends');
      await expect(client.item(key, controller.signal)).rejects.toThrow('the worker ends');
    }
    expect(calls).toEqual([]);
  });

  it('is nothing when nothing was sent: a bad key, a bad token, a bad address', async () => {
    const { plex, calls } = await rig();
    const onCall = (call: Call) => calls.push(call);
    await failure(clientFor(plex, { onCall }).item('x', signal));
    await failure(clientFor({ url: plex.url, token: '' }, { onCall }).item('1', signal));
    await failure(clientFor({ url: 'no address', token: 'secret-token' }, { onCall }).item('1', signal));
    expect(calls).toEqual([]);
  });
});

describe('secrets', () => {
  it.each(['with\nnewline', 'geheim-ü', ''])(
    'a token that is none (%j) is a settings mistake and not shown',
    async (token) => {
      const plex = await startPlex();
      const error = await failure(clientFor({ url: plex.url, token }).probe(signal));
      expect(error.kind).toBe('misconfigured');
      if (token) expect(error.message).not.toContain(token);
      expect(plex.requests).toEqual([]);
    },
  );

  it('an address that cannot be read is a settings mistake', async () => {
    const error = await failure(
      clientFor({ url: 'plex:// user:pass@', token: 'secret-token' }).probe(signal),
    );
    expect(error.kind).toBe('misconfigured');
    expect(error.message).not.toContain('pass');
  });
});

it('talks to a server with a certificate that nobody signed, if told so', async () => {
  const plex = await startPlex({ https: true });
  const error = await failure(clientFor(plex).probe(signal));
  expect(error.kind).toBe('server-down');
  expect(error.message).toContain('"Trust any Plex certificate"');
  const trusting = clientFor(plex, { fetch: makeFetch({ trustAnyCertificate: true }) });
  const { ratingKey } = plex.addItem({ file: '/media/a.mp4' });
  await trusting.edit('1', String(ratingKey), [['title.value', 'über, 100%']], signal);
  expect((await trusting.item(String(ratingKey), signal))?.title).toBe('über, 100%');
});
