import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Client } from '../../sim/plex/client';
import { PlexSim } from '../../sim/plex/plex-sim';
import { VirtualClock } from '../../support/virtual-clock';

let plex: PlexSim;
let client: Client;
let clock: VirtualClock;

beforeEach(async () => {
  clock = new VirtualClock();
  plex = await PlexSim.start({
    libraries: [
      { title: 'Films', locations: ['/media/films'] },
      { title: 'With agent', locations: ['/media/agent'], agent: 'tv.plex.agents.movie' },
    ],
    clock,
  });
  client = new Client(plex);
});

afterEach(() => plex.stop());

const find = async (name: string) => client.titles(`/library/sections/1/all?type=1&file=${name}`);
const refresh = (path: string) => client.ask(`/library/sections/1/refresh?path=${encodeURIComponent(path)}`);

describe('a new file', () => {
  test('shows after a scan of its folder, which is answered at once with nothing', async () => {
    plex.addItem({ file: '/media/films/new/a.mp4', appears: 'scan' });
    expect(await find('a.mp4')).toEqual([]);
    expect(plex.itemByFile('/media/films/new/a.mp4')).toBeUndefined();
    expect((await client.ask('/library/metadata/1')).status).toBe(404);
    const answer = await refresh('/media/films/new');
    expect(answer).toMatchObject({ status: 200, text: '' });
    expect(answer.headers.get('content-type')).toBe('text/html');
    expect(await find('a.mp4')).toEqual(['a']);
  });

  test('does not show after a scan of another folder, of the file itself, or outside the library', async () => {
    plex.addItem({ file: '/media/films/new/a.mp4', appears: 'scan' });
    plex.addItem({ file: '/elsewhere/b.mp4', appears: 'scan' });
    for (const path of ['/media/films/ne', '/media/films/new/a.mp4', '/media/film', '/elsewhere']) {
      expect((await refresh(path)).status).toBe(200);
    }
    expect([...plex.items()]).toEqual([]);
  });

  test('shows after a scan of the whole library', async () => {
    plex.addItem({ file: '/media/films/a.mp4', appears: 'scan' });
    await plex.scan('Films');
    expect(await find('a.mp4')).toEqual(['a']);
  });

  test('shows after so many listings of its library', async () => {
    plex.addItem({ file: '/media/films/a.mp4', appears: { lookups: 2 } });
    expect([await find('a.mp4'), await find('a.mp4'), await find('a.mp4')]).toEqual([[], [], ['a']]);
  });

  test('shows after a time', async () => {
    plex.addItem({ file: '/media/films/a.mp4', appears: { ms: 60_000 } });
    await clock.advance(59_999);
    expect(await find('a.mp4')).toEqual([]);
    await clock.advance(1);
    expect(await find('a.mp4')).toEqual(['a']);
  });
});

test.each([
  ['file-name', 'My.Film_2020.mp4', 'My.Film_2020'],
  ['file-name', 'no extension', 'no extension'],
  ['cleaned', 'My.Film_2020.mp4', 'My Film 2020'],
  ['cleaned', 'a walk (2019) [1080p].mkv', 'A Walk'],
  ['cleaned', 'LAKE-side.[draft].mov', 'Lake Side'],
  ['cleaned', '[all].mp4', '[all]'],
] as const)('%s: the title of %j is %j', async (scannedTitle, name, title) => {
  plex.behaviour.scannedTitle = scannedTitle;
  plex.addItem({ file: `/media/films/${name}`, appears: 'scan' });
  await plex.scan('Films');
  expect(plex.item(1)?.title).toBe(title);
});

test('force=1 runs the agent for every item of the library', async () => {
  plex.addItem({ file: '/media/films/a.mp4', title: 'A' });
  await client.put('/library/metadata/1', { 'title.value': 'X' });
  await client.ask('/library/sections/1/refresh?force=1');
  expect(plex.item(1)?.title).toBe('A');
});

test('a scan that takes its time is an activity, and the library says that it is refreshing', async () => {
  plex.behaviour.scanMs = 1000;
  plex.addItem({ file: '/media/films/a.mp4', appears: 'scan' });
  const refreshing = async () =>
    (await client.get('/library/sections')).Directory?.map((line) => line.refreshing);
  await refresh('/media/films');
  expect((await client.get('/activities')).Activity).toMatchObject([
    { type: 'library.update.section', progress: 0, Context: { librarySectionID: '1' } },
  ]);
  expect(await refreshing()).toEqual([true, false]);
  expect(await find('a.mp4')).toEqual([]);
  await clock.advance(1000);
  expect(await find('a.mp4')).toEqual(['a']);
  expect(await client.get('/activities')).toMatchObject({ size: 0 });
  expect(await refreshing()).toEqual([false, false]);
});

describe('events', () => {
  /** Reads the stream until `count` events that are not pings have come. */
  async function listen(filters: string, count: number, act: () => Promise<unknown>) {
    const gone = new AbortController();
    const response = await fetch(`${plex.url}/:/eventsource/notifications${filters}`, {
      headers: { 'x-plex-token': plex.token },
      signal: gone.signal,
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    await act();
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk);
      if ((text.match(/^event: (?!ping)/gm) ?? []).length >= count && text.endsWith('\n\n')) break;
    }
    gone.abort();
    return [...text.matchAll(/event: (\w+)\ndata: (.*)\n\n/g)]
      .filter(([, type]) => type !== 'ping')
      .map(([, type, data]) => ({ type, data: JSON.parse(data ?? '') }));
  }

  test('tell of a scan and of what it found, settled entries twice', async () => {
    plex.addItem({ file: '/media/films/a.mp4', appears: 'scan' });
    const events = await listen('', 5, () => refresh('/media/films'));
    expect(events.map(({ type }) => type)).toEqual([
      'activity',
      'timeline',
      'timeline',
      'timeline',
      'activity',
    ]);
    expect(events[0]?.data.ActivityNotification).toMatchObject({
      event: 'started',
      Activity: { type: 'library.update.section', Context: { librarySectionID: '1' } },
    });
    expect(events[1]?.data.TimelineEntry).toMatchObject({ itemID: '1', sectionID: '1', state: 0 });
    expect(events.slice(2, 4).map(({ data }) => data.TimelineEntry.state)).toEqual([1, 1]);
    expect(events[4]?.data.ActivityNotification.event).toBe('ended');
  });

  test('of a library with an agent end at state 5, and filters are heeded', async () => {
    plex.addItem({ library: 'With agent', file: '/media/agent/a.mp4', appears: 'scan' });
    const events = await listen('?filters=timeline', 3, () => plex.scan());
    expect(events.map(({ data }) => data.TimelineEntry.state)).toEqual([0, 5, 5]);
  });

  test('tell of an item that is gone', async () => {
    plex.addItem({ file: '/media/films/a.mp4' });
    const [event] = await listen('?filters=timeline', 1, async () => plex.removeItem(1));
    expect(event?.data.TimelineEntry.state).toBe(9);
  });

  test('need a token', async () => {
    expect((await client.ask('/:/eventsource/notifications', { token: null })).status).toBe(401);
  });
});
