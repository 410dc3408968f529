import { describe, expect, it } from 'vitest';
import { MemoryStore } from '../../../src/persist/keyed-store';
import type { Outcome } from '../../../src/shared/outcome';
import { UnusableCover } from '../../../src/stash/picture';
import { StashTrouble } from '../../../src/stash/trouble';
import { StoredLedger } from '../../../src/sync/ledger';
import { coverMs, picture, type Rig, type RigOptions, startRig } from './rig';

const lake = picture('a lake');
const hill = picture('a hill');
const file = '/media/1.mp4';

/** A scene with a cover, not synced yet. */
async function withCover(options: RigOptions = {}, cover: Parameters<Rig['cover']>[1] = lake) {
  const rig = await startRig(options);
  const { ratingKey } = rig.plex.addItem({ file });
  rig.scene(1, { title: 'At the lake' });
  rig.cover(1, cover);
  return { rig, ratingKey };
}

/** The same, in step; the first sync is some minutes ago. */
async function inStep(options: RigOptions = {}, cover: Parameters<Rig['cover']>[1] = lake) {
  const { rig, ratingKey } = await withCover(options, cover);
  expect(await rig.sync(1)).toMatchObject({ kind: 'ok' });
  await rig.clock.advance(120_000);
  return { rig, ratingKey };
}

const shown = (rig: Rig) => {
  const { posterSha1, artSha1 } = rig.plex.shown(file);
  return [posterSha1, artSha1];
};

const messageOf = (outcome: Outcome): string => ('message' in outcome ? outcome.message : '');

