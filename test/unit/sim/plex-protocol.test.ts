import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Client } from '../../sim/plex/client';
import { PlexSim } from '../../sim/plex/plex-sim';

let plex: PlexSim;
let client: Client;

beforeEach(async () => {
  plex = await PlexSim.start({
    token: 'owner-token-123',
    guestToken: 'guest-token-456',
    libraries: [
      { title: 'Films', locations: ['/media/films', '/media/more'] },
      { title: 'Series', type: 'show', locations: ['/media/series'] },
      { title: 'Music', type: 'artist' },
    ],
  });
  client = new Client(plex);
  plex.addItem({
    library: 'Films',
    file: '/media/films/river.mp4',
    title: 'A "River" & <more>',
    summary: 'one\ntwo',
  });
});

afterEach(() => plex.stop());

describe('notation', () => {
  test('answers XML by default, with line breaks and quotes that survive a parser', async () => {
    const { headers, text } = await client.ask('/library/metadata/1', { accept: '*/*' });
    expect(headers.get('content-type')).toBe('text/xml;charset=utf-8');
    expect(text).toContain('<?xml version="1.0" encoding="UTF-8"?>');
    expect(text).toContain('title="A &quot;River&quot; &amp; &lt;more&gt;"');
    expect(text).toContain('summary="one&#10;two"');
  });

  test('answers JSON on Accept, with numbers and booleans where XML has texts', async () => {
    const { headers, text } = await client.ask('/library/sections', {
      accept: 'application/json, text/plain, */*',
    });
    expect(headers.get('content-type')).toBe('application/json');
    const [films] = JSON.parse(text).MediaContainer.Directory;
    expect(films).toMatchObject({
      key: '1',
      type: 'movie',
      refreshing: false,
      agent: 'com.plexapp.agents.none',
    });
    expect(films.Location).toEqual([
      { id: 100, path: '/media/films' },
      { id: 101, path: '/media/more' },
    ]);
    const xml = await client.ask('/library/sections', { accept: 'application/xml' });
    expect(xml.text).toContain('refreshing="0"');
  });

  test('calls items Video in XML and Metadata in JSON', async () => {
    expect((await client.ask('/library/metadata/1', { accept: 'text/xml' })).text).toContain(
      '<Video ratingKey="1"',
    );
    expect((await client.get('/library/metadata/1')).Metadata?.[0]).toMatchObject({
      ratingKey: '1',
      type: 'movie',
    });
  });

  test('leaves empty lists out of JSON altogether', async () => {
    expect(await client.get('/library/sections/3/all?type=8')).not.toHaveProperty('Metadata');
  });
});

describe('access', () => {
  test('tells its identity without a token, and only that', async () => {
    expect(await client.get('/identity', { token: null })).toMatchObject({
      machineIdentifier: expect.any(String),
    });
    for (const path of [
      '/',
      '/library',
      '/library/sections',
      '/library/metadata/1',
      '/activities',
      '/nowhere',
    ]) {
      expect((await client.ask(path, { token: null })).status, path).toBe(401);
    }
  });

  test('answers a wrong token with HTML, whatever was accepted', async () => {
    const { status, headers, text } = await client.ask('/', { token: 'wrong' });
    expect(status).toBe(401);
    expect(headers.get('content-type')).toBe('text/html');
    expect(text).toContain('<h1>401 Unauthorized</h1>');
  });

  test('lets a guest read but not edit', async () => {
    const token = 'guest-token-456';
    expect((await client.ask('/library/metadata/1', { token })).status).toBe(200);
    const edits = [
      ['PUT', '/library/sections/1/all?type=1&id=1&title.value=x'],
      ['PUT', '/library/metadata/1?title.value=x'],
      ['PUT', '/library/metadata/1/refresh'],
      ['POST', '/library/metadata/1/posters'],
      ['DELETE', '/library/metadata/1/thumb'],
      ['GET', '/library/sections/1/refresh'],
    ] as const;
    for (const [method, path] of edits)
      expect((await client.ask(path, { method, token })).status, path).toBe(403);
    expect(plex.item(1)?.title).toBe('A "River" & <more>');
  });
});

