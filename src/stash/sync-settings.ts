/**
 * What is synced and how: the settings `sync…`, and those of `plex…` that say how Plex is treated. They hold for all
 * servers. One row of the table below is one setting; settings.ts reads them with the others.
 *
 * Holds: every row's value, parsed or default, is what the rest of the program may use unchecked; a list that holds
 * one mistake is a mistake as a whole, and its message names the faulty part.
 */
import { shortHash } from '../shared/hash';
import { collectionSources, globs, names, oneLine, oneOf, someOf, yesNo } from './setting-values';

export const fieldNames = [
  'title',
  'sortTitle',
  'summary',
  'studio',
  'date',
  'rating',
  'director',
  'code',
  'contentRating',
  'performers',
  'tags',
  'collections',
  'picture',
] as const;
export type FieldName = (typeof fieldNames)[number];

/** The keys are the settings' own. */
export interface SyncSettings {
  /** A value in Plex that is not empty and not ours stays. */
  plexKeepsOwn: boolean;
  /** Plex is asked to scan the folder of a scene that it does not have. */
  plexScan: boolean;
  /** An item whose path fits nothing may be found by its file's name, if only one has it. */
  plexMatchByName: boolean;
  /** A scene that Plex does not have is tried again for up to 75 minutes, or dropped quietly. */
  plexMissing: 'wait' | 'drop';
  syncSkipFields: FieldName[];
  syncTagsAs: 'genres' | 'labels' | 'collections';
  /** From "studio, groups, tag:NAME". */
  syncCollectionsFrom: { studio: boolean; groups: boolean; tags: string[] };
  syncStudioParent: boolean;
  /** Empty: Plex's content rating is left alone. */
  syncContentRating: string;
  syncPictureAs: 'both' | 'poster' | 'background' | 'none';
  syncOnlyOrganized: boolean;
  syncOnlyWithMetadata: boolean;
  syncOnlyTags: string[];
  syncNeverTags: string[];
  syncOnlyStudios: string[];
  syncNeverStudios: string[];
  /** Globs as they were written, and checked: see glob.ts. */
  syncOnlyPaths: string[];
  syncNeverPaths: string[];
  syncReconcile: 'daily' | 'never' | 'hourly' | 'weekly';
}

type SyncRows = {
  [K in keyof SyncSettings]: {
    /** `displayName` in plugin.yml. */
    label: string;
    fallback: SyncSettings[K];
    parse(text: string): SyncSettings[K];
    /** With a mistake in it nothing is sent: the default could write or remove what the person did not ask for. */
    holds?: true;
  };
};

const longestContentRating = 50;

export const syncRows: SyncRows = {
  plexKeepsOwn: { label: 'Keep what Plex has of its own', fallback: false, parse: yesNo, holds: true },
  plexScan: { label: 'Ask Plex to scan for missing files', fallback: false, parse: yesNo },
  plexMatchByName: { label: 'Find by file name', fallback: false, parse: yesNo },
  plexMissing: { label: 'Scenes that Plex does not have', fallback: 'wait', parse: oneOf('wait', 'drop') },
  syncSkipFields: { label: 'Fields to leave out', fallback: [], parse: someOf(fieldNames), holds: true },
  syncTagsAs: {
    label: 'Tags become',
    fallback: 'genres',
    parse: oneOf('genres', 'labels', 'collections'),
    holds: true,
  },
  syncCollectionsFrom: {
    label: 'Collections from',
    fallback: { studio: false, groups: false, tags: [] },
    parse: collectionSources,
    holds: true,
  },
  syncStudioParent: { label: 'Studio with its parent', fallback: false, parse: yesNo, holds: true },
  syncContentRating: {
    label: 'Content rating',
    fallback: '',
    parse: oneLine(longestContentRating),
    holds: true,
  },
  syncPictureAs: {
    label: 'Picture becomes',
    fallback: 'both',
    parse: oneOf('both', 'poster', 'background', 'none'),
    holds: true,
  },
  syncOnlyOrganized: { label: 'Only organised scenes', fallback: false, parse: yesNo, holds: true },
  syncOnlyWithMetadata: { label: 'Only scenes with metadata', fallback: false, parse: yesNo, holds: true },
  syncOnlyTags: { label: 'Only with tags', fallback: [], parse: names, holds: true },
  syncNeverTags: { label: 'Never with tags', fallback: [], parse: names, holds: true },
  syncOnlyStudios: { label: 'Only of studios', fallback: [], parse: names, holds: true },
  syncNeverStudios: { label: 'Never of studios', fallback: [], parse: names, holds: true },
  syncOnlyPaths: { label: 'Only in paths', fallback: [], parse: globs, holds: true },
  syncNeverPaths: { label: 'Never in paths', fallback: [], parse: globs, holds: true },
  syncReconcile: {
    label: 'How often to reconcile',
    fallback: 'daily',
    parse: oneOf('daily', 'never', 'hourly', 'weekly'),
  },
};

// Each key gets its own row's value, which fromEntries cannot know.
export const syncDefaults = Object.fromEntries(
  Object.entries(syncRows).map(([key, { fallback }]) => [key, fallback]),
) as unknown as SyncSettings;

/**
 * Changes exactly when a setting changes that decides what Plex should show for a scene, the filters included: a
 * scene that is no longer left out is to be sent. The order of a list has no meaning, and counts for nothing.
 */
export function shownSettings(settings: SyncSettings): string {
  const { plexKeepsOwn, syncTagsAs, syncStudioParent, syncContentRating, syncPictureAs } = settings;
  const { syncOnlyOrganized, syncOnlyWithMetadata, syncCollectionsFrom } = settings;
  const { syncSkipFields, syncOnlyTags, syncNeverTags, syncOnlyStudios, syncNeverStudios } = settings;
  const { syncOnlyPaths, syncNeverPaths } = settings;
  const lists = [
    syncSkipFields,
    syncCollectionsFrom.tags,
    syncOnlyTags,
    syncNeverTags,
    syncOnlyStudios,
    syncNeverStudios,
    syncOnlyPaths,
    syncNeverPaths,
  ];
  return shortHash([
    [plexKeepsOwn, syncTagsAs, syncStudioParent, syncContentRating, syncPictureAs],
    [syncOnlyOrganized, syncOnlyWithMetadata, syncCollectionsFrom.studio, syncCollectionsFrom.groups],
    lists.map((list) => [...list].sort()),
  ]);
}
