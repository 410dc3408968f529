/**
 * A Plex inside this process that answers at once, in place of `fetch`: everything of ours up to there is real.
 *
 * Holds: an item shows what was last written to it. It needs to keep no more of that than the take of the scene (see
 * `sync-library.ts`), so that the memory and the time of this server stay out of what is measured.
 */
import { systemClock } from '../../src/shared/clock';
import type { Fetch } from '../../src/shared/fetch';
import { syncDefaults } from '../../src/stash/sync-settings';
import { wantedState } from '../../src/sync/wanted';
import { fileOf, folder, sceneOf, takeIn } from './sync-library';

export interface Asked {
  GET: number;
  PUT: number;
  POST: number;
}

const longAgo = 1_700_000_000;
const library = { librarySectionID: 1, librarySectionTitle: 'Films' };

export class InstantPlex {
  /** Requests since `clear`. */
  asked: Asked = { GET: 0, PUT: 0, POST: 0 };
  /** By key, which is the scene's id; 0: nothing was written yet. */
  readonly #takes: Int32Array;
  readonly #updatedAt: Float64Array;
  /** Keys in the listing that is being paged: those that changed since some time. */
  #listed: { since: number; keys: number[] } = { since: 0, keys: [] };

  constructor(readonly size: number) {
    this.#takes = new Int32Array(size + 1);
    this.#updatedAt = new Float64Array(size + 1).fill(longAgo);
  }

  clear(): void {
    this.asked = { GET: 0, PUT: 0, POST: 0 };
  }

  /** Answers in place of the global `fetch` until it is told to stop. */
  listen(): { stop(): void } {
    const real = globalThis.fetch;
    globalThis.fetch = (input, init) => this.fetch(input instanceof Request ? input.url : input, init);
    return {
      stop: () => {
        globalThis.fetch = real;
      },
    };
  }

  readonly fetch: Fetch = async (address, init = {}) => {
    const url = new URL(address);
    const method = init.method ?? 'GET';
    if (method !== 'GET' && method !== 'PUT' && method !== 'POST') return new Response(null, { status: 405 });
    this.asked[method] += 1;
    if (method === 'PUT') return this.#edit(url.searchParams);
    if (method === 'POST') return new Response('');
    const container = this.#answer(url, new Headers(init.headers));
    if (container === null) return new Response(null, { status: 404 });
    return Response.json({ MediaContainer: container });
  };

  #answer({ pathname, searchParams }: URL, headers: Headers): object | null {
    if (pathname === '/') return { machineIdentifier: 'bench', friendlyName: 'Bench', version: '1' };
    if (pathname === '/library/sections') {
      return { Directory: [{ key: '1', title: 'Films', type: 'movie', Location: [{ path: folder }] }] };
    }
    if (pathname === '/library/sections/1/all') return this.#page(searchParams, headers);
    const [, key, pictures] = /^\/library\/metadata\/(\d+)(\/posters|\/arts)?$/.exec(pathname) ?? [];
    if (pictures !== undefined) return { Metadata: [] };
    return key === undefined ? null : { ...library, Metadata: [this.#item(Number(key))] };
  }

  #page(params: URLSearchParams, headers: Headers): object {
    const start = Number(headers.get('X-Plex-Container-Start'));
    const size = Number(headers.get('X-Plex-Container-Size'));
    const since = Number(params.get('updatedAt>>') ?? 0);
    if (params.get('sort') === 'updatedAt:desc') {
      const newest = this.#updatedAt.reduce((best, at, key) => (at > (this.#updatedAt[best] ?? 0) ? key : best), 1);
      return { ...library, totalSize: this.size, Metadata: [this.#inListing(newest)] };
    }
    if (start === 0 || this.#listed.since !== since) {
      const all = Array.from({ length: this.size }, (_, index) => index + 1);
      this.#listed = { since, keys: all.filter((key) => (this.#updatedAt[key] ?? 0) >= since) };
    }
    const { keys } = this.#listed;
    const items = keys.slice(start, start + size).map((key) => this.#inListing(key));
    return { ...library, totalSize: keys.length, Metadata: items };
  }

  #inListing(key: number) {
    const take = this.#takes[key] ?? 0;
    return {
      ratingKey: String(key),
      title: take === 0 ? `Scene ${key}` : sceneOf(key, take).title,
      updatedAt: this.#updatedAt[key],
      Media: [{ Part: [{ file: fileOf(key) }] }],
    };
  }

  #item(key: number) {
    const take = this.#takes[key] ?? 0;
    if (take === 0) return this.#inListing(key);
    const shown = wantedState(sceneOf(key, take), syncDefaults);
    const tags = (names: readonly string[] = []) => names.map((tag) => ({ tag }));
    const { actor, director, genre, ...texts } = shown;
    return {
      ...this.#inListing(key),
      ...texts,
      Role: tags(actor),
      Director: tags(director),
      Genre: tags(genre),
      thumb: `/library/metadata/${key}/thumb/${take}`,
      art: `/library/metadata/${key}/art/${take}`,
      Field: [...Object.keys(shown), 'thumb', 'art'].map((name) => ({ name, locked: true })),
    };
  }

  #edit(params: URLSearchParams): Response {
    const key = Number(params.get('id'));
    const take = takeIn(params.get('title.value') ?? '');
    if (take === null || !(key >= 1 && key <= this.size)) return new Response(null, { status: 400 });
    this.#takes[key] = take;
    this.#updatedAt[key] = Math.floor(systemClock.now() / 1_000);
    return new Response('');
  }
}
