/**
 * What Sluice asks Stash, each with the shape its answer must have. The fields are those of Stash 0.27 and later.
 * The shapes turn Stash's JSON into types that the inside can trust; what else Stash sends is dropped.
 */
import * as v from 'valibot';
import { coverPath } from './picture';
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

const studio = v.pipe(
  v.object({ id: v.string(), name: v.string(), parent_studio: v.nullable(named) }),
  v.transform(({ id, name, parent_studio }) => ({ id, name, parent: parent_studio })),
);

const sceneShape = v.object({
  id: numericId,
  title: textOrEmpty,
  code: textOrEmpty,
  details: textOrEmpty,
  date: textOrNull,
  director: textOrEmpty,
  rating100: v.nullable(v.number()),
  organized: v.boolean(),
  paths: v.object({ screenshot: textOrNull }),
  files: v.array(v.object({ path: v.string() })),
  studio: v.nullable(studio),
  performers: v.array(named),
  tags: v.array(named),
  groups: v.array(v.object({ group: named })),
});

const toScene = ({ paths, files, groups, ...rest }: v.InferOutput<typeof sceneShape>): Scene => ({
  ...rest,
  cover: paths.screenshot && coverPath(paths.screenshot),
  files: files.map((file) => file.path),
  groups: groups.map((one) => one.group),
});

const sceneFields = `id title code details date director rating100 organized
      paths { screenshot }
      files { path }
      studio { id name parent_studio { id name } }
      performers { id name }
      tags { id name }
      groups { group { id name } }`;

export const sceneQuery = query(
  `query SluiceScene($id: ID!) {
    findScene(id: $id) {
      ${sceneFields}
    }
  }`,
  v.object({ findScene: v.nullable(v.pipe(sceneShape, v.transform(toScene))) }),
);

/** One of a page of scenes: what pages are cut by, and what was asked for. */
export interface Listed<T> {
  id: number;
  updatedAt: string;
  wanted: T;
}

/** A question for a page of scenes. */
export type Listing<T> = Query<{ findScenes: { count: number; scenes: Listed<T>[] } }>;

const listing = <T>(name: string, fields: string, each: v.GenericSchema<unknown, Listed<T>>): Listing<T> =>
  query(
    `query ${name}($scenes: SceneFilterType, $page: FindFilterType) {
    findScenes(scene_filter: $scenes, filter: $page) {
      count
      scenes {
        updated_at
        ${fields}
      }
    }
  }`,
    v.object({ findScenes: v.object({ count: v.number(), scenes: v.array(each) }) }),
  );

export const sceneIdsQuery = listing<number>(
  'SluiceSceneIds',
  'id',
  v.pipe(
    v.object({ id: numericId, updated_at: v.string() }),
    v.transform(({ id, updated_at }) => ({ id, updatedAt: updated_at, wanted: id })),
  ),
);

export const scenesQuery = listing<Scene>(
  'SluiceScenes',
  sceneFields,
  v.pipe(
    v.object({ ...sceneShape.entries, updated_at: v.string() }),
    v.transform(({ updated_at, ...found }) => ({
      id: found.id,
      updatedAt: updated_at,
      wanted: toScene(found),
    })),
  ),
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
