import { describe, expect, it } from 'vitest';
import type { PlexItem, PlexPage } from '../../../src/plex/answers';
import { parsePage } from '../../../src/plex/answers';
import type { WantedPage } from '../../../src/plex/client';
import { PlexError } from '../../../src/plex/errors';
import { ItemIndex } from '../../../src/plex/item-index';
import type { PlexSim, PlexSimOptions } from '../../sim/plex/plex-sim';
import { settle, VirtualClock } from '../../support/virtual-clock';
import { clientFor, library, signal, startPlex } from './rig';

const videos = [library('1', 'Videos', '/media')];
const minute = 60_000;
const day = 24 * 60 * minute;

async function rig(count: number, options: PlexSimOptions = {}) {
  const clock = new VirtualClock();
  const plex = await startPlex({ clock, ...options });
  // An hour apart: what changed in the same seconds as the newest is asked for again by every refresh.
  const hour = 3_600;
  const oldest = Math.floor(clock.now() / 1_000) - count * hour;
  const keys = Array.from({ length: count }, (_, i) => {
    const addedAt = oldest + i * hour;
    return plex.addItem({ file: `/media/${i}.mp4`, title: `Title ${i}`, addedAt }).ratingKey;
  });
  const client = clientFor(plex);
  return { clock, plex, keys, client, index: new ItemIndex({ client, clock }) };
}

async function fill(index: ItemIndex, libraries = videos): Promise<void> {
  while (!(await index.advance(libraries, signal)));
}

/** Refreshes the index, and tells how many requests that took. */
async function refresh(index: ItemIndex, plex: PlexSim, libraries = videos): Promise<number> {
  plex.clearRecords();
  index.expire();
  expect(index.isReady()).toBe(false);
  await fill(index, libraries);
  return plex.requests.length;
}

const keyOf = (index: ItemIndex, path: string) => index.find(path).map(({ ratingKey }) => Number(ratingKey));

