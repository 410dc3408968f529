import { describe, expect, it } from 'vitest';
import { parsePage } from '../../../src/plex/answers';
import { PlexSettingsError } from '../../../src/plex/errors';
import { PlexFinder } from '../../../src/plex/finder';
import { parsePathRules } from '../../../src/stash/path-rule';
import type { PlexSim } from '../../sim/plex/plex-sim';
import { VirtualClock } from '../../support/virtual-clock';
import { clientFor, signal, startPlex } from './rig';

function finderFor(
  plex: PlexSim,
  options: { libraries?: string[]; rules?: string; matchByName?: boolean; clock?: VirtualClock } = {},
) {
  const { libraries = [], rules = '', matchByName = false, clock = new VirtualClock() } = options;
  return new PlexFinder({
    client: clientFor(plex),
    libraries,
    rules: parsePathRules(rules),
    matchByName,
    clock,
  });
}

const keys = async (finder: PlexFinder, ...files: string[]) =>
  (await finder.find(files, signal)).map(({ ratingKey }) => Number(ratingKey));

async function fillIndex(finder: PlexFinder): Promise<void> {
  while (!(await finder.advance(signal)));
}

const byAsking = 'asked for';
const byIndex = 'in the index';

describe.each([byAsking, byIndex])('an item, %s,', (way) => {
  const keys = async (finder: PlexFinder, ...files: string[]) =>
    (await find(finder, files)).map(({ ratingKey }) => Number(ratingKey));

  async function find(finder: PlexFinder, files: string[]) {
    if (way === byIndex) await fillIndex(finder);
    return await finder.find(files, signal);
  }

  it('is found by its file', async () => {
    const plex = await startPlex();
    const { ratingKey } = plex.addItem({ file: '/media/a/Kelp Forest.mp4', title: 'Something else' });
    plex.addItem({ file: '/media/b/other.mp4' });
    expect(await find(finderFor(plex), ['/media/a/Kelp Forest.mp4'])).toEqual([
      {
        ratingKey: String(ratingKey),
        title: 'Something else',
        library: 'Videos',
        file: '/media/a/Kelp Forest.mp4',
        byName: false,
      },
    ]);
  });

  it('is never another with the same name, a longer name or the same title', async () => {
    const plex = await startPlex();
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
    const plex = await startPlex();
    const { ratingKey } = plex.addItem({ file: `/media/${name}` });
    plex.addItem({ file: `/media/elsewhere/${name}` });
    expect(await keys(finderFor(plex), `/media/${name}`)).toEqual([ratingKey]);
    // Plex takes a comma for "or", and would answer with half the library.
    if (way === byAsking) expect(plex.requests.at(-1)?.query.get('file')).not.toContain(',');
    expect(plex.counts.find > 0).toBe(way === byAsking);
  });

  it('is found in either Unicode form', async () => {
    const plex = await startPlex();
    const composed = plex.addItem({ file: '/media/V\u00e9lo.mp4' }).ratingKey;
    const decomposed = plex.addItem({ file: '/media/A\u030aland.mp4' }).ratingKey;
    expect(await keys(finderFor(plex), '/media/Ve\u0301lo.mp4')).toEqual([composed]);
    expect(await keys(finderFor(plex), '/media/\u00c5land.mp4')).toEqual([decomposed]);
  });

  it('is found on a Plex on Windows, whatever the case', async () => {
    const plex = await startPlex({ libraries: [{ title: 'Videos', locations: ['D:\\Films'] }] });
    const { ratingKey } = plex.addItem({ file: 'D:\\Films\\Sea\\kelp.mp4' });
    const finder = finderFor(plex, { rules: '/data => d:\\films' });
    expect(await keys(finder, finder.mapped('/data/Sea/Kelp.mp4'))).toEqual([ratingKey]);
  });

  it('is found on a share, however its path is written', async () => {
    const plex = await startPlex({ libraries: [{ title: 'Videos', locations: ['\\\\nas\\films'] }] });
    const { ratingKey } = plex.addItem({ file: '\\\\nas\\films\\Sea\\Kelp.mp4' });
    for (const file of ['//NAS/Films/sea/kelp.mp4', '\\\\?\\UNC\\nas\\films\\Sea\\Kelp.mp4']) {
      expect(await keys(finderFor(plex), file)).toEqual([ratingKey]);
    }
  });

  it('is another on POSIX when only the case differs', async () => {
    const plex = await startPlex();
    plex.addItem({ file: '/media/kelp.mp4' });
    const { ratingKey } = plex.addItem({ file: '/media/Kelp.mp4' });
    expect(await keys(finderFor(plex), '/media/Kelp.mp4')).toEqual([ratingKey]);
  });

  it('is found once, though it has several of the files', async () => {
    const plex = await startPlex();
    const { ratingKey } = plex.addItem({ files: [['/media/a1.mp4', '/media/a2.mp4'], '/media/b.mp4'] });
    expect(await keys(finderFor(plex), '/media/a2.mp4', '/media/b.mp4', '/media/c.mp4')).toEqual([ratingKey]);
  });

  it('is one of several when the files are different items', async () => {
    const plex = await startPlex();
    const one = plex.addItem({ file: '/media/a.mp4' }).ratingKey;
    const two = plex.addItem({ file: '/media/b.mp4' }).ratingKey;
    expect(await keys(finderFor(plex), '/media/a.mp4', '/media/b.mp4')).toEqual([one, two]);
  });

  it('is one of several when two libraries have the file', async () => {
    const plex = await startPlex({
      libraries: [{ title: 'All' }, { title: 'Some', locations: ['/media/some'] }],
    });
    const one = plex.addItem({ library: 'All', file: '/media/some/a.mp4' }).ratingKey;
    const two = plex.addItem({ library: 'Some', file: '/media/some/a.mp4' }).ratingKey;
    expect((await keys(finderFor(plex), '/media/some/a.mp4')).sort()).toEqual([one, two]);
    expect(await keys(finderFor(plex, { libraries: ['Some'] }), '/media/some/a.mp4')).toEqual([two]);
  });
});

