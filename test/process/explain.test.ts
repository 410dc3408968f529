/** Questions about what would be done: the answers say it, and nothing is done. */
import { describe, it } from 'vitest';
import type { Household } from '../sim/household';
import { home } from '../support/home';

const nothing = { edit: 0, upload: 0, 'select-image': 0, 'delete-image': 0, rate: 0, refresh: 0 };

const explain = (household: Household, scene: unknown) => household.ask('explain', { scene });

describe.concurrent('the operation "explain"', () => {
  it('says which item it is and why, each field now and wanted, and what would be sent; and writes nothing', async ({
    expect,
    onTestFinished,
  }) => {
    const household = await home({ scenes: 2 }, onTestFinished);
    const { stash, plex } = household;
    household.changeSilently(1, { title: 'The Kelp', rating100: 80, tagIds: household.tags.slice(0, 1) });
    const before = await explain(household, 1);
    expect(before).toContain('Scene 1 is item 1 "Kelp Forest 0001" in "Films" (found by its file)');
    expect(before).toContain('title: "Kelp Forest 0001" in Plex, "The Kelp" wanted: would be written');
    expect(before).toContain('genres: none in Plex, "Wetland" wanted: would be written');
    expect(before).toMatch(/rating: nothing in Plex, "8" wanted: would be written/);
    expect(before).toContain('summary: nothing\n');
    expect(before).toContain('poster: the cover of Stash would be uploaded');
    expect(before).toMatch(/Would be sent: 2 uploads and 1 edit \(.*title\.value.*genre\[0\]\.tag\.tag/);
    expect(plex.writes).toEqual(nothing);

    await household.syncAll();
    expect(await household.differences([1, 2])).toEqual([]);
    plex.clearRecords();
    const after = await explain(household, 1);
    expect(after).toContain('(the item of the last sync');
    expect(after).toContain('Nothing would be sent: all is in step.');

    const elsewhere = stash.addScene({ path: '/data/Nobody knows.mp4' });
    expect(await explain(household, elsewhere)).toMatch(
      /Plex has no item for "\/media\/Nobody knows\.mp4".*would be tried again for a while/s,
    );
    expect(await explain(household, 4_711)).toContain('Scene 4711 is not in Stash.');
    await expect(explain(household, 'the first')).rejects.toThrow('must be the number of a scene');
    await household.reconfigure({ syncOnlyOrganized: true });
    expect(await explain(household, '1')).toContain('Scene 1 is left out: it is not marked as organised');
    expect(plex.writes).toEqual(nothing);
    expect(household.status()?.queue.waiting).toBe(0);
  });
});

describe.concurrent('the operation "dry_run"', () => {
  it('counts what would become of all scenes, or of the recent ones, and writes nothing', async ({
    expect,
    onTestFinished,
  }) => {
    const household = await home({ scenes: 120, settings: { syncNeverTags: 'Wetland' } }, onTestFinished);
    const { stash, plex } = household;
    for (const scene of [3, 4]) household.changeSilently(scene, { tagIds: household.tags.slice(0, 1) });
    stash.addScene({ path: '/data/Nobody knows.mp4' });
    for (const scene of household.scenes)
      household.changeSilently(scene, { updatedAt: '2020-01-01T00:00:00Z' });
    const all = await household.ask('dry_run');
    expect(all).toContain('Dry run: 121 scenes were looked at, nothing was written.');
    expect(all).toMatch(/118 {2}would be written \(scene 1, 2, 5, 6, 7, …\)/);
    expect(all).toMatch(/ 2 {2}left out by "Never with tags" \(scene 3, 4\)/);
    expect(all).toMatch(/ 1 {2}not in Plex \(scene 121\)/);
    expect(all).toMatch(/Fields that would be written: .*poster 118/);
    expect(plex.writes).toEqual(nothing);
    expect(await household.ask('dry_run', { hours: 1 })).toContain('Dry run: 1 scene was looked at');
    await expect(household.ask('dry_run', { hours: 'some' })).rejects.toThrow('"hours" is "some"');
    expect(plex.writes).toEqual(nothing);
    expect(household.status()?.queue.waiting).toBe(0);
  });
});
