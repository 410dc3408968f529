import { describe, expect, it } from 'vitest';
import type { Scene } from '../../../src/stash/scene';
import type { SyncSettings } from '../../../src/stash/sync-settings';
import { planScene } from '../../../src/sync/plan';
import { named, picture, type Rig, type RigOptions, startRig } from './rig';

/** A rig with scene 1 in step, some minutes ago. */
async function inStep(options: RigOptions = {}, scene: Partial<Scene> = {}) {
  const rig = await startRig(options);
  const { ratingKey } = rig.plex.addItem({ file: '/media/1.mp4' });
  rig.scene(1, { title: 'Tides', ...scene });
  expect(await rig.sync(1)).toMatchObject({ kind: 'ok' });
  await rig.clock.advance(120_000);
  return { rig, ratingKey };
}

describe('a filter', () => {
  const plain: Partial<Scene> = {
    title: 'Tides',
    tags: named('Sea'),
    studio: { id: '1', name: 'Blue', parent: { id: '2', name: 'Deep' } },
  };

  it.each<[string, Partial<SyncSettings>, Partial<Scene>]>([
    ['no-file', {}, { files: [] }],
    ['syncOnlyOrganized', { syncOnlyOrganized: true }, {}],
    ['syncOnlyWithMetadata', { syncOnlyWithMetadata: true }, { title: '', tags: [], studio: null }],
    ['syncOnlyTags', { syncOnlyTags: ['Land'] }, {}],
    ['syncNeverTags', { syncNeverTags: ['sea'] }, {}],
    ['syncOnlyStudios', { syncOnlyStudios: ['Green'] }, {}],
    ['syncNeverStudios', { syncNeverStudios: ['deep'] }, {}],
    ['syncOnlyPaths', { syncOnlyPaths: ['/data/talks/**'] }, {}],
    ['syncNeverPaths', { syncNeverPaths: ['/data/**'] }, {}],
  ])(
    '%s leaves a scene out: nothing is fetched, nothing asked, and the reason is said',
    async (rule, settings, scene) => {
      const rig = await startRig({ settings });
      rig.plex.addItem({ file: '/media/1.mp4' });
      rig.scene(1, { ...plain, ...scene });
      rig.cover(1, picture('sea'));
      for (const job of [{}, { asked: true }, { asked: true, listFirst: true }]) {
        expect(await rig.sync(1, job)).toEqual({
          kind: 'filtered',
          rule,
          message: expect.stringMatching(/^Scene 1 .*\.$/),
        });
      }
      expect(rig.plex.requests).toEqual([]);
      expect(rig.fetched).toEqual([]);
      expect(rig.ledger.size).toBe(0);
    },
  );

  it('is applied to what Stash says at that moment', async () => {
    const { rig } = await inStep({ settings: { syncNeverTags: ['private'] } });
    rig.scene(1, { title: 'Ebb', tags: named('Private') });
    expect(await rig.sync(1)).toMatchObject({ kind: 'filtered', rule: 'syncNeverTags' });
    rig.scene(1, { tags: [] });
    expect(await rig.sync(1)).toMatchObject({ kind: 'ok' });
  });
});

