/** What was given up, and what a person does about it. */
import { describe, it } from 'vitest';
import { type Household, until } from '../sim/household';
import { home } from '../support/home';
import { plexIn } from '../support/worker-life';

/** What is missing in Plex is given up at once. */
const impatient = { SLUICE_FLOW_MISSING_TRIES: '1', SLUICE_FLOW_TRANSIENT_TRIES: '1' };

const letters = (household: Household, count: number) =>
  until(`${count} dead letters`, async () => {
    await household.drained();
    return household.status()?.deadLetters === count;
  });

describe.concurrent('dead letters', () => {
  it('are listed by their reasons, tried again by scene, reason or all, and discarded', async ({
    expect,
    onTestFinished,
  }) => {
    const libraries = ['Films', 'Talks'].map((title) => ({ title, locations: ['/media'] }));
    const household = await home({ scenes: 1, env: impatient, plex: { libraries } }, onTestFinished);
    const { stash, plex } = household;
    const twice = plex.addItem({ library: 'Talks', file: household.file(1) });
    const missing = ['Owls', 'Otters', 'Orcas'].map((name) => stash.addScene({ path: `/data/${name}.mp4` }));
    const [owls = 0, otters = 0, orcas = 0] = missing;
    expect(await household.ask('dead_letters')).toBe('There are no dead letters: no scene was given up.');
    for (const id of [1, ...missing]) await stash.edit({ id, title: `Scene ${id}` });
    await letters(household, 4);

    const list = await household.ask('dead_letters');
    expect(list).toContain('4 scenes were given up, for 2 reasons:');
    expect(list).toMatch(
      new RegExp(`\\[not-in-plex\\] 3 scenes since .*\\(Scenes ${owls}, ${otters}, ${orcas}\\.\\)`),
    );
    expect(list).toMatch(
      new RegExp(`\\[bad-data\\] 1 scene since .*"Films" \\(item 1,.*"Talks" \\(item ${twice.ratingKey},`),
    );
    expect(plex.writes).toMatchObject({ edit: 0, upload: 0 });

    plex.addItem({ library: 'Films', file: '/media/Owls.mp4' });
    expect(await household.ask('retry_dead_letters', { scene: owls })).toBe('1 scene is queued again.');
    await letters(household, 3);
    expect(plex.shown('/media/Owls.mp4').title).toBe(`Scene ${owls}`);

    plex.addItem({ library: 'Films', file: '/media/Otters.mp4' });
    expect(await household.ask('retry_dead_letters', { reason: 'not-in-plex' })).toBe(
      '2 scenes are queued again.',
    );
    await letters(household, 2);
    expect(plex.shown('/media/Otters.mp4').title).toBe(`Scene ${otters}`);

    expect(await household.ask('discard_dead_letters', { scene: orcas })).toContain(
      '1 dead letter was discarded.',
    );
    await letters(household, 1);
    await expect(household.ask('retry_dead_letters', { scene: orcas })).rejects.toThrow(
      `Scene ${orcas} is not among the dead letters.`,
    );
    await expect(household.ask('retry_dead_letters')).rejects.toThrow('Say which of them');

    plex.removeItem(twice.ratingKey);
    expect(await household.ask('retry_dead_letters', { all: true })).toBe('1 scene is queued again.');
    await letters(household, 0);
    expect(await household.differences([1])).toEqual([]);
    expect(household.notice()).not.toContain('Gave up');
  });

  it('are never made by an outage, of whatever kind', async ({ expect, onTestFinished }) => {
    const household = await home({ scenes: 12, env: impatient }, onTestFinished);
    const { stash, plex } = household;
    const outages = [
      { kind: 'maintenance' },
      { kind: 'server-error', status: 502 },
      { kind: 'reset' },
      { kind: 'unauthorised' },
    ] as const;
    for (const [round, fault] of outages.entries()) {
      plex.setFault(fault);
      await stash.editMany(household.scenes, { title: `Round ${round}` });
      await until('it is an outage', () => plexIn(household)?.breaker.state !== 'CLOSED');
      plex.setFault(null);
      await household.tryPlexNow();
      await household.drained();
      expect(household.status()?.deadLetters).toBe(0);
    }
    expect(await household.differences(household.scenes)).toEqual([]);
    expect(plexIn(household)).toMatchObject({ failed: 0 });
  });
});
