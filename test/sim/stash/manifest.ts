import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { StashLog } from './log';
import { parseYaml, type Yaml } from './yaml-subset';

export interface Operation {
  name: string;
  description: string;
  execArgs: string[];
  defaultArgs: Record<string, string>;
}

export interface Hook extends Operation {
  triggeredBy: string[];
}

export interface Setting {
  name: string;
  displayName: string;
  description: string;
  type: string;
}

export interface Plugin {
  /** The manifest's file name without `.yml`. */
  id: string;
  /** Of the manifest, as Stash found it: relative when its plugins path is. */
  path: string;
  name: string;
  description: string | null;
  url: string | null;
  version: string | null;
  exec: string[];
  errLog: string;
  tasks: Operation[];
  hooks: Hook[];
  settings: Setting[];
}

export const pluginDir = (plugin: Plugin): string => dirname(plugin.path);

/** Every `.yml` below the folder is taken for a manifest, in the order of a directory walk; the first of an id wins. */
export function loadPlugins(folder: string, cwd: string, log: StashLog): Plugin[] {
  const plugins: Plugin[] = [];
  for (const path of manifestsBelow(folder, cwd)) {
    try {
      const plugin = parseManifest(path, readFileSync(resolve(cwd, path), 'utf8'));
      if (plugins.some(({ id }) => id.toLowerCase() === plugin.id.toLowerCase()))
        throw new Error(`plugin ID ${plugin.id} already exists`);
      plugins.push(plugin);
    } catch (error) {
      log.write('error', `Error loading plugin ${path}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return plugins;
}

function* manifestsBelow(folder: string, cwd: string): Generator<string> {
  const entries = statSync(resolve(cwd, folder), { throwIfNoEntry: false })
    ? readdirSync(resolve(cwd, folder))
    : [];
  for (const entry of entries.sort()) {
    const path = join(folder, entry);
    if (statSync(resolve(cwd, path), { throwIfNoEntry: false })?.isDirectory())
      yield* manifestsBelow(path, cwd);
    else if (entry.endsWith('.yml')) yield path;
  }
}

/** Strict, as Stash is: a key that it does not know makes the whole plugin unusable. */
export function parseManifest(path: string, source: string): Plugin {
  const id = basename(path, '.yml');
  const manifest = new Fields(parseYaml(source), 'plugin.Config');
  const plugin: Plugin = {
    id,
    path,
    name: manifest.text('name') ?? '',
    description: manifest.text('description'),
    url: manifest.text('url'),
    version: manifest.text('version'),
    exec: manifest.texts('exec'),
    errLog: manifest.text('errLog') ?? '',
    tasks: manifest.list('tasks').map((task) => done(task, operation(task))),
    hooks: manifest.list('hooks').map((hook) => {
      const triggeredBy = hook.texts('triggeredBy');
      return done(hook, { ...operation(hook), triggeredBy });
    }),
    settings: settings(manifest.take('settings')),
  };
  const kind = manifest.text('interface') ?? 'raw';
  if (!['raw', 'rpc', 'js'].includes(kind)) throw new Error(`invalid interface type ${kind}`);
  if (kind !== 'raw') throw new Error(`The Stash simulator does not know the interface ${kind}`);
  manifest.take('ui');
  return done(manifest, plugin);
}

function operation(fields: Fields): Operation {
  return {
    name: fields.text('name') ?? '',
    description: fields.text('description') ?? '',
    execArgs: fields.texts('execArgs'),
    defaultArgs: Object.fromEntries(
      Object.entries(asMap(fields.take('defaultArgs'))).map(([key, value]) => [key, asText(value) ?? '']),
    ),
  };
}

function settings(value: Yaml): Setting[] {
  return Object.entries(asMap(value))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, entry]) => {
      const fields = new Fields(entry, 'plugin.SettingConfig');
      const type = fields.text('type') ?? 'STRING';
      if (!['STRING', 'NUMBER', 'BOOLEAN'].includes(type))
        throw new Error(`invalid type ${name} for setting ${type}`);
      return done(fields, {
        name,
        displayName: fields.text('displayName') ?? '',
        description: fields.text('description') ?? '',
        type,
      });
    });
}

/** A map of which every key must be asked for. */
class Fields {
  readonly #left: Map<string, Yaml>;
  constructor(
    value: Yaml,
    private readonly type: string,
  ) {
    this.#left = new Map(Object.entries(asMap(value)));
  }

  take(key: string): Yaml {
    const value = this.#left.get(key) ?? null;
    this.#left.delete(key);
    return value;
  }

  text = (key: string): string | null => asText(this.take(key));
  texts = (key: string): string[] => asList(this.take(key)).map((item) => asText(item) ?? '');
  list = (key: string): Fields[] =>
    asList(this.take(key)).map((item) => new Fields(item, 'plugin.OperationConfig'));

  refuseOthers(): void {
    const [unknown] = this.#left.keys();
    if (unknown !== undefined)
      throw new Error(`yaml: unmarshal errors:\n  field ${unknown} not found in type ${this.type}`);
  }
}

function done<T>(fields: Fields, value: T): T {
  fields.refuseOthers();
  return value;
}

function asText(value: Yaml): string | null {
  if (value !== null && typeof value !== 'string')
    throw new Error('yaml: unmarshal errors: expected a string');
  return value;
}

function asList(value: Yaml): Yaml[] {
  if (value === null) return [];
  if (!Array.isArray(value)) throw new Error('yaml: unmarshal errors: expected a list');
  return value;
}

function asMap(value: Yaml): { [key: string]: Yaml } {
  if (value === null) return {};
  if (typeof value === 'string' || Array.isArray(value))
    throw new Error('yaml: unmarshal errors: expected a map');
  return value;
}