describe.each(['item', 'picture'] as const)(
  'where the address of a picture moves with the %s',
  (pictureNumber) => {
    const behaviour = { pictureNumber };

    it('a cover becomes poster and background, locked by the same PUT as the fields', async () => {
      const { rig } = await withCover({ behaviour });
      const requests = await rig.requestsOf(async () => {
        expect(messageOf(await rig.sync(1))).toMatch(/title, .*poster, background written\.$/);
      });
      expect(requests).toEqual(['sections', 'find', 'item', 'images', 'images', 'upload', 'upload', 'edit']);
      expect(shown(rig)).toEqual([lake.sha1, lake.sha1]);
      expect(rig.plex.shown(file).locked).toEqual(expect.arrayContaining(['art', 'thumb', 'title']));
      const edit = rig.plex.requests.at(-1)?.query;
      expect([edit?.get('thumb.locked'), edit?.get('art.locked'), edit?.get('title.value')]).toEqual([
        '1',
        '1',
        'At the lake',
      ]);
    });

    it('is not fetched or sent again by a repeated or an asked sync', async () => {
      const { rig } = await inStep({ behaviour });
      expect(await rig.requestsOf(() => rig.sync(1))).toEqual([]);
      for (let round = 0; round < 3; round++) {
        expect(await rig.requestsOf(() => rig.sync(1, { asked: true }))).toEqual(['item']);
      }
      expect(rig.fetched).toHaveLength(1);
    });

    it('with a new address and the same picture costs Plex nothing', async () => {
      const { rig } = await inStep({ behaviour });
      rig.cover(1, lake);
      expect(await rig.requestsOf(() => rig.sync(1))).toEqual([]);
      expect(await rig.requestsOf(() => rig.sync(1))).toEqual([]);
      expect(rig.fetched).toHaveLength(2);
    });

    it('that changed is one POST for each kind, without a list and without a PUT', async () => {
      const { rig } = await inStep({ behaviour });
      rig.cover(1, hill);
      expect(await rig.requestsOf(() => rig.sync(1))).toEqual(['item', 'upload', 'upload']);
      expect(shown(rig)).toEqual([hill.sha1, hill.sha1]);
    });

    it('that changed with a title is one POST for each kind and one PUT', async () => {
      const { rig } = await inStep({ behaviour });
      rig.cover(1, hill);
      rig.scene(1, { title: 'On the hill' });
      expect(await rig.requestsOf(() => rig.sync(1))).toEqual(['item', 'upload', 'upload', 'edit']);
      rig.scene(1, { title: 'On the hill again' });
      expect(await rig.requestsOf(() => rig.sync(1))).toEqual(['item', 'edit']);
      expect(shown(rig)).toEqual([hill.sha1, hill.sha1]);
    });

    it('that comes back is selected, not uploaded again', async () => {
      const { rig } = await inStep({ behaviour });
      rig.cover(1, hill);
      await rig.sync(1);
      rig.cover(1, lake);
      expect(await rig.requestsOf(() => rig.sync(1))).toEqual([
        'item',
        'images',
        'images',
        'select-image',
        'select-image',
      ]);
      expect(shown(rig)).toEqual([lake.sha1, lake.sha1]);
      expect(rig.plex.writes.upload).toBe(4);
    });

    it('that a person replaced in Plex is shown again when somebody asks, without an upload', async () => {
      const { rig, ratingKey } = await inStep({ behaviour });
      await rig.pictureByHand(ratingKey, 'poster', 'by hand');
      rig.plex.clearRecords();
      expect(await rig.sync(1)).toMatchObject({ kind: 'unchanged' });
      expect(messageOf(await rig.sync(1, { asked: true }))).toContain('poster written');
      expect(shown(rig)).toEqual([lake.sha1, lake.sha1]);
      expect(rig.plex.writes).toMatchObject({ upload: 0, 'select-image': 1 });
    });

    it('that a person replaced after we looked is shown again when somebody asks', async () => {
      const { rig, ratingKey } = await inStep({ behaviour });
      await rig.sync(1, { asked: true });
      await rig.pictureByHand(ratingKey, 'art', 'by hand');
      await rig.sync(1, { asked: true });
      expect(shown(rig)).toEqual([lake.sha1, lake.sha1]);
    });

    it('is recognised after the ledger was lost, then and later', async () => {
      const { rig } = await inStep({ behaviour });
      rig.ledger = new StoredLedger(new MemoryStore());
      rig.plex.clearRecords();
      expect(await rig.sync(1)).toMatchObject({ kind: 'unchanged', looked: true });
      for (let round = 0; round < 2; round++) {
        expect(await rig.requestsOf(() => rig.sync(1, { asked: true }))).toEqual(['item']);
        rig.scene(1, { title: `Round ${round}` });
        expect(await rig.requestsOf(() => rig.sync(1))).toEqual(['item', 'edit']);
      }
      expect(rig.plex.writes.upload).toBe(0);
    });

    it('is selected after the ledger was lost and another picture shown', async () => {
      const { rig, ratingKey } = await inStep({ behaviour });
      await rig.pictureByHand(ratingKey, 'poster', 'by hand');
      rig.ledger = new StoredLedger(new MemoryStore());
      rig.plex.clearRecords();
      await rig.sync(1);
      expect(shown(rig)).toEqual([lake.sha1, lake.sha1]);
      expect(rig.plex.writes).toMatchObject({ upload: 0, 'select-image': 1 });
    });
  },
);

describe('a Plex that locks what is uploaded', () => {
  it('gets no lock of ours', async () => {
    const { rig } = await inStep({ behaviour: { uploadLocks: true } });
    rig.cover(1, hill);
    expect(await rig.requestsOf(() => rig.sync(1))).toEqual(['item', 'upload', 'upload']);
    expect(rig.plex.shown(file).locked).toEqual(expect.arrayContaining(['art', 'thumb']));
  });
});

