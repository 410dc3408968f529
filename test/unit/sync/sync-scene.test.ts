import { describe, expect, it, vi } from 'vitest';
import { StashTrouble } from '../../../src/stash/trouble';
import { named, type Rig, type RigOptions, startRig } from './rig';

const full = {
  title: 'Kelp, "Forest" & 100%',
  details: 'An hour under water.\nSecond line with “quotes”, a/b and 🌊.',
  date: '2024-05',
  studio: { id: '1', name: 'Northern & Lights', parent: null },
  performers: named('Bo "The Guide" Ødegård, Jr.', 'ada 100%', '🌊/☀️'),
  tags: named('Slow, quiet', 'wild & free', '50% %2C', 'AC/DC'),
};

/** A rig with one scene that is already in step. */
async function inStep(options: RigOptions = {}, scene: Parameters<Rig['scene']>[1] = full) {
  const rig = await startRig(options);
  const { ratingKey } = rig.plex.addItem({ file: '/media/1.mp4' });
  rig.scene(1, scene);
  expect(await rig.sync(1)).toMatchObject({ kind: 'ok' });
  return { rig, ratingKey };
}

const lower = (names: string[] | undefined) => names?.map((name) => name.toLowerCase());

describe('a scene', () => {
  it('is found by its file and written with locks, in one PUT', async () => {
    const rig = await startRig();
    const { ratingKey } = rig.plex.addItem({ file: '/media/1.mp4' });
    rig.scene(1, full);
    const requests = await rig.requestsOf(async () => {
      expect(await rig.sync(1)).toEqual({
        kind: 'ok',
        message: `Scene 1 "${full.title}" is in step: title, sort title, summary, studio, date, actors, genres written.`,
        lookAgain: true,
      });
    });
    expect(requests).toEqual(['sections', 'find', 'item', 'edit']);
    expect(rig.plex.item(ratingKey)).toMatchObject({
      title: full.title,
      summary: full.details,
      studio: 'Northern & Lights',
      originallyAvailableAt: '2024-05-01',
      actors: full.performers.map(({ name }) => name),
      genres: full.tags.map(({ name }) => name),
      locked: ['actor', 'genre', 'originallyAvailableAt', 'studio', 'summary', 'title', 'titleSort'],
    });
    expect(rig.ledger.get(1)).toMatchObject({
      ratingKey: String(ratingKey),
      at: rig.clock.now(),
      studio: '1',
      performers: full.performers.map(({ id }) => id),
      tags: full.tags.map(({ id }) => id),
      groups: [],
    });
  });

  it('without a title has the name of its file', async () => {
    const { rig, ratingKey } = await inStep();
    rig.scene(1, { title: '' });
    await rig.sync(1);
    expect(rig.plex.item(ratingKey)?.title).toBe('1');
  });

  it('that was emptied in Stash is emptied in Plex', async () => {
    const { rig, ratingKey } = await inStep();
    rig.scene(1, { details: '', date: null, studio: null, performers: [], tags: [] });
    await rig.sync(1);
    expect(rig.plex.item(ratingKey)).toMatchObject({
      summary: '',
      studio: '',
      originallyAvailableAt: '',
      actors: [],
      genres: [],
    });
  });

  it('that is gone from Stash leaves the ledger, and Plex alone', async () => {
    const { rig } = await inStep();
    rig.scenes.delete(1);
    expect(await rig.requestsOf(async () => expect(await rig.sync(1)).toEqual({ kind: 'gone' }))).toEqual([]);
    expect(rig.ledger.get(1)).toBeUndefined();
  });

  it('without a file is left out, with a reason', async () => {
    const rig = await startRig();
    rig.scene(1, { files: [] });
    const outcome = await rig.sync(1);
    expect(outcome).toMatchObject({ kind: 'filtered', message: expect.stringContaining('no file') });
    expect(rig.plex.requests).toEqual([]);
  });

  it('with several files is the item that has one of them', async () => {
    const rig = await startRig();
    const { ratingKey } = rig.plex.addItem({ files: ['/media/x.mp4', '/media/second.mp4'] });
    rig.scene(1, { title: 'T', files: ['/data/first.mp4', '/data/second.mp4'] });
    expect(await rig.sync(1)).toMatchObject({ kind: 'ok' });
    expect(rig.plex.item(ratingKey)?.title).toBe('T');
  });
});

