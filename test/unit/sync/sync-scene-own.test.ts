/** The ledger's part: what is believed, what is ours, and what a crash or a changed setting makes of it. */
import { describe, expect, it } from 'vitest';
import type { Scene } from '../../../src/stash/scene';
import { named, type Rig, type RigOptions, startRig } from './rig';

const file = '/media/1.mp4';
const talk: Partial<Scene> = { title: 'Rivers', details: 'About rivers.', tags: named('Water', 'Talk') };

async function inStep(options: RigOptions = {}, item: Parameters<Rig['plex']['addItem']>[0] = {}) {
  const rig = await startRig(options);
  const { ratingKey } = rig.plex.addItem({ file, ...item });
  rig.scene(1, talk);
  const outcome = await rig.sync(1);
  expect(outcome).toMatchObject({ kind: 'ok' });
  await rig.clock.advance(120_000);
  return { rig, ratingKey, outcome };
}

/** The process dies at this moment: nothing that comes after it reaches the ledger. */
async function crashAfter(rig: Rig, request: 'edit' | 'upload'): Promise<void> {
  const { ledger, plex } = rig;
  const before = plex.writes[request];
  const { put } = ledger;
  ledger.put = (scene, entry) => {
    if (plex.writes[request] > before) throw new Error('the process died');
    put.call(ledger, scene, entry);
  };
  await expect(rig.sync(1)).rejects.toThrow('the process died');
  ledger.put = put;
  expect(plex.writes[request]).toBeGreaterThan(before);
}

it('what we wrote stays ours while the scene is not found for a while, as with a wrong path map', async () => {
  const { rig, ratingKey } = await inStep({ settings: { plexKeepsOwn: true } });
  rig.scene(1, { files: ['/elsewhere/1.mp4'], title: 'Lakes', details: 'About lakes.' });
  expect(await rig.sync(1)).toMatchObject({ kind: 'not-in-plex' });
  await rig.list();
  expect(rig.whyDifferent(1, true)).toBeNull(); // given up, and still not there
  rig.scene(1, { files: ['/data/1.mp4'] });
  expect(await rig.sync(1)).toMatchObject({ kind: 'ok' });
  expect(rig.plex.item(ratingKey)).toMatchObject({ title: 'Lakes', summary: 'About lakes.' });
});

it('what we wrote for another scene of the same item is ours too', async () => {
  const { rig, ratingKey } = await inStep({ settings: { plexKeepsOwn: true } });
  rig.scenes.delete(1); // cleaned, and scanned again under a new number
  rig.scene(2, { ...talk, files: ['/data/1.mp4'], title: 'Lakes', details: 'About lakes.' });
  expect(await rig.sync(2)).toMatchObject({ kind: 'ok' });
  expect(rig.plex.item(ratingKey)).toMatchObject({ title: 'Lakes', summary: 'About lakes.' });
});

describe('a crash between a write and its record', () => {
  it('leads to another look, which writes nothing', async () => {
    const { rig } = await inStep();
    rig.scene(1, { title: 'Lakes' });
    await crashAfter(rig, 'edit');
    expect(rig.ledger.get(1)).toMatchObject({ stale: true });
    expect(await rig.requestsOf(() => rig.sync(1))).toEqual(['item']);
    expect(await rig.requestsOf(() => rig.sync(1))).toEqual([]);
  });

  it('at the very first write too', async () => {
    const rig = await startRig({ settings: { plexKeepsOwn: true } });
    rig.plex.addItem({ file });
    rig.scene(1, talk);
    await crashAfter(rig, 'edit');
    expect(rig.keeps).toBe(1);
    rig.scene(1, { title: 'Lakes', tags: named('Talk'), details: 'About lakes.' });
    expect(await rig.sync(1)).toMatchObject({ kind: 'ok' });
    expect(rig.plex.shown(file)).toMatchObject({ title: 'Lakes', summary: 'About lakes.', genres: ['Talk'] });
  });

  it('does not make Plex’s own of what we wrote', async () => {
    const { rig } = await inStep({ settings: { plexKeepsOwn: true } });
    rig.scene(1, { title: 'Lakes', details: 'About lakes.', tags: named('Talk', 'Lake') });
    await crashAfter(rig, 'edit');
    rig.scene(1, { title: 'Seas', details: 'About seas.', tags: named('Talk') });
    expect(await rig.sync(1)).toMatchObject({ kind: 'ok', message: expect.not.stringContaining('own') });
    expect(rig.plex.shown(file)).toMatchObject({ title: 'Seas', summary: 'About seas.', genres: ['Talk'] });
  });

  it('has the ledger on disk before the first write exactly where that matters', async () => {
    for (const plexKeepsOwn of [true, false]) {
      const { rig } = await inStep({ settings: { plexKeepsOwn } });
      expect(rig.keeps).toBe(plexKeepsOwn ? 1 : 0);
      await rig.sync(1, { asked: true });
      expect(rig.keeps).toBe(plexKeepsOwn ? 1 : 0);
    }
  });
});

