import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../../src/shared/clock';
import { type Answer, Refused, refusal } from './answer';
import { type Fault, type Faults, faultAnswer, takesEffect } from './faults';
import { param, parseQuery, type Query } from './query';
import { type Records, RequestRecord } from './records';
import { route } from './router';
import type { Ask, Route, World } from './world';

export interface Tokens {
  /** The owner's. */
  admin: string;
  /** Of somebody the server is shared with. */
  guest: string | null;
}

export interface ExchangeOptions {
  world: World;
  tokens: Tokens;
  records: Records;
  faults: Faults;
  clock: Clock;
  /** Asked for each request. */
  latencyMs: () => number;
}

/**
 * One request and its answer: recorded, struck by faults, authenticated, routed, answered. `down` aborts when the
 * server goes away: what has not been worked on by then never is.
 */
export async function exchange(
  request: IncomingMessage,
  response: ServerResponse,
  options: ExchangeOptions,
  down: AbortSignal,
): Promise<void> {
  const { records, faults, clock } = options;
  const url = request.url ?? '/';
  const method = request.method ?? 'GET';
  const [path = '', search = ''] = split(url);
  const query = parseQuery(search);
  const way = route(method, path, query);
  const record = new RequestRecord(clock.now(), way.kind, method, url, request.headers);
  records.add(record);
  response.on('error', () => {});
  const body = readBody(request);
  const limitBytes = options.world.behaviour.addressLimitBytes;
  if (limitBytes !== null && Buffer.byteLength(url) > limitBytes) {
    record.status = 414;
    return send(response, refusal(414), null);
  }

  const fault = faults.strike(record);
  const waitMs = options.latencyMs() + (fault?.kind === 'delay' ? fault.ms : 0);
  if (waitMs > 0) await clock.sleep(waitMs, down);
  if (down.aborted) return;
  if (fault?.kind === 'hang' && !fault.applied) return;
  if (fault?.kind === 'reset' && !fault.applied) return reset(request.socket);

  const instead = fault && faultAnswer(fault);
  const worked =
    instead && !takesEffect(fault)
      ? instead
      : await answerOf(request, response, way, { query, body, options });
  if (worked === null) {
    record.status = 200;
    return;
  }
  if (worked !== instead && worked.status === 200) records.tookEffect(record);
  if (fault?.kind === 'hang') return;
  if (fault?.kind === 'reset') return reset(request.socket);
  const answer = instead ?? worked;
  record.status = answer.status;
  send(response, answer, fault);
}

/** Null when the route keeps the response for itself. */
async function answerOf(
  request: IncomingMessage,
  response: ServerResponse,
  way: Route,
  { query, body, options }: { query: Query; body: Promise<Buffer>; options: ExchangeOptions },
): Promise<Answer | null> {
  const token = [request.headers['x-plex-token']].flat()[0] ?? param(query, 'X-Plex-Token') ?? '';
  const admin = token === options.tokens.admin;
  const user = admin || (options.tokens.guest !== null && token === options.tokens.guest);
  if (way.access !== 'anyone' && !user) return refusal(401);
  if (way.access === 'admin' && !admin) return refusal(403);
  const json = (request.headers.accept ?? '').includes('application/json');
  const ask: Ask = { query, headers: request.headers, json, admin, body: () => body };
  if (way.stream) {
    way.stream(ask, options.world, response);
    return null;
  }
  try {
    return await way.answer(ask, options.world);
  } catch (error) {
    if (error instanceof Refused) return refusal(error.status);
    throw error;
  }
}

function send(response: ServerResponse, { status, headers, body }: Answer, fault: Fault | null): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, {
    'cache-control': 'no-cache',
    'x-plex-protocol': '1.0',
    ...headers,
    'content-length': bytes.length,
  });
  if (fault?.kind !== 'truncate') {
    response.end(bytes);
  } else if (bytes.length < 2) {
    reset(response.socket);
  } else {
    response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
  }
}

/** The client sees ECONNRESET (over TLS a plain end, for want of a way to do it). */
function reset(socket: Socket | null): void {
  if (socket && !('encrypted' in socket)) socket.resetAndDestroy();
  else socket?.destroy();
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk);
  } catch {
    return Buffer.alloc(0);
  }
  return Buffer.concat(chunks);
}

function split(url: string): [path: string, search: string] {
  const at = url.indexOf('?');
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
}
