import { describe, expect, it } from 'vitest';
import { environmentName, readSettings, settingsTable } from '../../../src/stash/settings';
import {
  fieldNames,
  type SyncSettings,
  shownSettings,
  syncDefaults,
  syncRows,
} from '../../../src/stash/sync-settings';

const keys = Object.keys(syncRows) as (keyof SyncSettings)[];
const label = (key: keyof SyncSettings) => syncRows[key].label;
const env = (key: string, value: string) => ({ [environmentName(key)]: value });

describe('the settings of what is synced', () => {
  it('are those that there should be, with these defaults', () => {
    expect(syncDefaults).toEqual({
      plexKeepsOwn: false,
      plexScan: false,
      plexMatchByName: false,
      plexMissing: 'wait',
      syncSkipFields: [],
      syncTagsAs: 'genres',
      syncCollectionsFrom: { studio: false, groups: false, tags: [] },
      syncStudioParent: false,
      syncContentRating: '',
      syncPictureAs: 'both',
      syncOnlyOrganized: false,
      syncOnlyWithMetadata: false,
      syncOnlyTags: [],
      syncNeverTags: [],
      syncOnlyStudios: [],
      syncNeverStudios: [],
      syncOnlyPaths: [],
      syncNeverPaths: [],
      syncReconcile: 'daily',
    });
    expect(readSettings({}, {}).settings).toMatchObject(syncDefaults);
    expect(new Set(Object.values(settingsTable).flatMap(({ label }) => label ?? [])).size).toBe(
      Object.values(settingsTable).filter(({ label }) => label !== undefined).length,
    );
    expect(environmentName('plexKeepsOwn')).toBe('SLUICE_PLEX_KEEPS_OWN');
  });

  const taken: [keyof SyncSettings, string, unknown][] = [
    ['plexKeepsOwn', 'true', true],
    ['plexScan', 'yes', true],
    ['plexMatchByName', 'On', true],
    ['plexMissing', 'Drop', 'drop'],
    ['syncSkipFields', 'TITLE, sorttitle,picture, title', ['title', 'sortTitle', 'picture']],
    ['syncTagsAs', 'Labels', 'labels'],
    ['syncCollectionsFrom', 'studio', { studio: true, groups: false, tags: [] }],
    [
      'syncCollectionsFrom',
      'Groups, "tag:Rivers, lakes", TAG: Otters, tag:Otters, tag:Talk: long',
      { studio: false, groups: true, tags: ['Rivers, lakes', 'Otters', 'Talk: long'] },
    ],
    ['syncStudioParent', 'true', true],
    ['syncContentRating', 'TV-G', 'TV-G'],
    ['syncContentRating', '🦦'.repeat(50), '🦦'.repeat(50)],
    ['syncPictureAs', 'NONE', 'none'],
    ['syncOnlyOrganized', 'true', true],
    ['syncOnlyWithMetadata', 'true', true],
    ['syncOnlyTags', 'Rivers, "Lakes, large"', ['Rivers', 'Lakes, large']],
    ['syncNeverTags', 'Draft', ['Draft']],
    ['syncOnlyStudios', 'North', ['North']],
    ['syncNeverStudios', 'South', ['South']],
    ['syncOnlyPaths', '/data/talks/**, "/data/{a,b}/*"', ['/data/talks/**', '/data/{a,b}/*']],
    ['syncNeverPaths', 'C:\\films\\drafts', ['C:\\films\\drafts']],
    ['syncReconcile', 'Weekly', 'weekly'],
  ];

  it.each(taken)('%s takes %s, from the page and from the environment', (key, text, value) => {
    const expected = { settings: expect.objectContaining({ [key]: value }), problems: [] };
    expect(readSettings({ [key]: ` ${text} ` }, {})).toEqual(expected);
    expect(readSettings({}, env(key, text))).toEqual(expected);
  });

  it('are each tried above', () => {
    expect(new Set(taken.map(([key]) => key))).toEqual(new Set(keys));
  });

  it('take true and false from the page, where the page wins over the environment', () => {
    expect(readSettings({ plexScan: true }, {}).settings.plexScan).toBe(true);
    expect(readSettings({ plexScan: false }, env('plexScan', 'true')).settings.plexScan).toBe(false);
  });

  const fields = `${fieldNames.slice(0, -1).join(', ')} and picture`;
  const held = 'nothing is sent to Plex, and your edits are kept';
  it.each<[keyof SyncSettings, string, string, string]>([
    ['plexKeepsOwn', 'maybe', 'must be true or false', held],
    ['plexMissing', 'ignore', 'must be wait or drop', 'wait is used'],
    ['syncSkipFields', 'title, colour', `must be of ${fields}, which "colour" is not`, held],
    ['syncTagsAs', 'moods', 'must be genres, labels or collections', held],
    [
      'syncCollectionsFrom',
      'studio, series',
      'must be of studio, groups and tag:NAME, which "series" is not',
      held,
    ],
    [
      'syncCollectionsFrom',
      'studio, tag:',
      'must be of studio, groups and tag:NAME, which "tag:" is not',
      held,
    ],
    ['syncContentRating', 'TV\nG', 'must be one line of at most 50 characters', held],
    ['syncContentRating', 'x'.repeat(51), 'must be one line of at most 50 characters', held],
    ['syncPictureAs', 'banner', 'must be both, poster, background or none', held],
    ['syncReconcile', 'yearly', 'must be daily, never, hourly or weekly', 'daily is used'],
    [
      'syncNeverTags',
      '"Draft, Old',
      'must be names with commas between them; a name in double quotes has to end with one',
      held,
    ],
    [
      'syncOnlyPaths',
      '/data/{a,b}/*',
      'must have a "}" for each "{", which "/data/{a" has not: a path with a comma in it stands in double quotes',
      held,
    ],
  ])('%s refuses %j with one sentence, and keeps its default', (key, text, what, used) => {
    const { settings, problems } = readSettings({ [key]: text, plexScan: 'true' }, {});
    expect(problems).toEqual([
      `The setting "${label(key)}" is "${text}", but ${what}; until it is corrected, ${used}.`,
    ]);
    expect(settings).toMatchObject({ plexScan: true, [key]: syncDefaults[key] });
    const why = `Nothing is sent to Plex, and your edits are kept, until the setting "${label(key)}" is corrected.`;
    expect(settings.heldBecause).toBe(used === held ? why : null);
  });

  it('say when a mistake is in the environment', () => {
    expect(readSettings({}, { SLUICE_SYNC_TAGS_AS: 'moods' }).problems).toEqual([
      'The setting "Tags become" (from SLUICE_SYNC_TAGS_AS) is "moods", but must be genres, labels or collections; ' +
        'until it is corrected, nothing is sent to Plex, and your edits are kept.',
    ]);
  });
});

