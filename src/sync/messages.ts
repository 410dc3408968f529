/** Sentences about a scene that was not synced: what happened, to which scene, and what the person can do. */
import type { PlexItem } from '../plex/answers';
import type { Candidate } from '../plex/finder';
import { describeRules, isInside } from '../plex/path-map';
import type { PathRule } from '../stash/path-rule';
import type { Scene } from '../stash/scene';

/** At most this many paths or folders are listed in one sentence. */
const mostListed = 5;

const listed = (texts: readonly string[]): string => {
  const shown = texts.slice(0, mostListed).map((text) => `"${text}"`);
  const more = texts.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
};

export function notInPlex(
  scene: Scene,
  mapped: readonly string[],
  rules: readonly PathRule[],
  folders: readonly string[],
): string {
  const changed = mapped.some((path, i) => path !== scene.files[i]);
  const from = changed ? ` (from ${listed(scene.files)} by the path map "${describeRules(rules)}")` : '';
  const elsewhere =
    folders.length > 0 && !mapped.some((path) => folders.some((folder) => isInside(path, folder)))
      ? ` It is in none of the folders that Plex looks at: ${listed(folders)}.`
      : '';
  const todo =
    rules.length > 0
      ? 'If the file is elsewhere in Plex, correct "Path map" in the settings.'
      : 'If Plex sees the file under another path, enter that under "Path map" in the settings, like "/data => /media".';
  return `Scene ${scene.id} was not synced: Plex has no item for ${listed(mapped)}${from}.${elsewhere} ${todo}`;
}

export function vanished(scene: number): string {
  return `Scene ${scene} was not synced: Plex dropped its item while it was being written. Plex may be scanning; if it stays away, look at the library in Plex.`;
}

export function severalItems(scene: Scene, candidates: readonly Candidate[]): string {
  const items = candidates.map(
    ({ title, library, ratingKey, file }) => `"${title}" in "${library}" (item ${ratingKey}, ${file})`,
  );
  return `Scene ${scene.id} was not synced: it is ${items.length} items in Plex, and none was touched: ${items.join('; ')}. Remove all but one in Plex, merge them there, or choose one library under "Plex libraries" in the settings.`;
}

/** `byName`: this scene was found by the name of its file alone, and the other one by its whole path. */
export function sameItem(scene: number, keeper: number, item: PlexItem, byName: boolean): string {
  const where = item.files[0] ?? `item ${item.ratingKey}`;
  const why = byName ? "because its file's whole path agrees, not only the name" : 'because its id is lower';
  const todo = byName
    ? `If scene ${scene} is another film, let Plex scan the folder of its file.`
    : 'Merge the two in Stash, or delete one of them.';
  return `Scene ${scene} was not synced: it and scene ${keeper} are the same item in Plex ("${item.title}", ${where}). Scene ${keeper} is the one kept in step, ${why}. ${todo}`;
}

export interface Written {
  fields: readonly string[];
  /** Fields and pictures of Plex's own that stayed. */
  kept: readonly string[];
  /** What could not be done, in sentences. */
  problems: readonly string[];
  /** The scene that had the item before. */
  instead: number | null;
  /** Only the name of the file agreed. */
  byName: boolean;
}

export function written(scene: Scene, title: string, what: Written): string {
  const { fields, kept, problems, instead, byName } = what;
  return [
    `Scene ${scene.id} "${title}" is in step: ${fields.length > 0 ? `${fields.join(', ')} written` : 'nothing to write'}.`,
    ...(kept.length > 0 ? [`Plex's own ${kept.join(', ')} stayed.`] : []),
    ...(byName ? ['It was found by the name of its file alone.'] : []),
    ...(instead === null ? [] : [`It is the same item as scene ${instead}, which it stands for now.`]),
    ...problems,
  ].join(' ');
}
