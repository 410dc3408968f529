import { afterEach, describe, expect, it } from 'vitest';
import { PlexClient } from '../../../src/plex/client';
import { PlexSettingsError } from '../../../src/plex/errors';
import { PlexFinder } from '../../../src/plex/finder';
import { makeFetch } from '../../../src/shared/fetch';
import { parsePathRules } from '../../../src/stash/path-rule';
import { PlexSim, type PlexSimOptions } from '../../sim/plex/plex-sim';
import { VirtualClock } from '../../support/virtual-clock';

const running: PlexSim[] = [];
afterEach(async () => {
  for (const plex of running.splice(0)) await plex.stop();
});

const signal = new AbortController().signal;

async function start(options: PlexSimOptions = {}): Promise<PlexSim> {
  const plex = await PlexSim.start(options);
  running.push(plex);
  return plex;
}

function finderFor(
  plex: PlexSim,
  options: { libraries?: string[]; rules?: string; clock?: VirtualClock } = {},
) {
  const { libraries = [], rules = '', clock = new VirtualClock() } = options;
  const client = new PlexClient({
    url: plex.url,
    token: plex.token,
    clientIdentifier: 'sluice-test',
    version: '0',
    fetch: makeFetch({ trustAnyCertificate: false }),
  });
  return new PlexFinder({ client, libraries, rules: parsePathRules(rules), clock });
}

const keys = async (finder: PlexFinder, ...files: string[]) =>
  (await finder.find(files, signal)).map(({ ratingKey }) => Number(ratingKey));

describe('an item', () => {
  it('is found by its file', async () => {
    const plex = await start();
    const { ratingKey } = plex.addItem({ file: '/media/a/Kelp Forest.mp4', title: 'Something else' });
    plex.addItem({ file: '/media/b/other.mp4' });
    expect(await finderFor(plex).find(['/media/a/Kelp Forest.mp4'], signal)).toEqual([
      {
        ratingKey: String(ratingKey),
        title: 'Something else',
        library: 'Videos',
        file: '/media/a/Kelp Forest.mp4',
      },
    ]);
  });

  it('is never another with the same name, a longer name or the same title', async () => {
    const plex = await start();
    plex.addItem({ file: '/media/b/Kelp.mp4', title: 'Kelp' });
    plex.addItem({ file: '/media/a/More Kelp.mp4', title: 'Kelp' });
    plex.addItem({ file: '/media/a/Kelp.mp4.mkv', title: 'Kelp' });
    expect(await keys(finderFor(plex), '/media/a/Kelp.mp4')).toEqual([]);
  });

  it.each([
    'Slow, quiet, and very long.mp4',
    ',.mp4',
    'a & b = c.mp4',
    '100% %2C.mp4',
    '"quotes" \'n\' all.mp4',
    '🌊+☀️ #1?.mp4',
    'AC\\DC.mp4',
    '[brackets] (2024).mp4',
  ])('is found when its name is %s', async (name) => {
    const plex = await start();
    const { ratingKey } = plex.addItem({ file: `/media/${name}` });
    plex.addItem({ file: `/media/elsewhere/${name}` });
    expect(await keys(finderFor(plex), `/media/${name}`)).toEqual([ratingKey]);
    // Plex takes a comma for "or", and would answer with half the library.
    expect(plex.requests.at(-1)?.query.get('file')).not.toContain(',');
  });

  it('is found in either Unicode form', async () => {
    const plex = await start();
    const composed = plex.addItem({ file: '/media/V\u00e9lo.mp4' }).ratingKey;
    const decomposed = plex.addItem({ file: '/media/A\u030aland.mp4' }).ratingKey;
    expect(await keys(finderFor(plex), '/media/Ve\u0301lo.mp4')).toEqual([composed]);
    expect(await keys(finderFor(plex), '/media/\u00c5land.mp4')).toEqual([decomposed]);
  });

  it('is found on a Plex on Windows, whatever the case', async () => {
    const plex = await start({ libraries: [{ title: 'Videos', locations: ['D:\\Films'] }] });
    const { ratingKey } = plex.addItem({ file: 'D:\\Films\\Sea\\kelp.mp4' });
    const finder = finderFor(plex, { rules: '/data => d:\\films' });
    expect(await keys(finder, finder.mapped('/data/Sea/Kelp.mp4'))).toEqual([ratingKey]);
  });

  it('is found once, though it has several of the files', async () => {
    const plex = await start();
    const { ratingKey } = plex.addItem({ files: [['/media/a1.mp4', '/media/a2.mp4'], '/media/b.mp4'] });
    expect(await keys(finderFor(plex), '/media/a2.mp4', '/media/b.mp4', '/media/c.mp4')).toEqual([ratingKey]);
  });

  it('is one of several when the files are different items', async () => {
    const plex = await start();
    const one = plex.addItem({ file: '/media/a.mp4' }).ratingKey;
    const two = plex.addItem({ file: '/media/b.mp4' }).ratingKey;
    expect(await keys(finderFor(plex), '/media/a.mp4', '/media/b.mp4')).toEqual([one, two]);
  });

  it('is one of several when two libraries have the file', async () => {
    const plex = await start({
      libraries: [{ title: 'All' }, { title: 'Some', locations: ['/media/some'] }],
    });
    const one = plex.addItem({ library: 'All', file: '/media/some/a.mp4' }).ratingKey;
    const two = plex.addItem({ library: 'Some', file: '/media/some/a.mp4' }).ratingKey;
    expect((await keys(finderFor(plex), '/media/some/a.mp4')).sort()).toEqual([one, two]);
    expect(await keys(finderFor(plex, { libraries: ['Some'] }), '/media/some/a.mp4')).toEqual([two]);
  });
});

