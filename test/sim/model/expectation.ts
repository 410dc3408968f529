/**
 * What Plex has to show for a scene, told from Stash's records and the settings alone, as a person would tell it who
 * reads the manual. The tests compare Plex with this, so nothing in it may come from the program that is tested.
 */
import { createHash } from 'node:crypto';
import type { Shown } from '../plex/item-state';
import { pictureOf } from '../stash/pictures';
import type { SceneRecord } from '../stash/records';
import type { Store } from '../stash/store';

/** The settings that decide what is shown, as a person writes them on the settings page. */
export interface ShownSettings {
  syncTagsAs?: 'genres' | 'labels' | 'collections';
  syncCollectionsFrom?: string;
  syncStudioParent?: boolean;
  syncContentRating?: string;
  syncPictureAs?: 'both' | 'poster' | 'background' | 'none';
  syncSkipFields?: string;
}

/** Locks are not in it: see `model.ts`. A field that is absent is not Sluice's, and Plex's value stays. */
export type Expected = Partial<Omit<Shown, 'locked'>>;

/** The field of Plex for each word of `syncSkipFields`. */
const skipped = {
  title: 'title',
  sortTitle: 'titleSort',
  summary: 'summary',
  studio: 'studio',
  date: 'originallyAvailableAt',
  rating: 'userRating',
  director: 'directors',
  code: 'tagline',
  performers: 'actors',
} as const satisfies Record<string, keyof Expected>;

export function expectedItem(store: Store, scene: SceneRecord, settings: ShownSettings): Expected {
  const path = store.primaryFile(scene)?.path ?? '';
  const title = scene.title || withoutExtension(path.slice(path.lastIndexOf('/') + 1));
  const [year = '', month = '01', day = '01'] = scene.date?.split('-') ?? [];
  const expected: Expected = {
    title,
    titleSort: title.replace(/^(the|das|der|a|an|el|la) +/i, ''),
    summary: scene.details,
    studio: studioOf(store, scene, settings),
    originallyAvailableAt: year && [year, month, day].join('-'),
    userRating: scene.rating100 === null ? null : scene.rating100 / 10,
    directors: scene.director ? [scene.director] : [],
    tagline: scene.code,
    actors: once(scene.performerIds.map((id) => store.performers.get(id)?.name ?? '')),
    ...tagLists(store, scene, settings),
    ...pictures(scene, settings),
  };
  if (settings.syncContentRating) expected.contentRating = settings.syncContentRating;
  for (const word of listOf(settings.syncSkipFields))
    if (word in skipped) delete expected[skipped[word as keyof typeof skipped]];
  return expected;
}

const withoutExtension = (name: string): string => name.replace(/(?<=.)\.[^.]*$/, '');

const listOf = (text = ''): string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

/** Plex knows a name once, however it is spelled. */
function once(names: string[]): string[] {
  const seen = new Set<string>();
  return names.filter((name) => !seen.has(name.toLowerCase()) && seen.add(name.toLowerCase()));
}

function studioOf(store: Store, scene: SceneRecord, { syncStudioParent }: ShownSettings): string {
  const studio = store.studios.get(scene.studioId ?? 0);
  const parent = store.studios.get(studio?.parentId ?? 0);
  return studio && parent && syncStudioParent ? `${studio.name} (${parent.name})` : (studio?.name ?? '');
}

function tagLists(store: Store, scene: SceneRecord, settings: ShownSettings): Expected {
  const { syncTagsAs = 'genres', syncCollectionsFrom } = settings;
  const tags = scene.tagIds.map((id) => store.tags.get(id)?.name ?? '');
  const collections: string[] = [];
  const sources = listOf(syncCollectionsFrom);
  for (const source of sources) {
    if (source === 'studio') collections.push(store.studios.get(scene.studioId ?? 0)?.name ?? '');
    else if (source === 'groups')
      collections.push(...scene.groups.map(({ groupId }) => store.groups.get(groupId)?.name ?? ''));
    else collections.push(...tags.filter((tag) => `tag:${tag}`.toLowerCase() === source.toLowerCase()));
  }
  if (syncTagsAs === 'collections') collections.push(...tags);
  return {
    ...(syncTagsAs === 'genres' && { genres: once(tags) }),
    ...(syncTagsAs === 'labels' && { labels: once(tags) }),
    ...((sources.length > 0 || syncTagsAs === 'collections') && {
      collections: once(collections.filter((name) => name !== '')),
    }),
  };
}

/** Without a cover in Stash Plex keeps the picture that it has. */
function pictures(scene: SceneRecord, { syncPictureAs = 'both' }: ShownSettings): Expected {
  if (scene.cover === null) return {};
  const bytes = scene.cover === 'generated' ? pictureOf(scene.id) : scene.cover;
  const sha1 = createHash('sha1').update(bytes).digest('hex');
  return {
    ...((syncPictureAs === 'both' || syncPictureAs === 'poster') && { posterSha1: sha1 }),
    ...((syncPictureAs === 'both' || syncPictureAs === 'background') && { artSha1: sha1 }),
  };
}

/** One line for each field that is not as expected. */
export function disagreements(expected: Expected, shown: Shown): string[] {
  return (Object.keys(expected) as (keyof Expected)[]).flatMap((field) => {
    const [wanted, found] = [comparable(field, expected[field]), comparable(field, shown[field])];
    return wanted === found ? [] : [`${field}: ${wanted} expected, ${found} in Plex`];
  });
}

/**
 * The order of people matters, of other names it does not. Plex keeps the spelling of a name that it has: names that
 * differ in case alone are the same.
 */
function comparable(field: keyof Expected, value: Expected[keyof Expected]): string {
  if (!Array.isArray(value)) return JSON.stringify(value ?? null);
  const folded = value.map((name) => name.toLowerCase());
  return JSON.stringify(field === 'actors' ? folded : folded.sort());
}
