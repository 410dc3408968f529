/**
 * One request to a Plex server and its answer, on fetch: headers, address, time limit, report, and what a failure is.
 *
 * Holds: the token travels in a header, never in an address; no redirect is followed (it would carry the token
 * elsewhere); a body is parsed only after its status and its type were looked at, because Plex answers errors in
 * HTML even when JSON was asked for; every failure is a `PlexError`, except an abort by the caller's own signal,
 * which is rethrown as it is; each request of a job that was begun is reported once, when its whole answer is here or
 * none will come, unless we broke it off ourselves. Of a page of a library only trouble is reported: it takes as long
 * as it is long, and beside short answers of the same kind a long one would pass for a slow server.
 */
import type { Call } from '../shared/call';
import { type Clock, systemClock } from '../shared/clock';
import { withDeadline } from '../shared/deadline';
import { describeNetworkError, type Fetch } from '../shared/fetch';
import type { CallKind } from '../shared/status';
import { errorForStatus, PlexError, PlexSettingsError, type Subject } from './errors';
import { type Params, queryString } from './query-string';
import { parseRetryAfter } from './retry-after';

export interface PlexRequestOptions {
  url: string;
  token: string;
  /** Stable over restarts: Plex tells its owner about every new one. */
  clientIdentifier: string;
  version: string;
  fetch: Fetch;
  timeoutMs?: number;
  /** For the time limit, for a Retry-After that is a date, and for how long calls take. */
  clock?: Clock;
  /** Hears of every request, except the probe: that one says nothing about what the work of jobs costs. */
  onCall?(call: Call): void;
}

export interface PlexRequest {
  subject: Subject;
  path: string;
  params?: Params;
  headers?: Record<string, string>;
  body?: Uint8Array<ArrayBuffer>;
  /** How many times longer than usual it may take; 1 unless told. */
  patience?: number;
  /** Its length says nothing about the server: only trouble is reported. */
  untimed?: boolean;
  /** What it is reported as; null: not at all. */
  call: CallKind | null;
}

export class PlexRequests {
  readonly #options: PlexRequestOptions;
  readonly #timeoutMs: number;
  readonly #clock: Clock;

  constructor(options: PlexRequestOptions) {
    this.#options = options;
    this.#timeoutMs = options.timeoutMs ?? 30_000;
    this.#clock = options.clock ?? systemClock;
  }

  /** The document of an answer that says yes. */
  async get<T>(request: PlexRequest, parse: (json: unknown) => T, signal: AbortSignal): Promise<T> {
    const { body, contentType } = await this.send('GET', request, signal);
    if (!/\bjson\b/i.test(contentType)) throw unreadable(contentType || 'something without a type');
    try {
      return parse(JSON.parse(body));
    } catch (error) {
      throw unreadable(error instanceof SyntaxError ? 'broken JSON' : 'JSON of another shape', error);
    }
  }

  /** The body of an answer that says yes. */
  async send(method: 'GET' | 'PUT' | 'POST', request: PlexRequest, signal: AbortSignal) {
    const query = request.params ? `?${queryString(request.params)}` : '';
    const headers = { ...this.#headers(), ...request.headers };
    const init: RequestInit = { method, headers, body: request.body ?? null, redirect: 'manual' };
    const url = this.#address() + request.path + query;
    const timeoutMs = this.#timeoutMs * (request.patience ?? 1);

    const startedAt = this.#clock.now();
    const report = (end: Call['end'], retryAfterMs: number | null) => {
      if (request.call === null) return;
      if (request.untimed && end === 'answered' && retryAfterMs === null) return;
      const ms = Math.max(0, this.#clock.now() - startedAt);
      this.#options.onCall?.({ kind: request.call, startedAt, ms, end, retryAfterMs });
    };
    const { response, body } = await this.#exchange(url, init, timeoutMs, signal).catch((error: unknown) => {
      // Anything else is our own signal, which says nothing about Plex.
      if (error instanceof PlexError) report('failed', null);
      throw error;
    });
    const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), this.#clock.now());
    if (response.ok) {
      report('answered', retryAfterMs);
      return { body, contentType: response.headers.get('content-type') ?? '' };
    }
    const redirectsTo = originOf(response.headers.get('location'));
    const error = errorForStatus(response.status, request.subject, { retryAfterMs, redirectsTo });
    report(endOf(error), retryAfterMs);
    throw error;
  }

  /** One request and its whole answer within the time limit. */
  async #exchange(url: string, init: RequestInit, timeoutMs: number, signal: AbortSignal) {
    try {
      return await withDeadline(timeoutMs, this.#clock, signal, async (deadline) => {
        const response = await this.#options.fetch(url, { ...init, signal: deadline });
        // A refusal counts even if its page breaks off.
        const body = response.ok ? await response.text() : await response.text().catch(() => '');
        signal.throwIfAborted();
        return { response, body };
      });
    } catch (error) {
      signal.throwIfAborted();
      const why = describeNetworkError(error);
      const hint = why.includes('certificate') ? ' Correct it, or turn on "Trust any Plex certificate".' : '';
      throw new PlexError('server-down', `Plex is not answering (${why}).${hint}`);
    }
  }

  #address(): string {
    if (!URL.canParse(this.#options.url)) {
      throw new PlexSettingsError(
        'The address of Plex cannot be read. Correct "Plex address" in the settings, for example http://192.168.1.10:32400.',
      );
    }
    const { origin, pathname } = new URL(this.#options.url);
    return origin + pathname.replace(/\/+$/, '');
  }

  #headers(): Record<string, string> {
    const { token, clientIdentifier, version } = this.#options;
    // fetch refuses other characters and prints the value in its error.
    if (!/^[\x21-\x7e]+$/.test(token)) {
      throw new PlexSettingsError(
        'The token of Plex is empty or has characters that no token has. Correct "Plex token" in the settings.',
      );
    }
    return {
      Accept: 'application/json',
      'X-Plex-Token': token,
      'X-Plex-Client-Identifier': clientIdentifier,
      'X-Plex-Product': 'Sluice',
      'X-Plex-Version': version,
      'X-Plex-Platform': 'Node.js',
      'X-Plex-Device': 'Stash',
      'X-Plex-Device-Name': 'Sluice',
    };
  }
}

function unreadable(what: string, cause?: unknown): PlexError {
  return new PlexError(
    'transient',
    `Plex answered with ${what} where a document of its own was expected. If this stays, check that "Plex address" in the settings is the address of Plex.`,
    { cause },
  );
}

/** A refusal is an answer like any other, as long as it does not come from a proxy or a server that cannot cope. */
function endOf({ kind }: PlexError): Call['end'] {
  if (kind === 'overloaded') return 'overloaded';
  return kind === 'server-down' ? 'failed' : 'answered';
}

function originOf(location: string | null): string | null {
  return location && URL.canParse(location) ? new URL(location).origin : null;
}