describe('which picture', () => {
  it.each([
    ['both', [lake.sha1, lake.sha1]],
    ['poster', [lake.sha1, null]],
    ['background', [null, lake.sha1]],
    ['none', [null, null]],
  ] as const)('%s', async (syncPictureAs, expected) => {
    const { rig } = await inStep({ settings: { syncPictureAs } });
    expect(shown(rig)).toEqual(expected);
    expect(rig.plex.shown(file).locked.includes('thumb')).toBe(expected[0] !== null);
    expect(rig.plex.shown(file).locked.includes('art')).toBe(expected[1] !== null);
    expect(rig.fetched).toHaveLength(syncPictureAs === 'none' ? 0 : 1);
  });

  it('none when it is left out', async () => {
    const { rig } = await withCover({ settings: { syncSkipFields: ['picture'] } });
    const outcome = await rig.sync(1);
    expect(outcome).toMatchObject({ kind: 'ok' });
    expect(outcome).not.toHaveProperty('lookAgain');
    expect(rig.fetched).toEqual([]);
    expect(rig.ledger.get(1)).not.toHaveProperty('pictures');
  });

  it('one more when the setting allows it', async () => {
    const { rig } = await inStep({ settings: { syncPictureAs: 'poster' } });
    rig.settings = { ...rig.settings, syncPictureAs: 'both' };
    expect(await rig.requestsOf(() => rig.sync(1))).toEqual(['item', 'upload', 'edit']);
    expect(shown(rig)).toEqual([lake.sha1, lake.sha1]);
  });

  it('the cover again, after pictures were left out for a while and somebody chose another', async () => {
    const { rig, ratingKey } = await inStep({ settings: { plexKeepsOwn: true } });
    rig.settings = { ...rig.settings, syncPictureAs: 'none' };
    rig.scene(1, { title: 'Without a picture' });
    await rig.sync(1);
    await rig.clock.advance(60_000);
    await rig.client.upload(String(ratingKey), 'poster', picture('another').bytes, rig.stop.signal);
    rig.scene(1, { title: 'Still without' });
    await rig.sync(1);
    rig.settings = { ...rig.settings, syncPictureAs: 'both', plexKeepsOwn: false };
    rig.plex.clearRecords();
    await rig.sync(1);
    expect(shown(rig)).toEqual([lake.sha1, lake.sha1]);
    expect(rig.plex.writes.upload).toBe(0);
  });

  it('our old one is known as ours after pictures were left out for a while', async () => {
    const { rig } = await inStep({ settings: { plexKeepsOwn: true } });
    rig.settings = { ...rig.settings, syncPictureAs: 'none' };
    rig.scene(1, { title: 'Without a picture' });
    await rig.sync(1);
    rig.settings = { ...rig.settings, syncPictureAs: 'both' };
    rig.cover(1, hill);
    await rig.sync(1);
    expect(shown(rig)).toEqual([hill.sha1, hill.sha1]);
  });
});

