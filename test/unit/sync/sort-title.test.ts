import { describe, expect, it } from 'vitest';
import { sortTitle } from '../../../src/sync/sort-title';

describe('the sort title', () => {
  it.each([
    ['The Lake', 'Lake'],
    ['a Day at Sea', 'Day at Sea'],
    ['An  Island', 'Island'],
    ['Das Moor', 'Moor'],
    ['Der See', 'See'],
    ['El Río', 'Río'],
    ['La Mer', 'Mer'],
    ['The The Lake', 'The Lake'],
    ['The', 'The'],
    ['The ', 'The '],
    ['Theory of Tides', 'Theory of Tides'],
    ['A-Frame', 'A-Frame'],
    ['Lake, The', 'Lake, The'],
    ['', ''],
  ])('of "%s" is "%s"', (title, sorted) => {
    expect(sortTitle(title)).toBe(sorted);
  });
});