describe('work in bulk', () => {
  it('lists the libraries first, a page at a time', async () => {
    const rig = await startRig();
    rig.plex.addItem({ file: '/media/1.mp4' });
    rig.scene(1, { title: 'Tides' });
    const job = { asked: true, listFirst: true };
    const seen: string[] = [];
    const requests = await rig.requestsOf(async () => {
      while (seen.at(-1) !== 'ok') seen.push((await rig.sync(1, job)).kind);
    });
    expect(seen).toEqual(['listing', 'listing', 'ok']);
    expect(requests).toEqual(['sections', 'list', 'list', 'item', 'edit']);
  });

  it('fetches a cover once, however many pages have to be listed before', async () => {
    const rig = await startRig();
    rig.plex.addItem({ file: '/media/1.mp4' });
    rig.scene(1, { title: 'Tides' });
    rig.cover(1, picture('sea'));
    while ((await rig.sync(1, { listFirst: true })).kind === 'listing') {}
    expect(rig.fetched).toHaveLength(1);
  });

  it('lists nothing for a scene that the ledger knows to be in step', async () => {
    const { rig } = await inStep();
    expect(await rig.requestsOf(() => rig.sync(1, { listFirst: true }))).toEqual([]);
    rig.scene(1, { title: 'Ebb' });
    expect(await rig.sync(1, { listFirst: true })).toEqual({ kind: 'listing' });
  });

  it('costs nothing for a scene that is as we left it, also a second time', async () => {
    const { rig } = await inStep();
    await rig.list();
    for (let round = 0; round < 2; round++) {
      const requests = await rig.requestsOf(async () => {
        const outcome = await rig.sync(1, { asked: true, listFirst: true });
        expect(outcome).toMatchObject({ kind: 'unchanged', looked: false });
      });
      expect(requests).toEqual([]);
      expect(rig.ledger.get(1)?.seen).toBe(rig.plex.itemByFile('/media/1.mp4')?.updatedAt);
    }
  });

  it('looks at an item that somebody changed, and undoes that', async () => {
    const { rig, ratingKey } = await inStep();
    await rig.syncListed(1);
    await rig.byHand(ratingKey, [['title.value', 'By hand']]);
    await rig.list();
    const job = { asked: true, listFirst: true };
    expect(await rig.requestsOf(() => rig.sync(1, job))).toEqual(['item', 'edit']);
    expect(rig.plex.item(ratingKey)?.title).toBe('Tides');
    await rig.list();
    expect(await rig.requestsOf(() => rig.sync(1, job))).toEqual([]);
  });

  it('undoes a change that came before it ever looked at its own write', async () => {
    const { rig, ratingKey } = await inStep();
    await rig.byHand(ratingKey, [['title.value', 'By hand']]);
    await rig.syncListed(1);
    expect(rig.plex.item(ratingKey)?.title).toBe('Tides');
  });

  it('looks once at an item that changed in nothing of ours', async () => {
    const { rig, ratingKey } = await inStep();
    await rig.byHand(ratingKey, [['editionTitle.value', 'Long']]);
    await rig.list();
    const job = { asked: true, listFirst: true };
    expect(await rig.requestsOf(() => rig.sync(1, job))).toEqual(['item']);
    expect(await rig.requestsOf(() => rig.sync(1, job))).toEqual([]);
  });

  it('finds anew what the listing does not have any more', async () => {
    const { rig, ratingKey } = await inStep();
    rig.plex.removeItem(ratingKey);
    const { ratingKey: right } = rig.plex.addItem({ file: '/media/1.mp4' });
    await rig.list();
    expect(await rig.requestsOf(() => rig.sync(1, { asked: true, listFirst: true }))).toEqual([
      'item',
      'edit',
    ]);
    expect(rig.plex.item(right)?.title).toBe('Tides');
  });

  it('asks Plex for what may have come since the listing, and for nothing else that is not in it', async () => {
    const rig = await startRig();
    rig.scene(1, { title: 'Tides' });
    const job = { asked: true, listFirst: true };
    const queuedAt = rig.clock.now();
    await rig.list();
    await rig.clock.advance(1_000);
    expect(await rig.requestsOf(() => rig.sync(1, { ...job, queuedAt }))).toEqual([]);
    const { ratingKey } = rig.plex.addItem({ file: '/media/1.mp4' });
    expect(await rig.sync(1, { ...job, queuedAt })).toMatchObject({ kind: 'not-in-plex' });
    expect(await rig.sync(1, { ...job, queuedAt, rev: 2 })).toMatchObject({ kind: 'ok' });
    rig.ledger.remove(1);
    expect(await rig.sync(1, { ...job, queuedAt: rig.clock.now() })).toMatchObject({ kind: 'unchanged' });
    expect(rig.plex.item(ratingKey)?.title).toBe('Tides');
  });

  it('asks Plex when what the listing says is not so any more: another key, or one of two that is gone', async () => {
    const rig = await startRig();
    const { ratingKey: old } = rig.plex.addItem({ file: '/media/1.mp4' });
    rig.scene(1, { title: 'Tides' });
    const queuedAt = rig.clock.now();
    await rig.list();
    rig.plex.removeItem(old);
    const { ratingKey } = rig.plex.addItem({ file: '/media/1.mp4' });
    const job = { asked: true, listFirst: true, queuedAt };
    expect(await rig.sync(1, job)).toMatchObject({ kind: 'ok' });
    expect(rig.plex.item(ratingKey)?.title).toBe('Tides');

    const twice = await startRig({ libraries: [{ title: 'Talks' }, { title: 'Films' }] });
    const [first] = ['Talks', 'Films'].map((library) =>
      twice.plex.addItem({ library, file: '/media/1.mp4' }),
    );
    twice.scene(1, { title: 'Tides' });
    await twice.list();
    twice.plex.removeItem(first?.ratingKey ?? 0);
    expect(await twice.sync(1, job)).toMatchObject({ kind: 'ok' });
  });

  it('goes on by asking for each scene when Plex fails to list', async () => {
    const rig = await startRig();
    rig.plex.addItem({ file: '/media/1.mp4' });
    rig.scene(1, { title: 'Tides' });
    rig.plex.setFault({ kind: 'server-error', on: 'list' });
    for (const isUsable of [true, false]) {
      expect(await rig.sync(1, { asked: true, listFirst: true })).toMatchObject({ kind: 'transient' });
      expect(rig.finder.index.isUsable()).toBe(isUsable);
    }
    expect(await rig.sync(1, { asked: true })).toMatchObject({ kind: 'ok' });
    await rig.clock.advance(600_000);
    expect(rig.finder.index.isUsable()).toBe(true);
  });

  it('of a scene that got the file of another names both items, and touches neither', async () => {
    const { rig, ratingKey } = await inStep();
    const { ratingKey: second } = rig.plex.addItem({ file: '/media/2.mp4' });
    rig.scene(1, { title: 'Ebb', files: ['/data/1.mp4', '/data/2.mp4'] }); // merged in Stash
    const outcome = await rig.sync(1);
    expect(outcome).toMatchObject({ kind: 'bad-data' });
    for (const key of [ratingKey, second]) expect(JSON.stringify(outcome)).toContain(`item ${key}`);
    expect(rig.plex.item(ratingKey)?.title).toBe('Tides');
  });

  it('is not fooled by a listing of an item that vanished since', async () => {
    const { rig, ratingKey } = await inStep();
    await rig.list();
    rig.plex.removeItem(ratingKey);
    rig.scene(1, { title: 'Ebb' });
    expect(await rig.sync(1, { asked: true, listFirst: true })).toMatchObject({ kind: 'not-in-plex' });
    expect(rig.finder.index.item(String(ratingKey))).toBeNull();
  });
});