describe('the first time', () => {
  it('pages through the library once: 1,200 items are a look and three pages', async () => {
    const { plex, keys, index } = await rig(1_200);
    expect(index.isReady()).toBe(false);
    const progress = [index.progress()];
    while (!(await index.advance(videos, signal))) progress.push(index.progress());
    expect(index.isReady()).toBe(true);
    expect(index.size).toBe(1_200);
    expect(plex.requests).toHaveLength(4);
    expect(progress.slice(1)).toEqual([
      { pages: 1, of: 4 },
      { pages: 2, of: 4 },
      { pages: 3, of: 4 },
    ]);
    expect(index.progress()).toEqual({ pages: 4, of: 4 });
    expect(keys.every((key, i) => keyOf(index, `/media/${i}.mp4`)[0] === key)).toBe(true);
    await index.advance(videos, signal);
    expect(plex.requests).toHaveLength(4);
  });

  it('keeps of an item what is needed to find and to name it', async () => {
    const { plex, keys, index } = await rig(1);
    await fill(index);
    const listed = {
      ratingKey: String(keys[0]),
      title: 'Title 0',
      library: 'Videos',
      sectionKey: '1',
      file: '/media/0.mp4',
      updatedAt: plex.item(keys[0] ?? 0)?.updatedAt,
    };
    expect(index.find('/media/0.mp4')).toEqual([listed]);
    expect(index.findByName('0.mp4')).toEqual([listed]);
    expect(index.item(String(keys[0]))).toEqual(listed);
    expect(index.find('/media/1.mp4')).toEqual([]);
    expect(index.findByName('1.mp4')).toEqual([]);
    expect(index.item('99')).toBeNull();
  });

  it('goes on where a page was shorter than asked for', async () => {
    const { plex, index } = await rig(7, { behaviour: { pageCap: 3 } });
    await fill(index);
    expect(index.size).toBe(7);
    expect(plex.requests.map(({ headers }) => headers['x-plex-container-start'])).toEqual([
      '0',
      '0',
      '3',
      '6',
    ]);
  });

  it('goes on where it was after a failure, whatever that was', async () => {
    const { plex, index } = await rig(1_200);
    await index.advance(videos, signal);
    await index.advance(videos, signal);
    for (const fault of [
      { kind: 'server-error' },
      { kind: 'maintenance' },
      { kind: 'reset' },
      { kind: 'truncate' },
    ] as const) {
      plex.setFault(fault);
      await expect(index.advance(videos, signal)).rejects.toThrow(PlexError);
      expect(index.isReady()).toBe(false);
      expect(index.size).toBe(500);
    }
    plex.setFault(null);
    plex.clearRecords();
    await fill(index);
    expect(index.size).toBe(1_200);
    expect(plex.requests.map(({ headers }) => headers['x-plex-container-start'])).toEqual(['500', '1000']);
  });

  it('misses nothing though titles change while pages are fetched', async () => {
    const { plex, keys, client, index } = await rig(1_200);
    await index.advance(videos, signal);
    await index.advance(videos, signal);
    // Plex's own order is by title: the last become the first, and the pages would shift.
    for (const key of keys.slice(980, 1_000))
      await client.edit('1', String(key), [['title.value', 'A']], signal);
    await fill(index);
    expect(index.size).toBe(1_200);
    expect(keys.every((_, i) => index.find(`/media/${i}.mp4`).length === 1)).toBe(true);
    expect(plex.counts.list).toBe(4);
  });

  it('builds once more when something was deleted while pages were fetched', async () => {
    const { plex, keys, index } = await rig(1_200);
    await index.advance(videos, signal);
    await index.advance(videos, signal);
    plex.removeItem(keys[3] ?? 0);
    await fill(index);
    expect(index.size).toBe(1_199);
    expect(keyOf(index, '/media/3.mp4')).toEqual([]);
    // The one that slipped from the second page to the first, which had been fetched.
    expect(keyOf(index, '/media/500.mp4')).toEqual([keys[500]]);
  });

  it('knows an empty library, and none at all', async () => {
    const { index } = await rig(0);
    await fill(index);
    expect([index.isReady(), index.size]).toEqual([true, 0]);
    const other = new ItemIndex({ client: { page: unasked }, clock: new VirtualClock() });
    expect(await other.advance([], signal)).toBe(true);
  });
});

describe('several callers at once', () => {
  it('make one request, and get its result', async () => {
    const { plex, index } = await rig(600);
    for (const expected of [false, false, true]) {
      const results = await Promise.all([1, 2, 3, 4].map(() => index.advance(videos, signal)));
      expect(results).toEqual([expected, expected, expected, expected]);
    }
    expect(plex.requests).toHaveLength(3);
  });

  it('all hear of its failure, and go on without one that was broken off', async () => {
    const { plex, index } = await rig(1);
    plex.setFault({ kind: 'maintenance', times: 1 });
    const results = await Promise.allSettled([1, 2, 3].map(() => index.advance(videos, signal)));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(plex.requests).toHaveLength(1);

    plex.setFault({ kind: 'hang', times: 1 });
    const controller = new AbortController();
    const broken = index.advance(videos, controller.signal);
    const other = index.advance(videos, signal);
    while (plex.requests.length === 1) await settle();
    controller.abort(new Error('this lane ends'));
    await expect(broken).rejects.toThrow('this lane ends');
    expect(await other).toBe(false);
    await fill(index);
    expect(index.size).toBe(1);
  });
});

