import type { IncomingHttpHeaders } from 'node:http';
import { param, type Query } from './query';

export interface Page<T> {
  items: readonly T[];
  /** Size and place in the whole; the latter only when a page was asked for. */
  attributes: { size: number; totalSize?: number; offset?: number };
  headers: Record<string, string>;
}

/** Cuts a page out, by headers or by parameters of the same names. A size of 0 asks for the total only. */
export function page<T>(
  all: readonly T[],
  query: Query,
  headers: IncomingHttpHeaders,
  cap: number | null,
): Page<T> {
  const size = count(headers['x-plex-container-size'] ?? param(query, 'X-Plex-Container-Size'));
  const start = count(headers['x-plex-container-start'] ?? param(query, 'X-Plex-Container-Start'));
  if (size === null && start === null && cap === null) {
    return { items: all, attributes: { size: all.length }, headers: {} };
  }
  const offset = start ?? 0;
  const length = Math.min(size ?? all.length, cap ?? Number.POSITIVE_INFINITY);
  const items = all.slice(offset, offset + length);
  return {
    items,
    attributes: { size: items.length, totalSize: all.length, offset },
    headers: {
      'X-Plex-Container-Start': String(offset),
      'X-Plex-Container-Total-Size': String(all.length),
    },
  };
}

function count(value: string | string[] | undefined): number | null {
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : null;
}
