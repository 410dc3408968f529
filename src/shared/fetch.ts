/**
 * Node's fetch, and a stand-in for servers whose certificate nobody signed.
 *
 * Node's own fetch takes no certificate option for one connection, and NODE_TLS_REJECT_UNAUTHORIZED would switch
 * verification off for everything in the process. So with `trustAnyCertificate` https addresses go through
 * `node:https` and an agent of their own. Holds for the stand-in: it never follows a redirect, it rejects and
 * breaks off as fetch does (a TypeError with the cause inside, or the signal's reason), and it sends no
 * Accept-Encoding, so that nothing has to be unpacked.
 */
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { codeOf, messageOf } from './errors';
import { redact } from './secrets';

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

export function makeFetch(options: { trustAnyCertificate: boolean }): Fetch {
  if (!options.trustAnyCertificate) return (url, init) => fetch(url, init);
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
  return (url, init = {}) =>
    new URL(url).protocol === 'https:' ? fetchThrough(agent, url, init) : fetch(url, init);
}

/** Answers with these have no body, and `Response` refuses to be given one. */
const bodiless = new Set([204, 205, 304]);

function fetchThrough(agent: Agent, url: string | URL, init: RequestInit): Promise<Response> {
  return new Promise((resolve, reject) => {
    const { signal } = init;
    const body = plainBody(init.body);
    if (signal?.aborted) return reject(signal.reason);
    const method = (init.method ?? 'GET').toUpperCase();
    const headers = Object.fromEntries(new Headers(init.headers));
    const outgoing = request(url, { agent, method, headers });
    const abort = () => outgoing.destroy(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    const asFetchWould = (message: string, cause: unknown) =>
      signal?.aborted ? signal.reason : new TypeError(message, { cause });

    outgoing.on('close', () => signal?.removeEventListener('abort', abort));
    outgoing.on('error', (error) => reject(asFetchWould('fetch failed', error)));
    outgoing.on('response', (incoming) => {
      const status = incoming.statusCode ?? 0;
      const empty = bodiless.has(status) || method === 'HEAD';
      if (empty) incoming.resume();
      const content = empty ? null : webStream(incoming, (error) => asFetchWould('terminated', error));
      try {
        resolve(
          new Response(content, {
            status,
            statusText: incoming.statusMessage ?? '',
            headers: headersOf(incoming),
          }),
        );
      } catch (error) {
        outgoing.destroy();
        reject(asFetchWould('fetch failed', error));
      }
    });
    outgoing.end(body);
  });
}

function plainBody(body: RequestInit['body']): string | Uint8Array | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  throw new TypeError('only text and bytes can be sent');
}

function headersOf(incoming: IncomingMessage): Headers {
  const headers = new Headers();
  for (let i = 0; i + 1 < incoming.rawHeaders.length; i += 2) {
    headers.append(incoming.rawHeaders[i] ?? '', incoming.rawHeaders[i + 1] ?? '');
  }
  return headers;
}

/** The body as it comes in: read no faster than it is asked for, and in error when it ends before its time. */
function webStream(
  incoming: IncomingMessage,
  translate: (error: unknown) => unknown,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      incoming.on('data', (chunk: Uint8Array) => {
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) incoming.pause();
      });
      incoming.on('end', () => controller.close());
      incoming.on('error', (error) => controller.error(translate(error)));
    },
    pull: () => void incoming.resume(),
    cancel: () => void incoming.destroy(),
  });
}

const connectionLost = 'connection lost';
const noConnectionInTime = 'no connection in time';
const noAnswerInTime = 'no answer in time';
const notTrusted = 'the certificate is not trusted';

const plainWords: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: connectionLost,
  ECONNABORTED: connectionLost,
  EPIPE: connectionLost,
  UND_ERR_SOCKET: connectionLost,
  UND_ERR_CLOSED: connectionLost,
  UND_ERR_DESTROYED: connectionLost,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: connectionLost,
  ENOTFOUND: 'name not found',
  EAI_AGAIN: 'the name could not be looked up',
  EHOSTUNREACH: 'no way to that host',
  ENETUNREACH: 'no way to that network',
  EADDRNOTAVAIL: 'no way to that address',
  ETIMEDOUT: noConnectionInTime,
  UND_ERR_CONNECT_TIMEOUT: noConnectionInTime,
  UND_ERR_HEADERS_TIMEOUT: noAnswerInTime,
  UND_ERR_BODY_TIMEOUT: noAnswerInTime,
  DEPTH_ZERO_SELF_SIGNED_CERT: notTrusted,
  SELF_SIGNED_CERT_IN_CHAIN: notTrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: notTrusted,
  UNABLE_TO_GET_ISSUER_CERT: notTrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: notTrusted,
  CERT_UNTRUSTED: notTrusted,
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another name',
  EPROTO: 'no TLS there; http instead of https?',
  ERR_SSL_WRONG_VERSION_NUMBER: 'no TLS there; http instead of https?',
};

/** Why there is no answer, in a few plain words that fit into brackets. */
export function describeNetworkError(error: unknown): string {
  let innermost = error;
  for (
    let one = error;
    one !== undefined && one !== null;
    one = one instanceof Error ? one.cause : undefined
  ) {
    if (one instanceof Error && one.name === 'TimeoutError') {
      return one.message.startsWith('no answer') ? one.message : noAnswerInTime;
    }
    if (one instanceof Error && one.name === 'AbortError') return 'cancelled';
    const code = codeOf(one);
    if (plainWords[code]) return plainWords[code];
    if (code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW') return 'the answer is not HTTP';
    innermost = one;
  }
  return redact(messageOf(innermost));
}
