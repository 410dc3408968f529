import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PlexClient } from '../../../src/plex/client';
import { makeFetch } from '../../../src/shared/fetch';
import { checkHealth, type HealthReport, healthInWords } from '../../../src/worker/health';
import { PlexSim, type PlexSimOptions } from '../../sim/plex/plex-sim';
import { settle } from '../../support/virtual-clock';

const { signal } = new AbortController();

async function startPlex(options: PlexSimOptions = {}): Promise<PlexSim> {
  const plex = await PlexSim.start(options);
  onTestFinished(() => plex.stop());
  return plex;
}

const clientFor = ({ url, token }: { url: string; token: string }) =>
  new PlexClient({
    url,
    token,
    clientIdentifier: 'sluice-test',
    version: '0',
    fetch: makeFetch({ trustAnyCertificate: false }),
  });

const check = (server: { url: string; token: string }, libraries: string[] = []) =>
  checkHealth(clientFor(server), libraries, signal);

const nothingKnown = { reachable: false, well: false, tokenValid: null, server: null, libraries: [] };

describe('the health of a Plex that is fine', () => {
  const libraries = [
    { title: 'Films' },
    { title: 'Series', type: 'show' as const },
    { title: 'Concerts, live', type: 'artist' as const },
    { title: 'Talks' },
  ];
  const start = async () => {
    const plex = await startPlex({ libraries });
    for (let i = 0; i < 3; i++) plex.addItem({ library: 'Films', file: `/media/f${i}.mp4` });
    plex.addItem({ library: 'Series', file: '/media/s.mp4' });
    return plex;
  };

  it('is the server, its version, the token, and each library with what is in it', async () => {
    const report = await check(await start());
    expect(report).toEqual({
      reachable: true,
      well: true,
      tokenValid: true,
      server: { name: 'Simulated Plex', version: expect.stringMatching(/^1\.43/) },
      libraries: [
        { title: 'Films', type: 'movie', items: 3, used: true },
        { title: 'Series', type: 'show', items: 1, used: false },
        { title: 'Concerts, live', type: 'artist', items: 0, used: false },
        { title: 'Talks', type: 'movie', items: 0, used: true },
      ],
      problems: [],
    });
    expect(healthInWords(report, 'plex')).toEqual([
      `plex: The server "Simulated Plex" answers (version ${report.server?.version}) and accepts the token.`,
      'plex: The library "Films" (films or other videos) has 3 items and is kept in step.',
      'plex: The library "Series" (TV shows) has 1 item and is left alone.',
      'plex: The library "Concerts, live" (music) has 0 items and is left alone.',
      'plex: The library "Talks" (films or other videos) has 0 items and is kept in step.',
    ]);
  });

  it('says which libraries the settings chose, and which of them Plex does not have', async () => {
    const report = await check(await start(), ['talks', 'Filme']);
    expect(report.well).toBe(true);
    expect(report.libraries.filter(({ used }) => used).map(({ title }) => title)).toEqual(['Talks']);
    expect(healthInWords(report, 'attic').at(-1)).toBe(
      'attic: "Plex libraries" in the settings names "Filme", but the libraries of films and other videos that ' +
        'Plex has are "Films", "Talks".',
    );
  });

  it('names the library whose items cannot be counted, and counts the others', async () => {
    const plex = await start();
    plex.setFault({ kind: 'server-error', on: ({ path }) => path === '/library/sections/1/all' });
    const report = await check(plex);
    expect(report.libraries.map(({ items }) => items)).toEqual([null, 1, 0, 0]);
    expect(report.problems).toEqual([
      'The items of "Films" could not be counted. Plex failed to answer a request (HTTP 500).',
    ]);
    expect(healthInWords(report, 'plex')).toContain(
      'plex: The library "Films" (films or other videos) has an unknown number of items and is kept in step.',
    );
  });

  it('does not ask on when Plex goes away in the middle', async () => {
    const plex = await start();
    plex.setFault({ kind: 'reset', on: 'list' });
    const report = await check(plex);
    expect(plex.counts.list).toBe(1);
    expect(report).toMatchObject({ reachable: true, well: true });
    expect(report.libraries.map(({ title, items }) => `${title}: ${items}`)).toEqual(
      libraries.map(({ title }) => `${title}: null`),
    );
    expect(report.problems).toHaveLength(1);
  });

  it('has no libraries when Plex does not tell them', async () => {
    const plex = await start();
    plex.setFault({ kind: 'maintenance', on: 'sections' });
    const report = await check(plex);
    expect(report).toMatchObject({ well: true, tokenValid: true, libraries: [] });
    expect(report.problems).toEqual(['Plex is overloaded or still starting (HTTP 503).']);
  });
});

