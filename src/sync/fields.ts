/**
 * The one table of what is kept in step: a row says what a field is called in Plex's edits (which is also its name
 * in what we want), what people call it, and where it is in what Plex shows. How a kind of field is compared and
 * written is in `difference.ts`.
 */
import type { PlexItem } from '../plex/answers';
import { shortHash } from '../shared/hash';
import { fold } from './names';
import type { Wanted } from './wanted';

export type TextName =
  | 'title'
  | 'titleSort'
  | 'summary'
  | 'studio'
  | 'originallyAvailableAt'
  | 'userRating'
  | 'tagline'
  | 'contentRating';
export type ListName = 'director' | 'actor' | 'genre' | 'label' | 'collection';
export type PlexField = TextName | ListName;

/** One value. Empty clears it. Texts are compared exactly, numbers to one decimal place, where 0 is none. */
export interface TextField {
  kind: 'text' | 'number';
  name: TextName;
  called: string;
  shown(item: PlexItem): string;
}

/** A list of names, compared without case; the order matters only where `ordered` says so. */
export interface TagField {
  kind: 'tags';
  name: ListName;
  called: string;
  ordered: boolean;
  shown(item: PlexItem): string[];
}

export const textFields: readonly TextField[] = [
  { kind: 'text', name: 'title', called: 'title', shown: ({ title }) => title },
  {
    kind: 'text',
    name: 'titleSort',
    called: 'sort title',
    // Plex says none when it is the title.
    shown: ({ title, titleSort }) => titleSort || title,
  },
  { kind: 'text', name: 'summary', called: 'summary', shown: ({ summary }) => summary },
  { kind: 'text', name: 'studio', called: 'studio', shown: ({ studio }) => studio },
  {
    kind: 'text',
    name: 'originallyAvailableAt',
    called: 'date',
    shown: ({ originallyAvailableAt }) => originallyAvailableAt,
  },
  {
    kind: 'number',
    name: 'userRating',
    called: 'rating',
    shown: ({ userRating }) => numberText(userRating ?? 0),
  },
  { kind: 'text', name: 'tagline', called: 'tagline', shown: ({ tagline }) => tagline },
  {
    kind: 'text',
    name: 'contentRating',
    called: 'content rating',
    shown: ({ contentRating }) => contentRating,
  },
];

export const tagFields: readonly TagField[] = [
  {
    kind: 'tags',
    name: 'director',
    called: 'director',
    ordered: false,
    shown: ({ directors }) => directors,
  },
  { kind: 'tags', name: 'actor', called: 'actors', ordered: true, shown: ({ actors }) => actors },
  { kind: 'tags', name: 'genre', called: 'genres', ordered: false, shown: ({ genres }) => genres },
  { kind: 'tags', name: 'label', called: 'labels', ordered: false, shown: ({ labels }) => labels },
  {
    kind: 'tags',
    name: 'collection',
    called: 'collections',
    ordered: false,
    shown: ({ collections }) => collections,
  },
];

/** Two values are the same for Plex exactly when these are. */
export const comparable = (field: TextField, value: string): string =>
  field.kind === 'number' ? numberText(Number(value)) : value;

const numberText = (value: number): string => {
  const rounded = Math.round(value * 10) / 10;
  return rounded === 0 ? '' : String(rounded);
};

/**
 * A short hash of every wanted field's value, for the ledger. Holds: equal exactly when nothing would have to be
 * written, so the hash leaves out what the comparison leaves out.
 */
export function fingerprints(wanted: Wanted): Record<string, string> {
  const found: Record<string, string> = {};
  for (const field of textFields) {
    const value = wanted[field.name];
    if (value !== undefined) found[field.name] = fingerprint(field, value);
  }
  for (const field of tagFields) {
    const names = wanted[field.name];
    if (names) found[field.name] = listFingerprint(field, names);
  }
  return found;
}

function listFingerprint({ ordered }: TagField, names: readonly string[]): string {
  const folded = names.map(fold);
  return shortHash(ordered ? folded : folded.sort());
}

/** Says that of the names that are wanted only the first could be written, because all were too many. */
export const cutMark = (field: TagField, wanted: readonly string[], written: readonly string[]): string =>
  shortHash(['cut', listFingerprint(field, wanted), listFingerprint(field, written)]);

export const fingerprint = (field: TextField, value: string): string => shortHash(comparable(field, value));

/** Shorter still: it only has to tell the names of one list apart, and there are many of them. */
export const nameHash = (name: string): string => shortHash(fold(name)).slice(0, 6);
