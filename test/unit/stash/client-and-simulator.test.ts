/**
 * The client against the simulator, which executes the queries against Stash's schema and keeps sessions as Stash
 * does: what the fixtures of `client.test.ts` cannot show.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { StashClient } from '../../../src/stash/client';
import { parseServerConnection } from '../../../src/stash/connection';
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
      const studio = stash.addStudio({ name: 'Northern Lights' });
      const id = stash.addScene({ title: 'Kelp Forest' });
      await stash.edit({ id, details: 'Under water', date: '2024-05', studio_id: String(studio) });
      expect(await client.scene(id)).toMatchObject({
        id,
        title: 'Kelp Forest',
        details: 'Under water',
        date: '2024-05',
        studio: { id: String(studio), name: 'Northern Lights' },
      });
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