describe('a scene without a cover', () => {
  it('leaves the picture in Plex alone', async () => {
    const { rig } = await inStep();
    rig.cover(1, null);
    expect(await rig.requestsOf(() => rig.sync(1))).toEqual(['item']);
    expect(shown(rig)).toEqual([lake.sha1, lake.sha1]);
    rig.cover(1, lake);
    rig.plex.clearRecords();
    await rig.sync(1);
    expect(rig.plex.writes).toMatchObject({ upload: 0, edit: 0, 'select-image': 0 });
  });

  it('asks for a second look while that is worth it, and not after it', async () => {
    const { rig } = await withCover({}, null);
    expect(await rig.sync(1)).toMatchObject({ kind: 'ok', lookAgain: true });
    expect(rig.ledger.get(1)?.pictures?.missingSince).toBe(rig.clock.now());
    await rig.clock.advance(coverMs - 1);
    expect(await rig.sync(1)).toEqual({ kind: 'unchanged', looked: false, lookAgain: true });
    rig.scene(1, { title: 'Edited meanwhile' });
    expect(await rig.sync(1)).toMatchObject({ kind: 'ok', lookAgain: true });
    expect(await rig.sync(1, { secondLook: true })).toEqual({ kind: 'unchanged', looked: false });
    await rig.clock.advance(1);
    expect(await rig.sync(1)).toEqual({ kind: 'unchanged', looked: false });
    rig.scene(1, { title: 'Edited later' });
    expect(await rig.sync(1)).not.toHaveProperty('lookAgain');
  });

  it('shows at the second look a cover that came within the same second, under the same address', async () => {
    const { rig } = await inStep({}, null);
    const address = rig.scenes.get(1)?.cover ?? '';
    rig.cover(1, lake, address);
    expect(await rig.sync(1)).toMatchObject({ kind: 'unchanged' });
    expect(rig.fetched).toHaveLength(1);
    expect(messageOf(await rig.sync(1, { secondLook: true }))).toContain('poster, background written');
    expect(shown(rig)).toEqual([lake.sha1, lake.sha1]);
    expect(rig.ledger.get(1)?.pictures).not.toHaveProperty('missingSince');
  });

  it('that is saved within the second of another save, under the same address, is sent', async () => {
    const { rig } = await inStep();
    const address = `/scene/1/screenshot?t=${Math.floor(rig.clock.now() / 1_000)}`;
    rig.cover(1, lake, address);
    rig.scene(1, { title: 'Saved first' });
    await rig.sync(1);
    rig.cover(1, picture('a new cover'), address);
    expect(messageOf(await rig.sync(1))).toContain('poster, background written');
    expect(shown(rig)).toEqual([picture('a new cover').sha1, picture('a new cover').sha1]);
    // A while later the address is believed again.
    await rig.clock.advance(3_000);
    await rig.sync(1);
    const { length } = rig.fetched;
    await rig.sync(1);
    expect(rig.fetched).toHaveLength(length);
  });

  it('is asked for again by a person, but not by work in bulk', async () => {
    const { rig } = await inStep({}, null);
    await rig.syncListed(1);
    expect(rig.fetched).toHaveLength(1);
    await rig.sync(1, { asked: true });
    expect(rig.fetched).toHaveLength(2);
  });

  it('for which Stash names no address is not asked for', async () => {
    const { rig } = await withCover();
    rig.scene(1, { cover: null });
    expect(await rig.sync(1)).toMatchObject({ kind: 'ok', lookAgain: true });
    expect(rig.fetched).toEqual([]);
  });
});

describe('a cover that cannot be used', () => {
  const large = new UnusableCover('it is too large (11 MB; Plex takes at most 10 MB).');
  const unusable = new UnusableCover('it is empty.');

  it.each([
    ['too large', large, 'too large (11 MB; Plex takes at most 10 MB)'],
    ['not a picture', unusable, 'it is empty.'],
  ])('%s: a sentence, and the fields are written', async (_, cover, sentence) => {
    const { rig } = await withCover({}, cover);
    const outcome = await rig.sync(1);
    expect(outcome).toMatchObject({ kind: 'ok', message: expect.stringContaining(sentence) });
    expect(messageOf(outcome)).toContain('The cover of scene 1 was not sent');
    expect(outcome).not.toHaveProperty('lookAgain');
    expect(rig.plex.shown(file).title).toBe('At the lake');
    expect(rig.plex.counts.upload).toBe(0);
    expect(await rig.sync(1)).toEqual({ kind: 'unchanged', looked: false });
  });

  it('because Stash fails with it is fetched again by the next sync, under the same address', async () => {
    const { rig } = await withCover({}, new UnusableCover('Stash fails to serve it (HTTP 500).', true));
    expect(messageOf(await rig.sync(1))).toContain('HTTP 500');
    expect(rig.plex.shown(file).title).toBe('At the lake');
    rig.cover(1, lake, rig.scenes.get(1)?.cover ?? '');
    expect(messageOf(await rig.sync(1))).toContain('poster, background written');
  });

  it('is told of, though nothing else changed', async () => {
    const { rig } = await inStep({}, null);
    rig.cover(1, large);
    expect(messageOf(await rig.sync(1))).toContain('too large');
  });

  it('of exactly ten megabytes is sent', async () => {
    const { rig } = await inStep({}, { ...lake, bytes: Buffer.alloc(10_000_000) });
    expect(rig.plex.writes.upload).toBe(2);
  });

  it('refused by Plex or a proxy (413): a sentence, the fields are written, and it is not tried for ever', async () => {
    const { rig } = await withCover();
    rig.plex.setFault({ kind: 'server-error', status: 413, on: 'upload' });
    const outcome = await rig.sync(1);
    expect(outcome).toMatchObject({ kind: 'ok' });
    expect(messageOf(outcome)).toContain('Plex did not take the poster: The picture is too large');
    expect(messageOf(outcome)).toContain('Plex did not take the background: ');
    expect(messageOf(outcome)).not.toContain('poster, background written');
    expect(rig.plex.shown(file)).toMatchObject({ title: 'At the lake', posterSha1: null });
    expect(rig.plex.shown(file).locked).not.toContain('thumb');
    expect(await rig.requestsOf(() => rig.sync(1))).toEqual([]);
  });
});

