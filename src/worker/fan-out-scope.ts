/**
 * Which changes of performers, studios, tags and groups concern Plex, and where the ledger remembers whom they
 * belonged to. Plex shows names, and of a studio perhaps the one above it: a new portrait, another alias or a favourite
 * is no reason to look at a thousand scenes.
 */
import type { FanOut } from '../queue/entries';
import type { RelationKind } from '../sync/ledger-entry';

type FanOutObject = FanOut['object'];

/** By the names that Stash gives them in `inputFields`. */
const shown: Record<FanOutObject, readonly string[]> = {
  Performer: ['name'],
  Studio: ['name', 'parent_id'],
  Tag: ['name'],
  Group: ['name'],
};

/** Under what the ledger keeps it. */
export const relationOf: Record<FanOutObject, RelationKind> = {
  Performer: 'performers',
  Studio: 'studio',
  Tag: 'tags',
  Group: 'groups',
};

/** Whether Plex may show something else after this. `fields`: which were touched; null: unknown, so all of them. */
export const concernsPlex = (object: FanOutObject, fields: readonly string[] | null): boolean =>
  fields === null || fields.some((field) => shown[object].includes(field));
