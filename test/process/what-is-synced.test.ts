/** What arrives in Plex, and how, by the settings. */
import { describe, it } from 'vitest';
import { fieldNames } from '../../src/stash/sync-settings';
import { type Household, until } from '../sim/household';
import { Client } from '../sim/plex/client';
import type { Shown } from '../sim/plex/item-state';
import { home } from '../support/home';
import { plexIn } from '../support/worker-life';

/** A scene with something in every field. */
const everything = ({ people, tags, studios, groups }: Household) => ({
  title: 'The Lake at Dawn',
  details: 'Mist, then light.',
  date: '2024-05',
  rating100: 75,
  director: 'Ines Falk',
  code: 'NS-0042',
  organized: true,
  studio_id: String(studios[0]),
  performer_ids: people.map(String),
  tag_ids: tags.map(String),
  groups: groups.map((id) => ({ group_id: String(id) })),
});

const shown = (household: Household, scene = 1): Shown => household.plex.shown(household.file(scene));

describe.concurrent('every field', () => {
  it('arrives, is locked, and follows when it is emptied', async ({ expect, onTestFinished }) => {
    const household = await home({ scenes: 1 }, onTestFinished);
    await household.stash.edit({ id: 1, ...everything(household) });
    await household.drained();
    expect(await household.differences([1])).toEqual([]);
    expect(shown(household)).toMatchObject({
      titleSort: 'Lake at Dawn',
      originallyAvailableAt: '2024-05-01',
      userRating: 7.5,
      tagline: 'NS-0042',
      directors: ['Ines Falk'],
      actors: { length: 4 },
      genres: { length: 4 },
      labels: [],
      collections: [],
      posterSha1: expect.any(String),
    });
    const texts = [
      'title',
      'titleSort',
      'summary',
      'studio',
      'originallyAvailableAt',
      'userRating',
      'tagline',
    ];
    const others = ['director', 'actor', 'genre', 'thumb', 'art'];
    expect(shown(household).locked).toEqual([...texts, ...others].sort());
    const emptied = Object.keys(everything(household)).filter((field) => field !== 'organized');
    const lists = ['performer_ids', 'tag_ids', 'groups'];
    const nothing = emptied.map((field) => [field, lists.includes(field) ? [] : null]);
    await household.stash.edit({ id: 1, ...Object.fromEntries(nothing) });
    await household.drained();
    expect(await household.differences([1])).toEqual([]);
    expect(household.plex.violations).toEqual([]);
  });

  it('can be left out: Plex’s value stays, and the other fields arrive', async ({
    expect,
    onTestFinished,
  }) => {
    const household = await home({ scenes: 2 }, onTestFinished);
    const { stash, plex } = household;
    const own = {
      title: 'Own title',
      titleSort: 'Own sort title',
      summary: 'Own summary',
      tagline: 'Own tagline',
      studio: 'Own studio',
      contentRating: 'G',
      originallyAvailableAt: '2001-01-01',
      userRating: 1,
      genres: ['Own genre'],
      actors: ['Own Actor'],
      directors: ['Own Director'],
      collections: ['Own collection'],
      locked: ['titleSort'], // otherwise Plex itself makes another one of every new title
    };
    for (const [round, scene] of household.scenes.entries()) {
      plex.removeItem(plex.itemByFile(household.file(scene))?.ratingKey ?? 0);
      plex.addItem({ file: household.file(scene), ...own });
      const before = byField(shown(household, scene));
      const skipped = fieldNames.filter((_, index) => index % 2 === round);
      await household.reconfigure({
        syncSkipFields: skipped.join(', '),
        syncCollectionsFrom: 'studio, groups',
        syncContentRating: 'PG',
      });
      await stash.edit({ id: scene, ...everything(household) });
      await household.drained();
      const after = byField(shown(household, scene));
      for (const field of fieldNames) {
        const isLeft = skipped.includes(field);
        expect([field, JSON.stringify(after[field]) === JSON.stringify(before[field])]).toEqual([
          field,
          isLeft,
        ]);
      }
      expect(after).toMatchObject(
        round === 0
          ? { sortTitle: 'Lake at Dawn', studio: 'North Shore Films', rating: 7.5, code: 'NS-0042' }
          : { title: 'The Lake at Dawn', date: '2024-05-01', director: ['Ines Falk'], contentRating: 'PG' },
      );
    }
  });
});

/** By the names that the settings have for the fields. */
const byField = (item: Shown): Record<(typeof fieldNames)[number], unknown> => ({
  title: item.title,
  sortTitle: item.titleSort,
  summary: item.summary,
  studio: item.studio,
  date: item.originallyAvailableAt,
  rating: item.userRating,
  director: item.directors,
  code: item.tagline,
  contentRating: item.contentRating,
  performers: item.actors,
  tags: item.genres,
  collections: item.collections,
  picture: [item.posterSha1, item.artSha1],
});

