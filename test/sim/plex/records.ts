import type { IncomingHttpHeaders } from 'node:http';
import { decode } from './query';

export const requestKinds = [
  'capabilities',
  'identity',
  'library',
  'sections',
  'list',
  'find',
  'collections',
  'item',
  'edit',
  'images',
  'upload',
  'select-image',
  'delete-image',
  'rate',
  'scan',
  'refresh',
  'activities',
  'events',
  'unknown',
] as const;

/** The kinds that change what Plex shows. */
export const writeKinds = [
  'edit',
  'upload',
  'select-image',
  'delete-image',
  'rate',
  'refresh',
] as const satisfies readonly RequestKind[];

export type WriteKind = (typeof writeKinds)[number];

/** `find` is a listing with `file=`, `list` any other; `unknown` is what the simulator has no answer for. */
export type RequestKind = (typeof requestKinds)[number];

export class RequestRecord {
  /** What was answered; null while nothing was, and for ever when the connection was cut or left hanging. */
  status: number | null = null;
  /** Whether it was worked on and not refused, also when the client never heard of it. */
  applied = false;

  constructor(
    readonly at: number,
    readonly kind: RequestKind,
    readonly method: string,
    /** As it came: path and query, still encoded. */
    readonly url: string,
    readonly headers: IncomingHttpHeaders,
  ) {}

  get path(): string {
    return this.url.split('?', 1)[0] ?? '';
  }

  /** Method and path with `{id}` for every number: `PUT /library/sections/{id}/all`. */
  get route(): string {
    return `${this.method} ${decode(this.path).replace(/\/\d[\d,]*(?=\/|$)/g, '/{id}')}`;
  }

  get query(): URLSearchParams {
    return new URLSearchParams(this.url.slice(this.path.length));
  }
}

/** A request that no client of ours may send, with the reason. */
export interface Violation {
  request: RequestRecord;
  why: string;
}

/** python-plexapi can pass the token to the websocket in no other way. */
const tokenAllowedIn = '/:/websockets/notifications';

/**
 * Remembers what was asked: counts of everything, the newest requests in full. The limit keeps a benchmark's
 * memory flat; no ordinary test comes near it.
 */
export class Records {
  requests: RequestRecord[] = [];
  violations: Violation[] = [];
  counts: Record<RequestKind, number> = noCounts(requestKinds);
  byRoute: Record<string, number> = {};
  writes: Record<WriteKind, number> = noCounts(writeKinds);

  constructor(
    readonly secrets: readonly string[],
    readonly keep: number,
  ) {}

  add(request: RequestRecord): void {
    this.counts[request.kind] += 1;
    const { route } = request;
    this.byRoute[route] = (this.byRoute[route] ?? 0) + 1;
    const why = this.#leak(request);
    if (why !== null) this.violations.push({ request, why });
    if (this.keep === 0) return;
    this.requests.push(request);
    if (this.requests.length >= 2 * this.keep) this.requests = this.requests.slice(-this.keep);
  }

  /** To be called for every request that was worked on and not refused, whatever became of its answer. */
  tookEffect(request: RequestRecord): void {
    request.applied = true;
    const kind = writeKinds.find((name) => name === request.kind);
    if (kind) this.writes[kind] += 1;
  }

  clear(): void {
    this.requests = [];
    this.violations = [];
    this.counts = noCounts(requestKinds);
    this.byRoute = {};
    this.writes = noCounts(writeKinds);
  }

  #leak({ url, path }: RequestRecord): string | null {
    if (path === tokenAllowedIn) return null;
    if (/[?&]x-plex-token=/i.test(url)) return 'X-Plex-Token is a parameter of the URL';
    const plain = decode(url);
    if (this.secrets.some((secret) => url.includes(secret) || plain.includes(secret)))
      return 'the URL holds a token';
    return null;
  }
}

function noCounts<Kind extends string>(kinds: readonly Kind[]): Record<Kind, number> {
  return Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<Kind, number>;
}
