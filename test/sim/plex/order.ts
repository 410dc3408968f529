import { numberOf } from './fields';
import type { Item } from './item';
import type { Section } from './section';
import { unscoped } from './selection';

const keys: Record<string, (item: Item) => string | number | null> = {
  id: (item) => item.ratingKey,
  title: (item) => item.values.title?.toLowerCase() ?? null,
  titleSort: (item) => item.titleSort.toLowerCase(),
  summary: (item) => item.values.summary ?? null,
  guid: (item) => item.guid,
  year: (item) => item.year,
  originallyAvailableAt: (item) => item.values.originallyAvailableAt ?? null,
  addedAt: (item) => numberOf(item.values, 'addedAt'),
  updatedAt: (item) => item.updatedAt,
  rating: (item) => numberOf(item.values, 'rating'),
  audienceRating: (item) => numberOf(item.values, 'audienceRating'),
  userRating: (item) => numberOf(item.values, 'userRating'),
  duration: (item) => item.durationMs,
};

/** `sort=year:desc,titleSort`. Empty values come first, last with `:nullsLast`; unknown fields are ignored. */
export function sorted(items: readonly Item[], sort: string | undefined, section: Section): readonly Item[] {
  if (sort === undefined || sort === '') return items;
  const steps = sort.split(',').flatMap((part) => {
    const [name = '', ...features] = part.split(':');
    const key = keys[unscoped(name, section)];
    return key
      ? [{ key, sign: features.includes('desc') ? -1 : 1, nullsLast: features.includes('nullsLast') }]
      : [];
  });
  return [...items].sort((a, b) => {
    for (const { key, sign, nullsLast } of steps) {
      const [left, right] = [key(a), key(b)];
      if (left === right) continue;
      if (left === null) return nullsLast ? 1 : -sign;
      if (right === null) return nullsLast ? -1 : sign;
      return left < right ? -sign : sign;
    }
    return 0;
  });
}
