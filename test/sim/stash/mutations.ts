import { type AutoTagInput, autoTag, generateCover } from './chores';
import type { Disk } from './disk';
import { editGroup, editPerformer, editStudio, editTag, type RelatedInput } from './edit-related';
import { editScene, editSceneInBulk, withValues } from './edit-scene';
import { stamp } from './go-time';
import { type HookContext, inputForm, type Kind } from './hook-input';
import { atoi, type BulkSceneUpdateInput, converting, type SceneUpdateInput } from './inputs';
import { internalError } from './not-simulated';
import { type Stash, sceneOrError } from './queries';
import type { SceneRecord } from './records';
import type { RequestContext } from './request-context';
import type { Store } from './store';
import type { Table } from './table';

interface DestroyScenes {
  delete_file?: boolean | null;
  delete_generated?: boolean | null;
}

interface MergeScenes {
  source: string[];
  destination: string;
  values?: SceneUpdateInput | null;
  play_history?: boolean | null;
}

interface GenerateInput {
  covers?: boolean | null;
  sceneIDs?: string[] | null;
  overwrite?: boolean | null;
}

type PluginArg = { key: string; value?: PluginValue | null };
interface PluginValue {
  str?: string | null;
  i?: number | null;
  b?: boolean | null;
  f?: number | null;
  o?: PluginArg[] | null;
  a?: PluginValue[] | null;
}

/**
 * Each changes the store as a whole or, when anything is wrong, not at all; then its hooks run, one after another,
 * and only then the request is answered.
 */
