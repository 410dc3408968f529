import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { Disk } from './disk';
import type { Fault } from './faults';
import { GraphqlEndpoint } from './graphql-endpoint';
import { type HookType, hookInput, type PluginInput } from './hook-input';
import { HttpServer, personHeader } from './http-server';
import type { BulkSceneUpdateInput, SceneUpdateInput } from './inputs';
import { type Job, Jobs } from './jobs';
import { StashLog } from './log';
import { mutations } from './mutations';
import { ask, type RawAnswer } from './person';
import { pictureAt } from './pictures';
import { PluginHost } from './plugin-host';
import { queries } from './queries';
import { type ServerConnection, serverConnection } from './server-connection';
import { cookieName, Sessions, type SessionValues } from './session';
import { Settings } from './settings';
import { type NewScene, Store } from './store';
import { Views } from './views';

export interface StashSimOptions {
  /** Stash's configuration folder, `server_connection.Dir`. */
  dir: string;
  /** Where the plugins are, as in Stash's configuration: may be relative to `cwd`. `<dir>/plugins` by default. */
  plugins?: string;
  /** The working folder of Stash and its plugins. */
  cwd?: string;
  /** Added to this process's environment for plugins; undefined takes a variable away. */
  env?: Record<string, string | undefined>;
  /** With a name, every request needs a credential. */
  username?: string;
  /** Empty until the person generates one. */
  apiKey?: string;
  https?: boolean;
  /** What people call Stash from outside, perhaps with a folder: addresses in answers begin with it. */
  externalHost?: string;
  port?: number;
  /** What Stash is bound to as it tells plugins; the simulator itself always listens on loopback. */
  host?: string;
  /** Seconds that a session cookie is good for. */
  maxSessionAge?: number;
  clock?: { now(): number };
  /** Of the server's time zone. */
  utcOffsetMinutes?: number;
  random?: () => number;
}

export interface GraphqlResult<T> {
  data: T;
  errors?: { message: string; path?: (string | number)[]; extensions?: { code: string } }[];
}

export type RelatedKind = 'Performer' | 'Studio' | 'Tag' | 'Group';

interface AskOptions {
  signal?: AbortSignal;
}

/** A Stash over real HTTP, with a library that tests fill and plugins that really run. */
export class StashSim {
  readonly log = new StashLog();
  readonly store: Store;
  readonly disk = new Disk();
  readonly settings = new Settings();
  readonly sessions: Sessions;
  /** May be changed while it runs, as on the settings page. */
  readonly credentials: { username: string; apiKey: string };
  readonly host: PluginHost;
  readonly #options: StashSimOptions;
  readonly #server: HttpServer;
  #jobs: Jobs;
  #port: number;
  #listening = false;

  static async start(options: StashSimOptions): Promise<StashSim> {
    const sim = new StashSim(options);
    await sim.restart();
    return sim;
  }

