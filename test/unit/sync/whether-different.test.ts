import { describe, expect, it } from 'vitest';
import { named, picture, type RigOptions, startRig } from './rig';

/** Scene 1 is in step, and the libraries are listed. */
async function inStep(options: RigOptions = {}, file = '/media/1.mp4') {
  const rig = await startRig(options);
  const { ratingKey } = rig.plex.addItem({ file });
  rig.scene(1, { title: 'Tides' });
  rig.cover(1, picture('sea'));
  expect(await rig.sync(1)).toMatchObject({ kind: 'ok' });
  await rig.clock.advance(120_000);
  await rig.list();
  return { rig, ratingKey };
}

describe('a scene in the ledger', () => {
  it('is in step, and that costs no request', async () => {
    const { rig } = await inStep();
    expect(await rig.requestsOf(async () => expect(rig.whyDifferent(1)).toBeNull())).toEqual([]);
  });

  it('that is in step is noted as it was seen: any later change is somebody’s', async () => {
    const { rig } = await inStep();
    rig.whyDifferent(1);
    expect(rig.ledger.get(1)?.seen).toBe(rig.plex.itemByFile('/media/1.mp4')?.updatedAt);
  });

  it('changed in Stash', async () => {
    const { rig } = await inStep();
    rig.scene(1, { tags: named('sea') });
    expect(rig.whyDifferent(1)).toBe('stash');
  });

  it('moved to another file', async () => {
    const { rig } = await inStep();
    rig.scene(1, { files: ['/data/moved/1.mp4'] });
    expect(rig.whyDifferent(1)).toBe('stash');
  });

  it('differs by a setting', async () => {
    const { rig } = await inStep();
    rig.settings = { ...rig.settings, syncContentRating: 'G' };
    expect(rig.whyDifferent(1)).toBe('stash');
    rig.settings = { ...rig.settings, syncContentRating: '', syncPictureAs: 'poster' };
    expect(rig.whyDifferent(1)).toBeNull();
  });

  it('kept something of Plex’s own that is not to be kept any more', async () => {
    const rig = await startRig({ settings: { plexKeepsOwn: true } });
    rig.plex.addItem({ file: '/media/1.mp4', summary: 'By hand.' });
    rig.scene(1, { title: 'Tides', details: 'Of the sea.' });
    await rig.sync(1);
    await rig.list();
    expect(rig.whyDifferent(1)).toBeNull();
    rig.settings = { ...rig.settings, plexKeepsOwn: false };
    expect(rig.whyDifferent(1)).toBe('stash');
  });

  it('may have a new cover, if pictures are synced at all', async () => {
    const { rig } = await inStep();
    rig.cover(1, picture('sea'));
    expect(rig.whyDifferent(1)).toBe('cover');
    rig.scene(1, { details: 'More of it.' }); // its address changes with every edit: the edit is the better reason
    expect(rig.whyDifferent(1)).toBe('stash');
    rig.scene(1, { details: '' });
    rig.settings = { ...rig.settings, syncPictureAs: 'none' };
    expect(rig.whyDifferent(1)).toBeNull();
  });

  it('without a cover is in step', async () => {
    const rig = await startRig();
    rig.plex.addItem({ file: '/media/1.mp4' });
    rig.scene(1, { title: 'Tides' });
    await rig.sync(1);
    await rig.list();
    expect(rig.whyDifferent(1)).toBeNull();
  });

  it('was interrupted', async () => {
    const { rig } = await inStep();
    rig.ledger.disbelieve();
    expect(rig.whyDifferent(1)).toBe('unsure');
  });

  it('was changed in Plex', async () => {
    const { rig, ratingKey } = await inStep();
    await rig.byHand(ratingKey, [['summary.value', 'By hand.']]);
    await rig.list();
    expect(rig.whyDifferent(1)).toBe('plex');
  });

  it('is not where it was in Plex', async () => {
    for (const change of ['removed', 'moved']) {
      const { rig, ratingKey } = await inStep();
      if (change === 'removed') rig.plex.removeItem(ratingKey);
      else rig.plex.moveItem(ratingKey, '/media/stranger.mp4');
      await rig.clock.advance(86_400_000);
      await rig.list();
      expect(rig.whyDifferent(1)).toBe('lost');
    }
  });

  it('is left out by a filter', async () => {
    const { rig } = await inStep({ settings: { syncNeverTags: ['private'] } });
    rig.scene(1, { title: 'Other', tags: named('private') });
    expect(rig.whyDifferent(1)).toBeNull();
  });
});