describe('the item', () => {
  it('of a remembered key that belongs to another file now is never written, asked or not, listed or not', async () => {
    for (const job of [{}, { asked: true }, { asked: true, listFirst: true }]) {
      const { rig, ratingKey } = await inStep();
      rig.plex.moveItem(ratingKey, '/media/stranger.mp4');
      const edits = rig.plex.counts.edit;
      await rig.list();
      rig.scene(1, { title: 'Ebb' });
      expect(await rig.sync(1, job)).toMatchObject({ kind: 'not-in-plex' });
      expect(rig.plex.counts.edit).toBe(edits);
      expect(rig.ledger.get(1)).toMatchObject({ stale: true }); // what we wrote there is still ours
    }
  });

  it('is none of two, by the listing as by asking', async () => {
    for (const job of [{}, { asked: true, listFirst: true }]) {
      const rig = await startRig({
        libraries: [
          { title: 'Films', locations: ['/media'] },
          { title: 'Copies', locations: ['/media'] },
        ],
      });
      rig.plex.addItem({ library: 'Films', file: '/media/1.mp4', title: 'One' });
      rig.plex.addItem({ library: 'Copies', file: '/media/1.mp4', title: 'Two' });
      rig.scene(1, { title: 'Tides' });
      await rig.list();
      expect(await rig.sync(1, job)).toMatchObject({
        kind: 'bad-data',
        message: expect.stringMatching(/^Scene 1 .*"One" in "Films" .*"Two" in "Copies"/),
      });
      expect(rig.plex.counts.edit).toBe(0);
    }
  });

  it('is free for the other scene when the one that had it is left out by a filter', async () => {
    const { rig } = await inStep({ settings: { syncNeverTags: ['private'] } });
    rig.scene(1, { tags: named('private') });
    rig.scene(2, { title: 'The other', files: ['/data/1.mp4'] });
    expect(await rig.sync(2)).toMatchObject({ kind: 'ok' });
    expect(rig.plex.shown('/media/1.mp4').title).toBe('The other');
  });
});