describe('the fingerprint of what Plex should show', () => {
  const other: { [K in keyof SyncSettings]: SyncSettings[K] } = {
    plexKeepsOwn: true,
    plexScan: true,
    plexMatchByName: true,
    plexMissing: 'drop',
    syncSkipFields: ['title'],
    syncTagsAs: 'labels',
    syncCollectionsFrom: { studio: true, groups: false, tags: [] },
    syncStudioParent: true,
    syncContentRating: 'TV-G',
    syncPictureAs: 'none',
    syncOnlyOrganized: true,
    syncOnlyWithMetadata: true,
    syncOnlyTags: ['Rivers'],
    syncNeverTags: ['Rivers'],
    syncOnlyStudios: ['Rivers'],
    syncNeverStudios: ['Rivers'],
    syncOnlyPaths: ['Rivers'],
    syncNeverPaths: ['Rivers'],
    syncReconcile: 'never',
  };
  const before = shownSettings(syncDefaults);
  const unseen = ['plexScan', 'plexMatchByName', 'plexMissing', 'syncReconcile'];

  it.each(keys)('changes with %s only if Plex shows it', (key) => {
    const changed = shownSettings({ ...syncDefaults, [key]: other[key] });
    expect(changed === before).toBe(unseen.includes(key));
  });

  it('is another one for each setting, also where the value is the same', () => {
    const all = keys
      .filter((key) => !unseen.includes(key))
      .map((key) => shownSettings({ ...syncDefaults, [key]: other[key] }));
    expect(new Set(all).size).toBe(all.length);
    const groups = { studio: false, groups: true, tags: [] };
    expect(shownSettings({ ...syncDefaults, syncCollectionsFrom: groups })).not.toBe(
      shownSettings({ ...syncDefaults, syncCollectionsFrom: other.syncCollectionsFrom }),
    );
  });

  it('does not care in which order a list is written', () => {
    const by = (...list: string[]) =>
      shownSettings({
        ...syncDefaults,
        syncNeverTags: list,
        syncOnlyPaths: list,
        syncCollectionsFrom: { studio: false, groups: false, tags: list },
      });
    expect(by('Rivers', 'Lakes', 'Otters')).toBe(by('Otters', 'Rivers', 'Lakes'));
    expect(by('Rivers', 'Lakes')).not.toBe(by('Rivers'));
  });
});