describe('requests to Plex for a known item', () => {
  it('none when the ledger says that all is well', async () => {
    const { rig } = await inStep();
    expect(
      await rig.requestsOf(async () => expect(await rig.sync(1)).toMatchObject({ kind: 'unchanged' })),
    ).toEqual([]);
  });

  it('one when a person asked and nothing has changed', async () => {
    const { rig } = await inStep();
    const requests = await rig.requestsOf(async () => {
      expect(await rig.sync(1, { asked: true })).toMatchObject({ kind: 'unchanged' });
    });
    expect(requests).toEqual(['item']);
  });

  it('a GET and a PUT for a change', async () => {
    const { rig } = await inStep();
    rig.scene(1, {
      title: 'New',
      performers: [...full.performers, ...named('Zoe')],
      tags: [...full.tags, ...named('new')],
    });
    expect(await rig.requestsOf(() => rig.sync(1))).toEqual(['item', 'edit']);
  });

  it('one more GET where tags have to go', async () => {
    const { rig } = await inStep();
    rig.scene(1, { tags: named('AC/DC') });
    expect(await rig.requestsOf(() => rig.sync(1))).toEqual(['item', 'edit', 'item']);
  });

  it('a GET and a PUT when it was changed in Plex and a person asks', async () => {
    const { rig, ratingKey } = await inStep();
    await rig.client.edit('1', String(ratingKey), [['title.value', 'by hand']], rig.stop.signal);
    expect(await rig.sync(1)).toMatchObject({ kind: 'unchanged' });
    expect(await rig.requestsOf(() => rig.sync(1, { asked: true }))).toEqual(['item', 'edit']);
    expect(rig.plex.item(ratingKey)?.title).toBe(full.title);
  });
});

describe.each(['merge', 'merge-front', 'replace'] as const)('a Plex that treats tags by %s', (tags) => {
  describe.each([
    { oneRemovalPerPut: false, capitaliseTags: false },
    { oneRemovalPerPut: true, capitaliseTags: false },
    { oneRemovalPerPut: false, capitaliseTags: true },
    { oneRemovalPerPut: true, capitaliseTags: true },
  ])('%j', (quirks) => {
    const behaviour = { tags, ...quirks };

    it('loses what was removed and shows what was added', async () => {
      const { rig, ratingKey } = await inStep({ behaviour });
      rig.scene(1, {
        tags: named('AC/DC', 'new, one'),
        performers: named('Bo "The Guide" Ødegård, Jr.', 'new & 100%'),
      });
      expect(await rig.sync(1)).toMatchObject({ kind: 'ok' });
      const item = rig.plex.item(ratingKey);
      expect(lower(item?.genres)?.sort()).toEqual(['ac/dc', 'new, one']);
      expect(lower(item?.actors)).toEqual(['bo "the guide" ødegård, jr.', 'new & 100%']);
      expect(await rig.requestsOf(() => rig.sync(1, { asked: true }))).toEqual(['item']);
    });

    it('loses everything', async () => {
      const { rig, ratingKey } = await inStep({ behaviour });
      rig.scene(1, { tags: [], performers: [] });
      await rig.sync(1);
      expect(rig.plex.item(ratingKey)).toMatchObject({ genres: [], actors: [] });
    });

    it('shows people in their new order', async () => {
      const { rig, ratingKey } = await inStep({ behaviour });
      rig.scene(1, { performers: [...named('Zoe'), ...full.performers.toReversed()] });
      await rig.sync(1);
      expect(lower(rig.plex.item(ratingKey)?.actors)).toEqual([
        'zoe',
        '🌊/☀️',
        'ada 100%',
        'bo "the guide" ødegård, jr.',
      ]);
      expect(await rig.requestsOf(() => rig.sync(1, { asked: true }))).toEqual(['item']);
    });

    it('is not written to when nothing but the order or the case of tags changed', async () => {
      const { rig } = await inStep({ behaviour });
      rig.scene(1, { tags: named('ac/dc', '50% %2c', 'WILD & FREE', 'slow, quiet') });
      expect(await rig.requestsOf(() => rig.sync(1, { asked: true }))).toEqual(['item']);
    });
  });
});

