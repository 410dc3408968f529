/** Covers on their way from Stash to Plex, with real processes. */
import { createHash } from 'node:crypto';
import { describe, it } from 'vitest';
import { type Household, nextSecond, until } from '../sim/household';
import { pictureOf } from '../sim/stash/pictures';
import { home } from '../support/home';
import { workerEnded } from '../support/worker-life';

const sha1 = (bytes: Buffer): string => createHash('sha1').update(bytes).digest('hex');

const pictures = (household: Household, scene = 1) => {
  const { posterSha1, artSha1 } = household.plex.shown(household.file(scene));
  return [posterSha1, artSha1];
};

describe.concurrent('a cover', () => {
  it('is uploaded once, chosen again rather than repeated, and never twice over restarts and kill -9', async ({
    expect,
    onTestFinished,
  }) => {
    const household = await home({ scenes: 3 }, onTestFinished);
    const { stash, plex } = household;
    const restart = async () => {
      household.killWorkers();
      await workerEnded(household);
    };
    await household.syncAll();
    expect(await household.differences([1, 2, 3])).toEqual([]);
    expect(plex.writes).toMatchObject({ upload: 6, 'select-image': 0 });

    await restart();
    await stash.edit({ id: 1, title: 'A new title, the same cover' });
    await household.syncAll();
    expect(plex.writes.upload).toBe(6);

    const [first, second] = [pictureOf(1), pictureOf(4_711)];
    await nextSecond();
    await stash.setCover(1, second);
    await household.drained();
    expect(pictures(household)).toEqual([sha1(second), sha1(second)]);
    expect(plex.writes).toMatchObject({ upload: 8, 'select-image': 0 });
    await restart();
    await nextSecond();
    await stash.setCover(1, first); // Plex has that one already
    await household.drained();
    expect(pictures(household)).toEqual([sha1(first), sha1(first)]);
    expect(plex.writes).toMatchObject({ upload: 8, 'select-image': 2 });
    expect(plex.shown(household.file(1)).locked).toEqual(expect.arrayContaining(['thumb', 'art']));
  });

  it('whose upload arrived while the worker was killed is not uploaded again', async ({
    expect,
    onTestFinished,
  }) => {
    const household = await home({ scenes: 1 }, onTestFinished);
    const { stash, plex } = household;
    plex.setFault({ kind: 'hang', applied: true, on: 'upload', times: 1 });
    await stash.edit({ id: 1, title: 'Cut short' });
    await until('the poster arrived', () => plex.writes.upload === 1);
    household.killWorkers();
    await workerEnded(household);
    await household.ask('resume');
    await household.drained();
    expect(await household.differences([1])).toEqual([]);
    expect(plex.counts.upload).toBe(2); // the poster before, the background after
  });

  it('that does not exist when the scan tells of its scene arrives by a second look, without any hook', async ({
    expect,
    onTestFinished,
  }) => {
    const env = { SLUICE_FLOW_COVER_SECONDS: '8' };
    const household = await home({ scenes: 0, env }, onTestFinished);
    const { stash, plex } = household;
    const file = '/media/Crane Dance.mp4';
    plex.addItem({ library: 'Films', file });
    stash.disk.add('/data/Crane Dance.mp4');
    await stash.scan(undefined, { covers: false });
    await household.drained();
    expect(plex.shown(file)).toMatchObject({ title: 'Crane Dance', posterSha1: null });
    expect(plex.writes.upload).toBe(0); // not the stock picture either
    expect(household.status()?.queue).toMatchObject({ waiting: 1, retrying: 0 });
    const hooks = stash.runs.entries.length;
    await stash.generateCovers();
    await until('the cover is there', () => plex.shown(file).posterSha1 === sha1(pictureOf(1)));
    expect(stash.runs.entries).toHaveLength(hooks);
    await until('nothing waits', () => household.status()?.queue.waiting === 0);
    expect(plex.writes).toMatchObject({ upload: 2 });
    expect(household.status()?.targets.plex).toMatchObject({ done: 1, retried: 0 });
  });

  it('that never comes is looked for once more and not again, and Stash’s stock picture is none', async ({
    expect,
    onTestFinished,
  }) => {
    const env = { SLUICE_FLOW_COVER_SECONDS: '0.5' };
    const household = await home({ scenes: 0, env }, onTestFinished);
    household.addScene(undefined, { cover: null });
    await household.stash.edit({ id: 1, title: 'Without a cover' });
    await until('it was sent', () => household.inPlex(1)?.title === 'Without a cover');
    await until('it is done, and nothing waits', () => {
      const { queue, targets } = household.status() ?? {};
      return targets?.plex?.done === 1 && queue?.waiting === 0;
    });
    expect(household.plex.counts).toMatchObject({ upload: 0, images: 0, edit: 1 });
    expect(household.status()?.targets.plex).toMatchObject({ done: 1, failed: 0, retried: 0 });
  });

  it('is fetched with a credential where Stash asks for a login', async ({ expect, onTestFinished }) => {
    const stash = { username: 'keeper' };
    const household = await home({ scenes: 1, stash }, onTestFinished);
    await household.stash.edit({ id: 1, title: 'Behind a login' });
    await household.drained();
    expect(await household.differences([1])).toEqual([]);
    expect(pictures(household)).toEqual([sha1(pictureOf(1)), sha1(pictureOf(1))]);
    expect(household.plex.violations).toEqual([]);
  });

  it('arrives also when it changes within the second of a sync: the address of a cover tells only seconds apart', async ({
    expect,
    onTestFinished,
  }) => {
    let stopped: number | null = null;
    const clock = { now: () => stopped ?? Date.now() }; // Stash's: the machine is too slow for one second
    const household = await home({ scenes: 1, stash: { clock } }, onTestFinished);
    const { stash } = household;
    await household.ask('process'); // the worker runs
    await nextSecond();
    stopped = Date.now();
    await stash.edit({ id: 1, title: 'First the title' });
    await until('it is there', () => household.inPlex(1)?.title === 'First the title');
    await household.drained();
    await stash.setCover(1, pictureOf(4_711));
    stopped = null;
    await household.drained();
    expect(pictures(household)).toEqual([sha1(pictureOf(4_711)), sha1(pictureOf(4_711))]);
  });
});
