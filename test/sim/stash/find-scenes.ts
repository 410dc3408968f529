import { naturalOrder } from './collation';
import { type IdsCriterion, idsTest, type OrderCriterion, orderTest, timeTest } from './criteria';
import { stamp } from './go-time';
import { notSimulated } from './not-simulated';
import type { SceneRecord } from './records';
import type { Store } from './store';

export interface FindFilter {
  q?: string | null;
  page?: number | null;
  per_page?: number | null;
  sort?: string | null;
  direction?: 'ASC' | 'DESC' | null;
}

export interface SceneFilter {
  id?: OrderCriterion<number> | null;
  updated_at?: OrderCriterion<string> | null;
  created_at?: OrderCriterion<string> | null;
  organized?: boolean | null;
  performers?: IdsCriterion | null;
  tags?: IdsCriterion | null;
  studios?: IdsCriterion | null;
  groups?: IdsCriterion | null;
}

const dayMs = 86_400_000;

/** `count` is of all pages; as in Stash it is worked out only when it is asked for. */
export function findScenes(
  store: Store,
  sceneFilter: SceneFilter,
  filter: FindFilter,
): { count: () => number; scenes: SceneRecord[] } {
  if (filter.q) notSimulated('text search (q)');
  const tests = sceneTests(store, sceneFilter);
  const matching = (most: number): SceneRecord[] => {
    const found: SceneRecord[] = [];
    for (const scene of store.scenes.all()) {
      if (found.length >= most) break;
      if (tests.every((test) => test(scene))) found.push(scene);
    }
    return found;
  };
  const { start, end } = pageOf(filter);
  // Ascending ids are how the table has them: a large library is then read no further than the page.
  const inOrder = filter.sort === 'id' && filter.direction !== 'DESC';
  const scenes = inOrder ? matching(end) : sort(store, matching(Number.POSITIVE_INFINITY), filter);
  return { count: () => matching(Number.POSITIVE_INFINITY).length, scenes: scenes.slice(start, end) };
}

function sceneTests(store: Store, filter: SceneFilter): ((scene: SceneRecord) => boolean)[] {
  const { id, updated_at, created_at, organized, performers, tags, studios, groups, ...others } = filter;
  for (const [name, value] of Object.entries(others))
    if (value !== null) notSimulated(`scene_filter.${name}`);
  const tests: ((scene: SceneRecord) => boolean)[] = [];
  const on = <T>(value: T | null | undefined, make: (value: T) => (scene: SceneRecord) => boolean) => {
    if (value !== null && value !== undefined) tests.push(make(value));
  };
  const tomorrow = stamp(store.now() + dayMs, store.utcOffsetMinutes);
  const times = (criterion: OrderCriterion<string>, key: 'createdAt' | 'updatedAt') => {
    const test = timeTest(criterion, tomorrow);
    return (scene: SceneRecord) => test(scene[key]);
  };
  on(id, (criterion) => {
    const test = orderTest(criterion, 0);
    return (scene) => test(scene.id);
  });
  on(updated_at, (criterion) => times(criterion, 'updatedAt'));
  on(created_at, (criterion) => times(criterion, 'createdAt'));
  on(organized, (value) => (scene) => scene.organized === value);
  on(performers, (criterion) => {
    const test = idsTest(criterion, (id) => [id]);
    return (scene) => test(scene.performerIds);
  });
  on(tags, (criterion) => {
    const children = [...store.tags.all()].flatMap(({ id, parentIds }) =>
      parentIds.map((parent) => [parent, id]),
    );
    const test = idsTest(criterion, (id, depth) => descendants(id, depth, children));
    return (scene) => test(scene.tagIds);
  });
  on(studios, (criterion) => {
    const children = [...store.studios.all()].flatMap(({ id, parentId }) =>
      parentId ? [[parentId, id]] : [],
    );
    const test = idsTest(criterion, (id, depth) => descendants(id, depth, children));
    return (scene) => test(scene.studioId === null ? [] : [scene.studioId]);
  });
  on(groups, (criterion) => {
    if (criterion.depth) notSimulated('groups inside groups');
    const test = idsTest(criterion, (id) => [id]);
    return (scene) => test(scene.groups.map(({ groupId }) => groupId));
  });
  return tests;
}

function descendants(root: number, depth: number, children: number[][]): number[] {
  const found = new Set([root]);
  let level = [root];
  for (let i = 0; level.length > 0 && (depth < 0 || i < depth); i++) {
    level = children
      .filter(([parent = 0, id = 0]) => level.includes(parent) && !found.has(id))
      .map(([, id = 0]) => id);
    for (const id of level) found.add(id);
  }
  return [...found];
}

type SortKey = string | number | null;

/** What Stash can sort by and the simulator too; unset values come first when ascending, as in SQLite. */
const sortKeys: Record<string, (store: Store, scene: SceneRecord) => SortKey> = {
  id: (_, scene) => scene.id,
  created_at: (_, scene) => scene.createdAt,
  updated_at: (_, scene) => scene.updatedAt,
  date: (_, scene) => scene.date,
  rating: (_, scene) => scene.rating100,
  organized: (_, scene) => Number(scene.organized),
  play_count: (_, scene) => scene.playDates.length,
  file_count: (_, scene) => scene.fileIds.length,
};

const naturalKeys: Record<string, (store: Store, scene: SceneRecord) => string> = {
  title: (store, scene) => scene.title || store.fileName(scene),
  path: (store, scene) => store.primaryFile(scene)?.path ?? '',
};

const otherSorts =
  'bitrate code filesize duration file_mod_time framerate group_scene_number interactive interactive_speed ' +
  'last_played_at movie_scene_number performer_count play_duration resume_time perceptual_similarity random ' +
  'resolution studio tag_count performer_age';

/**
 * Without a sort the order is that in which the database comes across them: mostly by studio, those without one
 * first. It is not by id, and it changes with edits, so that pages of it may miss scenes. A sort leaves the order
 * of what is equal open, save that it ends with the title.
 */
function sort(store: Store, scenes: SceneRecord[], filter: FindFilter): SceneRecord[] {
  const by = filter.sort ?? '';
  if (by === '') return scenes.sort((a, b) => (a.studioId ?? 0) - (b.studioId ?? 0));
  const descending = filter.direction === 'DESC';
  if (by === 'id') return scenes.reverse();
  const compare = comparison(store, by);
  const lastResort = (scene: SceneRecord) => scene.title || String(scene.id);
  return scenes.sort(
    (a, b) =>
      (descending ? -compare(a, b) : compare(a, b)) ||
      naturalOrder(lastResort(a), lastResort(b)) ||
      b.id - a.id,
  );
}

function comparison(store: Store, by: string): (a: SceneRecord, b: SceneRecord) => number {
  const natural = naturalKeys[by];
  if (natural) return (a, b) => naturalOrder(natural(store, a), natural(store, b));
  const key = sortKeys[by];
  if (key) return (a, b) => compareKeys(key(store, a), key(store, b));
  if (otherSorts.split(' ').includes(by)) notSimulated(`the sort "${by}"`);
  throw new Error(`invalid sort: ${by}`);
}

function compareKeys(a: SortKey, b: SortKey): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  return a < b ? -1 : 1;
}

function pageOf(filter: FindFilter): { start: number; end: number } {
  const size = filter.per_page ?? 25;
  if (size < 0) return { start: 0, end: Number.POSITIVE_INFINITY };
  const start = (Math.max(filter.page ?? 1, 1) - 1) * size;
  return { start, end: start + size };
}
