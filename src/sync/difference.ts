/**
 * From what Plex should show and what it shows to what has to be written.
 *
 * Sources disagree whether Plex merges a list of tags into what is there or replaces it, so a change of a list is
 * right either way: it names all that shall be there and removes all that shall not. How that becomes requests is
 * in `parcels.ts`, and what only one kind of server would do (the order of people, several removals at once) in
 * `apply-edit.ts`.
 *
 * Holds: what differs is written and locked, nothing else (a list that nothing is wanted in any more is unlocked when
 * ours were all that it had); what is Plex's own stays if it may (`keepsOwn`); no name
 * is both named and removed, in whatever case; after the edit has taken effect the difference is null.
 */
import type { PlexItem } from '../plex/answers';
import {
  comparable,
  type ListName,
  type PlexField,
  type TagField,
  type TextField,
  type TextName,
  tagFields,
  textFields,
} from './fields';
import { among, distinct, sameSequence, without } from './names';
import { isOurText, isOwnText, type Ours, ourNames, possible } from './own-values';
import { isCutOf } from './parcels';
import { sortTitle } from './sort-title';
import type { Wanted } from './wanted';

export interface Options {
  /** Values that are Plex's own stay. */
  keepsOwn: boolean;
  /** Lists that nothing is wanted in any more: what is ours goes, nothing else is touched. */
  former: readonly ListName[];
}

export interface TextChange {
  field: TextName;
  called: string;
  value: string;
  /** It is Plex's own, and written only to be locked. */
  isOwn?: true;
}

export interface ListChange {
  field: ListName;
  called: string;
  /** All that shall be there: what is wanted, in its order, then what is Plex's own. Empty: nothing is named. */
  names: string[];
  /** Those of `names` that are Plex's own. */
  own: string[];
  /** Those of `names` that have to stand in this order; empty where the order does not matter. */
  order: string[];
  /** As Plex spells them. */
  remove: string[];
  /** A Plex that adds new names at the end would show another order. */
  moved: boolean;
  /** Null: as it is. */
  lock: boolean | null;
}

export interface Edit {
  texts: TextChange[];
  lists: ListChange[];
  /** What changes, for people. */
  fields: string[];
  /** Where a value of Plex's own stays, for people. */
  kept: string[];
}

/** One field as it is and as it should be, for a person who asks why. */
export interface Compared {
  field: PlexField;
  called: string;
  shown: string | string[];
  /** What Plex shall show: with `keepsOwn` including what it has of its own. */
  wanted: string | string[];
  verdict: 'same' | 'write' | 'kept';
}

interface Verdict {
  compared: Compared;
  text?: TextChange;
  list?: ListChange;
  keeps: boolean;
}

export function difference(wanted: Wanted, item: PlexItem, ours: Ours | null, options: Options): Edit | null {
  const verdicts = judge(wanted, item, ours, options);
  const texts = verdicts.flatMap(({ text }) => text ?? []);
  const lists = verdicts.flatMap(({ list }) => list ?? []);
  if (texts.length === 0 && lists.length === 0) return null;
  const kept = verdicts.filter(({ keeps }) => keeps).map(({ compared }) => compared.called);
  return { texts, lists, fields: [...texts, ...lists].map(({ called }) => called), kept };
}

/** Every field that something is wanted of. */
export function compare(wanted: Wanted, item: PlexItem, ours: Ours | null, options: Options): Compared[] {
  return judge(wanted, item, ours, options).map(({ compared }) => compared);
}

function judge(wanted: Wanted, item: PlexItem, ours: Ours | null, options: Options): Verdict[] {
  const texts: Verdict[] = [];
  for (const field of textFields) {
    const value = wanted[field.name];
    if (value === undefined) continue;
    const title = texts.find(({ compared }) => compared.field === 'title');
    texts.push(
      field.name === 'titleSort' && title
        ? judgeSortTitle(field, value, title, item, ours, options)
        : judgeText(field, value, item, ours, options),
    );
  }
  const lists = tagFields.flatMap((field) => {
    const names = wanted[field.name];
    if (names) return judgeList(field, names, item, ours, options);
    return options.former.includes(field.name) ? judgeFormer(field, item, ours) : [];
  });
  return [...texts, ...lists];
}

