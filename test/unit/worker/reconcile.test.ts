import { beforeEach, describe, expect, it } from 'vitest';
import type { Sweep } from '../../../src/queue/entries';
import { Queue } from '../../../src/queue/queue';
import { Bell } from '../../../src/shared/bell';
import { StashTrouble } from '../../../src/stash/trouble';
import { Reconcile, reconciledInWords } from '../../../src/worker/reconcile';
import { Sweeper, type SweepPage } from '../../../src/worker/sweeper';
import { TargetRig } from './target-rig';

const { signal } = new AbortController();

describe('reconcile', () => {
  let rig: TargetRig;
  let reconcile: Reconcile;
  let lettersChanged: string[];

  beforeEach(async () => {
    rig = new TargetRig();
    lettersChanged = [];
    reconcile = open();
    await rig.addTarget();
    for (const name of ['plex', 'attic']) rig.queue.setMemo(`synced-all/${name}`, 1);
  });

  const open = () =>
    new Reconcile({
      queue: rig.queue,
      deadLetters: rig.deadLetters,
      targets: rig,
      stash: rig.stash,
      clock: rig.clock,
      log: rig.log,
      onLettersChanged: (target) => lettersChanged.push(target),
    });

  const begin = (): Sweep => {
    rig.queue.beginSweep('reconcile', null);
    return current();
  };
  const current = (): Sweep => {
    const found = rig.queue.sweeps().find(({ name }) => name === 'reconcile');
    if (!found) throw new Error('no pass is under way');
    return found.sweep;
  };
  /** One page, after whatever listing that needs; null: it waits. */
  const page = async (sweep = begin(), isCurrent = () => true): Promise<SweepPage | null> => {
    for (let requests = 0; requests < 100; requests++) {
      const found = await reconcile.page(sweep, isCurrent, signal);
      if (found !== 'listing') return found;
    }
    throw new Error('the listing does not end');
  };
  /** What a pass over everything says that differs. A new listing is made, as the sweeper does. */
  const found = async () => {
    for (const { target } of rig.targets) target.relist();
    return (await page())?.found;
  };
  /** Time passes, so that what happens next is not taken for our own write. */
  const later = () => rig.clock.set(rig.clock.now() + 60_000);
  const giveUp = (scene: number, target = 'plex') =>
    rig.deadLetters.put(`${target}/${scene}`, {
      target,
      scene,
      kind: 'not-in-plex',
      reason: 'Not there.',
      attempts: 9,
      at: 1,
    });
  const jobs = (target = 'plex') =>
    [...rig.store.entries()].flatMap(([, entry]) =>
      entry.is === 'job' && entry.target === target ? [entry.scene] : [],
    );

  it('queues nothing for a library that is in step, and asks Plex for nothing but a listing', async () => {
    for (const id of [1, 2, 3]) {
      rig.film(id, { details: `About ${id}.`, tags: [{ id: '1', name: 'River' }] });
      expect(await rig.sync(id)).toBe('ok');
    }
    later();
    const { plex } = rig.at();
    plex.clearRecords();
    expect(await page()).toEqual({ looked: 3, queued: 0, total: 3, last: null, found: {} });
    expect(jobs()).toEqual([]);
    expect(new Set(plex.requests.map(({ kind }) => kind))).toEqual(new Set(['list']));
    expect(plex.requests.length).toBeLessThanOrEqual(3);
  });

  it('says of each scene that differs why, and queues it as bulk work', async () => {
    for (const id of [1, 2, 3, 4, 5, 6]) rig.film(id);
    for (const id of [1, 2, 3, 4, 5]) await rig.sync(id);
    later();
    rig.scene(1, { title: 'Renamed by a merge' });
    rig.scene(2, { cover: '/scene/2/screenshot?t=9' });
    const { plex, target } = rig.at();
    plex.refreshMetadata(Number(target.ledger.get(3)?.ratingKey));
    plex.removeItem(Number(target.ledger.get(4)?.ratingKey));
    const five = target.ledger.get(5);
    if (five) target.ledger.put(5, { ...five, stale: true });
    expect(await page()).toMatchObject({
      looked: 6,
      queued: 6,
      found: { stash: 1, cover: 1, plex: 1, lost: 1, unsure: 1, new: 1 },
    });
    expect(jobs()).toEqual([1, 2, 3, 4, 5, 6]);
    for (const id of jobs()) expect(rig.queue.job('plex', id)?.bulk).toBe(true);
    // Where the ledger says that all is well, Plex has to be looked at.
    expect([3, 4].map((id) => rig.queue.job('plex', id)?.asked)).toEqual([true, true]);
    expect(rig.queue.job('plex', 1)?.asked).toBe(false);
  });

  it('queues what it finds only until that is synced: the next pass finds nothing', async () => {
    for (const id of [1, 2]) rig.film(id);
    expect(await found()).toEqual({ new: 2 });
    for (const id of [1, 2]) await rig.sync(id);
    rig.queue.clear();
    later();
    expect(await found()).toEqual({});
  });

  it('leaves a job that waits already in its place, with the tries that it has had', async () => {
    rig.film(1);
    rig.scene(2);
    rig.queue.add('plex', 1, { bulk: false, asked: true });
    rig.queue.add('plex', 2, { bulk: true, asked: false });
    for (const scene of [1, 2]) {
      const job = rig.queue.take('plex', (one) => one.scene === scene);
      const at = rig.clock.now() + 3_600_000;
      if (job) rig.queue.settle(job, { kind: 'retry', at, reason: 'Not there yet.', charged: true });
    }
    const before = [1, 2].map((scene) => rig.queue.job('plex', scene));
    expect(await page()).toMatchObject({ queued: 0, found: {} });
    expect([1, 2].map((scene) => rig.queue.job('plex', scene))).toEqual(before);
  });

  it('makes a waiting job that would believe the ledger look at Plex', async () => {
    rig.film(1);
    await rig.sync(1);
    later();
    rig.at().plex.refreshMetadata(Number(rig.at().target.ledger.get(1)?.ratingKey));
    rig.queue.add('plex', 1, { bulk: true, asked: false });
    expect(await found()).toEqual({ plex: 1 });
    expect(rig.queue.job('plex', 1)?.asked).toBe(true);
  });

  it('queues nothing right after a sync of everything, neither before nor after that has gone through', async () => {
    for (const id of [1, 2, 3]) {
      rig.film(id);
      rig.queue.add('plex', id, { bulk: true, asked: true });
    }
    expect(await found()).toEqual({});
    rig.queue.clear();
    for (const id of [1, 2, 3]) await rig.sync(id);
    expect(await found()).toEqual({});
  });

  it('queues a scene that was given up only once Plex has it', async () => {
    rig.scene(1);
    giveUp(1);
    expect(await found()).toEqual({});
    rig.at().plex.addItem({ library: 'Films', file: '/media/1.mp4' });
    later();
    expect(await found()).toEqual({ new: 1 });
  });

  it('forgets what is gone from Stash, and leaves Plex alone', async () => {
    for (const id of [1, 2, 3]) rig.film(id);
    for (const id of [1, 2, 3]) await rig.sync(id);
    giveUp(3);
    giveUp(4);
    later();
    for (const id of [2, 3]) rig.stash.library.delete(id);
    const { target, plex } = rig.at();
    plex.clearRecords();
    expect(await page()).toMatchObject({ looked: 1, queued: 0 });
    expect([...target.ledger.scenes()]).toEqual([1]);
    expect(rig.deadLetters.size).toBe(0);
    expect(lettersChanged).toEqual(['plex']);
    expect(plex.writes.edit).toBe(0);
    expect([...plex.items()]).toHaveLength(3);
  });

  it('does not forget a scene that came and was synced while Stash was asked', async () => {
    rig.film(1);
    await rig.sync(1);
    later();
    rig.stash.before = () => {
      const entry = rig.at().target.ledger.get(1);
      if (entry) rig.at().target.ledger.put(2, { ...entry, ratingKey: '99', at: rig.clock.now() });
    };
    await page();
    expect([...rig.at().target.ledger.scenes()]).toEqual([1, 2]);
  });

  it('goes through a large library page by page, and forgets on each page only what belongs there', async () => {
    for (let id = 1; id <= 600; id++) rig.scene(id * 2);
    const entry = {
      file: '',
      wrote: {},
      names: {},
      at: 1,
      studio: null,
      performers: [],
      tags: [],
      groups: [],
    };
    for (const id of [3, 501, 901, 5_000]) rig.at().target.ledger.put(id, { ...entry, ratingKey: `${id}` });
    const first = await page();
    expect(first).toMatchObject({ looked: 250, total: 600, last: 500 });
    expect([...rig.at().target.ledger.scenes()]).toEqual([501, 901, 5_000]);
    const second = await page({ ...current(), after: 500 });
    expect(second).toMatchObject({ looked: 250, last: 1_000 });
    expect(await page({ ...current(), after: 1_000 })).toMatchObject({ looked: 100, last: null });
    expect([...rig.at().target.ledger.scenes()]).toEqual([]);
    expect(rig.stash.pages.map(({ after, limit }) => [after, limit])).toEqual([
      [0, 250],
      [500, 250],
      [1_000, 250],
    ]);
  });

  it('waits while the person paused, and asks nobody', async () => {
    rig.film(1);
    rig.queue.setMemo('paused', 1);
    expect(await page()).toBeNull();
    expect(rig.at().plex.requests).toEqual([]);
    expect(rig.stash.pages).toEqual([]);
    rig.queue.setMemo('paused', null);
    expect(await page()).toMatchObject({ queued: 1 });
  });

  it('waits while Plex is not well, and goes on afterwards', async () => {
    rig.film(1);
    await rig.outage();
    rig.at().plex.clearRecords();
    expect(await page()).toBeNull();
    expect(rig.at().plex.requests).toEqual([]);
    await rig.recover();
    expect(await page()).toBeNull(); // it is being spared
    rig.clock.set(rig.clock.now() + 301_000);
    expect(await page()).toMatchObject({ queued: 1 });
  });

  it('sends nothing that was never synced before a person asked for everything once', async () => {
    for (const id of [1, 2]) rig.film(id);
    await rig.sync(1);
    later();
    rig.scene(1, { title: 'Changed' });
    rig.queue.setMemo('synced-all/plex', null);
    expect(await found()).toEqual({ stash: 1, unsent: 1 });
    expect(jobs()).toEqual([1]);
    rig.queue.clear();
    rig.queue.beginSweep('reconcile', null, true); // a person asks for it
    expect(await page(current())).toMatchObject({ found: { stash: 1, new: 1 } });
  });

  it('asks a Plex that fails to list how it is, and does not ask for the listing again and again', async () => {
    rig.film(1);
    rig.at().plex.setFault({ kind: 'server-error', on: ['list', 'find'] });
    for (const _ of ['once', 'twice']) expect(await page()).toBeNull();
    rig.at().plex.clearRecords();
    expect(await page()).toBeNull();
    expect(rig.at().plex.requests).toEqual([]);
    rig.at().plex.setFault(null);
    rig.clock.set(rig.clock.now() + 600_000);
    expect(await page()).toMatchObject({ queued: 1 });
  });

  it('waits when the listing fails in the middle, and goes on with what is missing', async () => {
    rig.film(1);
    rig.at().plex.setFault({ kind: 'maintenance' });
    expect(await page()).toBeNull();
    expect(rig.log.lines.at(-1)?.message).toContain('the libraries of plex could not be listed');
    rig.at().plex.setFault(null);
    expect(await page()).toBeNull(); // before it is known to be well
    await rig.at().target.probe(false, signal);
    expect(await page()).toMatchObject({ queued: 1 });
  });

  it('waits until a server whose settings have changed was looked at: it may be another one', async () => {
    rig.film(1);
    rig.configure({ plexLibraries: 'Films' });
    expect(await page()).toBeNull();
    await rig.at().target.probe(false, signal);
    expect(await page()).toMatchObject({ queued: 1 });
  });

  it('leaves a Plex alone that asked for that', async () => {
    rig.film(1);
    rig.at().plex.setFault({ kind: 'too-many-requests', retryAfter: 20 });
    await rig.sync(1);
    rig.at().plex.setFault(null);
    rig.at().plex.clearRecords();
    expect(await page()).toBeNull();
    expect(rig.at().plex.requests).toEqual([]);
    rig.clock.set(rig.clock.now() + 21_000);
    expect(await page()).toMatchObject({ looked: 1 });
  });

  it('waits while no server is set up', async () => {
    rig.configure({ plexToken: '' });
    expect(await page()).toBeNull();
  });

  it('queues nothing when it was cleared while Stash was asked', async () => {
    rig.film(1);
    const entry = {
      file: '',
      wrote: {},
      names: {},
      at: 1,
      studio: null,
      performers: [],
      tags: [],
      groups: [],
    };
    rig.at().target.ledger.put(7, { ...entry, ratingKey: '7' });
    const sweep = begin();
    const isCurrent = () => rig.queue.sweeps().some((one) => one.sweep === sweep);
    rig.stash.before = () => void rig.queue.clear();
    expect(await page(sweep, isCurrent)).toBeNull();
    expect(jobs()).toEqual([]);
    expect([...rig.at().target.ledger.scenes()]).toEqual([7]);
  });

  it('tells whoever runs it when Stash is away', async () => {
    rig.stash.before = () => {
      throw new StashTrouble('away', 'Stash is not answering.');
    };
    await expect(page()).rejects.toThrow('Stash is not answering.');
  });

  it('compares each scene with every server', async () => {
    await rig.addTarget('attic');
    for (const id of [1, 2]) rig.film(id);
    for (const name of ['plex', 'attic']) await rig.sync(1, name);
    await rig.sync(2, 'plex');
    later();
    expect(await found()).toEqual({ new: 1 });
    expect([jobs('plex'), jobs('attic')]).toEqual([[], [2]]);
  });

  it('goes on without a server that stays away, and not before it had time to come back', async () => {
    await rig.addTarget('attic');
    rig.film(1);
    await rig.outage('attic');
    const sweep = begin();
    expect(await page(sweep)).toBeNull();
    rig.clock.set(rig.clock.now() + 9 * 60_000);
    expect(await page(sweep)).toBeNull();
    rig.clock.set(rig.clock.now() + 60_000);
    expect(await page(sweep)).toMatchObject({ queued: 1 });
    expect([jobs('plex'), jobs('attic')]).toEqual([[1], []]);
    // The next pass waits for it again.
    rig.clock.set(rig.clock.now() + 1);
    expect(await page(begin())).toBeNull();
  });

  it('is gone on with by another process, at the page where this one ended', async () => {
    for (let id = 1; id <= 300; id++) rig.film(id);
    begin();
    const passed = async (queue: Queue) => {
      const stop = new AbortController();
      const sweeper = new Sweeper({
        queue,
        targets: { names: ['plex'], relist: () => rig.at().target.relist() },
        stash: rig.stash,
        reconcile: open(),
        freshSettings: async () => {},
        bell: new Bell(),
        clock: rig.clock,
        log: rig.log,
        flush: async () => {},
        onProgress: async (_name, { looked }) => {
          if (looked > 0) stop.abort();
        },
      });
      await sweeper.run(stop.signal);
    };
    await passed(rig.queue);
    expect(current()).toMatchObject({ after: 250, looked: 250, queued: 250, total: 300 });
    await passed(new Queue(rig.store, rig.clock));
    expect(rig.stash.pages.map(({ after }) => after)).toEqual([0, 250]);
    expect(jobs()).toHaveLength(300);
    expect(rig.log.lines.at(-1)?.message).toBe(
      'Reconciled: 300 scenes were compared, 300 queued (300 never synced).',
    );
  });

  it('says in the end how many were never synced, and how to send them', () => {
    expect(reconciledInWords({ looked: 9, queued: 0, found: { unsent: 2 } })).toBe(
      'Reconciled: 9 scenes were compared, and all others are in step. 2 scenes were never synced: run "Sync all scenes" to send them.',
    );
  });

  it('says in the end how much was compared, and what was found', () => {
    expect(reconciledInWords({ looked: 1, queued: 0, found: {} })).toBe(
      'Reconciled: 1 scene was compared, and all are in step.',
    );
    expect(reconciledInWords({ looked: 90, queued: 6, found: { lost: 1, stash: 3, plex: 2 } })).toBe(
      'Reconciled: 90 scenes were compared, 6 queued (3 changed in Stash, 2 changed in Plex, 1 not where they were in Plex).',
    );
  });
});