export function mutations(stash: Stash, disk: Disk) {
  const { store, views, host, jobs, settings } = stash;

  /** All edits or, when one fails, none. */
  const commit = (edits: (() => SceneRecord)[]): number[] => {
    const before: SceneRecord[] = [];
    try {
      return edits.map((edit) => {
        const edited = edit();
        before.push(sceneOrError(store, edited.id));
        return store.scenes.put(edited).id;
      });
    } catch (error) {
      for (const scene of before.reverse()) store.scenes.put(scene);
      throw error;
    }
  };

  /** Hooks of one edit, in the order given. After the client has gone, reading the scene back fails: no further hook. */
  const updated = async (ids: number[], input: (i: number) => HookInput, request: RequestContext) => {
    const answers = [];
    for (const [i, id] of ids.entries()) {
      await host.runHooks({ id, type: 'Scene.Update.Post', ...input(i) }, request);
      if (request.signal.aborted) throw new Error('context canceled');
      answers.push(views.sceneOf(id));
    }
    return answers.length > 0 ? answers : null;
  };

  const destroyScenes = async (
    ids: number[],
    typeName: string,
    input: DestroyScenes,
    request: RequestContext,
  ) => {
    const scenes = ids.map((id) => sceneOrError(store, id));
    const hooks = scenes.map((scene): HookContext => {
      const file = store.primaryFile(scene);
      const extra = { checksum: '', oshash: file?.oshash ?? '', path: file?.path ?? '' };
      return { id: scene.id, type: 'Scene.Destroy.Post', input: inputForm(typeName, { ...input, ...extra }) };
    });
    for (const id of ids) store.removeScene(id);
    // Nothing is read back here: after the client has gone each hook is still started, and killed at once.
    for (const hook of hooks) await host.runHooks(hook, request);
    return true;
  };

  /** The first kind is the object's own; groups also run the hooks of what they were once called. */
  const relatedUpdate =
    <T>(
      kinds: Kind[],
      edit: (store: Store, input: RelatedInput) => { id: number },
      show: (id: number) => T,
    ) =>
    async ({ input }: { input: RelatedInput }, request: RequestContext): Promise<T> => {
      const { id } = edit(store, input);
      const form = hookInputOf(`${kinds[0]}UpdateInput`, input, input);
      for (const kind of kinds) await host.runHooks({ id, type: `${kind}.Update.Post`, ...form }, request);
      return show(id);
    };

  const relatedDestroy =
    (kinds: Kind[], remove: (id: number) => void) =>
    async ({ input }: { input: { id: string } }, request: RequestContext): Promise<boolean> => {
      const id = converting('id', () => atoi(input.id));
      remove(id);
      const form = hookInputOf(`${kinds[0]}DestroyInput`, input);
      for (const kind of kinds) await host.runHooks({ id, type: `${kind}.Destroy.Post`, ...form }, request);
      return true;
    };

  /** Several at once: each hook gets the list of all ids, as texts. */
  const relatedDestroyMany =
    (
      kinds: Kind[],
      table: Table<{ readonly id: number }>,
      remove: (id: number) => void,
      refuse: (id: number) => void = () => {},
    ) =>
    async ({ ids }: { ids: string[] }, request: RequestContext): Promise<boolean> => {
      const numbers = converting('ids', () => ids.map(atoi));
      for (const id of numbers) {
        if (!table.has(id)) throw new Error(`id ${id} does not exist in ${table.name}`);
        refuse(id);
      }
      for (const id of numbers) remove(id);
      for (const id of numbers)
        for (const kind of kinds)
          await host.runHooks({ id, type: `${kind}.Destroy.Post`, input: ids }, request);
      return true;
    };

  return {
    sceneUpdate: async ({ input }: { input: SceneUpdateInput }, request: RequestContext) => {
      const ids = commit([() => editScene(store, input)]);
      return (await updated(ids, () => hookInputOf('SceneUpdateInput', input, input), request))?.[0];
    },

    scenesUpdate: async ({ input }: { input: SceneUpdateInput[] }, request: RequestContext) => {
      const ids = commit(input.map((one) => () => editScene(store, one)));
      return updated(ids, (i) => hookInputOf('SceneUpdateInput', input, input[i]), request);
    },

    bulkSceneUpdate: async ({ input }: { input: BulkSceneUpdateInput }, request: RequestContext) => {
      const named = converting('ids', () => (input.ids ?? []).map(atoi));
      const ids = commit(named.map((id) => () => editSceneInBulk(store, id, input)));
      return updated(ids, () => hookInputOf('BulkSceneUpdateInput', input, input), request);
    },

    sceneDestroy: ({ input }: { input: DestroyScenes & { id: string } }, request: RequestContext) =>
      destroyScenes([converting('id', () => atoi(input.id))], 'SceneDestroyInput', input, request),

    scenesDestroy: ({ input }: { input: DestroyScenes & { ids: string[] } }, request: RequestContext) =>
      destroyScenes(
        converting('ids', () => input.ids.map(atoi)),
        'ScenesDestroyInput',
        input,
        request,
      ),

    /** Runs no hook: the destination's `updated_at` is all that tells of it. */
    sceneMerge: ({ input }: { input: MergeScenes }) => {
      const destination = atoi(input.destination);
      const sources = [...new Set(input.source.map(atoi))];
      if (sources.includes(destination)) throw new Error('destination scene cannot be in source list');
      const from = sources.map((id) => {
        const source = store.scenes.get(id);
        if (!source) throw new Error(`finding source scenes: scene with id ${id} not found`);
        return source;
      });
      const scene =
        store.scenes.get(destination) ??
        internalError('runtime error: invalid memory address or nil pointer dereference');
      const merged = withValues(store, scene, input.values ?? { id: input.destination });
      merged.fileIds = [...merged.fileIds, ...from.flatMap(({ fileIds }) => fileIds)];
      merged.markers = [...merged.markers, ...from.flatMap(({ markers }) => markers)];
      if (input.play_history)
        merged.playDates = [merged, ...from].flatMap(({ playDates }) => playDates).sort();
      store.scenes.put(merged);
      for (const source of from) {
        source.fileIds = [];
        store.removeScene(source.id);
      }
      return views.sceneOf(destination);
    },

    /** Runs no hook and leaves `updated_at` alone. */
    sceneAddPlay: ({ id, times }: { id: string; times?: string[] | null }) => {
      const scene = store.scenes.get(converting('id', () => atoi(id)));
      if (!scene) throw new Error('inserting into scenes_view_dates: FOREIGN KEY constraint failed');
      const added = times?.length ? times.map((time) => Date.parse(time)) : [store.now()];
      scene.playDates = [...scene.playDates, ...added.map((ms) => stamp(ms, 0))].sort();
      return { count: scene.playDates.length, history: scene.playDates.toReversed() };
    },

    performerUpdate: relatedUpdate(['Performer'], editPerformer, views.performerOf),
    studioUpdate: relatedUpdate(['Studio'], editStudio, views.studioOf),
    tagUpdate: relatedUpdate(['Tag'], editTag, views.tagOf),
    groupUpdate: relatedUpdate(['Group', 'Movie'], editGroup, views.groupOf),

    performerDestroy: relatedDestroy(['Performer'], (id) => store.removePerformer(id)),
    studioDestroy: relatedDestroy(['Studio'], (id) => store.removeStudio(id)),
    tagDestroy: relatedDestroy(['Tag'], (id) => store.removeTag(id)),
    groupDestroy: relatedDestroy(['Group', 'Movie'], (id) => store.removeGroup(id)),

    performersDestroy: relatedDestroyMany(['Performer'], store.performers, (id) => store.removePerformer(id)),
    studiosDestroy: relatedDestroyMany(['Studio'], store.studios, (id) => store.removeStudio(id)),
    tagsDestroy: relatedDestroyMany(
      ['Tag'],
      store.tags,
      (id) => store.removeTag(id),
      (id) => store.refuseRemovingTag(id),
    ),
    groupsDestroy: relatedDestroyMany(['Group', 'Movie'], store.groups, (id) => store.removeGroup(id)),

    /** Runs no hook, neither for the performers nor for their scenes, and leaves the scenes' `updated_at` alone. */
    performerMerge: ({
      input,
    }: {
      input: { source: string[]; destination: string; values?: RelatedInput | null };
    }) => {
      const sources = [...new Set(converting('source ids', () => input.source.map(atoi)))];
      const id = converting('destination id', () => atoi(input.destination));
      if (sources.includes(id)) throw new Error('destination performer cannot be in source list');
      const missing = sources.find((source) => !store.performers.has(source));
      if (missing !== undefined)
        throw new Error(`finding source performers: performer with id ${missing} not found`);
      editPerformer(store, input.values ?? { id: input.destination });
      store.mergePerformers(sources, id);
      return views.performerOf(id);
    },

    tagsMerge: async (
      { input }: { input: { source: string[]; destination: string } },
      request: RequestContext,
    ) => {
      const sources = converting('source ids', () => input.source.map(atoi));
      const id = converting('destination id', () => atoi(input.destination));
      if (sources.length === 0) return null;
      const destination = store.tags.get(id);
      if (!destination) throw new Error(`tag with id ${id} not found`);
      if (sources.includes(id)) throw new Error('cannot merge where source == destination');
      const missing = sources.find((source) => !store.tags.has(source));
      if (missing !== undefined) throw new Error(`id ${missing} does not exist in tags`);
      store.mergeTags(sources, destination);
      await host.runHooks({ id, type: 'Tag.Merge.Post', ...hookInputOf('TagsMergeInput', input) }, request);
      return views.tagOf(id);
    },

    configurePlugin: ({ plugin_id, input }: { plugin_id: string; input: Record<string, unknown> }) =>
      settings.replace(plugin_id, input),

    setPluginsEnabled: ({ enabledMap }: { enabledMap: Record<string, boolean> }) => {
      host.setEnabled(enabledMap);
      return true;
    },

    reloadPlugins: () => {
      host.reload();
      return true;
    },

    runPluginTask: (
      args: {
        plugin_id: string;
        task_name?: string | null;
        description?: string | null;
        args?: PluginArg[] | null;
        args_map?: Record<string, unknown> | null;
      },
      { session }: RequestContext,
    ) =>
      host.queueTask(
        args.plugin_id,
        args.task_name ?? null,
        args.description ?? null,
        args.args_map ?? argsOf(args.args ?? []),
        session,
      ),

    runPluginOperation: (
      { plugin_id, args }: { plugin_id: string; args?: Record<string, unknown> | null },
      request: RequestContext,
    ) => host.runOperation(plugin_id, args ?? {}, request),

    /** A job: it goes on when the client has gone, and so do its hooks. */
    metadataScan: (
      { input }: { input: { paths?: string[] | null; scanGenerateCovers?: boolean | null } },
      request: RequestContext,
    ) =>
      jobs().add('Scanning...', async (_, signal) => {
        for (const hook of disk.scan(store, input.paths ?? null)) {
          await host.runHooks(hook, { ...request, signal });
          if (signal.aborted) return;
          const scene = store.scenes.get(hook.id);
          if (scene && input.scanGenerateCovers) generateCover(store, scene);
        }
      }),

    metadataGenerate: ({ input }: { input: GenerateInput }) =>
      jobs().add('Generating...', async () => {
        const ids = input.sceneIDs?.map(atoi) ?? [];
        const scenes = ids.length > 0 ? ids.map((id) => sceneOrError(store, id)) : store.scenes.all();
        if (input.covers) for (const scene of scenes) generateCover(store, scene, input);
      }),

    /** Its job's number is not told. */
    sceneGenerateScreenshot: ({ id, at }: { id: string; at?: number | null }) => {
      jobs().add(`Generating screenshot for scene id ${id}`, async () =>
        generateCover(store, sceneOrError(store, atoi(id)), { overwrite: true, at: at ?? null }),
      );
      return 'todo';
    },

    metadataAutoTag: ({ input }: { input: AutoTagInput }) =>
      jobs().add('Auto-tagging...', async () => autoTag(store, input)),
  };
}

type HookInput = Pick<HookContext, 'input' | 'inputFields'>;

/** `named` is what the request said of this object: its keys become the hook's `inputFields`. */
function hookInputOf(typeName: string, input: object, named?: object): HookInput {
  return { input: inputForm(typeName, input), ...(named ? { inputFields: Object.keys(named) } : {}) };
}

function argsOf(args: PluginArg[]): Record<string, unknown> {
  return Object.fromEntries(args.map(({ key, value }) => [key, value ? argValue(value) : null]));
}

function argValue({ str, i, b, f, o, a }: PluginValue): unknown {
  if (o) return argsOf(o);
  if (a) return a.map(argValue);
  return str ?? i ?? b ?? f ?? null;
}