function judgeText(
  field: TextField,
  value: string,
  item: PlexItem,
  ours: Ours | null,
  { keepsOwn }: Options,
  titles?: readonly string[],
): Verdict {
  const shown = field.shown(item);
  const same =
    comparable(field, shown) === comparable(field, value) ||
    (isCutOf(shown, value) && isOurText(field, shown, ours));
  if (same) return textVerdict(field, item, value, 'same');
  return textVerdict(field, item, value, keepsOwn && isOwnText(field, item, ours, titles) ? 'kept' : 'write');
}

/**
 * Follows the title: with a title of Plex's own it is made of that one. It goes along with a title that is written,
 * also to stay as it is, because Plex makes a new one of every new title unless it is locked.
 */
function judgeSortTitle(
  field: TextField,
  value: string,
  title: Verdict,
  item: PlexItem,
  ours: Ours | null,
  options: Options,
): Verdict {
  const keepsTitle = title.compared.verdict === 'kept';
  const follows = keepsTitle ? sortTitle(item.title) : value;
  const shown = field.shown(item);
  if (keepsTitle && shown === value && shown !== follows) return textVerdict(field, item, follows, 'write');

  const titles = title.text ? [item.title, title.text.value] : [item.title];
  const judged = judgeText(field, follows, item, ours, options, titles);
  const isSafe = item.titleSort !== '' && item.locked.includes(field.name);
  if (!title.text || isSafe || judged.text) return judged;
  if (!judged.keeps) return textVerdict(field, item, follows, 'write');
  return { ...judged, text: { field: field.name, called: field.called, value: shown, isOwn: true } };
}

function textVerdict(field: TextField, item: PlexItem, value: string, verdict: Compared['verdict']): Verdict {
  const { name, called } = field;
  const compared = { field: name, called, shown: field.shown(item), wanted: value, verdict };
  const keeps = verdict === 'kept';
  return verdict === 'write'
    ? { compared, keeps, text: { field: name, called, value } }
    : { compared, keeps };
}

function judgeList(
  field: TagField,
  all: string[],
  item: PlexItem,
  ours: Ours | null,
  { keepsOwn }: Options,
): Verdict {
  const wanted = possible(field, all, item, ours);
  const shown = distinct(field.shown(item));
  const extra = without(field.shown(item), wanted);
  const remove = keepsOwn ? ourNames(field.name, extra, ours) : extra;
  const own = distinct(without(extra, remove));
  const names = [...wanted, ...own];
  const order = field.ordered ? wanted : [];
  const missing = without(wanted, shown);
  const moved = field.ordered && !sameSequence([...among(shown, wanted), ...missing], wanted);
  const same = remove.length === 0 && missing.length === 0 && !moved;
  const keeps = own.length > 0;
  const { name, called } = field;
  const verdict = same ? (keeps ? 'kept' : 'same') : 'write';
  const compared: Compared = { field: name, called, shown: field.shown(item), wanted: names, verdict };
  if (same) return { compared, keeps };
  return { compared, keeps, list: { field: name, called, names, own, order, remove, moved, lock: true } };
}

function judgeFormer(field: TagField, item: PlexItem, ours: Ours | null): Verdict[] {
  const shown = field.shown(item);
  const remove = ourNames(field.name, shown, ours);
  if (remove.length === 0) return [];
  const { name, called } = field;
  const rest = without(shown, remove);
  const compared: Compared = { field: name, called, shown, wanted: rest, verdict: 'write' };
  // An empty list that stayed locked would never be filled by anybody but a person.
  const lock = rest.length === 0 && item.locked.includes(name) ? false : null;
  const list = { field: name, called, names: [], own: [], order: [], remove, moved: false, lock };
  return [{ compared, keeps: rest.length > 0, list }];
}
