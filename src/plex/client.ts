/**
 * The few calls to a Plex server that Sluice needs, on fetch.
 *
 * Holds: the token travels in a header, never in an address; no redirect is followed (it would carry the token
 * elsewhere); a body is parsed only after its status and its type were looked at, because Plex answers errors in
 * HTML even when JSON was asked for; every failure is a `PlexError`, except an abort by the caller's own signal,
 * which is rethrown as it is; no edit leaves without the one item that it is for (Plex takes an edit without an
 * id for an edit of the whole library); a picture travels as bytes, so Plex never learns an address of Stash; each
 * request of a job that was begun is reported once, when its whole answer is here or none will come, unless we broke
 * it off ourselves. Of a page of a library only trouble is reported: it takes as long as it is long, and beside short
 * answers of the same kind a long one would pass for a slow server.
 */
import type { Call } from '../shared/call';
import { type Clock, systemClock } from '../shared/clock';
import { withDeadline } from '../shared/deadline';
import { describeNetworkError, type Fetch } from '../shared/fetch';
import type { CallKind } from '../shared/status';
import {
  type PlexImage,
  type PlexItem,
  type PlexLibrary,
  type PlexPage,
  type PlexServer,
  parseImages,
  parseLibraries,
  parsePage,
  parseServer,
} from './answers';
import { errorForStatus, PlexError, PlexSettingsError, type Subject } from './errors';
import { type Params, queryString } from './query-string';
import { parseRetryAfter } from './retry-after';

export interface PlexClientOptions {
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

interface PlexRequest {
  subject: Subject;
  path: string;
  params?: Params;
  headers?: Record<string, string>;
  body?: Uint8Array<ArrayBuffer>;
  timeoutMs?: number;
  /** Its length says nothing about the server: only trouble is reported. */
  untimed?: boolean;
  /** What it is reported as; null: not at all. */
  call: CallKind | null;
}

export type PictureKind = 'poster' | 'art';

export interface WantedPage {
  start: number;
  size: number;
  /** In seconds: only items that changed after it. */
  updatedSince?: number;
  /** `id`: an order that no edit changes. `newest`: what changed last comes first. Plex's own otherwise. */
  order?: 'id' | 'newest';
}

/** Plex's number for films, which is also what "Other Videos" are. */
const typeFilm = '1';

/** What is in a library, by the library's type: Plex's numbers. */
const typesIn = new Map([
  ['movie', typeFilm],
  ['show', '2'],
  ['artist', '8'],
  ['photo', '13'],
]);

const orders = { id: 'id:asc', newest: 'updatedAt:desc' } as const;

/** A picture has some megabytes and may cross a slow line. */
const uploadPatience = 3;

/** Plex warns of pages above 1,000. */
const pageSize = 500;

export class PlexClient {
  readonly #options: PlexClientOptions;
  readonly #timeoutMs: number;
  readonly #clock: Clock;

  constructor(options: PlexClientOptions) {
    this.#options = options;
    this.#timeoutMs = options.timeoutMs ?? 30_000;
    this.#clock = options.clock ?? systemClock;
  }

  /** Whether Plex is ready and takes the token: while it starts this is answered with 503. */
  probe(signal: AbortSignal): Promise<PlexServer> {
    return this.#get({ subject: 'server', path: '/', call: null }, parseServer, signal);
  }

  libraries(signal: AbortSignal): Promise<PlexLibrary[]> {
    return this.#get({ subject: 'server', path: '/library/sections', call: 'read' }, parseLibraries, signal);
  }