describe.each([byAsking, byIndex])('an item of the same name, %s,', (way) => {
  async function find(plex: PlexSim, files: string[], matchByName = true) {
    const finder = finderFor(plex, { matchByName });
    if (way === byIndex) await fillIndex(finder);
    const found = await finder.find(files, signal);
    return found.map(({ ratingKey, byName, file }) => [Number(ratingKey), byName, file]);
  }

  it('is taken if the person allows it, and says so', async () => {
    const plex = await startPlex();
    const { ratingKey } = plex.addItem({ file: '/media/b/Kelp.mp4' });
    plex.addItem({ file: '/media/b/More Kelp.mp4' });
    expect(await find(plex, ['/data/Kelp.mp4'])).toEqual([[ratingKey, true, '/media/b/Kelp.mp4']]);
    expect(await find(plex, ['/data/Kelp.mp4'], false)).toEqual([]);
  });

  it('is not taken when the path fits another, or when only the case fits', async () => {
    const plex = await startPlex();
    plex.addItem({ file: '/media/b/Kelp.mp4' });
    const { ratingKey } = plex.addItem({ file: '/media/a/Kelp.mp4' });
    plex.addItem({ file: '/media/a/hills.mp4' });
    expect(await find(plex, ['/media/a/Kelp.mp4'])).toEqual([[ratingKey, false, '/media/a/Kelp.mp4']]);
    expect(await find(plex, ['/data/Hills.mp4'])).toEqual([]);
  });

  it('is not taken when a second one has it, in the same or in another library', async () => {
    const plex = await startPlex({ libraries: [{ title: 'Films' }, { title: 'Talks' }] });
    plex.addItem({ library: 'Films', file: '/media/a/Kelp.mp4' });
    plex.addItem({ library: 'Films', file: '/media/b/Kelp.mp4' });
    plex.addItem({ library: 'Films', file: '/media/a/Hills.mp4' });
    plex.addItem({ library: 'Talks', file: '/media/c/Hills.mp4' });
    expect(await find(plex, ['/data/Kelp.mp4'])).toEqual([]);
    expect(await find(plex, ['/data/Hills.mp4'])).toEqual([]);
  });

  it('is not taken when another file of the scene names another item', async () => {
    const plex = await startPlex();
    const kelp = plex.addItem({ files: [['/media/a/Kelp 1.mp4', '/media/a/Kelp 2.mp4']] }).ratingKey;
    plex.addItem({ file: '/media/a/Hills.mp4' });
    expect(await find(plex, ['/data/Kelp 1.mp4', '/data/Hills.mp4'])).toEqual([]);
    const both = await find(plex, ['/data/Kelp 1.mp4', '/data/Kelp 2.mp4', '/data/none.mp4']);
    expect(both).toEqual([[kelp, true, '/media/a/Kelp 1.mp4']]);
  });

  it('is taken in either Unicode form, and only if no other has it in the other form', async () => {
    const plex = await startPlex();
    const { ratingKey } = plex.addItem({ file: '/media/b/V\u00e9lo.mp4' });
    expect(await find(plex, ['/data/Ve\u0301lo.mp4'])).toEqual([[ratingKey, true, '/media/b/V\u00e9lo.mp4']]);
    plex.addItem({ file: '/media/c/Ve\u0301lo.mp4' });
    expect(await find(plex, ['/data/Ve\u0301lo.mp4'])).toEqual([]);
  });

  it('is taken in any case if one end is Windows', async () => {
    const plex = await startPlex();
    const { ratingKey } = plex.addItem({ file: '/media/b/Kelp.mp4' });
    expect(await find(plex, ['C:\\Films\\KELP.mp4'])).toEqual([[ratingKey, true, '/media/b/Kelp.mp4']]);
  });

  it('is not taken from a library that was not chosen', async () => {
    const plex = await startPlex({ libraries: [{ title: 'Films' }, { title: 'Talks' }] });
    plex.addItem({ library: 'Talks', file: '/media/b/Kelp.mp4' });
    const finder = finderFor(plex, { matchByName: true, libraries: ['Films'] });
    if (way === byIndex) await fillIndex(finder);
    expect(await keys(finder, '/data/Kelp.mp4')).toEqual([]);
  });
});