describe('a remembered item', () => {
  it('is checked: a rebuilt Plex gave its key to another file', async () => {
    const { rig, ratingKey } = await inStep();
    rig.plex.moveItem(ratingKey, '/media/stranger.mp4');
    const { ratingKey: right } = rig.plex.addItem({ file: '/media/1.mp4' });
    rig.scene(1, { title: 'New' });
    expect(await rig.sync(1)).toMatchObject({ kind: 'ok' });
    expect(rig.plex.item(ratingKey)?.title).toBe(full.title);
    expect(rig.plex.item(right)?.title).toBe('New');
    expect(rig.ledger.get(1)?.ratingKey).toBe(String(right));
  });

  it('that is gone is looked for again', async () => {
    const { rig, ratingKey } = await inStep();
    rig.plex.removeItem(ratingKey);
    const { ratingKey: right } = rig.plex.addItem({ file: '/media/1.mp4' });
    rig.scene(1, { title: 'New' });
    expect(await rig.sync(1)).toMatchObject({ kind: 'ok' });
    expect(rig.plex.item(right)?.title).toBe('New');
  });

  it('is looked for again when the file moved, though nothing else changed', async () => {
    const { rig } = await inStep();
    const { ratingKey: right } = rig.plex.addItem({ file: '/media/moved/1.mp4' });
    rig.scene(1, { files: ['/data/moved/1.mp4'] });
    expect(await rig.sync(1)).toMatchObject({ kind: 'ok' });
    expect(rig.plex.item(right)?.title).toBe(full.title);
  });

  it('in a library that is no longer chosen is left alone', async () => {
    const rig = await startRig({
      libraries: [
        { title: 'Films', locations: ['/media'] },
        { title: 'Talks', locations: ['/talks'] },
      ],
      chosen: ['Talks'],
    });
    const { ratingKey } = rig.plex.addItem({ library: 'Films', file: '/media/1.mp4' });
    rig.scene(1, { title: 'New' });
    const wrote = { title: 'old' };
    rig.ledger.put(1, {
      ratingKey: String(ratingKey),
      file: '',
      wrote,
      names: {},
      at: 0,
      studio: null,
      performers: [],
      tags: [],
      groups: [],
    });
    expect(await rig.sync(1)).toMatchObject({ kind: 'not-in-plex' });
    expect(rig.plex.item(ratingKey)?.title).toBe('1');
  });
});

describe('the ledger', () => {
  it('learns of relations that changed without anything to write', async () => {
    const { rig } = await inStep();
    const put = vi.spyOn(rig.ledger, 'put');
    await rig.sync(1);
    expect(put).not.toHaveBeenCalled();
    rig.scene(1, {
      groups: [{ id: 'g', name: 'Group' }],
      studio: { id: '2', name: 'Northern & Lights', parent: { id: '3', name: 'Arctic' } },
    });
    expect(
      await rig.requestsOf(async () => expect(await rig.sync(1)).toMatchObject({ kind: 'unchanged' })),
    ).toEqual([]);
    expect(rig.ledger.get(1)).toMatchObject({ groups: ['g'], studio: '2', studioParent: '3' });
  });

  it('records success only after the last write', async () => {
    const { rig } = await inStep();
    const ratingKey = rig.ledger.get(1)?.ratingKey;
    rig.scene(1, { tags: [] });
    rig.plex.setFault({ kind: 'reset', on: 'edit', applied: true });
    expect(await rig.sync(1)).toMatchObject({ kind: 'server-down' });
    expect(rig.ledger.get(1)).toMatchObject({ ratingKey, stale: true });
    expect(rig.ledger.get(1)?.wrote).not.toHaveProperty('genre');
    rig.plex.setFault(null);
    expect(await rig.sync(1)).toMatchObject({ kind: 'unchanged' });
    expect(rig.ledger.get(1)?.wrote).toHaveProperty('genre');
    expect(rig.ledger.get(1)).not.toHaveProperty('stale');
  });

  it('is not believed after a write that may have arrived: an edit taken back is taken back in Plex', async () => {
    const { rig, ratingKey } = await inStep();
    rig.scene(1, { title: 'A mistake' });
    rig.plex.setFault({ kind: 'reset', on: 'edit', applied: true });
    expect(await rig.sync(1)).toMatchObject({ kind: 'server-down' });
    expect(rig.plex.item(ratingKey)?.title).toBe('A mistake');
    rig.plex.setFault(null);
    rig.scene(1, { title: full.title });
    expect(await rig.sync(1)).toMatchObject({ kind: 'ok' });
    expect(rig.plex.item(ratingKey)?.title).toBe(full.title);
  });
});