describe('addresses', () => {
  test('knows /, /library and /library/sections, with and without a slash at the end', async () => {
    expect(await client.get('/')).toMatchObject({ friendlyName: 'Simulated Plex', myPlex: true });
    expect(await client.get('/library')).toMatchObject({ title1: 'Plex Library' });
    for (const path of ['/library/sections', '/library/sections/', '/library/sections/all']) {
      expect((await client.get(path)).Directory?.map(({ title, type }) => [title, type])).toEqual([
        ['Films', 'movie'],
        ['Series', 'show'],
        ['Music', 'artist'],
      ]);
    }
  });

  test('answers 404 in HTML to unknown items, sections and addresses', async () => {
    const paths = [
      '/library/metadata/99',
      '/library/metadata/x',
      '/library/sections/9/all',
      '/library/nothing/1',
      '/a/b',
    ];
    for (const path of paths) {
      const { status, text } = await client.ask(path);
      expect(status, path).toBe(404);
      expect(text).toContain('<h1>404 Not Found</h1>');
    }
    expect(
      (await client.ask('/library/sections/9/all?type=1&id=1&title.value=x', { method: 'PUT' })).status,
    ).toBe(404);
    expect(plex.counts.unknown).toBe(2);
  });

  test('takes URLs of 60 KB, where Node by itself would refuse 16 KB', async () => {
    const summary = 'x'.repeat(60_000);
    expect(await client.put('/library/metadata/1', { 'summary.value': summary })).toBe(200);
    expect(plex.item(1)?.summary).toBe(summary);
  });
});

describe('records', () => {
  test('keeps time, method, path, query and headers of each request, the token included', async () => {
    const before = Date.now();
    await client.ask('/library/sections/1/all?type=1&file=a%20b');
    const [request] = plex.requests;
    expect(request).toMatchObject({
      method: 'GET',
      path: '/library/sections/1/all',
      kind: 'find',
      status: 200,
    });
    expect(request?.query.get('file')).toBe('a b');
    expect(request?.headers['x-plex-token']).toBe('owner-token-123');
    expect(request?.at).toBeGreaterThanOrEqual(before);
  });

  test('counts by kind, and forgets when told', async () => {
    await client.ask('/library/sections/1/all?type=1');
    await client.ask('/library/metadata/1');
    await client.ask('/library/metadata/1');
    await client.put('/library/metadata/1', { 'title.value': 'T' });
    expect(plex.counts).toMatchObject({ list: 1, item: 2, edit: 1, find: 0 });
    plex.clearRecords();
    expect(plex.counts.item).toBe(0);
    expect(plex.requests).toEqual([]);
  });

  test('keeps only the newest requests when there are very many, and counts all', async () => {
    const small = await PlexSim.start({ keepRequests: 5 });
    for (let i = 0; i < 12; i++) await new Client(small).ask(`/identity?n=${i}`);
    expect(small.requests.at(-1)?.url).toBe('/identity?n=11');
    expect(small.requests.length).toBeLessThan(10);
    expect(small.counts.identity).toBe(12);
    await small.stop();
  });

  test('accepts a token in the URL, as Plex does, and notes the violation', async () => {
    expect((await client.ask('/?X-Plex-Token=owner-token-123', { token: null })).status).toBe(200);
    expect(plex.violations).toMatchObject([{ why: 'X-Plex-Token is a parameter of the URL' }]);
  });

  test('notes a token anywhere else in a URL, also encoded, and a guest’s', async () => {
    await client.ask('/library/metadata/1?url=http%3A%2F%2Fx%2F%3Ft%3Downer%2Dtoken%2D123');
    await client.ask('/guest-token-456');
    expect(plex.violations.map(({ why }) => why)).toEqual(['the URL holds a token', 'the URL holds a token']);
  });

  test('notes nothing about a token in a header', async () => {
    await client.ask('/');
    await client.ask('/:/websockets/notifications?X-Plex-Token=owner-token-123');
    expect(plex.violations).toEqual([]);
  });
});
