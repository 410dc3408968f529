/**
 * Writes an edit and, where Plex may have done only a part of it, looks and finishes the rest.
 *
 * Usually one PUT. What a server does with lists is learned by looking (`habits.ts`), and what is known is not looked
 * at again. Names that had to go and did not are removed one by one. People in another order than asked for are
 * forgotten and named anew; then Plex's order is accepted: it has the right people, and asking again would change
 * nothing. A list too long for one address goes in parts; if Plex keeps only the last of them, as a whole. What is
 * refused because its address is too long is cut, and a sentence says so.
 *
 * Holds: what is Plex's own and stays is there after every single request, because after an interruption nobody would
 * know it any more. So a list that has such names is never emptied: only ours are forgotten.
 */
import type { PlexItem } from '../plex/answers';
import type { PlexClient } from '../plex/client';
import { PlexError } from '../plex/errors';
import type { Params } from '../plex/query-string';
import type { Edit, ListChange, TextChange } from './difference';
import { tagFields } from './fields';
import type { Habits, Removal } from './habits';
import { among, sameSequence, without } from './names';
import {
  changing,
  emptying,
  hasLongOwn,
  isLongList,
  isLongText,
  naming,
  namingWhole,
  pack,
  removing,
  setting,
  shorterLists,
  shorterTexts,
} from './parcels';

/** How often what remains is removed once more. */
const moreRounds = 3;

export type EditingPlex = Pick<PlexClient, 'item' | 'edit'>;

export interface Applied {
  /** Sentences about what had to be cut, for the log. */
  cut: string[];
  /** Texts as they were written where that is not as they should be, by Plex's name of the field. */
  shortened: Record<string, string>;
  /** Lists that were written without all that is wanted: what of it was written. */
  shortenedLists: Record<string, string[]>;
}

/** `more` goes along with the first request, also when there is nothing else to write. */
export async function applyEdit(
  difference: Edit | null,
  item: PlexItem,
  plex: EditingPlex,
  habits: Habits,
  signal: AbortSignal,
  more: Params = [],
): Promise<Applied> {
  const edit = difference ?? { texts: [], lists: [] };
  const writer = new Writer(item, plex, signal);
  const plan = planFor(edit, more, item, habits);
  for (const params of plan.first) await writer.put(params);
  for (const params of pack(plan.anew.flatMap(naming))) await writer.put(params);
  for (const list of plan.whole) await writer.whole(list);
  for (const change of edit.texts.filter(isLongText)) await writer.longText(change);
  if (plan.isSure) return writer.applied;

  let seen = await writer.look();
  if (remaining(edit.lists, seen).length === 0) {
    if (plan.first.length === 1) learnRemovals(plan.direct, habits);
  } else {
    habits.sawNotRemoved();
    seen = await removeOneByOne(edit.lists, seen, writer);
  }

  const parts = edit.lists.filter((list) => isLongList(list) && !plan.whole.includes(list));
  const torn = parts.filter((list) => without(list.names, shownIn(list, seen)).length > 0);
  if (parts.length > 0) habits.takesParts = torn.length === 0;
  for (const list of torn) await writer.whole(list);

  for (const list of plan.direct) {
    if (list.moved && !isLongList(list)) habits.ordersAsSent = isInOrder(list, seen);
  }
  const wrong = edit.lists.filter(
    (list) => !isInOrder(list, seen) && !torn.includes(list) && !plan.whole.includes(list),
  );
  const disproved = plan.anew.filter((list) => wrong.includes(list));
  if (disproved.some(({ own }) => own.length === 0)) habits.empties = null;
  if (disproved.some(({ own }) => own.length > 0)) habits.sawNotRemoved();
  for (const list of wrong) {
    if (list.own.length > 0 || habits.empties !== false) await nameAnew(list, seen, writer, habits);
  }
  return writer.applied;
}

