/**
 * The client against the simulator, which executes the queries against Stash's schema and keeps sessions as Stash
 * does: what the fixtures of `client.test.ts` cannot show.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Related, StashClient } from '../../../src/stash/client';
import { parseServerConnection } from '../../../src/stash/connection';
import { UnusableCover } from '../../../src/stash/picture';
import { pictureOf } from '../../sim/stash/pictures';
import { StashSim, type StashSimOptions } from '../../sim/stash/stash-sim';
import { tempDir } from '../../support/temp-dir';
import { VirtualClock } from '../../support/virtual-clock';

async function start(options: Partial<StashSimOptions> = {}) {
  const clock = new VirtualClock();
  const stash = await StashSim.start({ dir: tempDir('stash'), clock, ...options });
  onTestFinished(() => stash.stop());
  const connection = parseServerConnection(stash.serverConnection());
  return { stash, clock, client: new StashClient({ connection, pluginId: 'sluice', clock }) };
}

const refusedBy = (work: Promise<unknown>) => expect(work).rejects.toMatchObject({ kind: 'unauthorised' });

describe('the client and a Stash', () => {
  for (const https of [false, true]) {
    it(`agree on every query (${https ? 'https' : 'http'})`, async () => {
      const dir = tempDir('stash');
      mkdirSync(join(dir, 'plugins', 'sluice'), { recursive: true });
      const manifest = 'name: Sluice\nversion: 0.1.0\ninterface: raw\nexec:\n  - sh\n';
      writeFileSync(join(dir, 'plugins', 'sluice', 'sluice.yml'), manifest);
      const { stash, client } = await start({ dir, https });
      const studio = stash.addStudio({ name: 'Northern Lights', parentId: stash.addStudio('North') });
      const id = stash.addScene({ title: 'Kelp Forest' });
      await stash.edit({
        id,
        details: 'Under water',
        date: '2024-05',
        studio_id: String(studio),
        code: 'NL-1',
        director: 'Ida Holm',
        rating100: 85,
        organized: true,
        groups: [{ group_id: String(stash.addGroup('Rivers')) }],
      });
      const scene = await client.scene(id);
      expect(scene).toEqual({
        id,
        title: 'Kelp Forest',
        code: 'NL-1',
        details: 'Under water',
        date: '2024-05',
        director: 'Ida Holm',
        rating100: 85,
        organized: true,
        cover: expect.stringMatching(/^\/scene\/1\/screenshot\?t=\d+$/),
        files: ['/data/library/Scene 1.mp4'],
        studio: { id: String(studio), name: 'Northern Lights', parent: { id: '1', name: 'North' } },
        performers: [],
        tags: [],
        groups: [{ id: '1', name: 'Rivers' }],
      });
      expect(await client.scenes({ after: 0, updatedSince: null, limit: 5 })).toEqual({
        total: 1,
        scenes: [scene],
        last: null,
      });
      expect((await client.cover(scene?.cover ?? ''))?.bytes).toEqual(pictureOf(id));
      expect(await client.scene(id + 1)).toBeNull();
      expect(await client.pluginState()).toEqual({ settings: {}, enabled: true, version: '0.1.0' });
      await stash.configure('sluice', { plexUrl: 'http://plex:32400', flowOpenSeconds: 5 });
      expect((await client.pluginState()).settings).toEqual({
        plexUrl: 'http://plex:32400',
        flowOpenSeconds: 5,
      });
    });
  }

  it('walk through a library page by page, each scene once', async () => {
    const { stash, client } = await start();
    const all = Array.from({ length: 25 }, () => stash.addScene());
    await stash.destroy(all.slice(3, 6));
    const seen: number[] = [];
    let after: number | null = 0;
    while (after !== null) {
      const page: { ids: number[]; last: number | null } = await client.sceneIds({
        after,
        updatedSince: null,
        limit: 10,
      });
      seen.push(...page.ids);
      after = page.last;
    }
    expect(seen).toEqual(all.filter((_, i) => i < 3 || i > 5));
    expect(stash.count('findScenes')).toBe(3);
  });

  it('agree on which scenes a performer, studio, tag or group is on, also when it is gone', async () => {
    const { stash, client } = await start();
    const performer = stash.addPerformer('Ada');
    const [north = 0, films = 0, deep = 0] = ['North', 'North Films', 'Deep North'].map((name, i) =>
      stash.addStudio({ name, parentId: i || null }),
    );
    const birds = stash.addTag('Birds');
    const herons = stash.addTag({ name: 'Herons', parentIds: [birds] });
    const group = stash.addGroup('Rivers');
    stash.addScene({ performerIds: [performer], studioId: north, tagIds: [birds] });
    stash.addScene({ performerIds: [performer], studioId: films, groups: [{ groupId: group }] });
    stash.addScene({ performerIds: [performer], studioId: deep, tagIds: [herons] });
    const ids = async (object: Related['object'], id: number, withChildren = false, after = 0) =>
      (await client.relatedSceneIds({ object, id, withChildren }, after, 2)).ids;
    expect(await client.relatedSceneIds({ object: 'Performer', id: 1, withChildren: false }, 0, 2)).toEqual({
      total: 3,
      ids: [1, 2],
      last: 2,
    });
    expect(await ids('Performer', performer, false, 2)).toEqual([3]);
    expect(await ids('Studio', north)).toEqual([1]);
    expect(await ids('Studio', north, true)).toEqual([1, 2]);
    expect(await ids('Tag', birds)).toEqual([1]);
    expect(await ids('Group', group)).toEqual([2]);
    await stash.destroyRelated('Studio', [north]);
    expect(await ids('Studio', north, true)).toEqual([]);
  });

  it.each([-720, 0, 330, 840])(
    'agree on what changed lately, %d minutes from UTC',
    async (utcOffsetMinutes) => {
      const { stash, clock, client } = await start({ utcOffsetMinutes });
      const [old = 0, recent = 0] = [stash.addScene(), stash.addScene()];
      await stash.edit({ id: old, title: 'old' });
      await clock.advance(3_600_000);
      const updatedSince = new Date(clock.now());
      await stash.edit({ id: recent, title: 'recent' });
      expect((await client.sceneIds({ after: 0, updatedSince, limit: 10 })).ids).toEqual([recent]);
    },
  );

  it('stay on terms for a day with nothing but the cookie of one hook, across a restart', async () => {
    const { stash, clock, client } = await start({ username: 'ada' });
    for (let minutes = 0; minutes < 24 * 60; minutes += 5) {
      if (minutes === 600) await stash.restart();
      // The first try after a restart may still meet a connection of the old process.
      await vi.waitFor(() => client.pluginState());
      await clock.advance(300_000);
    }
    // What the worker keeps is good for the next one.
    const next = new StashClient({ connection: client.connection, pluginId: 'sluice', clock });
    expect(await next.scene(1)).toBeNull();
  });

  it('part when the session has expired, and meet again with the next hook', async () => {
    const { stash, clock, client } = await start({ username: 'ada' });
    await client.scene(1);
    await clock.advance(3_700_000);
    await refusedBy(client.scene(1));
    client.useConnection(parseServerConnection(stash.serverConnection()));
    expect(await client.scene(1)).toBeNull();
  });

  it('stay on terms with an API key, also when it is replaced after hours', async () => {
    const { stash, clock, client } = await start({ username: 'ada', apiKey: 'first-api-key' });
    for (let minutes = 0; minutes < 300; minutes += 5) {
      await client.pluginState();
      await clock.advance(300_000);
    }
    stash.credentials.apiKey = 'second-api-key';
    expect(await client.scene(1)).toBeNull();
    stash.credentials.apiKey = '';
    expect(await client.scene(1)).toBeNull();
  });
});

describe('covers of a Stash', () => {
  const webp = Buffer.from('RIFF....WEBPVP8 ', 'latin1');
  const coverOf = async (client: StashClient, id: number) =>
    client.cover((await client.scene(id))?.cover ?? 'none');

  it('come after the scene, change their address whenever they change, and are none before', async () => {
    const { stash, clock, client } = await start();
    stash.disk.add('/data/new.mp4');
    await stash.scan(undefined, { covers: false });
    const addresses = new Set([(await client.scene(1))?.cover]);
    expect(await coverOf(client, 1)).toBeNull();
    const changes = [
      [() => stash.generateCovers(), pictureOf(1)],
      [() => stash.setCover(1, webp), webp],
      [() => stash.generateScreenshot(1, 7.5), expect.any(Buffer)],
    ] as const;
    const pictures = new Set<string | undefined>();
    for (const [change, bytes] of changes) {
      await clock.advance(60_000);
      await change();
      const cover = await coverOf(client, 1);
      expect(cover?.bytes).toEqual(bytes);
      pictures.add(cover?.sha1);
      addresses.add((await client.scene(1))?.cover);
    }
    expect([addresses.size, pictures.size]).toEqual([4, 3]);
  });

  it.each(['https://films.example', 'https://films.example/stash'])(
    'are found where Stash is, not at what people call it (%s)',
    async (externalHost) => {
      const { stash, client } = await start({ externalHost });
      const id = stash.addScene();
      expect((await coverOf(client, id))?.bytes).toEqual(pictureOf(id));
    },
  );

  it('are shown to who has the cookie or the API key, and to nobody else', async () => {
    const { stash, clock, client } = await start({ username: 'ada' });
    const id = stash.addScene();
    const path = (await client.scene(id))?.cover ?? '';
    expect((await client.cover(path))?.bytes).toEqual(pictureOf(id));
    const stranger = new StashClient({
      connection: { ...client.connection, cookie: null },
      pluginId: 'sluice',
      clock,
    });
    await refusedBy(stranger.cover(path));
    await clock.advance(3_700_000);
    await refusedBy(client.cover(path));
    client.useConnection(parseServerConnection(stash.serverConnection()));
    stash.credentials.apiKey = 'picture-key';
    await client.pluginState();
    expect((await client.cover(path))?.type).toBe('image/png');
    expect(stash.requests.entries.at(-1)?.headers.apikey).toBe('picture-key');
  });

  it('that Stash took for a picture without looking are of no use', async () => {
    const { stash, client } = await start();
    const id = stash.addScene();
    await stash.setCover(id, Buffer.from('<html>Not found</html>'));
    await expect(coverOf(client, id)).rejects.toBeInstanceOf(UnusableCover);
  });

  it('that break off are trouble, and there the next time', async () => {
    const { stash, client } = await start();
    const id = stash.addScene();
    stash.inject({ kind: 'cut', times: 1, when: ({ path }) => path.includes('screenshot') });
    await expect(coverOf(client, id)).rejects.toMatchObject({ kind: 'away' });
    expect((await coverOf(client, id))?.bytes).toEqual(pictureOf(id));
  });
});
