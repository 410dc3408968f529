import {
  atoi,
  type BulkIds,
  type BulkSceneUpdateInput,
  converting,
  parseDate,
  type SceneUpdateInput,
} from './inputs';
import { notSimulated } from './not-simulated';
import { fromDataUrl } from './pictures';
import type { SceneRecord } from './records';
import { ascending, type Store } from './store';
import type { Table } from './table';

/** The scene as it will be; nothing is stored yet. Any edit sets `updated_at`, also one that changes nothing. */
export function editScene(store: Store, input: SceneUpdateInput): SceneRecord {
  const id = converting('id', () => atoi(input.id));
  const scene = store.scenes.get(id);
  if (!scene) throw new Error(`scene with id ${id} not found`);
  return withValues(store, scene, input);
}

export function withValues(store: Store, scene: SceneRecord, input: SceneUpdateInput): SceneRecord {
  const { performer_ids, tag_ids, groups, stash_ids, cover_image, primary_file_id, urls, ...rest } = input;
  const edited = withPlainFields(store, scene, rest);
  if (input.title === '' && scene.fileIds.length === 0)
    throw new Error('title must be set if scene has no files');
  if (urls !== undefined) edited.urls = (urls ?? []).map((url) => url.trim());
  if (performer_ids !== undefined)
    edited.performerIds = ascending(existing(store.performers, performer_ids ?? []));
  if (tag_ids !== undefined) edited.tagIds = existing(store.tags, tag_ids ?? []);
  if (groups !== undefined) {
    const ids = existing(
      store.groups,
      (groups ?? []).map(({ group_id }) => group_id),
    );
    edited.groups = ids.map((groupId, i) => ({ groupId, sceneIndex: groups?.[i]?.scene_index ?? null }));
  }
  if (stash_ids !== undefined)
    edited.stashIds = (stash_ids ?? []).map((one) => ({
      ...one,
      updated_at: one.updated_at ?? store.stamp(),
    }));
  if (cover_image) edited.cover = fromDataUrl(cover_image);
  if (primary_file_id) {
    const fileId = atoi(primary_file_id);
    if (!scene.fileIds.includes(fileId)) throw new Error(`file with id ${fileId} not associated with scene`);
    edited.fileIds = [fileId, ...scene.fileIds.filter((other) => other !== fileId)];
  }
  return edited;
}

export function editSceneInBulk(store: Store, id: number, input: BulkSceneUpdateInput): SceneRecord {
  const { ids: _, performer_ids, tag_ids, group_ids, urls, ...rest } = input;
  const scene = store.scenes.get(id);
  if (!scene) throw new Error('sql: no rows in result set');
  const edited = withPlainFields(store, scene, rest);
  if (urls) edited.urls = apply(scene.urls, urls.values ?? [], urls.mode);
  if (performer_ids)
    edited.performerIds = ascending(applyIds(store.performers, scene.performerIds, performer_ids));
  if (tag_ids) edited.tagIds = applyIds(store.tags, scene.tagIds, tag_ids);
  if (group_ids) {
    const kept = new Map(scene.groups.map((entry) => [entry.groupId, entry]));
    const groupIds = applyIds(store.groups, [...kept.keys()], group_ids);
    const replaced = group_ids.mode === 'SET';
    edited.groups = groupIds.map(
      (groupId) => (!replaced && kept.get(groupId)) || { groupId, sceneIndex: null },
    );
  }
  return edited;
}

type PlainFields = Omit<
  SceneUpdateInput,
  'id' | 'urls' | 'performer_ids' | 'groups' | 'tag_ids' | 'stash_ids'
> & {
  id?: string;
};

function withPlainFields(store: Store, scene: SceneRecord, input: PlainFields): SceneRecord {
  const {
    clientMutationId: _,
    id: __,
    title,
    code,
    details,
    director,
    url,
    date,
    rating100,
    organized,
    studio_id,
    ...others
  } = input;
  const [unknown] = Object.keys(others);
  if (unknown) notSimulated(`editing a scene's ${unknown}`);
  const edited: SceneRecord = { ...scene, updatedAt: store.stamp() };
  if (title !== undefined) edited.title = (title ?? '').trim();
  if (code !== undefined) edited.code = (code ?? '').trim();
  if (details !== undefined) edited.details = (details ?? '').trim();
  if (director !== undefined) edited.director = (director ?? '').trim();
  if (url !== undefined) edited.urls = url === null ? [] : [url.trim()];
  if (date !== undefined) edited.date = converting('date', () => parseDate(date ?? ''));
  if (rating100 !== undefined) edited.rating100 = rating100;
  if (organized !== undefined) edited.organized = organized ?? false;
  if (studio_id !== undefined)
    edited.studioId = studio_id === null ? null : (existing(store.studios, [studio_id])[0] ?? null);
  return edited;
}

/** Numbers of records that exist, each once. */
export function existing<T extends { readonly id: number }>(table: Table<T>, ids: string[]): number[] {
  const numbers = [...new Set(converting('ids', () => ids.map(atoi)))];
  if (!numbers.every((id) => table.has(id))) throw new Error('FOREIGN KEY constraint failed');
  return numbers;
}

function applyIds<T extends { readonly id: number }>(
  table: Table<T>,
  old: number[],
  { ids, mode }: BulkIds,
): number[] {
  const given = mode === 'REMOVE' ? (ids ?? []).map(atoi) : existing(table, ids ?? []);
  return apply(old, given, mode);
}

function apply<T>(old: T[], given: T[], mode: BulkIds['mode']): T[] {
  if (mode === 'SET') return given;
  if (mode === 'REMOVE') return old.filter((one) => !given.includes(one));
  return [...old, ...given.filter((one) => !old.includes(one))];
}