  private constructor(options: StashSimOptions) {
    const { dir, username = '', apiKey = '', maxSessionAge = 3600, utcOffsetMinutes = 0 } = options;
    const now = () => (options.clock ?? Date).now();
    const cwd = options.cwd ?? process.cwd();
    const plugins = options.plugins ?? join(dir, 'plugins');
    this.#options = options;
    this.#port = options.port ?? 0;
    this.credentials = { username, apiKey };
    this.store = new Store(now, utcOffsetMinutes);
    // Stash keeps its signing key in its configuration: cookies outlive a restart.
    const signingKey = createHash('sha256')
      .update(`stash simulator ${resolve(dir)}`)
      .digest('hex');
    this.sessions = new Sessions(signingKey, now, maxSessionAge);
    this.#jobs = new Jobs(this.store, this.log);
    const jobs = () => this.#jobs;
    this.host = new PluginHost({
      pluginsPath: plugins,
      cwd,
      env: { ...process.env, ...options.env },
      log: this.log,
      jobs,
      random: options.random ?? Math.random,
      connect: (session, pluginDir) => this.#connection(session, pluginDir),
    });
    const stash = {
      store: this.store,
      views: new Views(this.store, () => this.credentials.apiKey),
      host: this.host,
      jobs,
      settings: this.settings,
      sessions: this.sessions,
      credentials: this.credentials,
      paths: { dir, configFile: join(dir, 'config.yml'), plugins, cwd },
    };
    this.#server = new HttpServer({
      https: options.https ?? false,
      sessions: this.sessions,
      credentials: this.credentials,
      endpoint: new GraphqlEndpoint({ ...queries(stash), ...mutations(stash, this.disk) }, this.log),
      picture: (path) => pictureAt(this.store, path),
      externalHost: options.externalHost ?? '',
    });
  }

  get url(): string {
    return `${this.#options.https ? 'https' : 'http'}://127.0.0.1:${this.#port}`;
  }

  get port(): number {
    return this.#port;
  }

  get requests() {
    return this.#server.requests;
  }

  /** Every process that Stash started for a plugin. */
  get runs() {
    return this.host.runs;
  }

  /** The requests of plugins, not of the person: how often `field` was asked for, or all when it is left out. */
  count(field?: string): number {
    return this.requests.entries.filter(
      ({ byPerson, fields }) => !byPerson && (!field || fields.includes(field)),
    ).length;
  }

  /**
   * Stash ends: connections are refused, requests that were open are lost, and with them the processes it had
   * started. What those had started lives on.
   */
  async stop(): Promise<void> {
    this.#listening = false;
    this.#jobs.close();
    await this.#server.close();
    await this.host.killAll();
  }

  /** On the same port, with the same library, settings and sessions; jobs are forgotten, plugins read anew. */
  async restart(): Promise<void> {
    if (this.#listening) await this.stop();
    this.#jobs = new Jobs(this.store, this.log);
    this.host.reload();
    this.#port = await this.#server.listen(this.#port);
    this.#listening = true;
  }

  inject(fault: Fault): void {
    this.#server.faults.inject(fault);
  }

  clearFaults(): void {
    this.#server.faults.clear();
  }

  addScene = (scene?: NewScene): number => this.store.addScene(scene).id;
  addPerformer = (performer: Parameters<Store['addPerformer']>[0]): number =>
    this.store.addPerformer(performer).id;
  addStudio = (studio: Parameters<Store['addStudio']>[0]): number => this.store.addStudio(studio).id;
  addTag = (tag: Parameters<Store['addTag']>[0]): number => this.store.addTag(tag).id;
  addGroup = (group: Parameters<Store['addGroup']>[0]): number => this.store.addGroup(group).id;

  /** A request as the person's browser sends it, with a session of its own; the answer as it came. */
  async post(query: string, variables: object = {}, options: AskOptions = {}): Promise<RawAnswer> {
    const cookie = this.sessions.issue({ user: this.credentials.username, visited: [] });
    return ask(`${this.url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: '*/*',
        cookie: `${cookieName}=${cookie}`,
        [personHeader]: '1',
      },
      body: JSON.stringify({ query, variables }),
      ...options,
    });
  }

  /** The same; gives the data, and throws what the answer calls an error. */
  async gql<T = Record<string, unknown>>(
    query: string,
    variables: object = {},
    options: AskOptions = {},
  ): Promise<T> {
    const { status, body } = await this.post(query, variables, options);
    const answer: GraphqlResult<T> = JSON.parse(body.toString() || '{}');
    if (status !== 200 || answer.errors)
      throw new Error(answer.errors?.map(({ message }) => message).join('; ') ?? `Stash answered ${status}`);
    return answer.data;
  }

  /** One scene, as its edit page saves it. Resolves when its hooks have run. */
  async edit(input: Omit<SceneUpdateInput, 'id'> & { id: number }, options?: AskOptions): Promise<void> {
    await this.gql(
      'mutation($input: SceneUpdateInput!) { sceneUpdate(input: $input) { id } }',
      { input },
      options,
    );
  }

  /** Several scenes by the dialogue for many. */
  async editMany(
    ids: number[],
    input: Omit<BulkSceneUpdateInput, 'ids'>,
    options?: AskOptions,
  ): Promise<void> {
    const query = 'mutation($input: BulkSceneUpdateInput!) { bulkSceneUpdate(input: $input) { id } }';
    await this.gql(query, { input: { ids, ...input } }, options);
  }

  async destroy(ids: number[], options?: AskOptions): Promise<void> {
    const query = 'mutation($input: ScenesDestroyInput!) { scenesDestroy(input: $input) }';
    await this.gql(query, { input: { ids, delete_file: false } }, options);
  }

  async configure(pluginId: string, input: Record<string, unknown>): Promise<void> {
    await this.gql('mutation($id: ID!, $input: Map!) { configurePlugin(plugin_id: $id, input: $input) }', {
      id: pluginId,
      input,
    });
  }

  /** Starts a scan and waits for its end. Covers are made after the hook of their scene has run. */
  async scan(paths?: string[], { covers = true }: { covers?: boolean } = {}): Promise<Job> {
    const query = 'mutation($input: ScanMetadataInput!) { metadataScan(input: $input) }';
    const { metadataScan } = await this.gql<{ metadataScan: string }>(query, {
      input: { ...(paths ? { paths } : {}), scanGenerateCovers: covers },
    });
    return this.jobEnded(metadataScan);
  }

  /** A cover that a person gives a scene on its edit page. */
  setCover(id: number, bytes: Buffer): Promise<void> {
    return this.edit({ id, cover_image: `data:image/any;base64,${bytes.toString('base64')}` });
  }

  /** Covers for the scenes that have none, by the task; `overwrite`: for all of them. */
  async generateCovers(
    ids: number[] = [],
    { overwrite = false }: { overwrite?: boolean } = {},
  ): Promise<Job> {
    const query = 'mutation($input: GenerateMetadataInput!) { metadataGenerate(input: $input) }';
    const { metadataGenerate } = await this.gql<{ metadataGenerate: string }>(query, {
      input: { covers: true, sceneIDs: ids, overwrite },
    });
    return this.jobEnded(metadataGenerate);
  }

  /** The frame at this second becomes the cover, as from a scene's menu. */
  async generateScreenshot(id: number, at: number): Promise<void> {
    await this.gql('mutation($id: ID!, $at: Float) { sceneGenerateScreenshot(id: $id, at: $at) }', {
      id,
      at,
    });
    await this.#jobs.idle();
  }

  async merge(sources: number[], destination: number, values: object = {}): Promise<void> {
    const query = 'mutation($input: SceneMergeInput!) { sceneMerge(input: $input) { id } }';
    const input = { source: sources, destination, values: { id: destination, ...values } };
    await this.gql(query, { input });
  }

  async mergeTags(sources: number[], destination: number): Promise<void> {
    const query = 'mutation($input: TagsMergeInput!) { tagsMerge(input: $input) { id } }';
    await this.gql(query, { input: { source: sources, destination } });
  }

  /** In versions after 0.30. */
  async mergePerformers(sources: number[], destination: number): Promise<void> {
    const query = 'mutation($input: PerformerMergeInput!) { performerMerge(input: $input) { id } }';
    await this.gql(query, { input: { source: sources, destination } });
  }

  /** One performer, studio, tag or group, as its edit page saves it. */
  async editRelated(
    kind: RelatedKind,
    input: { id: number } & Record<string, unknown>,
    options?: AskOptions,
  ): Promise<void> {
    const query = `mutation($input: ${kind}UpdateInput!) { ${kind.toLowerCase()}Update(input: $input) { id } }`;
    await this.gql(query, { input }, options);
  }

  rename(kind: RelatedKind, id: number, name: string): Promise<void> {
    return this.editRelated(kind, { id, name });
  }

  /** Those that are ticked in a list; one alone is deleted from its own page, by another mutation. */
  async destroyRelated(kind: RelatedKind, ids: number[], options?: AskOptions): Promise<void> {
    const noun = kind.toLowerCase();
    const [one] = ids;
    if (ids.length === 1) {
      const query = `mutation($input: ${kind}DestroyInput!) { ${noun}Destroy(input: $input) }`;
      await this.gql(query, { input: { id: one } }, options);
    } else {
      await this.gql(`mutation($ids: [ID!]!) { ${noun}sDestroy(ids: $ids) }`, { ids }, options);
    }
  }

  /** Gives all scenes what is named in their paths, and waits for the end of it. */
  async autoTag(): Promise<Job> {
    const query = 'mutation($input: AutoTagMetadataInput!) { metadataAutoTag(input: $input) }';
    const input = { performers: ['*'], studios: ['*'], tags: ['*'] };
    const { metadataAutoTag } = await this.gql<{ metadataAutoTag: string }>(query, { input });
    return this.jobEnded(metadataAutoTag);
  }

  /** A folder of the library is renamed or moved, and Stash is made to look. */
  moveFolder(from: string, to: string): Promise<Job> {
    this.disk.moveFolder(from, to);
    return this.scan();
  }

  /** Queues a task and waits for its end. */
  async runTask(pluginId: string, task: string, args: Record<string, unknown> = {}): Promise<Job> {
    const query =
      'mutation($id: ID!, $task: String, $args: Map) { runPluginTask(plugin_id: $id, task_name: $task, args_map: $args) }';
    const { runPluginTask } = await this.gql<{ runPluginTask: string }>(query, { id: pluginId, task, args });
    return this.jobEnded(runPluginTask);
  }

  async runOperation<T = unknown>(
    pluginId: string,
    args: Record<string, unknown>,
    options?: AskOptions,
  ): Promise<T> {
    const query = 'mutation($id: ID!, $args: Map) { runPluginOperation(plugin_id: $id, args: $args) }';
    const answer = await this.gql<{ runPluginOperation: T }>(query, { id: pluginId, args }, options);
    return answer.runPluginOperation;
  }

  jobEnded(id: string): Promise<Job> {
    return this.#jobs.ended(Number(id));
  }

  /** What a plugin in this folder gets, with a cookie that is good from now on. */
  serverConnection(pluginDir = join(this.#options.dir, 'plugins', 'sluice')): ServerConnection {
    return this.#connection({ user: this.credentials.username, visited: [] }, pluginDir);
  }

  /** A hook's stdin without running it: `given` is what the person's request said, nothing for a scan. */
  hookInput(type: HookType, id: number, given?: unknown): PluginInput {
    return hookInput(this.serverConnection(), type, id, given);
  }

  #connection(session: SessionValues, pluginDir: string): ServerConnection {
    return serverConnection({
      scheme: this.#options.https ? 'https' : 'http',
      host: this.#options.host ?? '0.0.0.0',
      port: this.#port,
      cookie: this.sessions.issue(session),
      dir: resolve(this.#options.dir),
      pluginDir,
    });
  }
}