describe.concurrent('a setting that changes what Plex shows', () => {
  it('is noticed, told once with what to do, and applied by "Sync all scenes"; what went elsewhere leaves nothing behind', async ({
    expect,
    onTestFinished,
  }) => {
    const household = await home({ scenes: 2 }, onTestFinished);
    const { stash } = household;
    const [studio = 0, above = 0] = household.studios;
    await stash.editRelated('Studio', { id: studio, parent_id: String(above) });
    await stash.edit({ id: 1, ...everything(household) });
    await household.syncAll();
    const tags = shown(household).genres;
    expect(tags).toHaveLength(4);
    const changed = 'A setting changed that says what Plex shows.';
    expect(household.notice()).not.toContain(changed);

    await household.reconfigure({ syncTagsAs: 'labels', syncStudioParent: true, syncContentRating: 'PG' });
    await until('there is something to tell', () => household.notice().includes(changed));
    await stash.edit({ id: 2, title: 'Any edit' });
    const told = stash.log.messages('warning').filter((message) => message.includes(changed));
    expect(told).toEqual([expect.stringContaining('run "Sync all scenes" to apply it')]);
    expect(shown(household).labels).toEqual([]);
    await household.syncAll();
    await until('nothing is to be told', () => !household.notice().includes(changed));
    expect(shown(household)).toMatchObject({
      genres: [],
      labels: tags,
      studio: "North Shore Films (O'Brien / Sons)",
      contentRating: 'PG',
    });

    await household.reconfigure({ syncTagsAs: 'collections', syncCollectionsFrom: 'studio, groups' });
    await household.syncAll();
    const sources = ['North Shore Films', 'Seasons at the Lake', 'Talks, 2024'];
    expect(shown(household)).toMatchObject({
      labels: [],
      studio: 'North Shore Films',
      contentRating: 'PG',
    });
    expect(shown(household).collections.toSorted()).toEqual([...sources, ...tags].sort());

    await household.reconfigure({ syncCollectionsFrom: 'groups, "tag:Rivers, lakes & co"' });
    await household.syncAll();
    expect(shown(household).collections.toSorted()).toEqual(
      ['Rivers, lakes & co', 'Seasons at the Lake', 'Talks, 2024'].sort(),
    );
    expect(shown(household).genres).toEqual(tags);
    await household.reconfigure({});
    await household.syncAll();
    expect(shown(household)).toMatchObject({ genres: tags, labels: [], collections: [] });
    expect(await household.differences([1, 2])).toEqual([]);
  });
});