describe('the health of a Plex that is not', () => {
  it('is down: not reachable, and why', async () => {
    const plex = await startPlex();
    await plex.goDown();
    const report = await check(plex);
    expect(report).toEqual({ ...nothingKnown, problems: ['Plex is not answering (connection refused).'] });
    expect(healthInWords(report, 'plex')).toEqual(['plex: Plex is not answering (connection refused).']);
  });

  it('does not take the token: reachable all the same', async () => {
    const plex = await startPlex();
    const report = await check({ url: plex.url, token: 'wrong-token' });
    expect(report).toMatchObject({ ...nothingKnown, reachable: true, tokenValid: false });
    expect(healthInWords(report, 'plex')).toEqual([
      'plex: Plex does not accept the token (HTTP 401). Enter a valid one as "Plex token" in the settings.',
    ]);
    expect(JSON.stringify(report)).not.toContain('wrong-token');
  });

  it.each([
    [{ kind: 'maintenance' }, true, 'Plex is overloaded or still starting (HTTP 503).'],
    [{ kind: 'server-error' }, true, 'Plex failed to answer a request (HTTP 500).'],
    [{ kind: 'truncate' }, false, 'Plex is not answering (connection lost).'],
    [
      { kind: 'server-error', status: 502 },
      false,
      'Plex does not answer behind its proxy (HTTP 502). Check that Plex runs.',
    ],
  ] as const)('answers with %j: reachable is %s', async (fault, reachable, problem) => {
    const plex = await startPlex();
    plex.setFault(fault);
    expect(await check(plex)).toEqual({ ...nothingKnown, reachable, problems: [problem] });
  });

  it.each([
    ['nothing known', 404, 'text/html'],
    ['a page', 200, 'text/html'],
    ['other JSON', 200, 'application/json'],
  ])('is something else at that address, which answers with %s', async (_, status, type) => {
    const server = createServer((_, response) =>
      response.writeHead(status, { 'content-type': type }).end('{}'),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const report = await check({ url: `http://127.0.0.1:${port}`, token: 'secret-token' });
    expect(report).toMatchObject(nothingKnown);
    expect(report.problems).toHaveLength(1);
    expect(report.problems[0]).toContain('"Plex address" in the settings');
  });

  it('is a mistake in the settings: nothing is asked', async () => {
    const report = await check({ url: 'http://127.0.0.1:1', token: 'not a token' });
    expect(report).toMatchObject(nothingKnown);
    expect(report.problems[0]).toContain('"Plex token"');
  });
});

it('throws nothing but the reason of an abort', async () => {
  const plex = await startPlex();
  plex.setFault({ kind: 'hang' });
  const controller = new AbortController();
  const asked = checkHealth(clientFor(plex), [], controller.signal);
  while (plex.requests.length === 0) await settle();
  controller.abort(new Error('the worker ends'));
  await expect(asked).rejects.toThrow('the worker ends');

  const broken = () => Promise.reject(new TypeError('a defect'));
  const report: HealthReport = await checkHealth(
    { probe: broken, libraries: broken, count: broken },
    [],
    signal,
  );
  expect(report.problems).toEqual(['a defect']);
});

it('an abort while the items are counted is passed on too', async () => {
  const plex = await startPlex();
  plex.setFault({ kind: 'hang', on: 'list' });
  const controller = new AbortController();
  const asked = checkHealth(clientFor(plex), [], controller.signal);
  while (plex.counts.list === 0) await settle();
  controller.abort(new Error('the worker ends'));
  await expect(asked).rejects.toThrow('the worker ends');
});
