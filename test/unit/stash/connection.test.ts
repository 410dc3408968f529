import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  baseUrl,
  connectionDocument,
  isLoopback,
  parseConnectionDocument,
  parseServerConnection,
  type StashConnection,
} from '../../../src/stash/connection';

const fixtures = join(__dirname, '../../fixtures/stash');
const input = {
  Scheme: 'http',
  Host: '0.0.0.0',
  Port: 9999,
  SessionCookie: { Name: 'session', Value: 'the-session-cookie', Path: '' },
  Dir: '/config',
  PluginDir: '/config/plugins/sluice',
};
const connection: StashConnection = {
  scheme: 'http',
  host: '0.0.0.0',
  port: 9999,
  cookie: { name: 'session', value: 'the-session-cookie' },
  dir: resolve('/config'),
  pluginDir: resolve('/config/plugins/sluice'),
};

describe('the connection in a hook input', () => {
  it('is read from everything a real Stash sent', () => {
    const names = readdirSync(fixtures).filter((name) => name.startsWith('hook-'));
    expect(names.length).toBeGreaterThan(20);
    for (const name of names) {
      const { server_connection } = JSON.parse(readFileSync(join(fixtures, name), 'utf8'));
      expect(parseServerConnection(server_connection), name).toEqual({ ...connection, host: '127.0.0.1' });
    }
  });

  it('has absolute folders, although Stash may send relative ones', () => {
    const parsed = parseServerConnection({ ...input, Dir: '.', PluginDir: 'plugins/sluice' });
    expect(parsed.dir).toBe(process.cwd());
    expect(parsed.pluginDir).toBe(join(process.cwd(), 'plugins/sluice'));
  });

  it('may come without a cookie', () => {
    expect(parseServerConnection({ ...input, SessionCookie: null }).cookie).toBeNull();
    expect(parseServerConnection({ ...input, SessionCookie: undefined }).cookie).toBeNull();
    expect(
      parseServerConnection({ ...input, SessionCookie: { Name: 'session', Value: '' } }).cookie,
    ).toBeNull();
  });

  it.each([
    [undefined, 'server_connection is missing'],
    ['text', 'server_connection is missing'],
    [{ ...input, Scheme: undefined }, 'server_connection.Scheme is missing'],
    [{ ...input, Scheme: 'ftp' }, 'server_connection.Scheme is neither http nor https'],
    [{ ...input, Host: undefined }, 'server_connection.Host is missing'],
    [{ ...input, Port: '9999' }, 'server_connection.Port is not a port number'],
    [{ ...input, Port: 70_000 }, 'server_connection.Port is not a port number'],
    [{ ...input, Dir: '' }, 'server_connection.Dir is empty'],
    [{ ...input, PluginDir: 7 }, 'server_connection.PluginDir is not text'],
    [{ ...input, SessionCookie: { Value: 'x' } }, 'server_connection.SessionCookie.Name is missing'],
  ])('names what is wrong: %#', (value, message) => {
    expect(() => parseServerConnection(value)).toThrow(message);
  });
});

describe('connection.json', () => {
  it('gives back what was put in', () => {
    for (const one of [connection, { ...connection, cookie: null }]) {
      const document = connectionDocument(one);
      expect(document.version).toBe(1);
      expect(parseConnectionDocument(JSON.parse(JSON.stringify(document)))).toEqual(one);
    }
  });

  it('is not trusted', () => {
    expect(() => parseConnectionDocument({ ...connection, version: 2 })).toThrow('unknown version');
    expect(() => parseConnectionDocument({ version: 1, ...connection, port: null })).toThrow(
      'port is missing',
    );
    expect(() => parseConnectionDocument([])).toThrow('connection.json is missing');
  });
});

describe('the address to call', () => {
  it.each([
    ['0.0.0.0', 'http://127.0.0.1:9999', true],
    ['::', 'http://127.0.0.1:9999', true],
    ['[::]', 'http://127.0.0.1:9999', true],
    ['', 'http://127.0.0.1:9999', true],
    ['localhost', 'http://localhost:9999', true],
    ['127.0.0.2', 'http://127.0.0.2:9999', true],
    ['::1', 'http://[::1]:9999', true],
    ['fd00::7', 'http://[fd00::7]:9999', false],
    ['192.168.1.7', 'http://192.168.1.7:9999', false],
    ['127.0.0.1.example', 'http://127.0.0.1.example:9999', false],
    ['nas', 'http://nas:9999', false],
  ])('of host "%s" is %s (on loopback: %s)', (host, url, loopback) => {
    expect(baseUrl({ ...connection, host })).toBe(url);
    expect(isLoopback({ ...connection, host })).toBe(loopback);
  });
});
