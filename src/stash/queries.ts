/**
 * What Sluice asks Stash, each with the shape its answer must have. The fields are those of Stash 0.27 and later.
 * The shapes turn Stash's JSON into types that the inside can trust; what else Stash sends is dropped.
 */
import * as v from 'valibot';
import type { Scene } from './scene';

export interface Query<T> {
  document: string;
  shape: v.GenericSchema<unknown, T>;
}

const query = <T>(document: string, shape: v.GenericSchema<unknown, T>): Query<T> => ({ document, shape });

const textOrEmpty = v.pipe(
  v.nullable(v.string()),
  v.transform((text) => text ?? ''),
);

const textOrNull = v.pipe(
  v.nullable(v.string()),
  v.transform((text) => text || null),
);

const numericId = v.pipe(v.string(), v.digits(), v.transform(Number));

const named = v.object({ id: v.string(), name: v.string() });

const scene = v.pipe(
  v.object({
    id: numericId,
    title: textOrEmpty,
    details: textOrEmpty,
    date: textOrNull,
    files: v.array(v.object({ path: v.string() })),
    studio: v.nullable(named),
    performers: v.array(named),
    tags: v.array(named),
    groups: v.array(v.object({ group: named })),
  }),
  v.transform(
    (found): Scene => ({
      ...found,
      files: found.files.map((file) => file.path),
      groups: found.groups.map((one) => one.group),
    }),
  ),
);

export const sceneQuery = query(
  `query SluiceScene($id: ID!) {
    findScene(id: $id) {
      id title details date
      files { path }
      studio { id name }
      performers { id name }
      tags { id name }
      groups { group { id name } }
    }
  }`,
  v.object({ findScene: v.nullable(scene) }),
);

export const sceneIdsQuery = query(
  `query SluiceSceneIds($scenes: SceneFilterType, $page: FindFilterType) {
    findScenes(scene_filter: $scenes, filter: $page) {
      count
      scenes { id updated_at }
    }
  }`,
  v.object({
    findScenes: v.object({
      count: v.number(),
      scenes: v.array(v.object({ id: numericId, updated_at: v.string() })),
    }),
  }),
);

const general = v.object({ apiKey: textOrNull });

export const apiKeyQuery = query(
  'query SluiceApiKey { configuration { general { apiKey } } }',
  v.object({ configuration: v.object({ general }) }),
);

export const pluginStateQuery = query(
  `query SluicePluginState($ids: [ID!]) {
    configuration { general { apiKey } plugins(include: $ids) }
    plugins { id enabled version }
  }`,
  v.object({
    configuration: v.object({
      general,
      plugins: v.record(v.string(), v.nullable(v.record(v.string(), v.unknown()))),
    }),
    plugins: v.nullable(v.array(v.object({ id: v.string(), enabled: v.boolean(), version: textOrNull }))),
  }),
);