describe('a refresh', () => {
  it('of an unchanged library takes two requests, however large it is', async () => {
    const { plex, clock, index } = await rig(1_200);
    await fill(index);
    clock.set(clock.now() + minute);
    expect(await refresh(index, plex)).toBe(2);
    expect(index.size).toBe(1_200);
  });

  it('is due after ten minutes, or when the clock was set back', async () => {
    const { plex, clock, index } = await rig(1);
    await fill(index);
    clock.set(clock.now() + 10 * minute - 1);
    expect(index.isReady()).toBe(true);
    clock.set(clock.now() + 1);
    expect(index.isReady()).toBe(false);
    plex.clearRecords();
    await fill(index);
    expect(index.isReady()).toBe(true);
    expect(plex.requests).toHaveLength(2);
    clock.set(clock.now() - 1);
    expect(index.isReady()).toBe(false);
  });

  it('brings what was edited and what is new, and nothing else', async () => {
    const { plex, clock, keys, client, index } = await rig(1_200);
    await fill(index);
    clock.set(clock.now() + minute);
    await client.edit('1', String(keys[7]), [['title.value', 'Kelp']], signal);
    const added = plex.addItem({ file: '/media/new.mp4' }).ratingKey;
    expect(await refresh(index, plex)).toBe(2);
    const now = Math.floor(clock.now() / 1_000);
    expect(index.item(String(keys[7]))).toMatchObject({ title: 'Kelp', updatedAt: now });
    expect(keyOf(index, '/media/new.mp4')).toEqual([added]);
    expect(index.findByName('new.mp4')).toHaveLength(1);
    expect(index.size).toBe(1_201);
  });

  it('brings what was edited while the index was being built', async () => {
    const { plex, clock, keys, client, index } = await rig(1_200);
    await index.advance(videos, signal);
    await index.advance(videos, signal);
    clock.set(clock.now() + minute);
    await client.edit('1', String(keys[0]), [['title.value', 'Kelp']], signal);
    clock.set(clock.now() + minute);
    // Seen by the build, and newer than the edit that it missed.
    await client.edit('1', String(keys.at(-1)), [['title.value', 'Hills']], signal);
    await fill(index);
    expect(index.item(String(keys[0]))?.title).toBe('Title 0');
    clock.set(clock.now() + minute);
    await refresh(index, plex);
    expect(index.item(String(keys[0]))?.title).toBe('Kelp');
  });

  it('pages through what changed when that is much', async () => {
    const { plex, clock, keys, client, index } = await rig(7);
    await fill(index);
    clock.set(clock.now() + minute);
    for (const key of keys) await client.edit('1', String(key), [['title.value', 'New']], signal);
    plex.behaviour.pageCap = 3;
    expect(await refresh(index, plex)).toBe(4);
    expect(keys.every((key) => index.item(String(key))?.title === 'New')).toBe(true);
  });

  it('notices that something was deleted', async () => {
    const { plex, clock, keys, index } = await rig(1_200);
    await fill(index);
    clock.set(clock.now() + minute);
    plex.removeItem(keys[600] ?? 0);
    expect(await refresh(index, plex)).toBe(2 + 3);
    expect(index.size).toBe(1_199);
    expect(index.item(String(keys[600]))).toBeNull();
    clock.set(clock.now() + minute);
    expect(await refresh(index, plex)).toBe(2);
  });

  it('does not look for what the caller found to be deleted', async () => {
    const { plex, clock, keys, index } = await rig(1_200);
    await fill(index);
    clock.set(clock.now() + minute);
    plex.removeItem(keys[600] ?? 0);
    index.forget(String(keys[600]));
    expect(keyOf(index, '/media/600.mp4')).toEqual([]);
    expect(index.findByName('600.mp4')).toEqual([]);
    expect(await refresh(index, plex)).toBe(2);
  });

  it('replaces the files of an item that has others now', async () => {
    const { plex, clock, keys, client, index } = await rig(2);
    await fill(index);
    clock.set(clock.now() + minute);
    plex.moveItem(keys[0] ?? 0, '/media/moved/0.mp4');
    await client.edit('1', String(keys[0]), [['title.value', 'Moved']], signal);
    expect(await refresh(index, plex)).toBe(2);
    expect(keyOf(index, '/media/0.mp4')).toEqual([]);
    expect(keyOf(index, '/media/moved/0.mp4')).toEqual([keys[0]]);
    expect(index.size).toBe(2);
  });

  it('is a whole one after a day: Plex does not tell of files that moved', async () => {
    const { plex, clock, keys, index } = await rig(2);
    await fill(index);
    plex.moveItem(keys[0] ?? 0, '/media/moved/0.mp4');
    clock.set(clock.now() + minute);
    await refresh(index, plex);
    expect(keyOf(index, '/media/moved/0.mp4')).toEqual([]);
    clock.set(clock.now() + day);
    await refresh(index, plex);
    expect(keyOf(index, '/media/moved/0.mp4')).toEqual([keys[0]]);
    expect(keyOf(index, '/media/0.mp4')).toEqual([]);
  });

  it('that expires while it is under way begins again, and a build goes on', async () => {
    const { plex, clock, keys, client, index } = await rig(3, { behaviour: { pageCap: 1 } });
    await index.advance(videos, signal);
    await index.advance(videos, signal);
    index.expire();
    clock.set(clock.now() + minute);
    await client.edit('1', String(keys[0]), [['title.value', 'Kelp']], signal);
    await fill(index);
    expect(index.item(String(keys[0]))?.title).toBe('Kelp');

    clock.set(clock.now() + minute);
    index.expire();
    await index.advance(videos, signal);
    const underWay = index.advance(videos, signal);
    index.expire();
    expect(await underWay).toBe(false);
    plex.clearRecords();
    await fill(index);
    expect(plex.requests[0]?.query.get('sort')).toBe('updatedAt:desc');
  });

  it('finds changes though an item has a time in the future', async () => {
    const { plex, clock, keys, client, index } = await rig(2);
    plex.addItem({ file: '/media/future.mp4', addedAt: 4_000_000_000 });
    await fill(index);
    clock.set(clock.now() + minute);
    await client.edit('1', String(keys[0]), [['title.value', 'Kelp']], signal);
    await refresh(index, plex);
    expect(index.item(String(keys[0]))?.title).toBe('Kelp');
  });
});