describe('the libraries', () => {
  const libraries = [
    { title: 'Films', locations: ['/media/films'] },
    { title: 'Series', type: 'show' as const },
    { title: 'Talks', locations: ['/media/talks'] },
  ];

  it('are asked in the likely order, and no more of them than needed', async () => {
    const plex = await start({ libraries });
    const { ratingKey } = plex.addItem({ library: 'Talks', file: '/media/talks/a.mp4' });
    expect(await keys(finderFor(plex), '/media/talks/a.mp4')).toEqual([ratingKey]);
    expect(plex.requests.map(({ path }) => path)).toEqual(['/library/sections', '/library/sections/3/all']);
  });

  it('are all asked when no folder fits, except those that hold no films', async () => {
    const plex = await start({ libraries });
    const { ratingKey } = plex.addItem({ library: 'Talks', file: '/elsewhere/a.mp4' });
    expect(await keys(finderFor(plex), '/elsewhere/a.mp4')).toEqual([ratingKey]);
    expect(plex.counts.find).toBe(2);
  });

  it('are only those that the person named, in whatever case', async () => {
    const plex = await start({ libraries });
    const { ratingKey } = plex.addItem({ library: 'Films', file: '/media/films/a.mp4' });
    plex.addItem({ library: 'Talks', file: '/media/talks/b.mp4' });
    const finder = finderFor(plex, { libraries: ['films'] });
    expect(await keys(finder, '/media/films/a.mp4', '/media/talks/b.mp4')).toEqual([ratingKey]);
    expect(finder.libraryProblem()).toBeNull();
    expect(finder.folders()).toEqual(['/media/films']);
  });

  it('are read once in ten minutes', async () => {
    const plex = await start({ libraries });
    const clock = new VirtualClock();
    const finder = finderFor(plex, { clock });
    await keys(finder, '/media/films/a.mp4');
    clock.set(clock.now() + 599_000);
    await keys(finder, '/media/films/a.mp4');
    expect(plex.counts.sections).toBe(1);
    clock.set(clock.now() + 1_000);
    await keys(finder, '/media/films/a.mp4');
    expect(plex.counts.sections).toBe(2);
    clock.set(clock.now() - 3_600_000);
    await keys(finder, '/media/films/a.mp4');
    expect(plex.counts.sections).toBe(3);
  });

  it('that Plex does not have are named with those that it has, and the others are used', async () => {
    const plex = await start({ libraries });
    const { ratingKey } = plex.addItem({ library: 'Talks', file: '/media/talks/a.mp4' });
    const clock = new VirtualClock();
    const finder = finderFor(plex, { libraries: ['Movies', 'Talks', 'Series'], clock });
    expect(finder.libraryProblem()).toBeNull();
    expect(await keys(finder, '/media/talks/a.mp4')).toEqual([ratingKey]);
    expect(finder.libraryProblem()).toBe(
      '"Plex libraries" in the settings names "Movies", "Series", but the libraries of films and other videos that Plex has are "Films", "Talks".',
    );
    await keys(finder, '/media/talks/a.mp4');
    expect(plex.counts.sections).toBe(1);
    clock.set(clock.now() + 60_000);
    await keys(finder, '/media/talks/a.mp4');
    expect(plex.counts.sections).toBe(2);
  });

  it('none of which Plex has are a mistake in the settings, not a missing item', async () => {
    const plex = await start({ libraries });
    plex.addItem({ library: 'Talks', file: '/media/talks/a.mp4' });
    const finder = finderFor(plex, { libraries: ['Movies'] });
    await expect(keys(finder, '/media/talks/a.mp4')).rejects.toThrow(PlexSettingsError);
    await expect(keys(finder, '/media/talks/a.mp4')).rejects.toThrow('"Films", "Talks"');
    expect(plex.counts).toMatchObject({ sections: 1, find: 0 });
  });

  it('of films that Plex does not have at all are something to tell', async () => {
    const plex = await start({ libraries: [{ title: 'Series', type: 'show' }] });
    await expect(keys(finderFor(plex), '/media/a.mp4')).rejects.toThrow(/no library that holds films/);
  });

  it('are read again when one has gone', async () => {
    const plex = await start({ libraries });
    const { ratingKey } = plex.addItem({ library: 'Talks', file: '/media/talks/a.mp4' });
    const finder = finderFor(plex);
    await keys(finder, '/media/talks/a.mp4');
    plex.setFault({ kind: 'server-error', status: 404, times: 1, on: 'find' });
    expect(await keys(finder, '/media/talks/a.mp4')).toEqual([ratingKey]);
    expect(plex.counts.sections).toBe(2);
  });

  it('say which known item may be written to', async () => {
    const plex = await start({ libraries });
    const finder = finderFor(plex, { libraries: ['Films'] });
    const item = {
      ratingKey: '1',
      sectionKey: '1',
      library: 'Films',
      files: ['/media/films/a.mp4'],
      title: '',
      summary: '',
      studio: '',
      originallyAvailableAt: '',
      actors: [],
      genres: [],
    };
    expect(finder.matches(item, ['/x.mp4', '/media/films/a.mp4'])).toBe(true);
    expect(finder.matches(item, ['/media/films/b.mp4'])).toBe(false);
    expect(finder.matches({ ...item, library: 'Talks' }, ['/media/films/a.mp4'])).toBe(false);
    expect(finder.matches({ ...item, library: '' }, ['/media/films/a.mp4'])).toBe(true);
  });
});

it('passes on trouble with the server instead of calling the item missing', async () => {
  const plex = await start();
  const finder = finderFor(plex);
  await keys(finder, '/media/a.mp4');
  plex.setFault({ kind: 'maintenance' });
  await expect(keys(finder, '/media/a.mp4')).rejects.toMatchObject({ kind: 'overloaded' });
  await plex.goDown();
  await expect(keys(finder, '/media/a.mp4')).rejects.toMatchObject({ kind: 'server-down' });
});
