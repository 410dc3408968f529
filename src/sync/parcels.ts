/**
 * How an edit becomes requests. All of an edit travels in the address, and a proxy may refuse an address above some
 * 8 KB: what fits goes in one request, the rest in further ones.
 *
 * Holds: a list is named in one request if it fits into one, because a Plex that replaces lists would forget the
 * part that came before; of a list in parts each part has what is Plex's own, so that it is never out; a text is never
 * divided; what is longer than a request may be is alone in its request.
 */
import { encode, type Params, queryString } from '../plex/query-string';
import type { Edit, ListChange, TextChange } from './difference';

/** Of the query, without the item's key: some 500 bytes below what proxies allow. */
export const parcelBytes = 7000;

/** What a text or a list that was refused as a whole is cut to, one after the other. */
const ladder = [56_000, 28_000, 14_000, parcelBytes];

/** No text of ours that is shorter than this was cut. */
const shortestCutBytes = 4000;

const ellipsis = '…';

/** The requests of an edit to a server of which nothing is known. */
export function parcelsOf(edit: Edit): Params[] {
  return pack([...edit.texts.map(setting), ...edit.lists.flatMap(changing)]);
}

/** As few requests as possible without changing the order; what is too long stays alone. */
export function pack(units: readonly Params[]): Params[] {
  const parcels: Params[] = [];
  for (const unit of units) {
    const last = parcels.at(-1);
    if (last && sizeOf([...last, ...unit]) <= parcelBytes) parcels[parcels.length - 1] = [...last, ...unit];
    else parcels.push(unit);
  }
  return parcels;
}

export const setting = ({ field, value }: TextChange): Params => [
  [`${field}.value`, value],
  [`${field}.locked`, '1'],
];

/** All that a list needs, in one unit if that is possible. */
export function changing(list: ListChange): Params[] {
  const { names, remove } = list;
  const whole = [...named(list, names), ...removed(list, remove), ...locked(list)];
  if (sizeOf(whole) <= parcelBytes) return [whole];
  return [...naming(list), ...removing(list, remove)];
}

/** The list's names in one request, however long. */
export const namingWhole = (list: ListChange): Params => [...named(list, list.names), ...locked(list)];

/** The list's names, in parts if they are too many. Where Plex's own names alone are, they are parts like others. */
export const naming = (list: ListChange): Params[] => {
  const own = hasLongOwn(list) ? [] : list.own;
  const names = list.names.slice(0, list.names.length - own.length);
  if (names.length === 0 && own.length > 0) return [namingWhole(list)];
  return chunked(names, (part, start) => [...named(list, [...part, ...own], start), ...locked(list)]);
};

export const removing = (list: ListChange, names: readonly string[]): Params[] =>
  chunked(names, (part) => [...removed(list, part), ...locked(list)]);

/** Forgets all names of the list; `shown` are those that Plex shows. */
export const emptying = (list: ListChange, shown: readonly string[]): Params[] =>
  shown.length === 0
    ? []
    : chunked(shown, (part) => [[`${list.field}[].tag`, ''], ...removed(list, part), ...locked(list)]);

/** Plex's own names are too many to be repeated in every part. */
export const hasLongOwn = (list: ListChange): boolean => sizeOf(named(list, list.own)) > parcelBytes / 2;

export const isLongText = (change: TextChange): boolean => sizeOf(setting(change)) > parcelBytes;
export const isLongList = (list: ListChange): boolean => sizeOf(namingWhole(list)) > parcelBytes;

/** The text as it is, then ever shorter, for a server that refuses it. */
export function* shorterTexts(change: TextChange): Generator<string> {
  yield change.value;
  const overhead = sizeOf(setting({ ...change, value: '' }));
  for (const bytes of rungsBelow(sizeOf(setting(change)))) yield cutText(change.value, bytes - overhead);
}

/** The list as it is, then ever shorter. What is Plex's own is never given up. */
export function* shorterLists(list: ListChange): Generator<ListChange> {
  yield list;
  const wanted = list.names.slice(0, list.names.length - list.own.length);
  const size = (names: string[]) => sizeOf([...named(list, names), ...locked(list)]);
  for (const bytes of rungsBelow(size(list.names))) {
    let fits = 0;
    while (fits < wanted.length && size([...wanted.slice(0, fits + 1), ...list.own]) <= bytes) fits += 1;
    yield { ...list, names: [...wanted.slice(0, fits), ...list.own] };
  }
}

/** Whether `shown` may be what was left of `value` when it had to be cut. */
export const isCutOf = (shown: string, value: string): boolean =>
  shown.endsWith(ellipsis) &&
  encode(shown).length >= shortestCutBytes &&
  value.startsWith(shown.slice(0, -ellipsis.length));

/** At the border between two characters as people see them: no half of a flag, no letter without its accent. */
function cutText(text: string, bytes: number): string {
  let left = bytes - encode(ellipsis).length;
  let end = 0;
  for (const { segment, index } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)) {
    left -= encode(segment).length;
    if (left < 0) break;
    end = index + segment.length;
  }
  return text.slice(0, end).trimEnd() + ellipsis;
}

const rungsBelow = (bytes: number): number[] => ladder.filter((rung) => rung < bytes);

const named = ({ field }: ListChange, names: readonly string[], start = 0): Params =>
  names.map((name, i) => [`${field}[${start + i}].tag.tag`, name]);

/** Names in a removal are encoded one by one, joined by commas, and encoded again with the address. */
const removed = ({ field }: ListChange, names: readonly string[]): Params =>
  names.length === 0 ? [] : [[`${field}[].tag.tag-`, names.map(encode).join(',')]];

const locked = ({ field, lock }: ListChange): Params =>
  lock === null ? [] : [[`${field}.locked`, lock ? '1' : '0']];

/** Parts of `names` whose requests are not too long, each with at least one name. */
function chunked(
  names: readonly string[],
  unit: (part: readonly string[], start: number) => Params,
): Params[] {
  const units: Params[] = [];
  for (let start = 0; start < names.length; ) {
    const rest = names.slice(start);
    const [part] = halves(rest).filter((some) => sizeOf(unit(some, start)) <= parcelBytes);
    const taken = part ?? rest.slice(0, 1);
    units.push(unit(taken, start));
    start += taken.length;
  }
  return units;
}

/** All of them, the first half, the first quarter, and so on. */
const halves = (names: readonly string[]): (readonly string[])[] =>
  names.length <= 1 ? [names] : [names, ...halves(names.slice(0, Math.ceil(names.length / 2)))];

const sizeOf = (params: Params): number => queryString(params).length;
