/** What happens to scenes without their being edited, and what a plugin gets to know of it: mostly nothing. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ask } from '../../sim/stash/person';
import { pictureOf } from '../../sim/stash/pictures';
import type { RelatedKind, StashSim } from '../../sim/stash/stash-sim';
import { tempDir } from '../../support/temp-dir';
import { VirtualClock } from '../../support/virtual-clock';
import { hookTypes, startStash, writePlugin, writeRecorder } from './stash-helpers';

/** A Stash whose every hook is recorded; `hooks` are those since it was last asked, `touched` the scenes. */
async function watched() {
  const dir = tempDir('stash');
  const calls = writeRecorder(dir, 'probe', [...hookTypes.scene, ...hookTypes.others]);
  const clock = new VirtualClock();
  const stash = await startStash({ dir, clock });
  let seen = 0;
  const hooks = (): { type: string; id: number; input: unknown; inputFields?: string[] }[] => {
    const all = calls();
    const fresh = all.slice(seen).map((text) => JSON.parse(text).args.hookContext);
    seen = all.length;
    return fresh;
  };
  const times = () => new Map([...stash.store.scenes.all()].map(({ id, updatedAt }) => [id, updatedAt]));
  const touched = async (work: () => Promise<unknown>): Promise<number[]> => {
    const before = times();
    await clock.advance(60_000);
    await work();
    return [...times()].filter(([id, at]) => before.get(id) !== at).map(([id]) => id);
  };
  return { stash, clock, hooks, touched };
}

const cover = (stash: StashSim, id: number) => ask(`${stash.url}/scene/${id}/screenshot`);

describe('a scan', () => {
  it('tells of a scene before its cover exists, and of the cover not at all', async () => {
    const dir = tempDir('stash');
    const calls = writeRecorder(dir, 'a-recorder', ['Scene.Create.Post', 'Scene.Update.Post']);
    const clock = new VirtualClock();
    const stash = await startStash({ dir, clock });
    const script = `cat > /dev/null; node -e 'fetch("${stash.url}/scene/1/screenshot").then((r) => console.log(JSON.stringify({output: r.headers.get("content-type")})))' > ${dir}/seen`;
    writePlugin(dir, 'b-looker', { script, hooks: ['Scene.Create.Post'] });
    await stash.gql('mutation{reloadPlugins}');
    stash.disk.add('/data/new.mp4');
    await stash.scan();
    expect(readFileSync(`${dir}/seen`, 'utf8')).toContain('image/svg+xml');
    expect((await cover(stash, 1)).body).toEqual(pictureOf(1));
    expect(calls()).toHaveLength(1);
  });

  it('makes covers only when it is asked to', async () => {
    const { stash } = await watched();
    stash.disk.add('/data/new.mp4');
    await stash.scan(undefined, { covers: false });
    expect((await cover(stash, 1)).headers['content-type']).toBe('image/svg+xml');
  });

  it('of a folder that moved changes the paths below it, and neither tells nor touches anything', async () => {
    const { stash, hooks, touched } = await watched();
    stash.addScene({ path: '/data/nature/a.mp4' });
    stash.addScene({ path: '/data/nature/deep/b.mp4' });
    stash.addScene({ path: '/data/nature films/c.mp4' });
    expect(await touched(() => stash.moveFolder('/data/nature', '/data/wild'))).toEqual([]);
    expect([...stash.store.files.all()].map(({ path }) => path)).toEqual([
      '/data/wild/a.mp4',
      '/data/wild/deep/b.mp4',
      '/data/nature films/c.mp4',
    ]);
    expect(hooks()).toEqual([]);
  });
});

describe('covers that are generated', () => {
  it('touch the scenes that had none, without a hook', async () => {
    const { stash, hooks, touched } = await watched();
    for (const given of [{ cover: null }, {}, { cover: null, files: [] }]) stash.addScene(given);
    expect(await touched(() => stash.generateCovers())).toEqual([1]);
    expect((await cover(stash, 1)).body).toEqual(pictureOf(1));
    expect(await touched(() => stash.generateCovers([2], { overwrite: true }))).toEqual([2]);
    expect(hooks()).toEqual([]);
  });

  it('from a chosen second are others than before', async () => {
    const { stash, hooks, touched } = await watched();
    stash.addScene();
    expect(await touched(() => stash.generateScreenshot(1, 12.5))).toEqual([1]);
    expect((await cover(stash, 1)).body).not.toEqual(pictureOf(1));
    expect(hooks()).toEqual([]);
  });
});

describe('pictures that are uploaded', () => {
  it.each([
    ['\x89PNG\r\n\x1a\n', 'image/png'],
    ['GIF89a', 'image/gif'],
    ['RIFF....WEBPVP8 ', 'image/webp'],
    ['  <!doctype html>', 'text/html; charset=utf-8'],
    ['<svg/>', 'image/svg+xml'],
    ['\0\0\0 ftypavif', 'application/octet-stream'],
  ])('have the type that their bytes tell: %j', async (bytes, type) => {
    const stash = await startStash();
    await stash.setCover(stash.addScene(), Buffer.from(bytes, 'latin1'));
    expect((await cover(stash, 1)).headers['content-type']).toBe(type);
  });
});

