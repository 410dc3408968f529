/**
 * How to reach the Stash that runs us: what each hook's input says in `server_connection`, and what
 * `connection.json` keeps of it for the worker. Holds the session cookie: only ever in files of mode 0600.
 * Part of the hook's bundle: node: modules only.
 */
import { isAbsolute, resolve } from 'node:path';

export type OwnFolders = Pick<StashConnection, 'dir' | 'pluginDir'>;

export interface StashConnection {
  scheme: 'http' | 'https';
  /** As Stash binds it; `baseUrl` makes an address to call of it. */
  host: string;
  port: number;
  cookie: { name: string; value: string } | null;
  /** Stash's configuration folder, absolute. */
  dir: string;
  /** The plugin's own folder, absolute. */
  pluginDir: string;
}

/**
 * Throws an Error that names the key which is missing or wrong. A relative folder is relative to Stash's working
 * folder: a hook runs there; the worker does not, and says which folders they are (`own`).
 */
export function parseServerConnection(value: unknown, own?: OwnFolders): StashConnection {
  const at = reader(value, 'server_connection');
  const cookie = at.optional('SessionCookie');
  return {
    scheme: schemeOf(at.text('Scheme'), 'server_connection.Scheme'),
    host: at.text('Host'),
    port: at.port('Port'),
    cookie:
      cookie === null ? null : cookieOf(reader(cookie, 'server_connection.SessionCookie'), 'Name', 'Value'),
    dir: absolute(at.filled('Dir'), own?.dir),
    pluginDir: absolute(at.filled('PluginDir'), own?.pluginDir),
  };
}

export const connectionVersion = 1;

export interface ConnectionDocument extends StashConnection {
  version: typeof connectionVersion;
}

export const connectionDocument = (connection: StashConnection): ConnectionDocument => ({
  version: connectionVersion,
  ...connection,
});

/** Throws an Error that names the key which is missing or wrong. */
export function parseConnectionDocument(value: unknown): StashConnection {
  const at = reader(value, 'connection.json');
  if (at.optional('version') !== connectionVersion) throw new Error('connection.json: unknown version');
  const cookie = at.optional('cookie');
  return {
    scheme: schemeOf(at.text('scheme'), 'connection.json.scheme'),
    host: at.text('host'),
    port: at.port('port'),
    cookie: cookie === null ? null : cookieOf(reader(cookie, 'connection.json.cookie'), 'name', 'value'),
    dir: at.filled('dir'),
    pluginDir: at.filled('pluginDir'),
  };
}

/** Without a slash at its end. Stash needs no base path when it is called directly. */
export function baseUrl(connection: StashConnection): string {
  const host = callableHost(connection);
  return `${connection.scheme}://${host.includes(':') ? `[${host}]` : host}:${connection.port}`;
}

export function isLoopback(connection: StashConnection): boolean {
  const host = callableHost(connection).toLowerCase();
  return host === 'localhost' || host === '::1' || /^(::ffff:)?127(\.\d{1,3}){3}$/.test(host);
}

/**
 * A server that listens everywhere is called on loopback; `::` too on the IPv4 one, because Go listens on both and
 * a container without IPv6 has no ::1.
 */
function callableHost({ host }: StashConnection): string {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  return ['', '0.0.0.0', '::'].includes(bare) ? '127.0.0.1' : bare;
}

const absolute = (path: string, instead: string | undefined): string =>
  instead === undefined || isAbsolute(path) ? resolve(path) : instead;

interface Reader {
  optional(key: string): unknown;
  text(key: string): string;
  filled(key: string): string;
  port(key: string): number;
}

function reader(value: unknown, name: string): Reader {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`${name} is missing`);
  const object: Record<string, unknown> = { ...value };
  const required = (key: string): unknown => {
    if (object[key] === undefined || object[key] === null) throw new Error(`${name}.${key} is missing`);
    return object[key];
  };
  const text = (key: string): string => {
    const found = required(key);
    if (typeof found !== 'string') throw new Error(`${name}.${key} is not text`);
    return found;
  };
  return {
    optional: (key) => object[key] ?? null,
    text,
    filled: (key) => {
      const found = text(key);
      if (found === '') throw new Error(`${name}.${key} is empty`);
      return found;
    },
    port: (key) => {
      const found = required(key);
      if (typeof found === 'number' && Number.isInteger(found) && found > 0 && found < 65_536) return found;
      throw new Error(`${name}.${key} is not a port number`);
    },
  };
}

function schemeOf(text: string, name: string): 'http' | 'https' {
  if (text === 'http' || text === 'https') return text;
  throw new Error(`${name} is neither http nor https`);
}

function cookieOf(at: Reader, nameKey: string, valueKey: string): StashConnection['cookie'] {
  const name = at.filled(nameKey);
  const value = at.text(valueKey);
  return value === '' ? null : { name, value };
}
