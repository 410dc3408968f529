import type { Credentials } from './authentication';
import { type FindFilter, findScenes, type SceneFilter } from './find-scenes';
import { atoi, converting } from './inputs';
import type { Jobs } from './jobs';
import type { PluginHost } from './plugin-host';
import type { SceneRecord } from './records';
import type { Sessions } from './session';
import type { Settings } from './settings';
import type { Store } from './store';
import { jobView, pluginView, type Views } from './views';

export interface Stash {
  store: Store;
  views: Views;
  host: PluginHost;
  jobs: () => Jobs;
  settings: Settings;
  sessions: Sessions;
  credentials: Credentials;
  paths: { dir: string; configFile: string; plugins: string; cwd: string };
}

export function queries({ store, views, host, jobs, settings, sessions, credentials, paths }: Stash) {
  const byId = (id: string) => atoi(id);
  return {
    findScene: ({ id }: { id?: string | null }) => (id ? views.sceneOf(byId(id)) : null),
    findScenes: (args: {
      ids?: string[] | null;
      scene_ids?: number[] | null;
      scene_filter?: SceneFilter | null;
      filter?: FindFilter | null;
    }) => {
      const ids = args.ids?.length ? listOfIds(args.ids) : (args.scene_ids ?? []);
      const { count, scenes } = ids.length
        ? { count: () => ids.length, scenes: ids.map((id) => sceneOrError(store, id)) }
        : findScenes(store, args.scene_filter ?? {}, args.filter ?? {});
      return { count, scenes: scenes.map(views.scene) };
    },
    findPerformer: ({ id }: { id: string }) => views.performerOf(byId(id)),
    findStudio: ({ id }: { id: string }) => views.studioOf(byId(id)),
    findTag: ({ id }: { id: string }) => views.tagOf(byId(id)),
    findGroup: ({ id }: { id: string }) => views.groupOf(byId(id)),
    plugins: () => listOrNull(host.plugins.map((plugin) => pluginView(plugin, host.isEnabled(plugin)))),
    configuration: () => ({
      general: {
        apiKey: credentials.apiKey,
        username: credentials.username,
        maxSessionAge: sessions.maxAge,
        pluginsPath: paths.plugins,
        configFilePath: paths.configFile,
      },
      plugins: ({ include }: { include?: string[] | null }) => settings.show(include ?? []),
      ui: {},
    }),
    systemStatus: () => ({
      databaseSchema: 75,
      databasePath: `${paths.dir}/stash-go.sqlite`,
      configPath: paths.configFile,
      appSchema: 75,
      status: 'OK',
      os: process.platform === 'win32' ? 'windows' : process.platform,
      workingDir: paths.cwd,
      homeDir: paths.dir,
      ffmpegPath: null,
      ffprobePath: null,
    }),
    jobQueue: () => listOrNull(jobs().queue().map(jobView)),
    findJob: ({ input }: { input: { id: string } }) => {
      const job = jobs().find(byId(input.id));
      return job ? jobView(job) : null;
    },
    version: () => ({ version: 'v0.30.1', hash: 'cf3489efd', build_time: '2026-01-11 07:07:53' }),
  };
}

function listOfIds(ids: string[]): number[] {
  const twice = ids.find((id, i) => ids.indexOf(id) !== i);
  if (twice !== undefined) throw new Error(`validating ids: duplicate id found: ${twice}`);
  return converting('ids', () => ids.map(atoi));
}

export function sceneOrError(store: Store, id: number): SceneRecord {
  const scene = store.scenes.get(id);
  if (!scene) throw new Error(`scene with id ${id} not found`);
  return scene;
}

/** Go's empty lists are null in JSON. */
const listOrNull = <T>(list: T[]): T[] | null => (list.length > 0 ? list : null);