describe('an item that is not in Plex', () => {
  it('is told with both paths, the map, and what to do', async () => {
    const rig = await startRig();
    rig.scene(42, { files: ['/data/a/b.mp4'] });
    expect(await rig.sync(42)).toEqual({
      kind: 'not-in-plex',
      message:
        'Scene 42 was not synced: Plex has no item for "/media/a/b.mp4" (from "/data/a/b.mp4" by the path map "/data => /media"). If the file is elsewhere in Plex, correct "Path map" in the settings.',
    });
  });

  it('is told with the folders that Plex has when it can be in none of them', async () => {
    const rig = await startRig({ rules: '' });
    rig.scene(42, { files: ['/data/a/b.mp4'] });
    expect(await rig.sync(42)).toEqual({
      kind: 'not-in-plex',
      message:
        'Scene 42 was not synced: Plex has no item for "/data/a/b.mp4". It is in none of the folders that Plex looks at: "/media". If Plex sees the file under another path, enter that under "Path map" in the settings, like "/data => /media".',
    });
  });

  it('is synced once it appears', async () => {
    const rig = await startRig();
    rig.plex.addItem({ file: '/media/1.mp4', appears: { lookups: 1 } });
    rig.scene(1, full);
    expect(await rig.sync(1)).toMatchObject({ kind: 'not-in-plex' });
    expect(await rig.sync(1)).toMatchObject({ kind: 'ok' });
  });

  it('is not believed to be in step any more', async () => {
    const { rig, ratingKey } = await inStep();
    rig.plex.removeItem(ratingKey);
    expect(await rig.sync(1, { asked: true })).toMatchObject({ kind: 'not-in-plex' });
    rig.plex.addItem({ file: '/media/1.mp4' });
    expect(await rig.sync(1)).toMatchObject({ kind: 'ok' });
  });

  it('is one that vanished while it was written', async () => {
    const { rig } = await inStep();
    rig.scene(1, { title: 'New' });
    rig.plex.setFault({ kind: 'server-error', status: 404, on: 'edit' });
    expect(await rig.sync(1)).toMatchObject({
      kind: 'not-in-plex',
      message: expect.stringContaining('Scene 1'),
    });
  });
});

describe('several', () => {
  it('items for one scene: none is touched, all are named', async () => {
    const rig = await startRig();
    const one = rig.plex.addItem({ file: '/media/a.mp4', title: 'One' }).ratingKey;
    const two = rig.plex.addItem({ file: '/media/b.mp4', title: 'Two' }).ratingKey;
    rig.scene(7, { files: ['/data/a.mp4', '/data/b.mp4'] });
    const outcome = await rig.sync(7);
    expect(outcome).toMatchObject({ kind: 'bad-data' });
    for (const part of [
      'Scene 7',
      `"One" in "Videos" (item ${one}, /media/a.mp4)`,
      `"Two" in "Videos" (item ${two}`,
    ]) {
      expect(outcome).toMatchObject({ message: expect.stringContaining(part) });
    }
    expect(rig.plex.counts.edit).toBe(0);
  });

  it('scenes for one item: the lower one is kept in step, the other names both', async () => {
    const rig = await startRig();
    const { ratingKey } = rig.plex.addItem({ file: '/media/a.mp4' });
    rig.scene(3, { files: ['/data/a.mp4'], title: 'Three' });
    rig.scene(7, { files: ['/data/a.mp4'], title: 'Seven' });
    expect(await rig.sync(3)).toMatchObject({ kind: 'ok' });
    const outcome = await rig.sync(7);
    expect(outcome).toMatchObject({ kind: 'bad-data', message: expect.stringMatching(/Scene 7 .*scene 3/) });
    expect(rig.plex.item(ratingKey)?.title).toBe('Three');
  });

  it('scenes for one item: the lower one takes over when it comes later', async () => {
    const rig = await startRig();
    const { ratingKey } = rig.plex.addItem({ file: '/media/a.mp4' });
    rig.scene(3, { files: ['/data/a.mp4'], title: 'Three' });
    rig.scene(7, { files: ['/data/a.mp4'], title: 'Seven' });
    expect(await rig.sync(7)).toMatchObject({ kind: 'ok' });
    expect(await rig.sync(3)).toMatchObject({
      kind: 'ok',
      message: expect.stringContaining('scene 7'),
      displaced: 7,
    });
    expect(rig.plex.item(ratingKey)?.title).toBe('Three');
    expect(await rig.sync(7)).toMatchObject({ kind: 'bad-data' });
    expect(rig.plex.item(ratingKey)?.title).toBe('Three');
  });

  it('scenes for one item at the same moment: the lower one wins all the same', async () => {
    for (const order of [
      [3, 7],
      [7, 3],
    ]) {
      const rig = await startRig();
      const { ratingKey } = rig.plex.addItem({ file: '/media/a.mp4' });
      rig.scene(3, { files: ['/data/a.mp4'], title: 'Three' });
      rig.scene(7, { files: ['/data/a.mp4'], title: 'Seven' });
      await Promise.all(order.map((id) => rig.sync(id)));
      expect(rig.plex.item(ratingKey)?.title).toBe('Three');
      expect([...rig.ledger.scenes()]).toEqual([3]);
    }
  });

  it('scenes for one item are one when the other was merged away or has another file now', async () => {
    for (const change of ['merged', 'moved']) {
      const rig = await startRig();
      const { ratingKey } = rig.plex.addItem({ file: '/media/a.mp4' });
      rig.scene(3, { files: ['/data/a.mp4'], title: 'Three' });
      await rig.sync(3);
      if (change === 'merged') rig.scenes.delete(3);
      else rig.scene(3, { files: ['/data/b.mp4'] });
      rig.scene(7, { files: ['/data/a.mp4'], title: 'Seven' });
      expect(await rig.sync(7)).toMatchObject({ kind: 'ok' });
      expect(rig.plex.item(ratingKey)?.title).toBe('Seven');
      expect([...rig.ledger.scenes()]).toEqual([7]);
    }
  });
});