  /** How many items a library has; `type` is the library's. */
  async count(sectionKey: string, signal: AbortSignal, type = 'movie'): Promise<number> {
    const path = allOf(sectionKey);
    const known = typesIn.get(type);
    const params: Params = known === undefined ? [] : [['type', known]];
    const headers = pageHeaders(0, 0);
    const request: PlexRequest = { subject: 'library', path, params, headers, call: 'listing' };
    return (await this.#get(request, parsePage, signal)).total;
  }

  /**
   * Films whose path contains `fragment`. Tags in it are truncated, and Plex takes a comma in `fragment` for
   * "or": the caller avoids commas and compares the files itself.
   */
  async findByFile(sectionKey: string, fragment: string, signal: AbortSignal): Promise<PlexItem[]> {
    const path = allOf(sectionKey);
    const params: Params = [
      ['type', typeFilm],
      ['file', fragment],
    ];
    const found: PlexItem[] = [];
    for (;;) {
      const headers = pageHeaders(found.length, pageSize);
      const request: PlexRequest = { subject: 'library', path, params, headers, call: 'listing' };
      const page = await this.#get(request, parsePage, signal);
      found.push(...page.items);
      if (page.items.length === 0 || found.length >= page.total) return found;
    }
  }

  /** One page of a library's films, which may be shorter than asked for. Tags in it are truncated. */
  async page(sectionKey: string, wanted: WantedPage, signal: AbortSignal): Promise<PlexPage> {
    const { start, size, updatedSince, order } = wanted;
    const params: [string, string][] = [['type', typeFilm]];
    // The operator is `>>=`: its last character is what stands between name and value anyway.
    if (updatedSince !== undefined) params.push(['updatedAt>>', String(updatedSince)]);
    if (order !== undefined) params.push(['sort', orders[order]]);
    const path = allOf(sectionKey);
    const headers = pageHeaders(start, size);
    const request: PlexRequest = {
      subject: 'library',
      path,
      params,
      headers,
      call: 'listing',
      untimed: true,
    };
    return await this.#get(request, parsePage, signal);
  }

  /** One item with all its tags, or null if Plex has none with this key. */
  async item(ratingKey: string, signal: AbortSignal): Promise<PlexItem | null> {
    const path = itemPath(ratingKey);
    // Without skipRefresh Plex may analyse the file before it answers.
    const params: Params = [['skipRefresh', '1']];
    try {
      const page = await this.#get({ subject: 'item', path, params, call: 'read' }, parsePage, signal);
      return page.items.find((item) => item.ratingKey === ratingKey) ?? null;
    } catch (error) {
      if (error instanceof PlexError && error.status === 404) return null;
      throw error;
    }
  }

  /** Sets fields of exactly one item. The parameters are Plex's own (`title.value`, `genre[0].tag.tag`, ...). */
  async edit(sectionKey: string, ratingKey: string, params: Params, signal: AbortSignal): Promise<void> {
    const path = allOf(sectionKey);
    const which: Params = [
      ['type', typeFilm],
      ['id', number(ratingKey, 'item')],
    ];
    const request: PlexRequest = { subject: 'edit', path, params: [...which, ...params], call: 'edit' };
    await this.#send('PUT', request, signal);
  }

  /** The pictures that an item can choose from. */
  async images(ratingKey: string, kind: PictureKind, signal: AbortSignal): Promise<PlexImage[]> {
    const path = `${itemPath(ratingKey)}/${kind}s`;
    return await this.#get({ subject: 'picture', path, call: 'read' }, parseImages, signal);
  }

  /** Adds a picture to those of one item, and shows it. Plex names it after the SHA-1 of its bytes. */
  async upload(ratingKey: string, kind: PictureKind, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    const path = `${itemPath(ratingKey)}/${kind}s`;
    const timeoutMs = this.#timeoutMs * uploadPatience;
    // A copy, because fetch takes no memory that another thread could write to.
    const body = new Uint8Array(bytes);
    await this.#send('POST', { subject: 'picture', path, body, timeoutMs, call: 'upload' }, signal);
  }

  /** Shows a picture that the item has; `key` as `images` says it. */
  async select(ratingKey: string, kind: PictureKind, key: string, signal: AbortSignal): Promise<void> {
    const path = `${itemPath(ratingKey)}/${kind}`;
    const params: Params = [['url', key]];
    await this.#send('PUT', { subject: 'picture', path, params, call: 'edit' }, signal);
  }

  /** Asks for a scan of one folder. Plex answers before it scans, and ignores a folder that is in no library. */
  async scan(sectionKey: string, folder: string, signal: AbortSignal): Promise<void> {
    const path = `/library/sections/${number(sectionKey, 'library')}/refresh`;
    // Without a path Plex would scan the whole library.
    if (folder === '')
      throw new PlexError('bad-data', 'A scan was asked for without a folder. Nothing was sent.');
    await this.#send('GET', { subject: 'library', path, params: [['path', folder]], call: 'read' }, signal);
  }

  async #get<T>(request: PlexRequest, parse: (json: unknown) => T, signal: AbortSignal): Promise<T> {
    const { body, contentType } = await this.#send('GET', request, signal);
    if (!/\bjson\b/i.test(contentType)) throw unreadable(contentType || 'something without a type');
    try {
      return parse(JSON.parse(body));
    } catch (error) {
      throw unreadable(error instanceof SyntaxError ? 'broken JSON' : 'JSON of another shape', error);
    }
  }

  /** The body of an answer that says yes. */
  async #send(method: 'GET' | 'PUT' | 'POST', request: PlexRequest, signal: AbortSignal) {
    const query = request.params ? `?${queryString(request.params)}` : '';
    const headers = { ...this.#headers(), ...request.headers };
    const init: RequestInit = { method, headers, body: request.body ?? null, redirect: 'manual' };
    const url = this.#address() + request.path + query;
    const timeoutMs = request.timeoutMs ?? this.#timeoutMs;

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

/** Keys are put into addresses: only a number is a key, and anything else never leaves this process. */
function number(key: string, what: string): string {
  if (/^\d+$/.test(key)) return key;
  throw new PlexError('bad-data', `"${key}" is no key of a Plex ${what}. Nothing was sent.`);
}

const itemPath = (ratingKey: string): string => `/library/metadata/${number(ratingKey, 'item')}`;

const pageHeaders = (start: number, size: number): Record<string, string> => ({
  'X-Plex-Container-Start': String(start),
  'X-Plex-Container-Size': String(size),
});

const allOf = (sectionKey: string): string => `/library/sections/${number(sectionKey, 'library')}/all`;

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
