import { describe, expect, it } from 'vitest';
import { FolderScanner } from '../../../src/plex/scanner';
import { VirtualClock } from '../../support/virtual-clock';
import { clientFor, library, signal, startPlex } from './rig';

const films = library('1', 'Films', '/media/films');
const talks = library('2', 'Talks', '/media/talks', 'D:\\Talks', '\\\\nas\\talks');

/** A scanner whose requests are only written down. */
function recorder() {
  const clock = new VirtualClock();
  const asked: string[] = [];
  const scan = async (sectionKey: string, folder: string) => {
    asked.push(`${sectionKey} ${folder}`);
  };
  return { clock, asked, scanner: new FolderScanner({ client: { scan }, clock }) };
}

describe('a scan', () => {
  it.each([
    ['/media/films/sea/a.mp4', '1 /media/films/sea'],
    ['/media/films/a.mp4', '1 /media/films'],
    ['d:\\talks\\2024\\a.mp4', '2 d:\\talks\\2024'],
    ['D:/Talks/a.mp4', '2 D:/Talks'],
    ['\\\\NAS\\talks\\x\\a.mp4', '2 \\\\NAS\\talks\\x'],
  ])('of the folder of %s is asked of its library', async (file, request) => {
    const { scanner, asked } = recorder();
    expect(await scanner.request(file, [films, talks], signal)).toBe(true);
    expect(asked).toEqual([request]);
  });

  it.each(['/media/a.mp4', '/media/films-old/a.mp4', 'a.mp4', '', 'E:\\Talks\\a.mp4', '/media/films'])(
    'is not asked for where no chosen library is: %j',
    async (file) => {
      const { scanner, asked } = recorder();
      expect(await scanner.request(file, [films, talks], signal)).toBe(false);
      expect(asked).toEqual([]);
    },
  );

  it('is asked for once a minute and folder, however many files are missing', async () => {
    const { clock, scanner, asked } = recorder();
    expect(await scanner.request('/media/films/sea/a.mp4', [films], signal)).toBe(true);
    expect(await scanner.request('/media/films/sea/b.mp4', [films], signal)).toBe(false);
    expect(await scanner.request('/media/films/hills/c.mp4', [films], signal)).toBe(true);
    clock.set(clock.now() + 59_999);
    expect(await scanner.request('/media/films/sea/b.mp4', [films], signal)).toBe(false);
    clock.set(clock.now() + 1);
    expect(await scanner.request('/media/films/sea/b.mp4', [films], signal)).toBe(true);
    expect(asked).toHaveLength(3);
  });

  it('does not wait for a clock that was set back', async () => {
    const { clock, scanner } = recorder();
    await scanner.request('/media/films/a.mp4', [films], signal);
    clock.set(clock.now() - 3_600_000);
    expect(await scanner.request('/media/films/a.mp4', [films], signal)).toBe(true);
  });

  it('is asked of every chosen library that has the folder', async () => {
    const { scanner, asked } = recorder();
    const all = library('3', 'All', '/media');
    expect(await scanner.request('/media/films/a.mp4', [films, talks, all], signal)).toBe(true);
    expect(asked).toEqual(['1 /media/films', '3 /media/films']);
  });

  it('is still asked for once a minute after a thousand other folders, but not after many more', async () => {
    const { scanner, asked } = recorder();
    for (let i = 0; i < 1_000; i++) await scanner.request(`/media/films/${i}/a.mp4`, [films], signal);
    expect(await scanner.request('/media/films/0/b.mp4', [films], signal)).toBe(false);
    await scanner.request('/media/films/one more/a.mp4', [films], signal);
    expect(await scanner.request('/media/films/0/b.mp4', [films], signal)).toBe(true);
    expect(asked).toHaveLength(1_002);
  });
});

it('makes Plex show what is new in the folder, and only there', async () => {
  const plex = await startPlex({ libraries: [{ title: 'Films', locations: ['/media/films'] }] });
  plex.addItem({ file: '/media/films/sea & "kelp"/a.mp4', appears: 'scan' });
  plex.addItem({ file: '/media/films/hills/b.mp4', appears: 'scan' });
  const scanner = new FolderScanner({ client: clientFor(plex), clock: new VirtualClock() });
  expect(await scanner.request('/media/films/sea & "kelp"/a.mp4', [films], signal)).toBe(true);
  await expect.poll(() => plex.itemByFile('/media/films/sea & "kelp"/a.mp4')).toBeDefined();
  expect(plex.itemByFile('/media/films/hills/b.mp4')).toBeUndefined();
  expect(plex.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /library/sections/1/refresh',
  ]);
});

it('asks again at once when the request failed', async () => {
  const plex = await startPlex({ libraries: [{ title: 'Films', locations: ['/media/films'] }] });
  const scanner = new FolderScanner({ client: clientFor(plex), clock: new VirtualClock() });
  plex.setFault({ kind: 'maintenance', times: 1 });
  await expect(scanner.request('/media/films/a.mp4', [films], signal)).rejects.toMatchObject({
    kind: 'overloaded',
  });
  expect(await scanner.request('/media/films/a.mp4', [films], signal)).toBe(true);
});

it('never scans a whole library: without a folder nothing is sent', async () => {
  const plex = await startPlex();
  await expect(clientFor(plex).scan('1', '', signal)).rejects.toMatchObject({ kind: 'bad-data' });
  await expect(clientFor(plex).scan('', '/media', signal)).rejects.toMatchObject({ kind: 'bad-data' });
  expect(plex.requests).toEqual([]);
});
