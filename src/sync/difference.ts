/**
 * From what Plex should show and what it shows to what has to be written.
 *
 * Sources disagree whether Plex merges a list of tags into what is there or replaces it, so an edit is right
 * either way: it names all that is wanted and removes all that is not. What only one of the two would do (the
 * order of people, several removals at once) has to be looked at afterwards: `verify`.
 *
 * Holds: what differs is written and locked, nothing else; no tag is both named and removed, in whatever case;
 * after the edit has taken effect the difference is null.
 */
import type { PlexItem } from '../plex/answers';
import { encode, type Params } from '../plex/query-string';
import { type Field, fields, type TagField } from './fields';
import { distinct, sameSequence, without } from './names';
import type { Wanted } from './wanted';

export interface Edit {
  params: Params;
  /** Names of the fields that change, for people. */
  fields: string[];
  /** Whether Plex may have done only a part of it. */
  verify: boolean;
}

export function difference(wanted: Wanted, item: PlexItem): Edit | null {
  const parts = fields
    .map((field) => ({ name: field.name, ...fieldDifference(field, wanted, item) }))
    .filter(({ params }) => params.length > 0);
  if (parts.length === 0) return null;
  return {
    params: parts.flatMap(({ params }) => params),
    fields: parts.map(({ name }) => name),
    verify: parts.some(({ verify }) => verify),
  };
}

function fieldDifference(field: Field, wanted: Wanted, item: PlexItem): { params: Params; verify: boolean } {
  if (field.kind === 'text') {
    const value = field.wanted(wanted);
    const params: Params = value === field.shown(item) ? [] : [[`${field.name}.value`, value], lock(field)];
    return { params, verify: false };
  }
  const extra = surplusOf(field, wanted, item);
  const missing = without(field.wanted(wanted), field.shown(item));
  const moved = outOfOrder(field, wanted, item);
  if (extra.length === 0 && missing.length === 0 && !moved) return { params: [], verify: false };
  const params = [...naming(field, wanted), ...removing(field, extra), lock(field)];
  return { params, verify: extra.length > 0 || moved };
}

/** The edits that take away what Plex still shows too much, one tag each: some versions honour only one a time. */
export function surplus(wanted: Wanted, item: PlexItem): { tag: string; params: Params }[] {
  return tagFields().flatMap((field) =>
    surplusOf(field, wanted, item).map((tag) => ({ tag, params: [...removing(field, [tag]), lock(field)] })),
  );
}

/** For people that Plex shows in another order: two edits in a row, to forget them all and to name them anew. */
export function reordering(wanted: Wanted, item: PlexItem): { clear: Params; name: Params } | null {
  const moved = tagFields().filter((field) => outOfOrder(field, wanted, item));
  if (moved.length === 0) return null;
  return {
    clear: moved.flatMap((field) => [
      [`${field.name}[].tag`, ''] as const,
      ...removing(field, field.shown(item)),
      lock(field),
    ]),
    name: moved.flatMap((field) => [...naming(field, wanted), lock(field)]),
  };
}

const tagFields = (): TagField[] => fields.filter((field) => field.kind === 'tags');

const surplusOf = (field: TagField, wanted: Wanted, item: PlexItem): string[] =>
  without(field.shown(item), field.wanted(wanted));

/** Whether a Plex that adds new names at the end would end up in another order than the one wanted. */
function outOfOrder(field: TagField, wanted: Wanted, item: PlexItem): boolean {
  if (!field.ordered) return false;
  const names = field.wanted(wanted);
  const shown = distinct(field.shown(item));
  const kept = without(shown, without(shown, names));
  return !sameSequence([...kept, ...without(names, shown)], names);
}

const naming = (field: TagField, wanted: Wanted): Params =>
  field.wanted(wanted).map((name, i) => [`${field.name}[${i}].tag.tag`, name]);

/** Names in a removal are encoded one by one, joined by commas, and encoded again with the address. */
const removing = (field: TagField, names: readonly string[]): Params =>
  names.length === 0 ? [] : [[`${field.name}[].tag.tag-`, names.map(encode).join(',')]];

const lock = (field: Field): readonly [string, string] => [`${field.name}.locked`, '1'];