describe('several libraries', () => {
  const two = [library('1', 'Films', '/media/films'), library('2', 'Talks', '/media/talks')];
  const options = {
    libraries: [
      { title: 'Films', locations: ['/media/films'] },
      { title: 'Talks', locations: ['/media/talks'] },
    ],
  };

  it('are kept apart: a file that both have is two items', async () => {
    const { plex, index } = await rig(0, options);
    const film = plex.addItem({ library: 'Films', file: '/media/films/a.mp4' }).ratingKey;
    const talk = plex.addItem({ library: 'Talks', file: '/media/films/a.mp4' }).ratingKey;
    await fill(index, two);
    expect(keyOf(index, '/media/films/a.mp4')).toEqual([film, talk]);
    expect(index.find('/media/films/a.mp4').map(({ library }) => library)).toEqual(['Films', 'Talks']);
    index.forget(String(film));
    expect(keyOf(index, '/media/films/a.mp4')).toEqual([talk]);
  });

  it('come and go: what was in one that has gone goes, and a new one is fetched alone', async () => {
    const { plex, index } = await rig(0, options);
    plex.addItem({ library: 'Films', file: '/media/films/a.mp4' });
    plex.addItem({ library: 'Talks', file: '/media/talks/a.mp4' });
    await fill(index, two);
    expect(index.size).toBe(2);
    plex.clearRecords();
    await fill(index, two.slice(0, 1));
    expect([index.size, index.isReady()]).toEqual([1, true]);
    expect(index.find('/media/talks/a.mp4')).toEqual([]);
    expect(plex.requests).toEqual([]);
    await fill(index, two);
    expect(index.find('/media/talks/a.mp4')).toHaveLength(1);
    expect(plex.requests.map(({ path }) => path)).toEqual(Array(2).fill('/library/sections/2/all'));
  });
});