describe('an upload', () => {
  it('that Plex fails with keeps the fields not back, and is tried again', async () => {
    const { rig } = await withCover();
    rig.plex.setFault({ kind: 'server-error', on: 'upload' });
    expect(await rig.sync(1)).toEqual({
      kind: 'transient',
      message: expect.stringMatching(/^Scene 1 was not synced: Plex did not take the background: .*HTTP 500/),
    });
    expect(rig.plex.shown(file)).toMatchObject({ title: 'At the lake', posterSha1: null });
    rig.plex.setFault(null);
    expect(await rig.requestsOf(() => rig.sync(1))).toEqual([
      'item',
      'images',
      'images',
      'upload',
      'upload',
      'edit',
    ]);
    expect(shown(rig)).toEqual([lake.sha1, lake.sha1]);
  });

  it.each([
    ['500', { kind: 'server-error' }, 'transient'],
    ['a lost connection', { kind: 'reset' }, 'server-down'],
  ] as const)('that arrived and was answered with %s is not repeated', async (_, fault, kind) => {
    const { rig } = await withCover();
    rig.plex.setFault({ ...fault, applied: true, on: 'upload', times: 1 });
    expect(await rig.sync(1)).toMatchObject({ kind });
    rig.plex.setFault(null);
    expect(await rig.sync(1)).toMatchObject({ kind: 'ok' });
    expect(rig.plex.writes.upload).toBe(2);
    expect(shown(rig)).toEqual([lake.sha1, lake.sha1]);
    expect(rig.plex.shown(file).locked).toEqual(expect.arrayContaining(['art', 'thumb']));
  });

  it('that arrived and was lost is ours, also if the cover changed meanwhile', async () => {
    const { rig } = await withCover({ settings: { plexKeepsOwn: true }, behaviour: { uploadLocks: true } });
    rig.plex.setFault({ kind: 'reset', applied: true, on: 'upload', times: 1 });
    await rig.sync(1);
    rig.plex.setFault(null);
    rig.cover(1, hill);
    await rig.sync(1);
    expect(shown(rig)).toEqual([hill.sha1, hill.sha1]);
  });

  it('that arrived and was lost is undone when the person takes the cover back', async () => {
    const { rig } = await inStep();
    rig.cover(1, hill);
    rig.plex.setFault({ kind: 'reset', applied: true, on: 'upload', times: 1 });
    await rig.sync(1);
    expect(shown(rig)).toEqual([hill.sha1, lake.sha1]);
    rig.plex.setFault(null);
    rig.cover(1, lake);
    await rig.sync(1);
    expect(shown(rig)).toEqual([lake.sha1, lake.sha1]);
  });

  it('to an item that vanished is no failure of the scene', async () => {
    const { rig } = await inStep();
    rig.cover(1, hill);
    for (const on of ['upload', 'images'] as const) {
      rig.plex.setFault({ kind: 'server-error', status: 404, on });
      expect(await rig.sync(1)).toMatchObject({
        kind: 'not-in-plex',
        message: expect.stringContaining('Scene 1'),
      });
    }
  });

  it('of a cover that is another by now does not happen, and the new one comes', async () => {
    for (const now of [null, hill, new UnusableCover('it is empty.')]) {
      const { rig, ratingKey } = await inStep();
      const address = rig.scenes.get(1)?.cover ?? '';
      rig.plex.removeItem(ratingKey);
      rig.plex.addItem({ file });
      rig.ledger.put(1, { ...(rig.ledger.get(1) ?? expect.fail()), stale: true });
      rig.cover(1, now, address);
      rig.plex.clearRecords();
      await rig.sync(1);
      await rig.sync(1);
      expect(shown(rig)).toEqual(now === hill ? [hill.sha1, hill.sha1] : [null, null]);
      expect(rig.ledger.get(1)?.pictures?.set.poster).toBe(now === hill ? hill.sha1 : undefined);
      expect(rig.plex.shown(file).title).toBe('At the lake');
      expect(await rig.requestsOf(() => rig.sync(1))).toEqual([]);
    }
  });
});

