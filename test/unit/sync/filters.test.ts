import { describe, expect, it } from 'vitest';
import type { Scene } from '../../../src/stash/scene';
import { type SyncSettings, syncDefaults } from '../../../src/stash/sync-settings';
import { whyFiltered } from '../../../src/sync/filters';
import { aScene } from '../../support/scenes';

const named = (...names: string[]) => names.map((name, i) => ({ id: String(i + 1), name }));
const studio = (name: string, parent: string | null = null): Scene['studio'] => ({
  id: '1',
  name,
  parent: parent === null ? null : { id: '2', name: parent },
});
const why = (settings: Partial<SyncSettings>, scene: Partial<Scene> = {}) =>
  whyFiltered(aScene({ id: 7, files: ['/data/talks/lichens.mp4'], ...scene }), {
    ...syncDefaults,
    ...settings,
  });

describe('a scene', () => {
  it('is synced when nothing speaks against it', () => {
    expect(why({})).toBeNull();
  });

  it('without a file is left out, whatever the settings', () => {
    expect(why({}, { files: [] })).toEqual({
      rule: 'no-file',
      message: 'Scene 7 has no file, so Plex has nothing to show it with.',
    });
  });

  it('that is not organised is left out if that is asked for', () => {
    expect(why({ syncOnlyOrganized: true })).toEqual({
      rule: 'syncOnlyOrganized',
      message: 'Scene 7 is left out: it is not marked as organised, and "Only organised scenes" is on.',
    });
    expect(why({ syncOnlyOrganized: true }, { organized: true })).toBeNull();
  });

  it('of which only the file is known is left out if that is asked for', () => {
    const message =
      'Scene 7 is left out: Stash knows nothing about it but its file, and "Only scenes with metadata" is on.';
    for (const nothing of [{}, { title: ' ', cover: '/scene/7/screenshot', organized: true }]) {
      expect(why({ syncOnlyWithMetadata: true }, nothing)).toEqual({ rule: 'syncOnlyWithMetadata', message });
    }
  });

  it.each<Partial<Scene>>([
    { title: 'Lichens' },
    { details: 'On stone.' },
    { date: '2024' },
    { studio: studio('North') },
    { performers: named('Ida') },
    { tags: named('Moss') },
    { code: 'N-7' },
    { director: 'Ole' },
    { rating100: 60 },
    { groups: named('Talks') },
  ])('with %j has metadata', (scene) => {
    expect(why({ syncOnlyWithMetadata: true }, scene)).toBeNull();
  });
});

describe('tags', () => {
  it('leave a scene out that has one of those that are never wanted', () => {
    expect(why({ syncNeverTags: ['Old', 'draft'] }, { tags: named('Moss', 'Draft') })).toEqual({
      rule: 'syncNeverTags',
      message: 'Scene 7 is left out: it has the tag "Draft", which "Never with tags" names.',
    });
    expect(why({ syncNeverTags: ['Draft'] }, { tags: named('Drafts') })).toBeNull();
    expect(why({ syncNeverTags: ['Draft'] })).toBeNull();
  });

  it('leave a scene out that has none of those that are wanted', () => {
    expect(why({ syncOnlyTags: ['A', 'B', 'C', 'D', 'E'] }, { tags: named('Moss') })).toEqual({
      rule: 'syncOnlyTags',
      message: 'Scene 7 is left out: it has no tag that "Only with tags" names ("A", "B", "C", and 2 more).',
    });
    expect(why({ syncOnlyTags: ['Rivers', 'moss'] }, { tags: named('Moss', 'Stone') })).toBeNull();
  });

  it('are the same in every case and Unicode form', () => {
    const tags = named('CAFE\u0301');
    expect(why({ syncNeverTags: ['caf\u00e9'] }, { tags })?.rule).toBe('syncNeverTags');
    expect(why({ syncOnlyTags: ['caf\u00e9'] }, { tags })).toBeNull();
  });

  it('that are never wanted win over those that are wanted', () => {
    const settings = { syncOnlyTags: ['Moss'], syncNeverTags: ['Draft'] };
    expect(why(settings, { tags: named('Moss', 'Draft') })?.rule).toBe('syncNeverTags');
  });
});

describe('studios', () => {
  it('leave a scene out that is of one that is never wanted, or of one below it', () => {
    expect(why({ syncNeverStudios: ['north'] }, { studio: studio('North') })).toEqual({
      rule: 'syncNeverStudios',
      message: 'Scene 7 is left out: it is of the studio "North", which "Never of studios" names.',
    });
    expect(why({ syncNeverStudios: ['World'] }, { studio: studio('North', 'World') })?.message).toBe(
      'Scene 7 is left out: its studio "North" belongs to "World", which "Never of studios" names.',
    );
    expect(why({ syncNeverStudios: ['North'] }, { studio: studio('South', 'World') })).toBeNull();
    expect(why({ syncNeverStudios: ['North'] })).toBeNull();
  });

  it('leave a scene out that is of none that is wanted', () => {
    expect(why({ syncOnlyStudios: ['North'] })).toEqual({
      rule: 'syncOnlyStudios',
      message: 'Scene 7 is left out: it has no studio, and "Only of studios" names others ("North").',
    });
    expect(why({ syncOnlyStudios: ['North'] }, { studio: studio('South', 'World') })?.message).toContain(
      'its studio is "South", and "Only of studios" names others',
    );
    expect(why({ syncOnlyStudios: ['NORTH'] }, { studio: studio('North') })).toBeNull();
    expect(why({ syncOnlyStudios: ['World'] }, { studio: studio('North', 'World') })).toBeNull();
  });
});

describe('paths', () => {
  const files = ['/data/talks/lichens.mp4', '/data/drafts/lichens.mp4'];

  it('leave a scene out of which any file fits one that is never wanted', () => {
    expect(why({ syncNeverPaths: ['/old', '/data/drafts/**'] }, { files })).toEqual({
      rule: 'syncNeverPaths',
      message:
        'Scene 7 is left out: its file "/data/drafts/lichens.mp4" fits "/data/drafts/**", ' +
        'which "Never in paths" names.',
    });
    expect(why({ syncNeverPaths: ['/data/draft'] }, { files })).toBeNull();
  });

  it('leave a scene out of which no file fits one that is wanted', () => {
    expect(why({ syncOnlyPaths: ['/media', '*.mkv'] })).toEqual({
      rule: 'syncOnlyPaths',
      message:
        'Scene 7 is left out: its file "/data/talks/lichens.mp4" fits none of the paths that "Only in paths" ' +
        'names ("/media", "*.mkv").',
    });
    expect(why({ syncOnlyPaths: ['/media'] }, { files })?.message).toContain(
      'its files ("/data/talks/lichens.mp4" and others) fit none of the paths',
    );
    expect(why({ syncOnlyPaths: ['/media', '/data/drafts'] }, { files })).toBeNull();
  });
});
