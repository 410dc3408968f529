import { commandOf } from './command';
import { goJson, sortKeys } from './go-json';
import type { HookContext, PluginInput } from './hook-input';
import type { Job, Jobs } from './jobs';
import type { StashLog } from './log';
import { type Hook, loadPlugins, type Operation, type Plugin, pluginDir } from './manifest';
import { internalError } from './not-simulated';
import { PluginLogReader } from './plugin-log';
import { type PluginOutput, type PluginProcess, startProcess } from './plugin-process';
import { Recorder } from './recorder';
import type { RequestContext } from './request-context';
import type { ServerConnection } from './server-connection';
import type { SessionValues } from './session';

export interface HostOptions {
  /** As in Stash's configuration: may be relative to `cwd`. */
  pluginsPath: string;
  cwd: string;
  env: NodeJS.ProcessEnv;
  log: StashLog;
  jobs: () => Jobs;
  random: () => number;
  connect: (session: SessionValues, pluginDir: string) => ServerConnection;
}

/** One run of a plugin's process. */
export interface Run {
  plugin: string;
  kind: 'hook' | 'task' | 'operation';
  pid: number;
  argv: string[];
  input: PluginInput;
}

/** Stash stops re-triggering a hook that led to itself this often. */
const deepestLoop = 10;

/** Runs plugins for hooks, tasks and operations. */
export class PluginHost {
  plugins: Plugin[] = [];
  readonly runs = new Recorder<Run>();
  readonly #disabled = new Set<string>();
  readonly #running = new Set<PluginProcess>();

  constructor(private readonly options: HostOptions) {}

  reload(): void {
    this.plugins = loadPlugins(this.options.pluginsPath, this.options.cwd, this.options.log);
  }

  isEnabled = (plugin: Plugin): boolean => !this.#disabled.has(plugin.id);

  setEnabled(enabled: Record<string, boolean>): void {
    for (const [id, on] of Object.entries(enabled)) {
      if (on) this.#disabled.delete(id);
      else this.#disabled.add(id);
    }
  }

  /** After the commit: all plugins' hooks of this type, one after another. Never fails; what goes wrong is logged. */
  async runHooks(context: HookContext, request: RequestContext): Promise<void> {
    try {
      await this.#runHooks(context, request);
    } catch (error) {
      this.options.log.write('error', `error executing post hooks: ${messageOf(error)}`);
    }
  }

  async #runHooks(context: HookContext, request: RequestContext): Promise<void> {
    const { log } = this.options;
    for (const plugin of this.plugins.filter(this.isEnabled)) {
      const mark = `${plugin.id} ${context.type}`;
      const hooks = plugin.hooks.filter(({ triggeredBy }) => triggeredBy.includes(context.type));
      if (hooks.length > 0 && request.session.visited.filter((seen) => seen === mark).length >= deepestLoop) {
        log.write(
          'debug',
          `cyclic loop detected: plugin ID '${plugin.id}' hook ${context.type}, not re-triggering`,
        );
        continue;
      }
      for (const hook of hooks) {
        const session = { ...request.session, visited: [...request.session.visited, mark] };
        const args = { hookContext: this.#shuffled(context) };
        const process = await this.#start('hook', plugin, hook, this.#input(plugin, hook, session, args));
        const { output, error } = await finishedUnless(request.signal, process);
        const title = `${context.type} [${plugin.name}]`;
        if (error !== null) log.write('error', `${title}: returned error: ${error}`);
        else if (output !== null) log.write('debug', `${title}: returned: ${goJson(output)}`);
      }
    }
  }

  /** At once, outside of the queue; what the plugin calls an error fails the request. */
  async runOperation(
    pluginId: string,
    args: Record<string, unknown>,
    request: RequestContext,
  ): Promise<unknown> {
    if (this.#disabled.has(pluginId)) throw new Error(`plugin ${pluginId} is disabled`);
    const plugin = this.plugins.find(({ id }) => id === pluginId);
    if (!plugin) return internalError('runtime error: invalid memory address or nil pointer dereference');
    const process = await this.#start(
      'operation',
      plugin,
      null,
      this.#input(plugin, null, request.session, args),
    );
    const { output, error } = await finishedUnless(request.signal, process);
    if (error !== null) throw new Error(error);
    return output;
  }

