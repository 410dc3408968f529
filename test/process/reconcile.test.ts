/** What Stash tells nobody of, found by comparing. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { JournaledMap } from '../../src/persist/journaled-map';
import { parseQueueEntry } from '../../src/queue/entries';
import { Queue } from '../../src/queue/queue';
import { systemClock } from '../../src/shared/clock';
import { type Household, nextSecond, until } from '../sim/household';
import { Client } from '../sim/plex/client';
import type { RecordedRequest } from '../sim/stash/http-server';
import { home } from '../support/home';
import { MemoryLog } from '../support/memory-log';
import { workerEnded } from '../support/worker-life';

const asksForScenes = ({ byPerson, fields }: RecordedRequest): boolean =>
  !byPerson && fields.includes('findScenes');

/** After which scene a page of scenes was asked for. */
const after = ({ variables }: RecordedRequest): number =>
  (variables as { scenes?: { id?: { value?: number } } }).scenes?.id?.value ?? 0;

describe.concurrent('the task "Reconcile"', () => {
  it('queues nothing when all is in step, and otherwise what was merged, auto-tagged, given a cover, moved, edited without a hook, or changed in Plex', async ({
    expect,
    onTestFinished,
  }) => {
    const household = await home({ scenes: 6 }, onTestFinished);
    const { stash, plex } = household;
    const moved = household.addScene('old/Wandering.mp4', { title: 'Wandering' });
    const lost = household.addScene('Dropped hook.mp4');
    await household.syncAll();
    expect(await household.ask('reconcile')).toBe('Reconciled: 8 scenes were compared, and all are in step.');
    await household.syncAll(); // Plex's own times are known from here on
    await nextSecond();

    await stash.merge([2], 1, { title: 'Merged' });
    plex.removeItem(plex.itemByFile(household.file(2))?.ratingKey ?? 0); // merged there as well
    stash.addPerformer({ name: 'River Delta' });
    await stash.autoTag(); // scene 3 is called so
    await stash.generateScreenshot(4, 12);
    await stash.moveFolder('/data/old', '/data/new');
    plex.removeItem(plex.itemByFile(household.file(moved))?.ratingKey ?? 0);
    plex.addItem({ library: 'Films', file: '/media/new/Wandering.mp4' });
    household.changeSilently(lost, { title: 'Its hook was dropped' });
    const typed = await new Client(plex).put('/library/sections/1/all', {
      type: '1',
      id: String(plex.itemByFile(household.file(6))?.ratingKey),
      'summary.value': 'Typed in Plex',
    });
    expect(typed).toBe(200);
    const events = stash.runs.entries.filter(({ kind }) => kind === 'hook').length;
    plex.clearRecords();

    const answer = await household.ask('reconcile');
    expect(answer).toMatch(/^Reconciled: 7 scenes were compared, 6 queued \(.*\)\.$/);
    await household.drained();
    expect(stash.runs.entries.filter(({ kind }) => kind === 'hook')).toHaveLength(events);
    expect(await household.differences([1, 3, 4, 5, 6, lost])).toEqual([]);
    expect(household.inPlex(1)?.title).toBe('Merged');
    expect(household.inPlex(3)?.actors).toEqual(['River Delta']);
    expect(household.inPlex(6)?.summary).toBe('');
    expect(plex.shown('/media/new/Wandering.mp4')).toMatchObject({
      title: 'Wandering',
      posterSha1: expect.any(String),
    });
    // The new cover of scene 4 needs no edit: its pictures are locked already.
    expect(plex.writes).toMatchObject({ edit: 5, upload: 4 });
    expect(household.status()?.deadLetters).toBe(0);
    expect(await household.ask('reconcile')).toBe('Reconciled: 7 scenes were compared, and all are in step.');
  });

  it('goes on where it was after kill -9, and shows how far it is', async ({ expect, onTestFinished }) => {
    const household = await home({ scenes: 0, settings: { plexMissing: 'drop' } }, onTestFinished);
    const { stash } = household;
    for (let n = 0; n < 600; n++) stash.addScene({ path: `/data/many/${n}.mp4` });
    stash.inject({ kind: 'hang', when: (request) => asksForScenes(request) && after(request) > 0 });
    void household.ask('reconcile').catch(() => 'nobody answers');
    await until('a page is compared', () => household.status()?.passes[0]?.looked === 250);
    expect(household.status()?.passes).toMatchObject([{ name: 'reconcile', total: 600, queued: 0 }]);
    household.killWorkers();
    await workerEnded(household);
    stash.clearFaults();
    const asked = stash.requests.entries.length;
    await household.ask('process');
    await until('it is done', () => household.log().includes('Reconciled: 600 scenes were compared'));
    const pages = stash.requests.entries.slice(asked).filter(asksForScenes).map(after);
    // What the killed worker had asked for last may be recorded late.
    expect(new Set(pages)).toEqual(new Set([250, 500]));
    await until('it is told', () => household.status()?.passes.length === 0);
  });

  it('runs by itself when the last time is longer ago than the person wants', async ({
    expect,
    onTestFinished,
  }) => {
    const household = await home({ scenes: 2, settings: { syncReconcile: 'hourly' } }, onTestFinished);
    await remember(household, { reconciled: Date.now() - 61 * 60_000, 'synced-all/plex': 1 });
    household.changeSilently(2, { title: 'Nobody told' });
    await household.stash.edit({ id: 1, title: 'Somebody told' });
    await until('it was compared', () => household.log().includes('Reconciled: 2 scenes were compared'));
    await household.drained();
    expect(await household.differences([1, 2])).toEqual([]);
    expect(household.log().match(/Reconciled/g)).toHaveLength(1);
  });
});

/** Writes facts into the queue's journal before any worker was there. */
async function remember(
  { state }: Household,
  facts: Record<'reconciled' | 'synced-all/plex', number>,
): Promise<void> {
  mkdirSync(state.root, { recursive: true, mode: 0o700 });
  const store = await JournaledMap.open({
    base: join(state.root, 'queue'),
    parse: parseQueueEntry,
    epoch: 0,
    mayCommit: () => {},
    clock: systemClock,
    log: new MemoryLog(),
  });
  const queue = new Queue(store, systemClock);
  queue.setMemo('reconciled', facts.reconciled);
  queue.setMemo('synced-all/plex', facts['synced-all/plex']);
  await store.close();
}