/** How an edit goes to a server with these habits. */
interface Plan {
  /** The first requests: all but what follows. */
  first: Params[];
  /** Lists that are changed as they are. */
  direct: ListChange[];
  /** Lists that are forgotten by the first requests and named by further ones. */
  anew: ListChange[];
  /** Long lists that are named in one request each, because this Plex forgets (or may forget) the part before. */
  whole: ListChange[];
  /** Nothing has to be looked at afterwards. */
  isSure: boolean;
}

function planFor(edit: Pick<Edit, 'texts' | 'lists'>, more: Params, item: PlexItem, habits: Habits): Plan {
  const whole = edit.lists.filter((list) => isLongList(list) && !mayGoInParts(list, habits));
  const rest = edit.lists.filter((list) => !whole.includes(list));
  const anew = rest.filter((list) => list.moved && canBeForgotten(list, item, habits));
  const direct = rest.filter((list) => !anew.includes(list));
  const first = pack([
    ...(more.length > 0 ? [more] : []),
    ...edit.texts.filter((change) => !isLongText(change)).map(setting),
    ...direct.flatMap(changing),
    ...whole.flatMap((list) => removing(list, list.remove)),
    ...anew.flatMap((list) => forgetting(list, item)),
  ]);
  const removals =
    [...direct, ...whole].reduce((sum, { remove }) => sum + remove.length, 0) +
    anew.reduce((sum, list) => sum + forgotten(list, item).length, 0);
  const isSure =
    direct.every((list) => list.remove.length === 0 || habits.removes(howRemoved(list), removals)) &&
    anew.every((list) => list.own.length === 0 || habits.removes('alone', removals)) &&
    whole.every((list) => list.remove.length === 0 || habits.takesParts === false) &&
    direct.every((list) => isOrderSure(list, habits)) &&
    rest.every((list) => !isLongList(list) || habits.takesParts === true);
  return { first, direct, anew, whole, isSure };
}

/** Where it is not known whether Plex keeps all parts, each one has to have what is Plex's own. */
const mayGoInParts = (list: ListChange, { takesParts }: Habits): boolean => takesParts ?? !hasLongOwn(list);

/** Whether the list is known to be without its people after one request, and to show new ones as they were sent. */
function canBeForgotten(list: ListChange, item: PlexItem, habits: Habits): boolean {
  if (habits.ordersAsSent !== false) return false;
  if (list.own.length === 0) return habits.empties === true;
  return habits.removes('alone', forgotten(list, item).length);
}

/** Those of the shown names that have to go so that all can be named anew. */
const forgotten = (list: ListChange, seen: PlexItem): string[] =>
  list.own.length === 0 ? shownIn(list, seen) : among(shownIn(list, seen), [...list.order, ...list.remove]);

const forgetting = (list: ListChange, seen: PlexItem): Params[] =>
  list.own.length === 0 ? emptying(list, forgotten(list, seen)) : removing(list, forgotten(list, seen));

/** Whether the order of this list is as it should be, or as good as it gets. */
function isOrderSure(list: ListChange, habits: Habits): boolean {
  if (list.order.length === 0) return true;
  if (isLongList(list)) return false;
  if (!list.moved || habits.ordersAsSent === true) return true;
  return list.own.length === 0 && habits.ordersAsSent === false && habits.empties === false;
}

const howRemoved = ({ names }: ListChange): Removal => (names.length > 0 ? 'beside-names' : 'alone');

function learnRemovals(lists: readonly ListChange[], habits: Habits): void {
  for (const how of ['beside-names', 'alone'] as const) {
    const of = lists.filter((list) => howRemoved(list) === how);
    habits.sawRemoved(
      how,
      of.reduce((sum, { remove }) => sum + remove.length, 0),
    );
  }
}

/** What should have gone and is still there, as Plex spells it. */
const remaining = (lists: readonly ListChange[], seen: PlexItem): { list: ListChange; name: string }[] =>
  lists.flatMap((list) => among(shownIn(list, seen), list.remove).map((name) => ({ list, name })));

