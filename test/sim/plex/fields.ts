import { Refused } from './answer';

/** The fields that an edit can set, as `<name>.value`. */
const kinds = {
  title: 'text',
  titleSort: 'text',
  originalTitle: 'text',
  summary: 'text',
  tagline: 'text',
  studio: 'text',
  contentRating: 'text',
  editionTitle: 'text',
  originallyAvailableAt: 'date',
  rating: 'score',
  audienceRating: 'score',
  userRating: 'score',
  addedAt: 'epoch',
} as const;

export type FieldName = keyof typeof kinds;

/** Values as they were sent; an empty one is left out. */
export type Values = Readonly<Partial<Record<FieldName, string>>>;

export const fieldNames = Object.keys(kinds) as FieldName[];

export function isFieldName(name: string): name is FieldName {
  return Object.hasOwn(kinds, name);
}

/** What no agent writes: a refresh leaves it alone, locked or not. */
export const personal: ReadonlySet<FieldName> = new Set<FieldName>(['userRating', 'addedAt']);

/** Refuses what Plex would not take. The empty text clears a field and is always fine. */
export function checkValue(name: FieldName, value: string): void {
  if (value === '') return;
  const kind = kinds[name];
  if (kind === 'date' && !isDate(value)) throw new Refused(400, `${name} is not a date: ${value}`);
  if (kind === 'epoch' && !/^\d+$/.test(value)) throw new Refused(400, `${name} is not a time: ${value}`);
  if (kind === 'score' && !isScore(value)) throw new Refused(400, `${name} is not from 0 to 10: ${value}`);
}

export function isScore(value: string): boolean {
  return /^\d+(\.\d+)?$/.test(value) && Number(value) <= 10;
}

/** A day that exists, as `YYYY-MM-DD`. */
function isDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const time = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}

export function numberOf(values: Values, name: FieldName): number | null {
  const value = values[name];
  return value === undefined ? null : Number(value);
}