it('asks no more of Plex for a match by name than for one by path', async () => {
  const plex = await startPlex({ libraries: [{ title: 'Films' }, { title: 'Talks' }] });
  plex.addItem({ library: 'Talks', file: '/media/b/Kelp.mp4' });
  await keys(finderFor(plex, { matchByName: false }), '/data/Kelp.mp4');
  const usual = plex.counts.find;
  plex.clearRecords();
  await keys(finderFor(plex, { matchByName: true }), '/data/Kelp.mp4');
  expect(plex.counts.find).toBe(usual);
});

describe('the index', () => {
  it('is asked only while it is ready', async () => {
    const plex = await startPlex();
    const clock = new VirtualClock();
    const finder = finderFor(plex, { clock });
    const { ratingKey } = plex.addItem({ file: '/media/a.mp4' });
    await fillIndex(finder);
    expect(await keys(finder, '/media/a.mp4')).toEqual([ratingKey]);
    expect(plex.counts.find).toBe(0);
    finder.index.expire();
    expect(await keys(finder, '/media/a.mp4')).toEqual([ratingKey]);
    expect(plex.counts.find).toBe(1);
  });

  it('is filled although a library has gone since the list was read', async () => {
    const plex = await startPlex();
    const finder = finderFor(plex);
    await finder.libraries(signal);
    plex.setFault({ kind: 'server-error', status: 404, times: 1, on: 'list' });
    await fillIndex(finder);
    expect(plex.counts.sections).toBe(2);
  });

  it('does not hide a mistake in the settings', async () => {
    const plex = await startPlex();
    const finder = finderFor(plex, { libraries: ['Movies'] });
    await expect(finder.advance(signal)).rejects.toThrow(PlexSettingsError);
  });
});

