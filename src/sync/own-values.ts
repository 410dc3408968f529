/**
 * Which of Plex's values are ours, and which are Plex's own: somebody's there, or an agent's.
 *
 * A value is Plex's own if it is not empty, not what the ledger says we wrote or tried to write, and not what Plex
 * makes of the file's name (the title) or of the title (the sort title). In a list every name is such a value.
 *
 * What the ledger says, in `Ours`, is always about what we wanted, never about what we saw, so that a value that was
 * kept stays Plex's own however often Stash changes. Before the first write of an edit the ledger holds the old and
 * the new values (`triedBefore`), because a write that seems to have failed may have arrived; after the last one the
 * new ones (`oursAfter`).
 */
import type { PlexItem } from '../plex/answers';
import { baseName } from '../plex/path-map';
import type { Applied } from './apply-edit';
import type { Edit } from './difference';
import {
  cutMark,
  fingerprint,
  fingerprints,
  type ListName,
  nameHash,
  type TagField,
  type TextField,
  tagFields,
  textFields,
} from './fields';
import { among } from './names';
import { sortTitle } from './sort-title';
import type { Wanted } from './wanted';

export interface Ours {
  /** By Plex's name of the field: the fingerprint of what we last made sure of. */
  wrote: Record<string, string>;
  /**
   * Fingerprints of further values that are ours: a write that may have arrived, the value of a field that is left
   * out by now, a text that had to be cut; of a list that had to be cut its mark. Absent when there are none.
   */
  tried?: Record<string, string[]>;
  /** By Plex's name of the list: hashes of the names that we put there, or tried to. */
  names: Record<string, string[]>;
}

/** Of one field; older ones were overwritten long ago. */
const mostTried = 16;

/** `titles`: the title that Plex shows, and the one that it is about to show. */
export function isOwnText(
  field: TextField,
  item: PlexItem,
  ours: Ours | null,
  titles: readonly string[] = [item.title],
): boolean {
  const shown = field.shown(item);
  if (shown === '' || isOurText(field, shown, ours)) return false;
  if (field.name === 'title') return !isFromFile(shown, item);
  if (field.name === 'titleSort') {
    const made = titles.flatMap((title) => [title, sortTitle(title)]);
    return !made.includes(shown) && !isFromFile(shown, item);
  }
  return true;
}

export function isOurText(field: TextField, shown: string, ours: Ours | null): boolean {
  const hash = fingerprint(field, shown);
  return ours?.wrote[field.name] === hash || (ours?.tried?.[field.name] ?? []).includes(hash);
}

/** Those of the shown names that we put there. */
export function ourNames(list: ListName, shown: readonly string[], ours: Ours | null): string[] {
  const hashes = new Set(ours?.names[list] ?? []);
  return shown.filter((name) => hashes.has(nameHash(name)));
}

/** What of the wanted names Plex can show: all, or those that were written when all were too many. */
export function possible(
  field: TagField,
  wanted: readonly string[],
  item: PlexItem,
  ours: Ours | null,
): string[] {
  const shown = among(wanted, field.shown(item));
  const isCut = ours?.tried?.[field.name]?.includes(cutMark(field, wanted, shown)) ?? false;
  return isCut ? shown : [...wanted];
}

/**
 * Plex's scanners take a title from the file's name: as it is, or with spaces for dots, dashes and the like, without
 * what is in brackets, and with or without a year and what follows it; their sort title drops an article.
 */
function isFromFile(title: string, item: PlexItem): boolean {
  const forms = item.files.flatMap((file) => {
    const name = baseName(file);
    const plain = name.replace(/(?<=.)\.[^.]*$/u, '');
    const short = [plain, plain.replace(yearAndRest, ' $1'), plain.replace(yearAndRest, '')];
    return [name, ...short, ...short.map((form) => form.replace(/\[[^\]]*\]/gu, ' '))].map(words);
  });
  return new Set(forms.flatMap((form) => [form, sortTitle(form)])).has(words(title));
}

const yearAndRest = /[\s._([-]+([12]\d{3})(?!\d).*$/u;

const words = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[\s._()+-]+/gu, ' ')
    .trim()
    .toLowerCase();

/** Whether the ledger says that Plex shows all this: nothing has to be looked at. */
export function isSettled(wanted: Wanted, former: readonly ListName[], ours: Ours): boolean {
  const now = Object.entries(fingerprints(wanted));
  return (
    now.every(([field, hash]) => ours.wrote[field] === hash) &&
    former.every((list) => (ours.names[list] ?? []).length === 0)
  );
}

/**
 * What is ours from the first write of `edit` to the last: the old and the new. Nothing of what changes counts as
 * settled: if the person takes their edit back now, Plex has to be looked at.
 */
export function triedBefore(wanted: Wanted, edit: Edit | null, ours: Ours | null): Ours {
  const now = fingerprints(wanted);
  const changing = [...(edit?.texts ?? []), ...(edit?.lists ?? [])].map(({ field }) => field);
  const wrote = { ...ours?.wrote };
  const tried = { ...ours?.tried };
  for (const field of changing) {
    tried[field] = union(tried[field], wrote[field], now[field]);
    delete wrote[field];
  }
  const names = { ...ours?.names };
  for (const { field } of edit?.lists ?? []) {
    names[field] = [...new Set([...(names[field] ?? []), ...(wanted[field] ?? []).map(nameHash)])];
  }
  return made(wrote, tried, names);
}

/** What is ours when Plex shows all that it should: after the writes, or when there was nothing to write. */
export function oursAfter(
  wanted: Wanted,
  item: PlexItem,
  edit: Edit | null,
  ours: Ours | null,
  options: { former: readonly ListName[] },
  applied: Applied | null,
): Ours {
  const wrote = fingerprints(wanted);
  const tried: Record<string, string[]> = {};
  const names: Record<string, string[]> = {};
  for (const field of textFields) {
    const { name } = field;
    if (wanted[name] === undefined) {
      tried[name] = union(ours?.tried?.[name], ours?.wrote[name]);
      continue;
    }
    // Not always what was wanted: it may be cut, and the sort title follows a title that was kept.
    const change = edit?.texts.find((text) => text.field === name && !text.isOwn);
    const written = applied?.shortened[name] ?? change?.value;
    const now = written ?? field.shown(item);
    if (written === undefined && !isOurText(field, now, ours)) continue;
    tried[name] = [fingerprint(field, now)].filter((hash) => hash !== wrote[name]);
  }
  for (const field of tagFields) {
    const { name } = field;
    const list = wanted[name];
    if (list) {
      names[name] = list.map(nameHash);
      const isChanged = edit?.lists.some((change) => change.field === name) ?? false;
      const written = isChanged ? (applied?.shortenedLists[name] ?? list) : possible(field, list, item, ours);
      if (written.length < list.length) tried[name] = [cutMark(field, list, written)];
    } else if (!options.former.includes(name)) names[name] = ours?.names[name] ?? [];
  }
  return made(wrote, tried, names);
}

function union(tried: readonly string[] | undefined, ...more: (string | undefined)[]): string[] {
  const found = [...(tried ?? []), ...more.filter((hash) => hash !== undefined)];
  return [...new Set(found)].slice(-mostTried);
}

function made(wrote: Ours['wrote'], tried: Record<string, string[]>, names: Ours['names']): Ours {
  const filled = (lists: Record<string, string[]>) =>
    Object.fromEntries(Object.entries(lists).filter(([, hashes]) => hashes.length > 0));
  const rest = filled(tried);
  return { wrote, ...(Object.keys(rest).length > 0 ? { tried: rest } : {}), names: filled(names) };
}