describe('paths', () => {
  it('are compared as files are: Windows, shares, case and Unicode forms, all parts of all versions', async () => {
    const { plex, index } = await rig(0);
    const add = (...files: (string | string[])[]) => plex.addItem({ files }).ratingKey;
    const drive = add('D:\\Films\\Sea\\Kelp.mp4');
    const share = add('\\\\nas\\films\\Hills.mp4');
    const composed = add('/media/V\u00e9lo.mp4');
    const parts = add(['/media/1.mp4', '/media/2.mp4'], '/media/3.mkv');
    const upper = add('/media/Case.mp4');
    await fill(index);
    expect(keyOf(index, 'd:/films/sea/KELP.MP4')).toEqual([drive]);
    expect(keyOf(index, '\\\\?\\UNC\\NAS\\Films\\hills.mp4')).toEqual([share]);
    expect(keyOf(index, '/media/Ve\u0301lo.mp4')).toEqual([composed]);
    expect(['/media/1.mp4', '/media/2.mp4', '/media/3.mkv'].flatMap((path) => keyOf(index, path))).toEqual([
      parts,
      parts,
      parts,
    ]);
    expect(keyOf(index, '/media/case.mp4')).toEqual([]);
    expect(keyOf(index, '/media/Case.mp4')).toEqual([upper]);
    expect(index.size).toBe(5);
  });

  it('by name are compared the same way', async () => {
    const { plex, index } = await rig(0);
    plex.addItem({ file: 'D:\\Films\\Kelp.mp4' });
    plex.addItem({ file: '/media/a/V\u00e9lo.mp4' });
    plex.addItem({ files: [['/media/a/One.mp4', '/media/b/One.mp4']] });
    plex.addItem({ file: '/media/c/One.mp4' });
    await fill(index);
    const named = (name: string) => index.findByName(name).map(({ file }) => file);
    expect(named('kelp.MP4')).toEqual(['D:\\Films\\Kelp.mp4']);
    expect(named('Ve\u0301lo.mp4')).toEqual(['/media/a/V\u00e9lo.mp4']);
    expect(named('ve\u0301lo.mp4')).toEqual([]);
    expect(named('C:\\v\u00c9lo.mp4')).toEqual(['/media/a/V\u00e9lo.mp4']);
    expect(named('One.mp4')).toEqual(['/media/a/One.mp4', '/media/c/One.mp4']);
  });
});

const unasked = (): Promise<PlexPage> => Promise.reject(new Error('nobody should have been asked'));

/** A server with habits that the simulator does not have. */
function strangeServer(answer: (wanted: WantedPage, items: readonly PlexItem[]) => PlexPage) {
  const items = parsePage({
    MediaContainer: {
      Metadata: Array.from({ length: 5 }, (_, i) => ({
        ratingKey: i + 1,
        Media: [{ Part: [{ file: `/media/${i}.mp4` }] }],
      })),
    },
  }).items;
  const asked: WantedPage[] = [];
  const page = async (_: string, wanted: WantedPage) => {
    asked.push(wanted);
    return answer(wanted, items);
  };
  return { asked, index: new ItemIndex({ client: { page }, clock: new VirtualClock() }) };
}

describe('a server', () => {
  it('that counts more than it lists is built twice, and then believed', async () => {
    const { asked, index } = strangeServer(({ start, size }, items) => {
      const listed = items.slice(start, start + size);
      return { items: listed, sent: listed.length, total: 6 };
    });
    await fill(index);
    expect(index.size).toBe(5);
    const first = asked.length;
    index.expire();
    await fill(index);
    // It gives no times either: everything may have changed, but nothing is built again.
    expect(asked.length - first).toBe(3);
  });

  it('of which a page cannot be read is listed without it', async () => {
    const { index } = strangeServer(({ start, size }, items) => {
      const listed = items.slice(start, Math.min(start + size, start + 2));
      return { items: start === 2 ? [] : listed, sent: listed.length, total: items.length };
    });
    await fill(index);
    expect(index.size).toBe(3);
  });

  it('that refuses an order it does not know is asked without', async () => {
    const { asked, index } = strangeServer(({ start, size, order }, items) => {
      if (order !== undefined) throw new PlexError('bad-data', 'Plex refused a request.', { status: 400 });
      const listed = items.slice(start, start + size);
      return { items: listed, sent: listed.length, total: items.length };
    });
    await fill(index);
    expect(index.size).toBe(5);
    expect(asked.map(({ order }) => order)).toEqual(['newest', undefined, undefined]);
  });
});
