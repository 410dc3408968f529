/**
 * A server for the tests of this folder: what it answers is up to each test, and it remembers what it was asked.
 */
import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { StashConnection } from '../../../src/stash/connection';
import { certificate, key } from '../../sim/stash/certificate';

export interface Asked {
  /** Empty when it is not GraphQL that was asked for. */
  query: string;
  variables: Record<string, unknown>;
  headers: IncomingHttpHeaders;
  /** With its query. */
  path: string;
}

export interface Answer {
  status?: number;
  headers?: Record<string, string | string[]>;
  /** An object is sent as JSON, bytes as they are. */
  body?: unknown;
  /** The connection ends after the body, before what its length promised. */
  cut?: true;
  /** After the body comes more and more of nothing, until the client goes. */
  endless?: true;
  /** Nothing is sent at all. */
  silent?: true;
}

export interface SmallStash {
  asked: Asked[];
  connection: StashConnection;
  answer: (asked: Asked) => Answer;
  /** How many bytes an endless answer could send before the client had gone. */
  flowed: Promise<number>;
  close(): Promise<void>;
}

export const isKeyQuery = ({ query }: Asked): boolean => query.includes('SluiceApiKey');
export const keyAnswer = (apiKey: string): Answer => ({
  body: { data: { configuration: { general: { apiKey } } } },
});

export async function smallStash(scheme: 'http' | 'https' = 'http'): Promise<SmallStash> {
  const stash: SmallStash = {
    asked: [],
    answer: () => ({ status: 500 }),
    flowed: Promise.resolve(0),
    connection: {
      scheme,
      host: '127.0.0.1',
      port: 0,
      cookie: { name: 'session', value: 'cookie-from-the-hook' },
      dir: '/config',
      pluginDir: '/config/plugins/sluice',
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  const listener: RequestListener = async (req, res) => {
    let text = '';
    for await (const chunk of req) text += chunk;
    const { query = '', variables = {} } = text ? JSON.parse(text) : {};
    const asked: Asked = { query, variables, headers: req.headers, path: req.url ?? '' };
    stash.asked.push(asked);
    const { status = 200, headers = {}, body = '', silent, cut, endless } = stash.answer(asked);
    if (silent) return;
    const json = typeof body !== 'string' && !Buffer.isBuffer(body);
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(json ? JSON.stringify(body) : String(body));
    const length = cut ? { 'content-length': bytes.length + 1 } : {};
    res.writeHead(status, { 'content-type': json ? 'application/json' : 'text/html', ...length, ...headers });
    if (endless) {
      res.write(bytes);
      stash.flowed = flow(res);
    } else if (cut) {
      res.write(bytes, () => res.destroy());
    } else {
      res.end(bytes);
    }
  };
  const server: Server =
    scheme === 'https' ? createHttpsServer({ key, cert: certificate }, listener) : createHttpServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stash.connection = { ...stash.connection, port: (server.address() as AddressInfo).port };
  return stash;
}

function flow(response: ServerResponse): Promise<number> {
  return new Promise((resolve) => {
    const chunk = Buffer.alloc(1024 * 1024);
    let sent = 0;
    const more = () => {
      while (!response.destroyed) {
        sent += chunk.length;
        if (!response.write(chunk)) return;
      }
    };
    response.on('drain', more);
    response.once('close', () => resolve(sent));
    more();
  });
}
