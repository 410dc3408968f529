/** What others learned the hard way about which scenes go to Plex, in a whole home. */
import { describe, it } from 'vitest';
import { until } from '../sim/household';
import { Client } from '../sim/plex/client';
import { home } from '../support/home';

describe.concurrent('a home', () => {
  it('sends a scene that was identified after it was queued, and not before [lesson 14: filters decide at send time, on fresh data]', async ({
    expect,
    onTestFinished,
  }) => {
    const household = await home({ scenes: 2, settings: { syncOnlyWithMetadata: true } }, onTestFinished);
    const { stash, plex } = household;
    await stash.runOperation('sluice', { mode: 'pause' });
    household.leaveEvent(1); // as a scan does, when nothing is known but the file
    household.leaveEvent(2);
    household.changeSilently(1, { title: 'Identified meanwhile' });
    await stash.runOperation('sluice', { mode: 'resume' });
    await household.drained();
    expect(household.inPlex(1)?.title).toBe('Identified meanwhile');
    expect(plex.writes.edit).toBe(1);
    expect(household.status()?.targets.plex?.filtered).toEqual({ syncOnlyWithMetadata: 1 });

    await stash.edit({ id: 2, title: 'Identified later' });
    await household.drained();
    expect(household.inPlex(2)?.title).toBe('Identified later');
  });

  it('finds by reconcile what changed unheard of, whatever its age, and what is empty in Plex [lesson 21: reconcile compares what is, not when something was made]', async ({
    expect,
    onTestFinished,
  }) => {
    const household = await home({ scenes: 3 }, onTestFinished);
    const { stash, plex, scenes } = household;
    for (const scene of scenes)
      await stash.edit({ id: scene, title: `Talk ${scene}`, details: 'About rivers.' });
    await household.drained();
    const reconcile = () => stash.runOperation<string>('sluice', { mode: 'reconcile' });
    expect(await reconcile()).toContain('3 scenes were compared, and all are in step');

    household.changeSilently(1, { title: 'Changed without a word' }); // not even its time of change
    const synced = plex.itemByFile(household.file(2))?.updatedAt ?? 0;
    await until('the second of our write is over', () => Date.now() / 1_000 >= synced + 1);
    const key = String(plex.itemByFile(household.file(2))?.ratingKey);
    await new Client(plex).put(`/library/metadata/${key}`, { 'summary.value': '' });
    plex.clearRecords();
    expect(await reconcile()).toContain('2 queued');
    await household.drained();
    expect(await household.differences()).toEqual([]);
    expect(household.inPlex(2)?.summary).toBe('About rivers.');
    expect(plex.writes.edit).toBe(2);
  });

  it('drops scenes that Plex does not have after one look each, if the person wants that [lesson 28: who has only a part in Plex is not flooded with retries]', async ({
    expect,
    onTestFinished,
  }) => {
    const household = await home({ scenes: 1, settings: { plexMissing: 'drop' } }, onTestFinished);
    const { stash, plex } = household;
    for (let n = 1; n <= 30; n++) stash.addScene({ files: [{ path: `/elsewhere/Concert ${n}.mp4` }] });
    await stash.runOperation('sluice', { mode: 'sync_all' });
    await household.drained();
    const status = household.status();
    expect(status).toMatchObject({ deadLetters: 0, queue: { waiting: 0, retrying: 0 } });
    expect(status?.targets.plex).toMatchObject({ retried: 0, failed: 0, filtered: { 'not-in-plex': 30 } });
    expect(plex.counts.find).toBeLessThanOrEqual(31);
    expect(stash.log.entries.filter(({ level }) => level === 'warning' || level === 'error')).toEqual([]);
  });
});
