import { itemPartRoute, itemRoute, rate } from './item-routes';
import { decode, type Query } from './query';
import { sectionRoute } from './section-routes';
import { activities, capabilities, eventStream, identity, library, sections, unknown } from './server-routes';
import type { Route } from './world';

/** Every request has a route; what Plex has no address for gets the one that answers 404. */
export function route(method: string, path: string, query: Query): Route {
  return find(method, path.split('/').filter(Boolean).map(decode), query) ?? unknown;
}

function find(method: string, segments: readonly string[], query: Query): Route | null {
  const [first, second, third, fourth] = segments;
  if (segments.length > 4) return null;
  if (first === ':' && segments.length <= 3) {
    if (second === 'rate' && third === undefined && method === 'PUT') return rate;
    if (second === 'eventsource' && third === 'notifications' && method === 'GET') return eventStream;
    return null;
  }
  if (first === 'library' && second === 'metadata' && third !== undefined) {
    return fourth === undefined ? itemRoute(method, third) : itemPartRoute(method, third, fourth);
  }
  if (first === 'library' && second === 'sections' && third !== undefined && fourth !== undefined) {
    return sectionRoute(method, third, fourth, query);
  }
  return method === 'GET' ? (fixed[segments.join('/')] ?? null) : null;
}

const fixed: Record<string, Route> = {
  '': capabilities,
  identity,
  library,
  'library/sections': sections,
  'library/sections/all': sections,
  activities,
};