describe('a cover that is away for a moment', () => {
  it('is sent when it is back, under the same address', async () => {
    const { rig, ratingKey } = await inStep();
    const address = rig.scenes.get(1)?.cover ?? '';
    rig.plex.removeItem(ratingKey);
    rig.plex.addItem({ file });
    rig.cover(1, null, address);
    await rig.sync(1, { asked: true });
    expect(shown(rig)).toEqual([null, null]);
    rig.cover(1, lake, address);
    await rig.sync(1);
    expect(shown(rig)).toEqual([lake.sha1, lake.sha1]);
  });
});

describe('what Plex has of its own', () => {
  const settings = { plexKeepsOwn: true };

  it('a picture that a person chose stays, and is named', async () => {
    const { rig, ratingKey } = await withCover({ settings });
    const own = await rig.pictureByHand(ratingKey, 'poster', 'by hand');
    expect(messageOf(await rig.sync(1))).toContain("background written. Plex's own poster stayed.");
    expect(shown(rig)).toEqual([own, lake.sha1]);
  });

  it('a picture that nobody chose is replaced', async () => {
    const { rig } = await inStep({ settings });
    expect(shown(rig)).toEqual([lake.sha1, lake.sha1]);
  });

  it('our own is replaced by a new cover, without a list', async () => {
    const { rig } = await inStep({ settings });
    rig.cover(1, hill);
    expect(await rig.requestsOf(() => rig.sync(1))).toEqual(['item', 'upload', 'upload']);
    expect(shown(rig)).toEqual([hill.sha1, hill.sha1]);
  });

  it('our own is replaced also when Plex changed the item meanwhile', async () => {
    const { rig, ratingKey } = await inStep({ settings });
    await rig.byHand(ratingKey, [['editionTitle.value', 'A']]);
    rig.cover(1, hill);
    await rig.sync(1);
    expect(shown(rig)).toEqual([hill.sha1, hill.sha1]);
  });

  it('a picture that a person chose after ours stays, however often the cover changes', async () => {
    const { rig, ratingKey } = await inStep({ settings });
    const own = await rig.pictureByHand(ratingKey, 'poster', 'by hand');
    expect(await rig.sync(1, { asked: true })).toMatchObject({ kind: 'unchanged', looked: true });
    rig.cover(1, hill);
    await rig.sync(1);
    await rig.clock.advance(60_000);
    rig.cover(1, lake);
    await rig.sync(1, { asked: true });
    expect(shown(rig)).toEqual([own, lake.sha1]);
  });

  it('goes when it is not to be kept any more', async () => {
    const { rig, ratingKey } = await inStep({ settings });
    await rig.pictureByHand(ratingKey, 'poster', 'by hand');
    await rig.sync(1, { asked: true });
    rig.settings = { ...rig.settings, plexKeepsOwn: false };
    await rig.syncListed(1);
    expect(shown(rig)).toEqual([lake.sha1, lake.sha1]);
  });
});

describe('trouble with Stash', () => {
  it('while a cover is fetched is not Plex’s', async () => {
    const { rig } = await withCover({}, new StashTrouble('away', 'Stash is not answering.'));
    expect(await rig.sync(1)).toEqual({ kind: 'stash-away', message: 'Stash is not answering.' });
    expect(rig.plex.requests).toEqual([]);
  });
});