/** Some versions honour only one removal a time. */
async function removeOneByOne(
  lists: readonly ListChange[],
  first: PlexItem,
  writer: Writer,
): Promise<PlexItem> {
  let seen = first;
  for (let round = 0; round < moreRounds; round++) {
    for (const { list, name } of remaining(lists, seen)) {
      for (const params of removing(list, [name])) await writer.put(params);
    }
    seen = await writer.look();
    if (remaining(lists, seen).length === 0) return seen;
  }
  const stubborn = remaining(lists, seen).map(({ name }) => `"${name}"`);
  throw new PlexError(
    'bad-data',
    `Plex does not let go of ${stubborn.join(', ')}. Remove it there by hand, then retry.`,
  );
}

const isInOrder = (list: ListChange, seen: PlexItem): boolean =>
  sameSequence(among(shownIn(list, seen), list.order), list.order);

async function nameAnew(list: ListChange, seen: PlexItem, writer: Writer, habits: Habits): Promise<void> {
  const requests = pack(forgetting(list, seen));
  for (const params of requests) await writer.put(params);
  const count = forgotten(list, seen).length;
  if (list.own.length === 0) {
    if (habits.empties === null) habits.empties = shownIn(list, await writer.look()).length === 0;
  } else if (!habits.removes('alone', count)) {
    const left = forgotten(list, await writer.look());
    if (left.length > 0) habits.sawNotRemoved();
    else if (requests.length === 1) habits.sawRemoved('alone', count);
    for (const params of left.flatMap((name) => removing(list, [name]))) await writer.put(params);
  }
  if (isLongList(list) && !mayGoInParts(list, habits)) await writer.whole(list);
  else for (const params of naming(list)) await writer.put(params);
}

const shownIn = ({ field }: ListChange, item: PlexItem): string[] =>
  tagFields.find(({ name }) => name === field)?.shown(item) ?? [];

/** Requests about one item. */
class Writer {
  readonly applied: Applied = { cut: [], shortened: {}, shortenedLists: {} };

  constructor(
    readonly item: PlexItem,
    readonly plex: EditingPlex,
    readonly signal: AbortSignal,
  ) {}

  async put(params: Params): Promise<void> {
    try {
      await this.plex.edit(this.item.sectionKey, this.item.ratingKey, params, this.signal);
    } catch (error) {
      throw error instanceof PlexError && error.status === 404 ? new ItemVanished() : error;
    }
  }

  async look(): Promise<PlexItem> {
    const seen = await this.plex.item(this.item.ratingKey, this.signal);
    if (seen === null) throw new ItemVanished();
    return seen;
  }

  async longText(change: TextChange): Promise<void> {
    const value = await this.#longest(shorterTexts(change), (text) => setting({ ...change, value: text }));
    if (value === change.value) return;
    this.applied.shortened[change.field] = value;
    this.applied.cut.push(
      `The ${change.called} was cut to ${value.length} of ${change.value.length} characters: ${whyCut}`,
    );
  }

  /** Names a long list in one request. */
  async whole(list: ListChange): Promise<void> {
    const written = await this.#longest(shorterLists(list), namingWhole);
    const lost = list.names.length - written.names.length;
    if (lost === 0) return;
    this.applied.shortenedLists[list.field] = without(written.names, list.own);
    this.applied.cut.push(`Of ${list.names.length} ${list.called} the last ${lost} were left out: ${whyCut}`);
  }

  /** The first of ever shorter attempts whose address is not too long. */
  async #longest<T>(attempts: Iterable<T>, paramsOf: (attempt: T) => Params): Promise<T> {
    let refusal: unknown;
    for (const attempt of attempts) {
      try {
        await this.put(paramsOf(attempt));
        return attempt;
      } catch (error) {
        if (!isTooLong(error)) throw error;
        refusal = error;
      }
    }
    throw refusal;
  }
}

const whyCut = 'the whole is too long for Plex, or for a proxy in front of it.';

const isTooLong = (error: unknown): boolean =>
  error instanceof PlexError && (error.status === 414 || error.status === 431);

/** Plex gave up the item while we were at it: it was there, and may be back after Plex's scan. */
export class ItemVanished extends Error {
  constructor() {
    super('The item vanished from Plex while it was being written.');
    this.name = 'ItemVanished';
  }
}
