/** A sync of everything costs what has changed, however large the library is. */
import { describe, it } from 'vitest';
import { home } from '../support/home';
import { plexIn, workerEnded } from '../support/worker-life';

const scenes = 2_000;
/** One for 100 scenes. */
const mostRequests = scenes / 100;

describe('the task "Sync all scenes" over 2,000 scenes', () => {
  it('makes no write and few requests when all is in step, also after a restart of the worker', {
    timeout: 120_000,
  }, async ({ expect, onTestFinished }) => {
    const household = await home({ scenes }, onTestFinished);
    const { plex } = household;
    for (const scene of household.scenes)
      household.changeSilently(scene, { title: `Scene ${scene}`, tagIds: household.tags });
    await household.syncAll(90_000);
    expect(await household.differences(household.scenes)).toEqual([]);
    // A look at each, two lists of pictures, two uploads and an edit.
    expect(plex.counts).toMatchObject({ find: 0, item: scenes, upload: 2 * scenes, edit: scenes });

    const again = async () => {
      plex.clearRecords();
      const before = plexIn(household)?.done ?? 0;
      await household.syncAll();
      expect(plexIn(household)?.done).toBe(before + scenes);
      expect(plex.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
      expect(plex.requests.length).toBeLessThanOrEqual(mostRequests);
    };
    await again();
    household.killWorkers();
    await workerEnded(household);
    await again();
    expect(await household.differences(household.scenes)).toEqual([]);
  });
});
