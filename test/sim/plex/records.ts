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

/** `find` is a listing with `file=`, `list` any other; `unknown` is what the simulator has no answer for. */
export type RequestKind = (typeof requestKinds)[number];

export class RequestRecord {
  /** What was answered; null while nothing was, and for ever when the connection was cut or left hanging. */
  status: number | null = null;

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
  counts: Record<RequestKind, number> = noCounts();

  constructor(
    readonly secrets: readonly string[],
    readonly keep: number,
  ) {}

  add(request: RequestRecord): void {
    this.counts[request.kind] += 1;
    const why = this.#leak(request);
    if (why !== null) this.violations.push({ request, why });
    if (this.keep === 0) return;
    this.requests.push(request);
    if (this.requests.length >= 2 * this.keep) this.requests = this.requests.slice(-this.keep);
  }

  clear(): void {
    this.requests = [];
    this.violations = [];
    this.counts = noCounts();
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

function noCounts(): Record<RequestKind, number> {
  return Object.fromEntries(requestKinds.map((kind) => [kind, 0])) as Record<RequestKind, number>;
}
