/** A sync of everything costs what has changed, however large the library is. */
import { describe, it } from 'vitest';
import { home } from '../support/home';
import { plexIn, workerEnded } from '../support/worker-life';

/** One for 100 scenes of the large library. */
const mostRequests = 20;

describe.concurrent('the task "Sync all scenes"', () => {
  // What the first sync of the large one writes would take most of the time, and shows nothing that the small one
  // does not.
  it.for([
    [2_000, 'without pictures', { syncPictureAs: 'none' }, 20],
    [150, 'with pictures', {}, 1],
  ] as const)(
    'makes no write and few requests when all is in step, also after a restart: %i scenes %s',
    { timeout: 240_000 },
    async ([scenes, , settings, every], { expect, onTestFinished }) => {
      const household = await home({ scenes, settings }, onTestFinished);
      const { plex } = household;
      const hasPictures = !('syncPictureAs' in settings);
      const pictures = hasPictures ? 2 * scenes : 0;
      const different = household.scenes.filter((scene) => scene % every === 0);
      for (const scene of different)
        household.changeSilently(scene, { title: `Scene ${scene}`, tagIds: household.tags });
      await household.syncAll(120_000);
      const differences = async () =>
        (await household.differences(household.scenes)).filter(
          (line) => hasPictures || !/ (poster|background): /.test(line),
        );
      expect(await differences()).toEqual([]);
      expect(plex.counts).toMatchObject({ find: 0, item: scenes, upload: pictures, edit: different.length });

      const again = async () => {
        plex.clearRecords();
        const before = plexIn(household)?.done ?? 0;
        await household.syncAll(60_000);
        expect(plexIn(household)?.done).toBe(before + scenes);
        expect(plex.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
        expect(plex.requests.length).toBeLessThanOrEqual(mostRequests);
      };
      await again();
      household.killWorkers();
      await workerEnded(household);
      await again();
      expect(await differences()).toEqual([]);
    },
  );
});
