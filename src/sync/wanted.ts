/**
 * What Plex should show for a scene. Computed from Stash and the settings alone: what Plex has at the moment plays
 * no part.
 *
 * Holds: a field that is left out, or that nothing is configured for, is absent, and Plex's value stays; a field
 * that is present and empty is empty in Stash. Nothing in it is impossible in an address or in XML.
 */
import { baseName } from '../plex/path-map';
import type { Scene } from '../stash/scene';
import type { FieldName, SyncSettings } from '../stash/sync-settings';
import type { ListName } from './fields';
import { distinct, fold } from './names';
import { sortTitle } from './sort-title';

/** Keyed as in Plex's edits. */
export interface Wanted {
  title?: string;
  titleSort?: string;
  summary?: string;
  studio?: string;
  /** `YYYY-MM-DD`; '': none. */
  originallyAvailableAt?: string;
  /** '7.5', of 10; '': none. */
  userRating?: string;
  tagline?: string;
  contentRating?: string;
  director?: string[];
  /** In Stash's order. */
  actor?: string[];
  genre?: string[];
  label?: string[];
  collection?: string[];
}

type Skips = (field: FieldName) => boolean;

export function wantedState(scene: Scene, settings: SyncSettings): Wanted {
  const skips: Skips = (field) => settings.syncSkipFields.includes(field);
  const title = titleOf(scene);
  const wanted: Wanted = { ...lists(scene, settings, skips) };
  if (!skips('title')) wanted.title = title;
  if (!skips('sortTitle')) wanted.titleSort = sortTitle(title);
  if (!skips('summary')) wanted.summary = clean(scene.details);
  if (!skips('studio')) wanted.studio = studioOf(scene, settings);
  if (!skips('date')) wanted.originallyAvailableAt = fullDate(scene.date);
  if (!skips('rating')) wanted.userRating = ratingOf(scene);
  if (!skips('code')) wanted.tagline = clean(scene.code);
  if (!skips('contentRating') && settings.syncContentRating !== '') {
    wanted.contentRating = clean(settings.syncContentRating);
  }
  return wanted;
}

function lists(scene: Scene, settings: SyncSettings, skips: Skips): Pick<Wanted, ListName> {
  const found: Pick<Wanted, ListName> = {};
  if (!skips('director')) found.director = names([scene.director]);
  if (!skips('performers')) found.actor = names(scene.performers.map(({ name }) => name));
  const tags = names(scene.tags.map(({ name }) => name));
  if (!skips('tags') && settings.syncTagsAs === 'genres') found.genre = tags;
  if (!skips('tags') && settings.syncTagsAs === 'labels') found.label = tags;
  if (hasCollections(settings)) found.collection = collections(scene, settings, skips);
  return found;
}

function collections(scene: Scene, settings: SyncSettings, skips: Skips): string[] {
  const { studio, groups, tags } = settings.syncCollectionsFrom;
  const chosen = new Set(tags.map(fold));
  const from: string[] = [];
  if (!skips('collections')) {
    if (studio && scene.studio) from.push(scene.studio.name);
    if (groups) from.push(...scene.groups.map(({ name }) => name));
    from.push(...scene.tags.map(({ name }) => name).filter((name) => chosen.has(fold(name))));
  }
  if (tagsAreCollections(settings)) from.push(...scene.tags.map(({ name }) => name));
  return names(from);
}

const tagsAreCollections = ({ syncSkipFields, syncTagsAs }: SyncSettings): boolean =>
  syncTagsAs === 'collections' && !syncSkipFields.includes('tags');

function hasCollections(settings: SyncSettings): boolean {
  const { studio, groups, tags } = settings.syncCollectionsFrom;
  const chosen = (studio || groups || tags.length > 0) && !settings.syncSkipFields.includes('collections');
  return chosen || tagsAreCollections(settings);
}

/**
 * Lists that are absent because tags or collections go elsewhere now: what we put into them is to go. A list that
 * is absent because the person left it out is not among them: it is left alone.
 */
export function formerLists(settings: SyncSettings): ListName[] {
  const { syncSkipFields, syncTagsAs } = settings;
  const former: ListName[] = [];
  const skipsTags = syncSkipFields.includes('tags');
  if (!skipsTags && syncTagsAs !== 'genres') former.push('genre');
  if (!skipsTags && syncTagsAs !== 'labels') former.push('label');
  const leavesCollections =
    syncSkipFields.includes('collections') || (skipsTags && syncTagsAs === 'collections');
  if (!leavesCollections && !hasCollections(settings)) former.push('collection');
  return former;
}

const titleOf = (scene: Scene): string => {
  const title = clean(scene.title);
  return title.trim() === '' ? titleFromFile(clean(scene.files[0] ?? '')) : title;
};

/** The file's name without its extension; a name that is nothing but an extension stays. */
function titleFromFile(path: string): string {
  const name = baseName(path);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}

function studioOf({ studio }: Scene, { syncStudioParent }: SyncSettings): string {
  const name = clean(studio?.name ?? '');
  const parent = clean(studio?.parent?.name ?? '').trim();
  if (!syncStudioParent || parent === '' || fold(parent) === fold(name)) return name;
  return `${name} (${parent})`;
}

/** Stash's 1 to 100 in Plex's 0 to 10, which never needs more than one decimal place. */
function ratingOf({ rating100 }: Scene): string {
  if (rating100 === null || rating100 <= 0) return '';
  return String(Math.min(Math.round(rating100), 100) / 10);
}

/** Stash knows dates of a year and of a month; Plex wants a day: their first. */
function fullDate(date: string | null): string {
  const [, year, month = '01', day = '01'] =
    /^(\d{4})(?:-(\d\d))?(?:-(\d\d))?$/.exec(date?.trim() ?? '') ?? [];
  if (year === undefined) return '';
  const text = `${year}-${month}-${day}`;
  const parsed = new Date(`${text}T00:00:00Z`);
  // 2024-02-30 parses as the first of March.
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(text) ? text : '';
}

const names = (raw: readonly string[]): string[] => distinct(raw.map(clean));

/** Without what neither an address nor XML can carry. Tabs and ends of lines stay. */
const clean = (text: string): string => text.toWellFormed().replace(unspeakable, '');
const unspeakable = /(?![\t\n\r\u0080-\u009f])\p{Cc}|[\ufffe\uffff]/gu;
