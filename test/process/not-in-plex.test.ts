/** Scenes that Plex does not have, or not yet, or not at that path. */
import { describe, it } from 'vitest';
import { until } from '../sim/household';
import { home } from '../support/home';
import { plexIn } from '../support/worker-life';

/** Tried again soon, and often enough for a slow machine. */
const brisk = {
  SLUICE_FLOW_MISSING_BASE_SECONDS: '0.5',
  SLUICE_FLOW_MISSING_MAX_SECONDS: '0.5',
  SLUICE_FLOW_MISSING_TRIES: '100',
};

describe.concurrent('a scene that Plex does not have', () => {
  it('makes Plex scan its folder once, however many are missing there, and is synced when they appear', async ({
    expect,
    onTestFinished,
  }) => {
    const household = await home({ scenes: 0, env: brisk, settings: { plexScan: true } }, onTestFinished);
    const { stash, plex } = household;
    const files = ['birds/Heron.mp4', 'birds/Stork.mp4', 'fish/Pike.mp4'];
    const scenes = files.map((file) => stash.addScene({ path: `/data/${file}` }));
    for (const file of files) plex.addItem({ library: 'Films', file: `/media/${file}`, appears: 'scan' });
    await stash.editMany(scenes, { director: 'Ines Falk' });
    await household.drained();
    for (const file of files) expect(plex.shown(`/media/${file}`).directors).toEqual(['Ines Falk']);
    const folders = plex.requests.filter(({ kind }) => kind === 'scan').map(({ query }) => query.get('path'));
    expect(folders.sort()).toEqual(['/media/birds', '/media/fish']);
    expect(household.log()).toContain('Plex was asked to scan its folder.');
    expect(household.status()?.deadLetters).toBe(0);
  });

  it('is dropped without a word to the person if they want it so, counted, and synced when it is there after all', async ({
    expect,
    onTestFinished,
  }) => {
    const household = await home({ scenes: 1, settings: { plexMissing: 'drop' } }, onTestFinished);
    const { stash, plex } = household;
    const missing = Array.from({ length: 6 }, (_, n) => stash.addScene({ path: `/data/Elsewhere ${n}.mp4` }));
    await stash.edit({ id: 1, title: 'There' });
    for (const id of missing) await stash.edit({ id, title: 'Not there' });
    await household.drained();
    expect(plexIn(household)).toMatchObject({
      done: 7,
      failed: 0,
      retried: 0,
      filtered: { 'not-in-plex': 6 },
    });
    expect(household.status()?.deadLetters).toBe(0);
    expect(household.log()).not.toMatch(/warn {2}.*(Gave up|not synced)/);
    expect(plex.counts.scan).toBe(0);
    plex.addItem({ library: 'Films', file: '/media/Elsewhere 3.mp4' });
    await household.syncAll();
    expect(plex.shown('/media/Elsewhere 3.mp4').title).toBe('Not there');
  });

  it('is found by the name of its file if the person allows it, and only if one item has that name', async ({
    expect,
    onTestFinished,
  }) => {
    const household = await home({ scenes: 0, env: brisk }, onTestFinished);
    const { stash, plex } = household;
    plex.addItem({ library: 'Films', file: '/media/birds/Owl.mp4' });
    for (const folder of ['birds', 'fish'])
      plex.addItem({ library: 'Films', file: `/media/${folder}/Both.mp4` });
    const owl = stash.addScene({ path: '/mnt/disk/Owl.mp4' });
    const both = stash.addScene({ path: '/mnt/disk/Both.mp4' });
    for (const id of [owl, both]) await stash.edit({ id, title: `Scene ${id}` });
    await until('both are tried again', () => household.status()?.queue.retrying === 2);
    expect(plex.writes.edit).toBe(0);
    await household.configure({ plexMatchByName: true });
    await until('the one is found', () => plex.shown('/media/birds/Owl.mp4').title === `Scene ${owl}`);
    await until('it is said', () => household.log().includes('It was found by the name of its file alone.'));
    await until('only the other waits', () => household.status()?.queue.waiting === 1);
    expect(plex.writes.edit).toBe(1);
    expect(plex.shown('/media/fish/Both.mp4').title).toBe('Both');
    plex.clearRecords();
    await stash.edit({ id: owl, title: 'By its number from now on' });
    await until('it follows', () => plex.shown('/media/birds/Owl.mp4').title.startsWith('By its number'));
  });
});