describe('a scene that was found by its file’s name', () => {
  const options = { settings: { plexMatchByName: true } };
  const byName = () => inStep(options, '/media/elsewhere/1.mp4');

  it('is in step', async () => {
    const { rig } = await byName();
    expect(rig.whyDifferent(1)).toBeNull();
  });

  it('is lost when that is not allowed any more', async () => {
    const { rig } = await byName();
    rig.settings = { ...rig.settings, plexMatchByName: false };
    await rig.list();
    expect(rig.whyDifferent(1)).toBe('lost');
  });

  it.each(['/media/1.mp4', '/media/third/1.mp4'])('is lost when %s came', async (file) => {
    const { rig } = await byName();
    rig.plex.addItem({ file });
    await rig.list();
    expect(rig.whyDifferent(1)).toBe('lost');
  });
});

describe('a scene that was never synced', () => {
  it('is new', async () => {
    const rig = await startRig();
    rig.plex.addItem({ file: '/media/1.mp4' });
    rig.scene(1, {});
    await rig.list();
    expect(rig.whyDifferent(1)).toBe('new');
  });

  it('is left alone while Plex does not have it, given up, discarded or not', async () => {
    const rig = await startRig();
    rig.scene(1, {});
    await rig.list();
    expect(rig.whyDifferent(1, true)).toBeNull();
    expect(rig.whyDifferent(1)).toBeNull();
    rig.plex.addItem({ file: '/media/1.mp4' });
    await rig.list();
    expect(rig.whyDifferent(1)).toBe('new');
    expect(rig.whyDifferent(1, true)).toBe('new');
  });

  it('is new when Plex has it by its name, and that is allowed', async () => {
    const rig = await startRig({ settings: { plexMissing: 'drop' } });
    rig.plex.addItem({ file: '/media/elsewhere/1.mp4' });
    rig.scene(1, {});
    await rig.list();
    expect(rig.whyDifferent(1, true)).toBeNull();
    rig.settings = { ...rig.settings, plexMatchByName: true };
    await rig.list();
    expect(rig.whyDifferent(1, true)).toBe('new');
  });

  it('that became two items is left alone once it was given up', async () => {
    const { rig } = await inStep();
    rig.plex.addItem({ file: '/media/2.mp4' });
    rig.scene(1, { files: ['/data/1.mp4', '/data/2.mp4'] });
    await rig.list();
    expect(rig.whyDifferent(1)).toBe('stash');
    expect(rig.whyDifferent(1, true)).toBeNull();
  });

  it('is left alone while it is two items', async () => {
    const rig = await startRig();
    for (const name of ['a', 'b']) rig.plex.addItem({ file: `/media/${name}.mp4` });
    rig.scene(1, { files: ['/data/a.mp4', '/data/b.mp4'] });
    await rig.list();
    expect(rig.whyDifferent(1)).toBe('new');
    expect(rig.whyDifferent(1, true)).toBeNull();
  });

  it('is left alone while a scene of a lower id is the same item', async () => {
    const { rig } = await inStep();
    rig.scene(2, { files: ['/data/1.mp4'] });
    expect(rig.whyDifferent(2, true)).toBeNull();
    rig.ledger.remove(1);
    expect(rig.whyDifferent(2, true)).toBe('new');
  });
});