describe('what a person has in Plex', () => {
  const own = { summary: 'My own words.', genres: ['Favourite'] };

  it('is replaced, unless it may stay', async () => {
    const { rig } = await inStep({}, own);
    expect(rig.plex.shown(file)).toMatchObject({ summary: 'About rivers.', genres: ['Water', 'Talk'] });
  });

  it('stays and is named, however often Stash changes', async () => {
    const { rig, outcome } = await inStep({ settings: { plexKeepsOwn: true } }, own);
    expect(outcome).toMatchObject({ message: expect.stringContaining("Plex's own summary, genres stayed.") });
    rig.scene(1, { details: 'About lakes.', title: 'Lakes', tags: named('Lake') });
    expect(await rig.sync(1)).toMatchObject({ kind: 'ok' });
    expect(rig.plex.shown(file)).toMatchObject({ title: 'Lakes', summary: 'My own words.' });
    expect(rig.plex.shown(file).genres.sort()).toEqual(['Favourite', 'Lake']);
  });

  it('goes with the next pass over everything, when it is not to be kept any more', async () => {
    for (const changes of [true, false]) {
      const { rig } = await inStep({ settings: { plexKeepsOwn: true } }, own);
      // With nothing to write beside it, it is remembered all the same.
      if (!changes) await rig.sync(1, { asked: true });
      await rig.syncListed(1);
      expect(rig.plex.shown(file).summary).toBe('My own words.');
      rig.settings = { ...rig.settings, plexKeepsOwn: false };
      await rig.syncListed(1);
      expect(rig.plex.shown(file)).toMatchObject({ summary: 'About rivers.', genres: ['Water', 'Talk'] });
      await rig.list();
      expect(await rig.requestsOf(() => rig.sync(1, { asked: true, listFirst: true }))).toEqual([]);
    }
  });
});

describe('tags that become labels', () => {
  it('leave the genres: ours go, hand-made ones stay', async () => {
    const { rig, ratingKey } = await inStep();
    await rig.byHand(ratingKey, [
      ['genre[0].tag.tag', 'Water'],
      ['genre[1].tag.tag', 'Talk'],
      ['genre[2].tag.tag', 'Favourite'],
    ]);
    rig.settings = { ...rig.settings, syncTagsAs: 'labels' };
    expect(await rig.sync(1)).toMatchObject({ kind: 'ok' });
    expect(rig.plex.shown(file)).toMatchObject({ genres: ['Favourite'], labels: ['Water', 'Talk'] });
    expect(await rig.requestsOf(() => rig.sync(1))).toEqual([]);
    expect(await rig.requestsOf(() => rig.sync(1, { asked: true }))).toEqual(['item']);
  });
});

describe('requests for a scene', () => {
  it('that changed in any field: one GET and one PUT', async () => {
    const { rig } = await inStep();
    const changes: Partial<Scene>[] = [
      { title: 'Lakes' },
      { details: '' },
      { date: '2020' },
      { rating100: 75 },
      { director: 'Ada' },
      { code: 'L-1' },
      { performers: named('Bo', 'Cy') },
      { tags: named('Water', 'Talk', 'Lake') },
      { studio: { id: '1', name: 'Blue', parent: null } },
    ];
    for (const change of changes) {
      rig.scene(1, change);
      expect(await rig.requestsOf(() => rig.sync(1))).toEqual(['item', 'edit']);
    }
    expect(rig.plex.shown(file)).toMatchObject({
      title: 'Lakes',
      summary: '',
      originallyAvailableAt: '2020-01-01',
      userRating: 7.5,
      directors: ['Ada'],
      tagline: 'L-1',
      actors: ['Bo', 'Cy'],
      studio: 'Blue',
    });
  });
});