describe('auto-tagging', () => {
  it('gives scenes what their paths name, touches those only, and runs no hook', async () => {
    const { stash, hooks, touched } = await watched();
    const [ada, bo] = ['Ada Berg', 'Bo'].map((name) => stash.addPerformer(name));
    const [north, south] = ['North', 'South'].map((name) => stash.addStudio(name));
    stash.addTag('Kelp');
    stash.addScene({ path: '/data/North/ada.berg_kelp.mp4', performerIds: [bo ?? 0] });
    stash.addScene({ path: '/data/South/boat.mp4', studioId: north ?? 0 });
    expect(await touched(() => stash.autoTag())).toEqual([1]);
    expect(stash.store.scenes.get(1)).toMatchObject({
      performerIds: [ada, bo],
      studioId: north,
      tagIds: [1],
    });
    expect(stash.store.scenes.get(2)).toMatchObject({ performerIds: [], studioId: north, tagIds: [] });
    expect(south).toBe(2);
    expect(hooks()).toEqual([]);
  });
});

describe('performers, studios, tags and groups', () => {
  const on = (kind: RelatedKind, id: number) =>
    ({
      Performer: { performerIds: [id] },
      Studio: { studioId: id },
      Tag: { tagIds: [id] },
      Group: { groups: [{ groupId: id }] },
    })[kind];
  const add = (stash: StashSim, kind: RelatedKind, name: string): number =>
    ({ Performer: stash.addPerformer, Studio: stash.addStudio, Tag: stash.addTag, Group: stash.addGroup })[
      kind
    ](name);
  const kinds: RelatedKind[] = ['Performer', 'Studio', 'Tag', 'Group'];
  const left = (stash: StashSim) =>
    stash.gql('{findScene(id:"1"){performers{id} studio{id} tags{id} groups{group{id}}}}');
  const nothing = { findScene: { performers: [], studio: null, tags: [], groups: [] } };

  it.each(kinds)('that are destroyed together each run a hook with all ids, as texts: %s', async (kind) => {
    const { stash, hooks, touched } = await watched();
    const ids = ['North', 'South'].map((name) => add(stash, kind, name));
    stash.addScene(on(kind, ids[0] ?? 0));
    expect(await touched(() => stash.destroyRelated(kind, ids))).toEqual([]);
    const names = kind === 'Group' ? ['Group', 'Movie'] : [kind];
    expect(hooks()).toEqual(
      [1, 2].flatMap((id) => names.map((name) => ({ id, type: `${name}.Destroy.Post`, input: ['1', '2'] }))),
    );
    expect(await left(stash)).toEqual(nothing);
  });

  it.each(kinds)('that are destroyed alone or renamed run a hook of their own: %s', async (kind) => {
    const { stash, hooks, touched } = await watched();
    stash.addScene(on(kind, add(stash, kind, 'North')));
    expect(await touched(() => stash.rename(kind, 1, 'South'))).toEqual([]);
    expect(hooks()[0]).toMatchObject({
      id: 1,
      type: `${kind}.Update.Post`,
      inputFields: expect.arrayContaining(['id', 'name']),
    });
    expect(await touched(() => stash.destroyRelated(kind, [1]))).toEqual([]);
    expect(hooks()[0]).toEqual({ id: 1, type: `${kind}.Destroy.Post`, input: { id: '1' } });
    expect(await left(stash)).toEqual(nothing);
  });

  it('are all kept when one of those to be destroyed is missing, or is needed', async () => {
    const { stash, hooks } = await watched();
    for (const name of ['Kelp', 'Reef']) stash.addTag(name);
    stash.addScene({ markers: [{ title: 'surface', seconds: 1, primaryTagId: 2 }] });
    await expect(stash.destroyRelated('Tag', [1, 9])).rejects.toThrow('id 9 does not exist in tags');
    await expect(stash.destroyRelated('Tag', [1, 2])).rejects.toThrow('primary tag in scene markers');
    expect([stash.store.tags.size, hooks()]).toEqual([2, []]);
  });

  it('that are tags and merged run one hook, of the one that stays', async () => {
    const { stash, hooks, touched } = await watched();
    for (const name of ['Kelp', 'Seaweed', 'Algae']) stash.addTag(name);
    stash.addScene({ tagIds: [2, 3] });
    expect(await touched(() => stash.mergeTags([2, 3], 1))).toEqual([]);
    expect(hooks()).toEqual([
      { id: 1, type: 'Tag.Merge.Post', input: { source: ['2', '3'], destination: '1' } },
    ]);
    expect(stash.store.scenes.get(1)?.tagIds).toEqual([1]);
  });

  it('that are performers and merged run no hook at all', async () => {
    const { stash, hooks, touched } = await watched();
    for (const name of ['Ada', 'Ada B.', 'Bo']) stash.addPerformer(name);
    stash.addScene({ performerIds: [2, 3] });
    stash.addScene({ performerIds: [1, 2] });
    expect(await touched(() => stash.mergePerformers([2], 1))).toEqual([]);
    expect([...stash.store.scenes.all()].map(({ performerIds }) => performerIds)).toEqual([[1, 3], [1]]);
    expect(hooks()).toEqual([]);
    await expect(stash.mergePerformers([1], 1)).rejects.toThrow('cannot be in source list');
    await expect(stash.mergePerformers([9], 1)).rejects.toThrow('performer with id 9 not found');
  });
});

describe('scenes that are merged', () => {
  it('leave one with all files, touched, and run no hook', async () => {
    const { stash, hooks, touched } = await watched();
    for (const name of ['a', 'b', 'c']) stash.addScene({ path: `/data/${name}.mp4` });
    expect(await touched(() => stash.merge([1, 2], 3, { title: 'All' }))).toEqual([3]);
    expect(await stash.gql('{findScenes{scenes{id title files{path}}}}')).toEqual({
      findScenes: {
        scenes: [
          { id: '3', title: 'All', files: ['c', 'a', 'b'].map((name) => ({ path: `/data/${name}.mp4` })) },
        ],
      },
    });
    expect(hooks()).toEqual([]);
  });
});
