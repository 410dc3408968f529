import { createHash } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse, type SelectionNode } from 'graphql';
import { type Admission, admit, type Credentials } from './authentication';
import { certificate, key } from './certificate';
import { Faults } from './faults';
import { type GraphqlEndpoint, parseRequest } from './graphql-endpoint';
import { typeOf } from './pictures';
import { Recorder } from './recorder';
import type { Sessions, SessionValues } from './session';

/** The person's browser says who it is, so that tests can tell its requests from the plugin's. */
export const personHeader = 'x-sim-person';

export interface RecordedRequest {
  method: string;
  /** With its query. */
  path: string;
  headers: IncomingMessage['headers'];
  /** Of GraphQL: the fields asked for at the top, such as `findScene`. */
  fields: string[];
  operationName: string | null;
  variables: Record<string, unknown>;
  byPerson: boolean;
  /** Set once it was answered. */
  status: number | null;
}

export interface ServerOptions {
  https: boolean;
  sessions: Sessions;
  credentials: Credentials;
  endpoint: GraphqlEndpoint;
  /** The picture at this path; null where there is nothing. */
  picture: (path: string) => Buffer | null;
  /** Empty: addresses in answers begin with the host that was asked. */
  externalHost: string;
}

interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** Stash's port: who may come in, GraphQL, pictures, and whatever a test wants to go wrong. */
export class HttpServer {
  readonly requests = new Recorder<RecordedRequest>();
  readonly faults = new Faults();
  readonly #sockets = new Set<Socket>();
  #server: Server | null = null;

  constructor(private readonly options: ServerOptions) {}

  async listen(port: number): Promise<number> {
    const onRequest: RequestListener = (request, response) => void this.#handle(request, response);
    const server = this.options.https
      ? createTlsServer({ key, cert: certificate }, onRequest)
      : createServer(onRequest);
    // Go's server keeps idle connections for as long as the client does.
    server.keepAliveTimeout = 0;
    server.requestTimeout = 0;
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
    this.#server = server;
    return (server.address() as AddressInfo).port;
  }

  /** From now on connections are refused, and those that are open end. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (!server) return;
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) gone.abort();
    });
    const body = await readBody(request);
    if (body === null) return;
    const record = recordOf(request, body);
    this.requests.add(record);
    const fault = this.faults.take(record);
    if (fault?.kind === 'hang') return;
    if (fault?.kind === 'delay') await sleep(fault.ms, undefined, { signal: gone.signal }).catch(() => {});
    const answer =
      fault?.kind === 'status'
        ? { status: fault.status, body: fault.body ?? '' }
        : await this.#answer(request, body, gone.signal).catch(brokenSimulator);
    record.status = answer.status;
    send(response, answer, fault?.kind === 'cut');
  }

  async #answer(request: IncomingMessage, body: string, signal: AbortSignal): Promise<Answer> {
    const { sessions, credentials } = this.options;
    const url = new URL(request.url ?? '/', this.#baseUrl(request));
    const admission = admit(request, url, sessions, credentials);
    if (admission.kind !== 'admitted') return refused(admission);
    const answer =
      url.pathname === '/graphql'
        ? await this.#graphql(request, body, admission.session, signal)
        : this.#picture(request, url);
    return {
      ...answer,
      headers: { ...answer.headers, ...(admission.setCookie ? { 'Set-Cookie': admission.setCookie } : {}) },
    };
  }

  async #graphql(
    request: IncomingMessage,
    body: string,
    session: SessionValues,
    signal: AbortSignal,
  ): Promise<Answer> {
    const isJson = request.headers['content-type']?.split(';')[0]?.trim() === 'application/json';
    if (request.method !== 'POST' || !isJson)
      return { status: 400, body: '{"errors":[{"message":"transport not supported"}],"data":null}' };
    const baseUrl = this.options.externalHost || this.#baseUrl(request);
    const context = { baseUrl, session, signal };
    const { contentType = 'application/json', ...answer } = await this.options.endpoint.answer(
      body,
      request.headers.accept,
      context,
    );
    return { ...answer, headers: { 'Content-Type': contentType, 'Cache-Control': 'no-store' } };
  }

  #picture(request: IncomingMessage, url: URL): Answer {
    const bytes = this.options.picture(url.pathname);
    if (!bytes)
      return { status: 404, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body: 'Not Found\n' };
    const etag = `"${createHash('md5').update(bytes).digest('hex')}"`;
    const immutable = url.searchParams.has('t');
    const headers = {
      ETag: etag,
      'Cache-Control': immutable ? 'private, max-age=31536000, immutable' : 'no-cache',
    };
    if (request.headers['if-none-match'] === etag) return { status: 304, headers };
    return { status: 200, headers: { ...headers, 'Content-Type': typeOf(bytes) }, body: bytes };
  }

  #baseUrl(request: IncomingMessage): string {
    return `${this.options.https ? 'https' : 'http'}://${request.headers.host ?? 'localhost'}`;
  }
}

/** A mistake of the simulator's own must not look like one of Stash's. */
function brokenSimulator(error: unknown): Answer {
  return {
    status: 500,
    body: `The Stash simulator is broken: ${error instanceof Error ? error.stack : error}`,
  };
}

function refused(admission: Exclude<Admission, { kind: 'admitted' }>): Answer {
  if (admission.kind === 'unauthorized') return { status: 401, headers: { 'WWW-Authenticate': 'FormBased' } };
  return {
    status: 302,
    headers: { Location: admission.location, 'Content-Type': 'text/html; charset=utf-8' },
    body: `<a href="${admission.location}">Found</a>.\n\n`,
  };
}

function send(response: ServerResponse, { status, headers, body = '' }: Answer, cut: boolean): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...headers, ...(status === 304 ? {} : { 'Content-Length': bytes.length }) });
  if (!cut) return void response.end(bytes);
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy());
}

/** Null when the client went before it had said everything. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk);
  } catch {
    return null;
  }
  return Buffer.concat(chunks).toString('utf8');
}

function recordOf(request: IncomingMessage, body: string): RecordedRequest {
  const graphql = request.url === '/graphql' ? parseRequest(body) : null;
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    fields: graphql ? topFields(graphql.query) : [],
    operationName: graphql?.operationName ?? null,
    variables: graphql?.variables ?? {},
    byPerson: personHeader in request.headers,
    status: null,
  };
}

function topFields(query: string): string[] {
  const name = (selection: SelectionNode) => (selection.kind === 'Field' ? [selection.name.value] : []);
  try {
    return parse(query).definitions.flatMap((definition) =>
      definition.kind === 'OperationDefinition' ? definition.selectionSet.selections.flatMap(name) : [],
    );
  } catch {
    return [];
  }
}