describe('the libraries', () => {
  const libraries = [
    { title: 'Films', locations: ['/media/films'] },
    { title: 'Series', type: 'show' as const },
    { title: 'Talks', locations: ['/media/talks'] },
  ];

  it('are asked in the likely order, and no more of them than needed', async () => {
    const plex = await startPlex({ libraries });
    const { ratingKey } = plex.addItem({ library: 'Talks', file: '/media/talks/a.mp4' });
    expect(await keys(finderFor(plex), '/media/talks/a.mp4')).toEqual([ratingKey]);
    expect(plex.requests.map(({ path }) => path)).toEqual(['/library/sections', '/library/sections/3/all']);
  });

  it('are all asked when no folder fits, except those that hold no films', async () => {
    const plex = await startPlex({ libraries });
    const { ratingKey } = plex.addItem({ library: 'Talks', file: '/elsewhere/a.mp4' });
    expect(await keys(finderFor(plex), '/elsewhere/a.mp4')).toEqual([ratingKey]);
    expect(plex.counts.find).toBe(2);
  });

  it('are only those that the person named, in whatever case', async () => {
    const plex = await startPlex({ libraries });
    const { ratingKey } = plex.addItem({ library: 'Films', file: '/media/films/a.mp4' });
    plex.addItem({ library: 'Talks', file: '/media/talks/b.mp4' });
    const finder = finderFor(plex, { libraries: ['films'] });
    expect(await keys(finder, '/media/films/a.mp4', '/media/talks/b.mp4')).toEqual([ratingKey]);
    expect(finder.libraryProblem()).toBeNull();
    expect(finder.folders()).toEqual(['/media/films']);
  });

  it('are read once in ten minutes', async () => {
    const plex = await startPlex({ libraries });
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
    const plex = await startPlex({ libraries });
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
    const plex = await startPlex({ libraries });
    plex.addItem({ library: 'Talks', file: '/media/talks/a.mp4' });
    const finder = finderFor(plex, { libraries: ['Movies'] });
    await expect(keys(finder, '/media/talks/a.mp4')).rejects.toThrow(PlexSettingsError);
    await expect(keys(finder, '/media/talks/a.mp4')).rejects.toThrow('"Films", "Talks"');
    expect(plex.counts).toMatchObject({ sections: 1, find: 0 });
  });

  it('of films that Plex does not have at all are something to tell', async () => {
    const plex = await startPlex({ libraries: [{ title: 'Series', type: 'show' }] });
    await expect(keys(finderFor(plex), '/media/a.mp4')).rejects.toThrow(/no library that holds films/);
  });

  it('are read again when one has gone', async () => {
    const plex = await startPlex({ libraries });
    const { ratingKey } = plex.addItem({ library: 'Talks', file: '/media/talks/a.mp4' });
    const finder = finderFor(plex);
    await keys(finder, '/media/talks/a.mp4');
    plex.setFault({ kind: 'server-error', status: 404, times: 1, on: 'find' });
    expect(await keys(finder, '/media/talks/a.mp4')).toEqual([ratingKey]);
    expect(plex.counts.sections).toBe(2);
  });

  it('say which known item may be written to', async () => {
    const plex = await startPlex({ libraries });
    const finder = finderFor(plex, { libraries: ['Films'] });
    const [item] = parsePage({
      MediaContainer: {
        Metadata: [
          {
            ratingKey: 1,
            librarySectionTitle: 'Films',
            Media: [{ Part: [{ file: '/media/films/a.mp4' }] }],
          },
        ],
      },
    }).items;
    if (!item) throw new Error('no item');
    expect(finder.matches(item, ['/x.mp4', '/media/films/a.mp4'])).toBe(true);
    expect(finder.matches(item, ['/media/films/b.mp4'])).toBe(false);
    expect(finder.matches({ ...item, library: 'Talks' }, ['/media/films/a.mp4'])).toBe(false);
    expect(finder.matches({ ...item, library: '' }, ['/media/films/a.mp4'])).toBe(true);
    expect(finder.matches(item, ['/elsewhere/a.mp4'])).toBe(false);
    expect(finder.matchesName(item, ['/x.mp4', '/elsewhere/a.mp4'])).toBe(true);
    expect(finder.matchesName(item, ['/elsewhere/A.mp4'])).toBe(false);
    expect(finder.matchesName(item, ['D:\\A.mp4'])).toBe(true);
    expect(finder.matchesName({ ...item, library: 'Talks' }, ['/elsewhere/a.mp4'])).toBe(false);
  });
});

it('passes on trouble with the server instead of calling the item missing', async () => {
  const plex = await startPlex();
  const finder = finderFor(plex);
  await keys(finder, '/media/a.mp4');
  plex.setFault({ kind: 'maintenance' });
  await expect(keys(finder, '/media/a.mp4')).rejects.toMatchObject({ kind: 'overloaded' });
  await plex.goDown();
  await expect(keys(finder, '/media/a.mp4')).rejects.toMatchObject({ kind: 'server-down' });
});
