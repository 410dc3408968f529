/**
 * The few calls to a Plex server that Sluice needs. How one request goes is in `request.ts`.
 *
 * Holds: no edit leaves without the one item that it is for (Plex takes an edit without an id for an edit of the whole
 * library); a picture travels as bytes, so Plex never learns an address of Stash.
 */
import {
  type PlexImage,
  type PlexItem,
  type PlexLibrary,
  type PlexPage,
  type PlexServer,
  parseImages,
  parseItem,
  parseLibraries,
  parsePage,
  parseServer,
} from './answers';
import { PlexError } from './errors';
import type { Params } from './query-string';
import { type PlexRequest, type PlexRequestOptions, PlexRequests } from './request';

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

/** How many times longer it may take: a picture has some megabytes and may cross a slow line. */
const uploadPatience = 3;

/** Plex warns of pages above 1,000. */
const pageSize = 500;

export class PlexClient {
  readonly #requests: PlexRequests;

  constructor(options: PlexRequestOptions) {
    this.#requests = new PlexRequests(options);
  }

  /** Whether Plex is ready and takes the token: while it starts this is answered with 503. */
  probe(signal: AbortSignal): Promise<PlexServer> {
    return this.#requests.get({ subject: 'server', path: '/', call: null }, parseServer, signal);
  }

  libraries(signal: AbortSignal): Promise<PlexLibrary[]> {
    return this.#requests.get(
      { subject: 'server', path: '/library/sections', call: 'read' },
      parseLibraries,
      signal,
    );
  }

  /** How many items a library has; `type` is the library's. */
  async count(sectionKey: string, signal: AbortSignal, type = 'movie'): Promise<number> {
    const path = allOf(sectionKey);
    const known = typesIn.get(type);
    const params: Params = known === undefined ? [] : [['type', known]];
    const headers = pageHeaders(0, 0);
    const request: PlexRequest = { subject: 'library', path, params, headers, call: 'listing' };
    return (await this.#requests.get(request, parsePage, signal)).total;
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
    for (let start = 0; ; ) {
      const headers = pageHeaders(start, pageSize);
      const request: PlexRequest = { subject: 'library', path, params, headers, call: 'listing' };
      const page = await this.#requests.get(request, parsePage, signal);
      found.push(...page.items);
      start += page.sent;
      if (page.sent === 0 || start >= page.total) return found;
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
    return await this.#requests.get(request, parsePage, signal);
  }

  /** One item with all its tags, or null if Plex has none with this key. */
  async item(ratingKey: string, signal: AbortSignal): Promise<PlexItem | null> {
    const path = itemPath(ratingKey);
    // Without skipRefresh Plex may analyse the file before it answers.
    const params: Params = [['skipRefresh', '1']];
    try {
      const request: PlexRequest = { subject: 'item', path, params, call: 'read' };
      return await this.#requests.get(request, (json) => parseItem(json, ratingKey), signal);
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
    await this.#requests.send('PUT', request, signal);
  }

  /** The pictures that an item can choose from. */
  async images(ratingKey: string, kind: PictureKind, signal: AbortSignal): Promise<PlexImage[]> {
    const path = `${itemPath(ratingKey)}/${kind}s`;
    return await this.#requests.get({ subject: 'picture', path, call: 'read' }, parseImages, signal);
  }

  /** Adds a picture to those of one item, and shows it. Plex names it after the SHA-1 of its bytes. */
  async upload(ratingKey: string, kind: PictureKind, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    const path = `${itemPath(ratingKey)}/${kind}s`;
    // A copy, because fetch takes no memory that another thread could write to.
    const body = new Uint8Array(bytes);
    await this.#requests.send(
      'POST',
      { subject: 'picture', path, body, patience: uploadPatience, call: 'upload' },
      signal,
    );
  }

  /** Shows a picture that the item has; `key` as `images` says it. */
  async select(ratingKey: string, kind: PictureKind, key: string, signal: AbortSignal): Promise<void> {
    const path = `${itemPath(ratingKey)}/${kind}`;
    const params: Params = [['url', key]];
    await this.#requests.send('PUT', { subject: 'picture', path, params, call: 'edit' }, signal);
  }

  /** Asks for a scan of one folder. Plex answers before it scans, and ignores a folder that is in no library. */
  async scan(sectionKey: string, folder: string, signal: AbortSignal): Promise<void> {
    const path = `/library/sections/${number(sectionKey, 'library')}/refresh`;
    // Without a path Plex would scan the whole library.
    if (folder === '')
      throw new PlexError('bad-data', 'A scan was asked for without a folder. Nothing was sent.');
    await this.#requests.send(
      'GET',
      { subject: 'library', path, params: [['path', folder]], call: 'read' },
      signal,
    );
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