describe('a scene whose item is taken over while its cover is fetched', () => {
  it('does not come back into the ledger', async () => {
    const rig = await startRig();
    rig.plex.addItem({ file: '/media/1.mp4' });
    rig.scene(7, { title: 'Seven', files: ['/data/1.mp4'] });
    rig.cover(7, picture('sea'));
    await rig.sync(7);
    rig.scene(3, { title: 'Three', files: ['/data/1.mp4'] });
    rig.cover(7, picture('sea'));
    const { ports } = rig;
    const cover = async (path: string, signal: AbortSignal) => {
      expect(await rig.sync(3)).toMatchObject({ kind: 'ok' });
      return await ports.stash.cover(path, signal);
    };
    const during = { ...ports, stash: { ...ports.stash, cover } };
    const plan = await planScene({ scene: 7, asked: false }, during, async (one) => one);
    expect(plan.kind).toBe('ambiguous');
    expect([...rig.ledger.scenes()]).toEqual([3]);
  });
});

describe('a scene that is found by the name of its file', () => {
  const settings = { plexMatchByName: true };
  const elsewhere = '/media/elsewhere/1.mp4';

  async function byName() {
    const rig = await startRig({ settings });
    const { ratingKey } = rig.plex.addItem({ file: elsewhere });
    rig.scene(1, { title: 'Tides' });
    expect(await rig.sync(1)).toMatchObject({
      kind: 'ok',
      message: expect.stringContaining('found by the name of its file alone'),
    });
    await rig.clock.advance(120_000);
    return { rig, ratingKey };
  }

  it('is so only if the person allows it', async () => {
    const { rig, ratingKey } = await byName();
    expect(rig.plex.item(ratingKey)?.title).toBe('Tides');
    expect(rig.ledger.get(1)).toMatchObject({ byName: true });
    rig.settings = { ...rig.settings, plexMatchByName: false };
    rig.scene(1, { title: 'Ebb' });
    expect(await rig.sync(1)).toMatchObject({ kind: 'not-in-plex' });
    expect(rig.plex.item(ratingKey)?.title).toBe('Tides');
  });

  it('is not looked at without a reason', async () => {
    const { rig } = await byName();
    expect(await rig.requestsOf(() => rig.sync(1))).toEqual([]);
    await rig.list();
    expect(await rig.requestsOf(() => rig.sync(1, { asked: true, listFirst: true }))).toEqual([]);
  });

  it('is the item with its path, once there is one', async () => {
    for (const job of [{}, { asked: true, listFirst: true }]) {
      const { rig, ratingKey } = await byName();
      const { ratingKey: right } = rig.plex.addItem({ file: '/media/1.mp4' });
      await rig.list();
      rig.scene(1, { title: 'Ebb' });
      expect(await rig.sync(1, job)).toMatchObject({ kind: 'ok' });
      expect([ratingKey, right].map((key) => rig.plex.item(key)?.title)).toEqual(['Tides', 'Ebb']);
      expect(rig.ledger.get(1)).not.toHaveProperty('byName');
    }
  });

  it('is none when another item has the name too', async () => {
    for (const job of [{}, { asked: true, listFirst: true }]) {
      const { rig } = await byName();
      rig.plex.addItem({ file: '/media/third/1.mp4' });
      const edits = rig.plex.counts.edit;
      await rig.list();
      rig.scene(1, { title: 'Ebb' });
      expect(await rig.sync(1, job)).toMatchObject({ kind: 'not-in-plex' });
      expect(rig.plex.counts.edit).toBe(edits);
    }
  });

  it('gives way to the scene whose path it is, whatever their ids, and comes not back', async () => {
    const { rig, ratingKey } = await byName();
    rig.scene(2, { title: 'The right one', files: ['/data/elsewhere/1.mp4'] });
    expect(await rig.sync(2)).toMatchObject({ kind: 'ok', message: expect.stringContaining('scene 1') });
    rig.scene(1, { title: 'Ebb' });
    expect(await rig.sync(1)).toMatchObject({
      kind: 'bad-data',
      message: expect.stringMatching(/^Scene 1 .* scene 2 .*whole path/),
    });
    expect(rig.plex.item(ratingKey)?.title).toBe('The right one');
    expect([...rig.ledger.scenes()]).toEqual([2]);
  });

  it('gives way to one of a lower id that is found in the same way', async () => {
    const { rig, ratingKey } = await byName();
    rig.scene(2, { title: 'Second', files: ['/data/other/1.mp4'] });
    expect(await rig.sync(2)).toMatchObject({
      kind: 'bad-data',
      message: expect.stringContaining('its id is lower'),
    });
    expect(rig.plex.item(ratingKey)?.title).toBe('Tides');
  });
});

