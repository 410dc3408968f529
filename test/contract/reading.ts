import type { NewItem } from '../sim/plex/catalogue';
import { type Bench, longAgo, onBench } from './bench';

const films = 'Films';
const many = 137;

const numbered = (index: number): NewItem => ({
  library: films,
  file: `/media/films/walk ${String(index).padStart(3, '0')}.mp4`,
  title: `Walk ${String(index).padStart(3, '0')}`,
  addedAt: longAgo,
});

export async function checkReading(tools: Pick<Bench, 'api' | 'report'>): Promise<void> {
  const libraries = [
    { title: films, locations: ['/media/films', 'D:\\Films'] },
    { title: 'Talks', locations: ['/media/talks'] },
    { title: 'Concerts', type: 'show' as const },
  ];

  await onBench('connect and list', tools, { libraries }, async ({ plex, api, report }) => {
    for (let index = 1; index <= many; index++) plex.addItem(numbered(index));
    plex.addItem({ library: 'Talks', file: '/media/talks/one.mp4' });
    report.same(
      'the server says who it is',
      (await api.connect(plex.url, plex.token)).name,
      'Simulated Plex',
    );
    report.same('libraries', await api.libraries(), [
      { key: 1, title: films, type: 'movie', locations: ['/media/films', 'D:\\Films'] },
      { key: 2, title: 'Talks', type: 'movie', locations: ['/media/talks'] },
      { key: 3, title: 'Concerts', type: 'show', locations: ['/media'] },
    ]);

    const titles = Array.from({ length: many }, (_, index) => numbered(index + 1).title);
    plex.clearRecords();
    const all = await api.all(films, 50);
    report.same(
      'all films, page by page',
      all.map(({ title }) => title),
      titles,
    );
    report.same('pages of 50 asked for', plex.counts.list, 3);
    report.same('one page', await api.page(films, 120, 10), { titles: titles.slice(120, 130), total: many });
    report.same('the last page', (await api.page(films, 130, 10)).titles, titles.slice(130));
    report.same(
      'several by their numbers, in one request',
      (await api.several([3, 1])).map(({ title }) => title).sort(),
      ['Walk 001', 'Walk 003'],
    );
  });

  await onBench('find by file', tools, { libraries }, async ({ plex, api, report }) => {
    for (let index = 1; index <= 20; index++) plex.addItem(numbered(index));
    const odd = '/media/films/Ünder the “sea” & co 🌊/Ebb + flow 100%.mkv';
    const { ratingKey } = plex.addItem({ library: films, files: [[odd, `${odd}.part2.mkv`]], title: 'Ebb' });
    const found = [{ item: ratingKey, title: 'Ebb', files: [odd, `${odd}.part2.mkv`] }];
    report.same('by a part of the name', await api.find(films, 'Ebb + flow 100%'), found);
    report.same('whatever the case', await api.find(films, 'EBB + FLOW'), found);
    report.same('by plexapi’s own comparison', await api.findHere(films, 'flow 100%.mkv'), found);
    report.same('several names at once', (await api.find(films, 'walk 007,Ebb')).length, 2);
    report.same('nothing', await api.find(films, 'no such name'), []);
    report.same('not in another library', await api.find('Talks', 'Ebb'), []);
  });

  await onBench('what changed since', tools, { libraries }, async ({ plex, api, report }) => {
    for (let index = 1; index <= 5; index++) plex.addItem(numbered(index));
    report.same('nothing yet', await api.changed(films, longAgo), []);
    await api.edit(2, [['editSummary', ['A path along the river.']]]);
    await api.uploadBytes(4, 'poster', Buffer.from('a picture'));
    report.same('an edit and an upload', await api.changed(films, longAgo), ['Walk 002', 'Walk 004']);
  });

  await onBench('scan a folder', tools, { libraries }, async ({ plex, api, report }) => {
    const file = '/media/films/new & old/My.Film_2020.mp4';
    plex.addItem({ library: films, file, appears: 'scan' });
    plex.addItem({ library: films, file: '/elsewhere/b.mp4', appears: 'scan' });
    await api.scan(films, '/elsewhere');
    await api.scan(films, '/media/films/another');
    report.same('not after a scan of other folders', await api.find(films, 'mp4'), []);
    await api.scan(films, '/media/films/new & old');
    report.same('the file’s name is the title', await api.find(films, 'mp4'), [
      { item: 1, title: 'My.Film_2020', files: [file] },
    ]);
    report.same('each scan is one request', plex.counts.scan, 3);
  });
}
