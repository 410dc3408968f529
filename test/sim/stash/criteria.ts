import { internalError, notSimulated } from './not-simulated';

export type Modifier =
  | 'EQUALS'
  | 'NOT_EQUALS'
  | 'GREATER_THAN'
  | 'LESS_THAN'
  | 'IS_NULL'
  | 'NOT_NULL'
  | 'INCLUDES_ALL'
  | 'INCLUDES'
  | 'EXCLUDES'
  | 'MATCHES_REGEX'
  | 'NOT_MATCHES_REGEX'
  | 'BETWEEN'
  | 'NOT_BETWEEN';

export interface OrderCriterion<T> {
  value: T;
  value2?: T | null;
  modifier: Modifier;
}

export interface IdsCriterion {
  value?: string[] | null;
  excludes?: string[] | null;
  modifier: Modifier;
  depth?: number | null;
}

/** Numbers by size; texts character by character. */
export function orderTest<T extends string | number>(
  { value, value2, modifier }: OrderCriterion<T>,
  upperDefault: T,
): (field: T) => boolean {
  const upper = value2 ?? upperDefault;
  switch (modifier) {
    case 'EQUALS':
      return (field) => field === value;
    case 'NOT_EQUALS':
      return (field) => field !== value;
    case 'GREATER_THAN':
      return (field) => field > value;
    case 'LESS_THAN':
      return (field) => field < value;
    case 'BETWEEN':
      return (field) => field >= value && field <= upper;
    case 'NOT_BETWEEN':
      return (field) => field < value || field > upper;
    case 'IS_NULL':
      return () => false;
    case 'NOT_NULL':
      return () => true;
    default:
      return internalError(
        typeof value === 'number'
          ? `unsupported numeric modifier type ${modifier}`
          : 'unsupported date modifier type',
      );
  }
}

/**
 * Times as Stash's database compares them: as texts, right only between those of the same time zone. A bare number,
 * such as a year, is no text there and comes before all of them.
 */
export function timeTest(
  criterion: OrderCriterion<string>,
  upperDefault: string,
): (field: string) => boolean {
  const asStored = (text: string) => (/^\s*[+-]?\d+(\.\d*)?\s*$/.test(text) ? '' : text);
  const { value, value2, modifier } = criterion;
  return orderTest(
    { value: asStored(value), value2: value2 ? asStored(value2) : null, modifier },
    upperDefault,
  );
}

/** `descendants` gives an id and all below it down to `depth` levels (-1: all). */
export function idsTest(
  criterion: IdsCriterion,
  descendants: (id: number, depth: number) => number[],
): (ids: number[]) => boolean {
  const expand = (id: string) => descendants(Number(id), criterion.depth ?? 0);
  const values = (criterion.value ?? []).map(expand);
  const excluded = (criterion.excludes ?? []).flatMap(expand);
  const touches = (ids: number[], family: number[]) => ids.some((id) => family.includes(id));
  const allowed = (ids: number[]) => !touches(ids, excluded);
  switch (criterion.modifier) {
    case 'IS_NULL':
      return (ids) => ids.length === 0;
    case 'NOT_NULL':
      return (ids) => ids.length > 0;
    case 'EXCLUDES':
      return (ids) => allowed(ids) && !touches(ids, values.flat());
    case 'INCLUDES':
      return (ids) => allowed(ids) && (values.length === 0 || touches(ids, values.flat()));
    case 'INCLUDES_ALL':
      return (ids) => allowed(ids) && values.every((family) => touches(ids, family));
    default:
      return notSimulated(`the modifier ${criterion.modifier} for lists of ids`);
  }
}
