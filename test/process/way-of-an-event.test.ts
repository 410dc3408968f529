import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nextSecond, until } from '../sim/household';
import { pictureOf } from '../sim/stash/pictures';
import { home } from '../support/home';

describe('the way of an event', () => {
  it('brings an edit to Plex, and what is emptied or removed in Stash is gone in Plex', async () => {
    const household = await home();
    const { stash, plex } = household;
    await stash.edit(household.someEdit(1, 13));
    await household.drained();
    expect(await household.differences([1])).toEqual([]);
    expect(household.inPlex(1)).toMatchObject({ title: 'Take 13 of scene 1', actors: { length: 3 } });
    const locked = plex.itemByFile(household.file(1))?.locked;
    expect(locked).toEqual(expect.arrayContaining(['title', 'summary', 'studio', 'actor', 'genre']));

    await stash.edit({
      id: 1,
      title: '',
      details: '',
      studio_id: null,
      date: null,
      rating100: null,
      code: '',
      director: '',
      performer_ids: [],
      tag_ids: [],
    });
    await household.drained();
    expect(await household.differences([1])).toEqual([]);
    expect(household.inPlex(1)).toMatchObject({
      title: 'Kelp Forest 0001',
      summary: '',
      studio: '',
      date: '',
      rating: null,
      tagline: '',
      directors: [],
      actors: [],
      genres: [],
    });
    expect(plex.violations).toEqual([]);
  });

  it('needs two requests for a changed scene, also when tags go, two more for its picture, and none for one that Plex shows already [lesson 19: few requests, and no faster than Plex bears]', async () => {
    const household = await home();
    const { stash, plex } = household;
    const asked = () => plex.requests.map(({ kind }) => kind);
    await stash.edit({ id: 1, title: 'First', tag_ids: household.tags.map(String) });
    await household.drained();
    expect(plex.writes).toMatchObject({ edit: 1, upload: 2, 'select-image': 0 });

    plex.clearRecords();
    await stash.edit({ id: 1, title: 'Second' });
    await household.drained();
    expect(asked()).toEqual(['item', 'edit']);

    // Nobody can say what Plex does with tags that go, so the first time it is looked at afterwards.
    plex.clearRecords();
    await stash.edit({ id: 1, tag_ids: household.tags.slice(1).map(String) });
    await household.drained();
    expect(asked()).toEqual(['item', 'edit', 'item']);
    plex.clearRecords();
    await stash.edit({ id: 1, tag_ids: household.tags.slice(2).map(String) });
    await household.drained();
    expect(asked()).toEqual(['item', 'edit']);

    plex.clearRecords();
    await nextSecond(); // the address of a cover tells seconds apart
    await stash.setCover(1, pictureOf(4_711));
    await household.drained();
    expect(asked()).toEqual(['item', 'upload', 'upload']);

    plex.clearRecords();
    await stash.edit({ id: 1, organized: true }); // Plex does not show it
    await household.drained();
    expect(asked()).toEqual([]);

    await stash.runOperation('sluice', { mode: 'sync_recent', hours: '1' });
    await household.drained();
    expect(plex.requests.filter(({ path }) => path.endsWith('/metadata/1')).map(({ kind }) => kind)).toEqual([
      'item',
    ]);
    expect(await household.differences([1])).toEqual([]);
  });

  it('syncs every scene of a bulk edit, also when the browser goes after the first hook', async () => {
    const household = await home({ scenes: 40 });
    const { stash } = household;
    const tab = new AbortController();
    const edit = stash.editMany(
      household.scenes,
      { studio_id: String(household.studios[0]) },
      { signal: tab.signal },
    );
    await until('the second hook runs', () => stash.runs.entries.length > 1);
    tab.abort();
    await expect(edit).rejects.toThrow();
    await until('all scenes are in step', async () => (await household.differences()).length === 0);
    expect(stash.runs.entries.length).toBeLessThan(40);
    expect(household.inPlex(40)?.studio).toBe('North Shore Films');
  });

  it('keeps edits while nothing is configured, says what is missing, and sends them once it is', async () => {
    const household = await home({ configured: false });
    const { stash } = household;
    await stash.edit({ id: 1, title: 'Early' });
    await until('the worker says what is missing', () => existsSync(household.state.notice));
    await stash.edit({ id: 2, title: 'Second' });
    const said = stash.log.entries.filter(({ message }) => message.includes('"Plex address"'));
    expect(said).toHaveLength(1);
    await until('both wait', () => household.status()?.queue.waiting === 2);
    expect(household.status()?.targets.plex).toMatchObject({ url: null, breaker: { state: 'CLOSED' } });
    await household.configure();
    await household.drained();
    expect(await household.differences()).toEqual([]);
    await until('it is welcomed', () => household.log().includes('run the task "Sync all scenes" once'));
  });

  it('goes on with what a mistake in one setting leaves, and names the setting', async () => {
    const household = await home({ settings: { flowOpenSeconds: 'soon', plexPathMap: '/data => /media' } });
    await household.stash.edit({ id: 1, title: 'All the same' });
    await household.drained();
    expect(await household.differences([1])).toEqual([]);
    expect(household.log()).toMatch(/The setting ".*" is "soon"/);
  });

  it('answers a library that Plex does not have with those it has, and goes on when that is mended', async () => {
    const household = await home({ settings: { plexLibraries: 'Filme' } });
    await household.stash.edit({ id: 1, title: 'Later' });
    await until('it is said', () => household.log().includes('"Films"'));
    expect(household.log()).toContain('"Filme"');
    await until('nothing is given up', () => household.status()?.deadLetters === 0);
    await household.configure({ plexLibraries: 'Films' });
    await household.drained();
    expect(await household.differences([1])).toEqual([]);
  });

  it('works under whatever name the manifest has', async () => {
    const household = await home();
    renameSync(join(household.pluginDir, 'sluice.yml'), join(household.pluginDir, 'plex-sync.yml'));
    await household.stash.gql('mutation { reloadPlugins }');
    const settings = {
      plexUrl: household.plex.url,
      plexToken: household.plex.token,
      plexPathMap: '/data=>/media',
    };
    await household.stash.configure('plex-sync', settings);
    await household.stash.edit({ id: 1, title: 'Under another name' });
    await household.drained();
    expect(await household.differences([1])).toEqual([]);
  });

  it('forgets a scene that was deleted, and leaves Plex alone', async () => {
    const household = await home();
    await household.stash.edit({ id: 1, title: 'Going' });
    await household.drained();
    household.plex.clearRecords();
    await household.stash.destroy([1, 2]);
    await household.drained();
    expect(household.plex.requests).toEqual([]);
    expect(household.inPlex(1)?.title).toBe('Going');
  });

  it('gives up on a scene that Plex does not take, says why, and forgets that when it is synced after all', async () => {
    const libraries = ['Films', 'Talks'].map((title) => ({ title, locations: ['/media'] }));
    const household = await home({ plex: { libraries } });
    household.plex.addItem({ library: 'Talks', file: household.file(1) }); // one file in two libraries
    await household.stash.edit({ id: 1, title: 'Which one?' });
    await until('it is a dead letter', () => household.status()?.deadLetters === 1);
    expect(household.log()).toMatch(/Gave up on scene 1: .*1.*6/);
    household.plex.removeItem(6);
    await household.stash.edit({ id: 1, title: 'This one' });
    await until('it is none any more', () => household.status()?.deadLetters === 0);
    expect(await household.differences([1])).toEqual([]);
    expect(household.status()?.targets.plex).toMatchObject({ done: 1, failed: 1 });
  });
});
