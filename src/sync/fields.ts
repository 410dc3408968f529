/**
 * The one table of what is kept in step: a row says what a field is called in Plex's edits, where it is in what
 * we want, and where in what Plex shows. How a kind of field is compared and written is in `difference.ts`.
 */

import type { PlexItem } from '../plex/answers';
import { shortHash } from '../shared/hash';
import { fold } from './names';
import type { Wanted } from './wanted';

/** One value, compared exactly. Empty clears it. */
export interface TextField {
  kind: 'text';
  name: string;
  wanted(wanted: Wanted): string;
  shown(item: PlexItem): string;
}

/** A list of names, compared without case; the order matters only where `ordered` says so. */
export interface TagField {
  kind: 'tags';
  name: string;
  ordered: boolean;
  wanted(wanted: Wanted): string[];
  shown(item: PlexItem): string[];
}

export type Field = TextField | TagField;

export const fields: readonly Field[] = [
  { kind: 'text', name: 'title', wanted: ({ title }) => title, shown: ({ title }) => title },
  { kind: 'text', name: 'summary', wanted: ({ summary }) => summary, shown: ({ summary }) => summary },
  { kind: 'text', name: 'studio', wanted: ({ studio }) => studio, shown: ({ studio }) => studio },
  {
    kind: 'text',
    name: 'originallyAvailableAt',
    wanted: ({ originallyAvailableAt }) => originallyAvailableAt ?? '',
    shown: ({ originallyAvailableAt }) => originallyAvailableAt,
  },
  {
    kind: 'tags',
    name: 'actor',
    ordered: true,
    wanted: ({ actors }) => actors,
    shown: ({ actors }) => actors,
  },
  {
    kind: 'tags',
    name: 'genre',
    ordered: false,
    wanted: ({ genres }) => genres,
    shown: ({ genres }) => genres,
  },
];

/**
 * A short hash of every field's value, for the ledger. Holds: equal exactly when nothing would have to be
 * written, so the hash leaves out what the comparison leaves out.
 */
export function fingerprints(wanted: Wanted): Record<string, string> {
  return Object.fromEntries(fields.map((field) => [field.name, shortHash(comparable(field, wanted))]));
}

function comparable(field: Field, wanted: Wanted): string | string[] {
  if (field.kind === 'text') return field.wanted(wanted);
  const names = field.wanted(wanted).map(fold);
  return field.ordered ? names : names.sort();
}