describe.concurrent('what a person entered in Plex', () => {
  it('stays with "Keep what Plex has of its own", while the rest follows; without it Stash wins', async ({
    expect,
    onTestFinished,
  }) => {
    const household = await home({ scenes: 1, settings: { plexKeepsOwn: true } }, onTestFinished);
    const { stash, plex } = household;
    await stash.edit({ id: 1, ...everything(household) });
    await household.drained();
    expect(await household.differences([1])).toEqual([]);
    const id = String(plex.itemByFile(household.file(1))?.ratingKey);
    await new Client(plex).put('/library/sections/1/all', {
      type: '1',
      id,
      'summary.value': 'Typed in Plex',
      'summary.locked': '1',
      'genre[0].tag.tag': 'By hand',
      'genre.locked': '1',
    });
    expect(shown(household).genres).toContain('By hand');
    await stash.edit({
      id: 1,
      title: 'Another title',
      details: 'Another summary',
      rating100: 20,
      tag_ids: [String(household.tags[1])],
    });
    await household.drained();
    expect(shown(household)).toMatchObject({
      title: 'Another title',
      titleSort: 'Another title',
      summary: 'Typed in Plex',
      userRating: 2,
    });
    expect(shown(household).genres.toSorted()).toEqual(['By hand', 'Rivers, lakes & co']);
    expect(household.log()).toMatch(/Plex's own .*summary.* stayed\./);

    await household.reconfigure({});
    await household.syncAll();
    expect(await household.differences([1])).toEqual([]);
    expect(shown(household)).toMatchObject({ summary: 'Another summary', genres: ['Rivers, lakes & co'] });
  });
});

/** What breaks addresses, lists and XML. */
const hostile = [
  'Rivers, lakes, ponds',
  'Either/Or \\ Neither',
  `"Quoted" and 'quoted'`,
  'Night 🌙👩‍🚀',
  'A\u030angstro\u0308m', // combining characters
  'שלום עולם',
  '100% & more = ? # + ;',
  '<b>[0].tag.tag=</b>',
  '  inner   spaces'.trim(),
];

describe.concurrent('names and texts of any kind', () => {
  const write = async (household: Household): Promise<string> => {
    const { stash } = household;
    const many = Array.from({ length: 300 - hostile.length }, (_, n) => `Species no. ${n}, variety ${n % 7}`);
    const tag_ids = [...hostile, ...many].map((name) => String(stash.addTag({ name })));
    const performer_ids = hostile.map((name) => String(stash.addPerformer({ name })));
    const studio_id = String(stash.addStudio({ name: hostile.join(' / ') }));
    const details = `${hostile.join('\n')}\n`.repeat(200).slice(0, 20_000);
    const texts = { title: hostile.join(' '), director: hostile[2] ?? '', code: hostile[6] ?? '' };
    await stash.edit({ id: 1, ...texts, details, studio_id, tag_ids, performer_ids });
    await household.drained();
    return details;
  };

  it('arrive unchanged, also 300 tags and a summary of 20,000 characters', async ({
    expect,
    onTestFinished,
  }) => {
    const household = await home({ scenes: 1 }, onTestFinished);
    const details = await write(household);
    expect(details).toHaveLength(20_000);
    expect(await household.differences([1])).toEqual([]);
    expect(shown(household).genres).toHaveLength(300);
    expect(household.log()).not.toContain('was cut');
    expect(household.plex.violations).toEqual([]);
  });

  it('arrive in parts where addresses are limited, and only what fits into none is cut, with the reason in the log', async ({
    expect,
    onTestFinished,
  }) => {
    const household = await home({ scenes: 1, plex: films({ addressLimitBytes: 8_000 }) }, onTestFinished);
    const details = await write(household);
    const differences = await household.differences([1]);
    expect(differences).toEqual([expect.stringContaining('scene 1, summary')]);
    const { summary } = shown(household);
    expect(summary.length).toBeGreaterThan(500);
    expect(details.startsWith(summary.replace(/…$/, ''))).toBe(true);
    expect(household.log()).toMatch(/The summary was cut to \d+ of 20000 characters: /);

    household.plex.clearRecords();
    await household.syncAll();
    expect(household.plex.writes).toMatchObject({ edit: 0, upload: 0 });
    expect(household.status()?.deadLetters).toBe(0);
  });
});

const films = (behaviour: object) => ({
  libraries: [{ title: 'Films', locations: ['/media'] }],
  behaviour,
});

describe.concurrent('a scene that a filter leaves out', () => {
  it('is not sent; the reason is logged and counted, and it is sent once the filter lets it', async ({
    expect,
    onTestFinished,
  }) => {
    const settings = {
      syncOnlyOrganized: true,
      syncNeverTags: 'wetland',
      syncOnlyStudios: "O'Brien / Sons",
      syncNeverPaths: '/data/*Tiny Boats*',
    };
    const household = await home({ scenes: 4, settings }, onTestFinished);
    const { stash, plex } = household;
    const [north, brien] = household.studios.map(String);
    const [wetland] = household.tags.map(String);
    const fine = { organized: true, studio_id: brien ?? null };
    const edits = [
      { id: 1, ...fine, organized: false },
      { id: 2, ...fine, tag_ids: [wetland ?? ''] },
      { id: 3, ...fine, studio_id: north ?? null },
      { id: 4, ...fine },
    ];
    for (const edit of edits) await stash.edit({ ...edit, title: `Scene ${edit.id}` });
    await household.drained();
    expect(plex.counts).toMatchObject({ find: 0, item: 0, edit: 0 });
    expect(household.log()).toContain(
      'Scene 1 is left out: it is not marked as organised, and "Only organised scenes" is on.',
    );
    expect(household.log()).toContain('Scene 2 is left out: it has the tag "Wetland"');
    expect(household.log()).toContain('Scene 3 is left out: its studio is "North Shore Films"');
    expect(household.log()).toMatch(/Scene 4 is left out: its file ".*Tiny Boats 0004.mp4" fits/);
    const filtered = { syncOnlyOrganized: 1, syncNeverTags: 1, syncOnlyStudios: 1, syncNeverPaths: 1 };
    await until('they are counted', () => plexIn(household)?.done === 4);
    expect(plexIn(household)).toMatchObject({ failed: 0, filtered });

    await stash.edit({ id: 1, organized: true });
    await stash.edit({ id: 2, tag_ids: [] });
    await household.drained();
    expect(await household.differences([1, 2])).toEqual([]);
    await household.reconfigure({});
    await household.syncAll();
    expect(await household.differences([1, 2, 3, 4])).toEqual([]);
  });
});
