/** What is renamed, merged or deleted in Stash, and the scenes that it was on. */
import { describe, it } from 'vitest';
import { type Household, until } from '../sim/household';
import type { RecordedRequest } from '../sim/stash/http-server';
import { home } from '../support/home';
import { jobsOnDisk, workerEnded } from '../support/worker-life';

const shown = (household: Household, scene: number) => household.plex.shown(household.file(scene));

/** Every scene has all of the people, tags and groups, and the first studio. */
async function furnished(onTestFinished: Parameters<typeof home>[1]): Promise<Household> {
  const settings = { syncCollectionsFrom: 'groups', syncStudioParent: true };
  const household = await home({ scenes: 2, settings }, onTestFinished);
  const { stash, people, tags, groups, studios } = household;
  stash.store.studios.put({ ...studioOf(household, 0), parentId: studios[1] ?? null });
  for (const scene of household.scenes) {
    household.changeSilently(scene, {
      title: `Scene ${scene}`,
      studioId: studios[0] ?? null,
      performerIds: people,
      tagIds: tags,
      groups: groups.map((groupId) => ({ groupId, sceneIndex: null })),
    });
  }
  await household.syncAll();
  return household;
}

function studioOf({ stash, studios }: Household, index: number) {
  const studio = stash.store.studios.get(studios[index] ?? 0);
  if (!studio) throw new Error('There is no such studio');
  return studio;
}

const asksForScenes = ({ byPerson, fields }: RecordedRequest): boolean =>
  !byPerson && fields.includes('findScenes');

/** After which scene a page of scenes was asked for. */
const after = ({ variables }: RecordedRequest): number =>
  (variables as { scenes?: { id?: { value?: number } } }).scenes?.id?.value ?? 0;

describe.concurrent('a person, studio, tag or group', () => {
  it('that is renamed or merged is so in Plex on all its scenes', async ({ expect, onTestFinished }) => {
    const household = await furnished(onTestFinished);
    const { stash, people, tags, studios, groups } = household;
    const inPlex = () => shown(household, 2);
    expect(inPlex()).toMatchObject({ studio: "North Shore Films (O'Brien / Sons)", actors: { length: 4 } });
    const [ada = 0] = people;
    const [wetland = 0, rivers = 0] = tags;
    const [north = 0, above = 0] = studios;

    await stash.rename('Performer', ada, 'Ada Crane');
    await stash.rename('Tag', wetland, 'Marsh');
    await stash.rename('Group', groups[0] ?? 0, 'Seasons by the Sea');
    await stash.rename('Studio', north, 'South Shore');
    await household.drained();
    expect(inPlex()).toMatchObject({ studio: "South Shore (O'Brien / Sons)" });
    expect(inPlex().actors).toContain('Ada Crane');
    expect(inPlex().actors).not.toContain('Ada Heron');
    expect(inPlex().genres).toContain('Marsh');
    expect(inPlex().genres).not.toContain('Wetland');
    expect(inPlex().collections.toSorted()).toEqual(['Seasons by the Sea', 'Talks, 2024']);

    await stash.rename('Studio', above, 'Hill & Daughters');
    await stash.mergeTags([rivers], wetland);
    await household.drained();
    expect(inPlex().studio).toBe('South Shore (Hill & Daughters)');
    expect(inPlex().genres.toSorted()).toEqual(['100% calm', 'Marsh', 'Night 🌙']);
    expect(shown(household, 1).genres).toHaveLength(3);
  });

  it('that is deleted is gone from all its scenes', async ({ expect, onTestFinished }) => {
    const household = await furnished(onTestFinished);
    const { stash, people, tags, studios, groups } = household;
    await stash.destroyRelated('Performer', [people[0] ?? 0]);
    await stash.destroyRelated('Tag', tags.slice(0, 2));
    await stash.destroyRelated('Studio', [studios[0] ?? 0]);
    await stash.destroyRelated('Group', [groups[1] ?? 0]);
    await household.drained();
    for (const scene of household.scenes) {
      expect(shown(household, scene)).toMatchObject({
        studio: '',
        actors: { length: 3 },
        genres: { length: 2 },
        collections: ['Seasons at the Lake'],
      });
    }
    expect(await household.differences(household.scenes)).toEqual([]);
  });

  it('of which only something changed that Plex does not show queues nothing', async ({
    expect,
    onTestFinished,
  }) => {
    const household = await furnished(onTestFinished);
    const { stash, plex, people, tags, studios } = household;
    plex.clearRecords();
    const before = stash.count('findScenes');
    await stash.editRelated('Performer', { id: people[0] ?? 0, country: 'NO', favorite: true });
    await stash.editRelated('Tag', { id: tags[0] ?? 0, description: 'Where the water stands' });
    await stash.editRelated('Studio', { id: studios[0] ?? 0, details: 'Since 1961' });
    await household.drained();
    expect(plex.requests).toEqual([]);
    expect(stash.count('findScenes')).toBe(before);
  });

  it('with 1,500 scenes is worked off from where a killed worker was', async ({ expect, onTestFinished }) => {
    const household = await home({ scenes: 1 }, onTestFinished);
    const { stash, tags } = household;
    const [tag = 0] = tags;
    for (let n = 1; n < 1_500; n++) stash.addScene({ tagIds: [tag], path: `/data/many/${n}.mp4` });
    household.changeSilently(1, { tagIds: [tag] });
    await household.ask('pause');
    stash.inject({ kind: 'hang', when: (request) => asksForScenes(request) && after(request) > 0 });
    await stash.rename('Tag', tag, 'Marsh');
    await until('the first page is queued', () => {
      const { waiting = 0, fanOuts = 0 } = household.status()?.queue ?? {};
      return waiting === 1_000 && fanOuts === 1;
    });
    household.killWorkers();
    await workerEnded(household);
    stash.clearFaults();
    const asked = stash.requests.entries.length;
    await household.ask('process');
    await until('all are queued', () => household.status()?.queue.waiting === 1_500);
    await until('it is over', () => household.status()?.queue.fanOuts === 0);
    await until('all are on disk', () => jobsOnDisk(household).length === 1_500);
    const pages = stash.requests.entries.slice(asked).filter(asksForScenes).map(after);
    // What the killed worker had asked for last may be recorded late.
    expect(new Set(pages)).toEqual(new Set([1_000]));
  });
});
