import { notSimulated } from './not-simulated';
import { pictureOf } from './pictures';
import type { SceneRecord } from './records';
import { ascending, type Store } from './store';

/**
 * What Stash's jobs do to scenes. None of it runs a hook; only `updated_at`, and with it the cover's address, tells.
 */

/** A frame of the video; a scene that has a cover keeps it unless it is to be overwritten. */
export function generateCover(
  store: Store,
  scene: SceneRecord,
  { overwrite = false, at = null }: { overwrite?: boolean | null; at?: number | null } = {},
): void {
  if (scene.fileIds.length === 0 || (scene.cover !== null && !overwrite)) return;
  scene.cover = at === null ? 'generated' : pictureOf(scene.id + 100_003 * Math.ceil(at + 1));
  scene.updatedAt = store.stamp();
}

export interface AutoTagInput {
  paths?: string[] | null;
  performers?: string[] | null;
  studios?: string[] | null;
  tags?: string[] | null;
}

/** Gives scenes the people, studio and tags whose names are in their paths. `*` is all of a kind. */
export function autoTag(store: Store, input: AutoTagInput): void {
  if (input.paths?.length) notSimulated('auto-tagging of some paths only');
  for (const scene of store.scenes.all()) {
    const path = store.primaryFile(scene)?.path ?? '';
    const named = (records: Iterable<{ id: number; name: string }>, ids: string[] | null | undefined) =>
      [...records]
        .filter(({ id, name }) => (ids?.includes('*') || ids?.includes(String(id))) && isIn(name, path))
        .map(({ id }) => id);
    const performerIds = ascending([
      ...scene.performerIds,
      ...named(store.performers.all(), input.performers),
    ]);
    const tagIds = [...new Set([...scene.tagIds, ...named(store.tags.all(), input.tags)])];
    const studioId = scene.studioId ?? named(store.studios.all(), input.studios)[0] ?? null;
    const changed =
      performerIds.length > scene.performerIds.length ||
      tagIds.length > scene.tagIds.length ||
      studioId !== scene.studioId;
    if (changed) Object.assign(scene, { performerIds, tagIds, studioId, updatedAt: store.stamp() });
  }
}

/** As words of their own, with any of the separators that file names have between them. */
function isIn(name: string, path: string): boolean {
  const words = name.split(' ').map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`(?:^|_|[^\\p{L}\\d])${words.join('[.\\-_ ]*')}(?:$|_|[^\\p{L}\\d])`, 'iu').test(path);
}