describe('trouble', () => {
  it.each([
    ['overloaded', { kind: 'maintenance', retryAfter: 9 }, { retryAfterMs: 9_000 }],
    ['server-down', { kind: 'truncate' }, {}],
    ['transient', { kind: 'server-error' }, { message: expect.stringMatching(/^Scene 1 was not synced: /) }],
    ['not-authorised', { kind: 'unauthorised' }, { message: expect.stringContaining('"Plex token"') }],
    ['may-not-edit', { kind: 'server-error', status: 403, on: 'edit' }, {}],
    [
      'bad-data',
      { kind: 'server-error', status: 400, on: 'edit' },
      { message: expect.stringMatching(/^Scene 1 /) },
    ],
  ] as const)('%s', async (kind, fault, more) => {
    const { rig } = await inStep();
    rig.scene(1, { title: 'New' });
    rig.plex.setFault(fault);
    expect(await rig.sync(1)).toMatchObject({ kind, ...more });
  });

  it('with the chosen libraries is a mistake in the settings', async () => {
    const rig = await startRig({ chosen: ['Movies'] });
    rig.plex.addItem({ file: '/media/1.mp4' });
    rig.scene(1, full);
    expect(await rig.sync(1)).toMatchObject({
      kind: 'misconfigured',
      message: expect.stringContaining('"Videos"'),
    });
  });

  it.each(['away', 'unauthorised', 'incompatible'] as const)(
    'with Stash (%s) is not Plex’s',
    async (kind) => {
      const { rig } = await inStep();
      rig.readScene = () => {
        throw new StashTrouble(kind, 'Stash is not answering (connection refused).');
      };
      const requests = await rig.requestsOf(async () => {
        expect(await rig.sync(1)).toEqual({
          kind: 'stash-away',
          message: 'Stash is not answering (connection refused).',
        });
      });
      expect(requests).toEqual([]);
    },
  );

  it('that is an abort of our own is passed on', async () => {
    const { rig } = await inStep();
    rig.scene(1, { title: 'New' });
    rig.plex.setFault({ kind: 'hang', on: 'edit' });
    const syncing = rig.sync(1);
    while (rig.plex.counts.edit < 2) await new Promise(setImmediate);
    const reason = new Error('the worker ends');
    rig.stop.abort(reason);
    await expect(syncing).rejects.toBe(reason);
  });

  it('that an abort of our own causes elsewhere is passed on as the abort', async () => {
    const { rig } = await inStep();
    const reason = new Error('the worker ends');
    rig.readScene = () => {
      rig.stop.abort(reason);
      throw new StashTrouble('away', 'Stash is not answering (cancelled).');
    };
    await expect(rig.sync(1)).rejects.toBe(reason);
  });

  it('with the ledger is passed on: a worker that lost its lease gives up no scene', async () => {
    const { rig } = await inStep();
    rig.scene(1, { title: 'New' });
    rig.ledger.put = () => {
      throw new Error('the lease was lost');
    };
    await expect(rig.sync(1)).rejects.toThrow('the lease was lost');
  });
});