  /** Queued; a task that cannot be started fails its job, one that reports an error does not. */
  queueTask(
    pluginId: string,
    taskName: string | null,
    description: string | null,
    args: Record<string, unknown>,
    session: SessionValues,
  ): number {
    const { jobs, log } = this.options;
    return jobs().add(`Running plugin task: ${description ?? taskName ?? pluginId}`, async (job) => {
      const { plugin, task } = this.#findTask(pluginId, taskName);
      const input = this.#input(plugin, task, session, args);
      const process = await this.#start('task', plugin, task, input, job).catch((error) => {
        throw new Error(`Error running plugin task: ${messageOf(error)}`);
      });
      const { output, error } = await process.finished;
      if (error !== null) log.write('error', `Plugin returned error: ${error}`);
      else if (output !== null) log.write('debug', `Plugin returned: ${goJson(output)}`);
    });
  }

  /** For a simulator that ends. */
  async killAll(): Promise<void> {
    const running = [...this.#running];
    for (const process of running) process.kill();
    await Promise.all(running.map(({ exited }) => exited));
  }

  #findTask(pluginId: string, taskName: string | null): { plugin: Plugin; task: Operation | null } {
    const fail = (why: string): never => {
      throw new Error(`Error creating plugin task: ${why}`);
    };
    if (this.#disabled.has(pluginId)) fail(`plugin ${pluginId} is disabled`);
    const plugin = this.plugins.find(({ id }) => id === pluginId) ?? fail(`no plugin with ID ${pluginId}`);
    if (taskName === null) return { plugin, task: null };
    const task = plugin.tasks.find(({ name }) => name === taskName);
    return {
      plugin,
      task: task ?? fail(`no task with name ${taskName} in plugin ${plugin.name || plugin.id}`),
    };
  }

  #input(
    plugin: Plugin,
    operation: Operation | Hook | null,
    session: SessionValues,
    args: Record<string, unknown>,
  ): PluginInput {
    const all = { ...operation?.defaultArgs, ...args };
    const sorted = Object.keys(all).sort();
    return {
      server_connection: this.options.connect(session, pluginDir(plugin)),
      args: Object.fromEntries(
        sorted.map((key) => [key, key === 'hookContext' ? all[key] : sortKeys(all[key])]),
      ),
    };
  }

  async #start(
    kind: Run['kind'],
    plugin: Plugin,
    operation: Operation | null,
    input: PluginInput,
    job?: Job,
  ): Promise<PluginProcess> {
    const { env, cwd, log } = this.options;
    const command = commandOf(plugin, operation, env, cwd);
    const onProgress = (progress: number) => {
      if (job) job.progress = Math.min(Math.max(progress, 0), 1);
    };
    const reader = new PluginLogReader({
      pluginName: plugin.name,
      errLog: plugin.errLog,
      log,
      ...(job ? { onProgress } : {}),
    });
    const process = await startProcess(command, goJson(input), { env, cwd, log, reader });
    log.write('debug', `Plugin ${plugin.name} started: ${command.argv.join(' ')}`);
    this.#running.add(process);
    void process.exited.then(() => this.#running.delete(process));
    void process.finished.then(() => log.write('debug', `Plugin ${plugin.name} finished`));
    this.runs.add({ plugin: plugin.id, kind, pid: process.pid, argv: command.argv, input });
    return process;
  }

  /** Go goes through a map in a different order every time. */
  #shuffled(context: HookContext): HookContext {
    if (!context.inputFields) return context;
    const keyed = context.inputFields.map((field) => ({ field, at: this.options.random() }));
    return { ...context, inputFields: keyed.sort((a, b) => a.at - b.at).map(({ field }) => field) };
  }
}

/** Waits for the process; when the client goes first, kills it and waits no longer. */
async function finishedUnless(signal: AbortSignal, process: PluginProcess): Promise<PluginOutput> {
  return new Promise((resolve, reject) => {
    const cancel = () => {
      process.kill();
      reject(new Error('operation cancelled'));
    };
    if (signal.aborted) return cancel();
    signal.addEventListener('abort', cancel, { once: true });
    void process.finished.then((output) => {
      signal.removeEventListener('abort', cancel);
      resolve(output);
    });
  });
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
