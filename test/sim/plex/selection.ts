import { Refused } from './answer';
import { numberOf } from './fields';
import type { Item } from './item';
import { param, type Query } from './query';
import { collectionType, type Section, typeNumbers } from './section';

type Test = (item: Item) => boolean;

const texts: Record<string, (item: Item) => string> = {
  title: (item) => item.values.title ?? '',
  studio: (item) => item.values.studio ?? '',
};

const times: Record<string, (item: Item) => number> = {
  addedAt: (item) => numberOf(item.values, 'addedAt') ?? 0,
  updatedAt: (item) => item.updatedAt,
};

/** Which type of item a request is about; null when it does not say. */
export function typeOf(query: Query): number | null {
  const type = param(query, 'type');
  if (type === undefined || type === '') return null;
  if (!/^\d+$/.test(type)) throw new Refused(400, `type is not a number: ${type}`);
  return Number(type);
}

/**
 * The items of a library that a request means, in Plex's order: those that pass all filters, so all of the type
 * when there is none. An edit uses the same words as a listing: leaving out `id` edits the whole library.
 */
export function select(section: Section, query: Query, now: number): readonly Item[] {
  const type = typeOf(query);
  const file = param(query, 'file');
  if (file !== undefined && type === null) throw new Refused(500, 'file= without type=');
  if (type === collectionType) return [];
  if (type !== null && type !== typeNumbers[section.type]) return [];

  const tests = query.flatMap(([name, value]) => testFor(unscoped(name, section), value, now) ?? []);
  const narrowed = narrow(section, query, file);
  if (narrowed === null && tests.length === 0) return section.inTitleOrder();
  const passing = (narrowed ?? [...section.items.values()]).filter((item) =>
    tests.every((test) => test(item)),
  );
  return passing.sort(byTitle);
}

/** The filters that need no look at every item: numbers of items and parts of paths. */
function narrow(section: Section, query: Query, file: string | undefined): Item[] | null {
  const id = param(query, 'id');
  let found: Set<Item> | null = null;
  if (id !== undefined && id !== '') {
    found = new Set(id.split(',').flatMap((key) => section.items.get(Number(key)) ?? []));
  }
  if (file !== undefined && file !== '') {
    const owners = new Set(file.split(',').flatMap((part) => [...section.files.containing(part)]));
    found = found === null ? owners : new Set([...found].filter((item) => owners.has(item)));
  }
  return found === null ? null : [...found];
}

function testFor(name: string, value: string, now: number): Test | null {
  const parsed = /^(\w+?)([!<>=]*)$/.exec(name);
  const field = parsed?.[1] ?? '';
  const operator = parsed?.[2] ?? '';
  const text = texts[field];
  if (text) return textTest(text, operator, value);
  const time = times[field];
  if (time) return timeTest(time, operator, value, now);
  return null;
}

/** A comma means "or". */
function textTest(read: (item: Item) => string, operator: string, value: string): Test | null {
  const wanted = value.toLowerCase().split(',');
  const any = (matches: (text: string, part: string) => boolean): Test => {
    return (item) => wanted.some((part) => matches(read(item).toLowerCase(), part));
  };
  switch (operator) {
    case '':
      return any((text, part) => text.includes(part));
    case '!':
      return (item) => !wanted.some((part) => read(item).toLowerCase().includes(part));
    case '=':
      return any((text, part) => text === part);
    case '!=':
      return (item) => !wanted.includes(read(item).toLowerCase());
    case '<':
      return any((text, part) => text.startsWith(part));
    case '>':
      return any((text, part) => text.endsWith(part));
    default:
      return null;
  }
}

function timeTest(read: (item: Item) => number, operator: string, value: string, now: number): Test | null {
  const time = parseTime(value, now);
  switch (operator) {
    case '':
      return (item) => read(item) === time;
    case '!':
      return (item) => read(item) !== time;
    case '>>':
      return (item) => read(item) > time;
    case '<<':
      return (item) => read(item) < time;
    default:
      return null;
  }
}

const unitSeconds: Record<string, number> = {
  '': 1,
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 604_800,
  mon: 2_592_000,
  y: 31_536_000,
};

/** Seconds since 1970, or relative to now as in `-7d`. */
function parseTime(value: string, now: number): number {
  const parsed = /^([+-]?)(\d+)(s|m|h|d|w|mon|y)?$/.exec(value);
  if (!parsed) throw new Refused(400, `not a time: ${value}`);
  const amount = Number(parsed[2]) * (unitSeconds[parsed[3] ?? ''] ?? 1);
  if (parsed[1] === '' && parsed[3] === undefined) return amount;
  return parsed[1] === '+' ? now + amount : now - amount;
}

/** `movie.title` in a library of films is `title`. */
export function unscoped(name: string, section: Section): string {
  const scope = `${section.type}.`;
  return name.startsWith(scope) ? name.slice(scope.length) : name;
}

function byTitle(a: Item, b: Item): number {
  const [left, right] = [a.titleSort.toLowerCase(), b.titleSort.toLowerCase()];
  return left < right ? -1 : left > right ? 1 : a.ratingKey - b.ratingKey;
}
