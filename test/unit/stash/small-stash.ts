/**
 * A server for the tests of this folder: what it answers is up to each test, and it remembers what it was asked.
 */
import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type Server,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { StashConnection } from '../../../src/stash/connection';
import { certificate, key } from '../../sim/stash/certificate';

export interface Asked {
  query: string;
  variables: Record<string, unknown>;
  headers: IncomingHttpHeaders;
}

export interface Answer {
  status?: number;
  headers?: Record<string, string | string[]>;
  /** An object is sent as JSON. */
  body?: unknown;
  /** Nothing is sent at all. */
  silent?: true;
}

export interface SmallStash {
  asked: Asked[];
  connection: StashConnection;
  answer: (asked: Asked) => Answer;
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
    const asked: Asked = { ...JSON.parse(text), headers: req.headers };
    stash.asked.push(asked);
    const { status = 200, headers = {}, body = '', silent } = stash.answer(asked);
    if (silent) return;
    const json = typeof body !== 'string';
    res.writeHead(status, { 'content-type': json ? 'application/json' : 'text/html', ...headers });
    res.end(json ? JSON.stringify(body) : body);
  };
  const server: Server =
    scheme === 'https' ? createHttpsServer({ key, cert: certificate }, listener) : createHttpServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stash.connection = { ...stash.connection, port: (server.address() as AddressInfo).port };
  return stash;
}
