/**
 * Which scenes are left out, and why. Decided on the scene as Stash tells it now, each time it is about to be sent.
 *
 * Holds: null exactly when the scene is to be synced; otherwise the rule that is named is one that really applies, and
 * its sentence says which scene, which setting, and what of the scene was the reason. Names are compared as Plex
 * compares them, without case and Unicode form. A studio also counts as the studio above it.
 */
import { globMatcher } from '../stash/glob';
import type { Scene } from '../stash/scene';
import { type SyncSettings, syncRows } from '../stash/sync-settings';
import { fold } from './names';

type FilterSetting = Extract<keyof SyncSettings, `syncOnly${string}` | `syncNever${string}`>;

/** The key of the setting that leaves the scene out. */
export type FilterRule = FilterSetting | 'no-file';

export interface Filtered {
  rule: FilterRule;
  message: string;
}

export function whyFiltered(scene: Scene, settings: SyncSettings): Filtered | null {
  if (scene.files.length === 0) {
    return {
      rule: 'no-file',
      message: `Scene ${scene.id} has no file, so Plex has nothing to show it with.`,
    };
  }
  for (const rule of rules) {
    const why = reasons[rule](scene, settings, `"${syncRows[rule].label}"`);
    if (why !== null) return { rule, message: `Scene ${scene.id} is left out: ${why}.` };
  }
  return null;
}

/** Why the rule leaves the scene out, in words that go on after "is left out:"; null if it does not. */
type Reason = (scene: Scene, settings: SyncSettings, label: string) => string | null;

const reasons: Record<FilterSetting, Reason> = {
  syncOnlyOrganized: (scene, { syncOnlyOrganized }, label) =>
    syncOnlyOrganized && !scene.organized ? `it is not marked as organised, and ${label} is on` : null,

  syncOnlyWithMetadata: (scene, { syncOnlyWithMetadata }, label) =>
    syncOnlyWithMetadata && !hasMetadata(scene)
      ? `Stash knows nothing about it but its file, and ${label} is on`
      : null,

  syncNeverTags: ({ tags }, { syncNeverTags }, label) => {
    const named = keys(syncNeverTags);
    const tag = tags.find(({ name }) => named.has(fold(name)));
    return tag ? `it has the tag "${tag.name}", which ${label} names` : null;
  },

  syncOnlyTags: ({ tags }, { syncOnlyTags }, label) => {
    const named = keys(syncOnlyTags);
    if (named.size === 0 || tags.some(({ name }) => named.has(fold(name)))) return null;
    return `it has no tag that ${label} names (${listed(syncOnlyTags)})`;
  },

  syncNeverStudios: ({ studio }, { syncNeverStudios }, label) => {
    const named = keys(syncNeverStudios);
    if (studio && named.has(fold(studio.name))) {
      return `it is of the studio "${studio.name}", which ${label} names`;
    }
    if (studio?.parent && named.has(fold(studio.parent.name))) {
      return `its studio "${studio.name}" belongs to "${studio.parent.name}", which ${label} names`;
    }
    return null;
  },

  syncOnlyStudios: ({ studio }, { syncOnlyStudios }, label) => {
    const named = keys(syncOnlyStudios);
    const isNamed = [studio, studio?.parent].some((one) => one && named.has(fold(one.name)));
    if (named.size === 0 || isNamed) return null;
    return (
      `${studio ? `its studio is "${studio.name}"` : 'it has no studio'}, ` +
      `and ${label} names others (${listed(syncOnlyStudios)})`
    );
  },

  syncNeverPaths: ({ files }, { syncNeverPaths }, label) => {
    for (const { glob, matches } of matchers(syncNeverPaths)) {
      const file = files.find(matches);
      if (file !== undefined) return `its file "${file}" fits "${glob}", which ${label} names`;
    }
    return null;
  },

  syncOnlyPaths: ({ files }, { syncOnlyPaths }, label) => {
    const fits = matchers(syncOnlyPaths).some(({ matches }) => files.some(matches));
    if (syncOnlyPaths.length === 0 || fits) return null;
    const own = files.length > 1 ? `its files ("${files[0]}" and others) fit` : `its file "${files[0]}" fits`;
    return `${own} none of the paths that ${label} names (${listed(syncOnlyPaths)})`;
  },
};

const rules = Object.keys(reasons) as FilterSetting[];

/** Whether a person, a scraper or a tool has told Stash anything about the scene. */
function hasMetadata(scene: Scene): boolean {
  const { title, details, date, studio, performers, tags, code, director, rating100, groups } = scene;
  return (
    [title, details, date ?? '', code, director].some((text) => text.trim() !== '') ||
    [performers, tags, groups].some((list) => list.length > 0) ||
    studio !== null ||
    rating100 !== null
  );
}

interface Matcher {
  glob: string;
  matches(path: string): boolean;
}

/** The settings are the same objects for thousands of scenes, until one of them is changed. */
const compiled = new WeakMap<readonly string[], Matcher[]>();

function matchers(globs: readonly string[]): Matcher[] {
  const known = compiled.get(globs) ?? globs.map((glob) => ({ glob, matches: globMatcher(glob) }));
  compiled.set(globs, known);
  return known;
}

const keys = (names: readonly string[]): ReadonlySet<string> => new Set(names.map(fold));

const mostListed = 3;

const listed = (names: readonly string[]): string =>
  names
    .slice(0, mostListed)
    .map((name) => `"${name}"`)
    .join(', ') + (names.length > mostListed ? `, and ${names.length - mostListed} more` : '');