describe('a scene that Plex does not have', () => {
  const missing = async (settings: Partial<SyncSettings>, files = ['/data/new/1.mp4']) => {
    const rig = await startRig({ settings });
    rig.scene(1, { title: 'Tides', files });
    return rig;
  };
  const scans = (rig: Rig) =>
    rig.plex.requests.filter(({ kind }) => kind === 'scan').map(({ query }) => query.get('path'));

  it('makes us ask for a scan of its folder, once a minute', async () => {
    const rig = await missing({ plexScan: true });
    expect(await rig.sync(1)).toMatchObject({
      kind: 'not-in-plex',
      message: expect.stringMatching(/Plex was asked to scan its folder\.$/),
    });
    expect(await rig.sync(1)).toMatchObject({ message: expect.not.stringContaining('asked to scan') });
    expect(scans(rig)).toEqual(['/media/new']);
    await rig.clock.advance(60_000);
    await rig.sync(1);
    expect(scans(rig)).toEqual(['/media/new', '/media/new']);
  });

  it('makes us ask for the folders of all its files', async () => {
    const rig = await missing({ plexScan: true }, ['/elsewhere/1.mp4', '/data/a/1.mp4', '/data/b/1.mp4']);
    await rig.sync(1);
    expect(scans(rig)).toEqual(['/media/a', '/media/b']);
  });

  it('makes us ask for nothing unless the person wants it', async () => {
    const rig = await missing({});
    await rig.sync(1);
    expect(scans(rig)).toEqual([]);
  });

  it('is dropped quietly if the person wants it', async () => {
    const rig = await missing({ plexMissing: 'drop' });
    expect(await rig.sync(1)).toEqual({
      kind: 'filtered',
      rule: 'not-in-plex',
      message: expect.stringContaining('Plex has no item for "/media/new/1.mp4"'),
    });
  });
});

describe('what is planned', () => {
  it('is told without a write, to Plex or to the ledger', async () => {
    const rig = await startRig();
    const { ratingKey } = rig.plex.addItem({ file: '/media/1.mp4' });
    rig.scene(1, { title: 'Tides' });
    rig.cover(1, picture('sea'));
    const plan = await planScene({ scene: 1, asked: true }, rig.ports, async (one) => one);
    expect(plan).toMatchObject({
      kind: 'found',
      how: 'file',
      item: { ratingKey: String(ratingKey) },
      edit: { fields: ['title', 'sort title'] },
      steps: [
        { kind: 'poster', act: 'upload' },
        { kind: 'art', act: 'upload' },
      ],
    });
    expect(rig.plex.writes).toMatchObject({ edit: 0, upload: 0 });
    expect(rig.ledger.size).toBe(0);
  });
});
