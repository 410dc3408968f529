import { describe, expect, it } from 'vitest';
import { comparable, fingerprints, nameHash, textFields } from '../../../src/sync/fields';
import type { Wanted } from '../../../src/sync/wanted';
import { shownItem } from './shown-item';

describe('fingerprints', () => {
  const wanted: Wanted = { title: 'a', summary: '', userRating: '8', actor: ['A', 'B'], genre: ['x', 'y'] };
  const changed = (changes: Wanted) => {
    const before = fingerprints(wanted);
    const after = fingerprints({ ...wanted, ...changes });
    return Object.keys(after).filter((name) => after[name] !== before[name]);
  };

  it('are short, and only of what is wanted', () => {
    expect(Object.keys(fingerprints(wanted)).sort()).toEqual([
      'actor',
      'genre',
      'summary',
      'title',
      'userRating',
    ]);
    for (const hash of Object.values(fingerprints(wanted))) expect(hash).toMatch(/^[\w-]{10}$/);
    expect(nameHash('Sea')).toMatch(/^[\w-]{6}$/);
  });

  it('change with their own field only', () => {
    expect(changed({ title: 'b' })).toEqual(['title']);
    expect(changed({ summary: 'b' })).toEqual(['summary']);
    expect(changed({ userRating: '8.1' })).toEqual(['userRating']);
    expect(changed({ actor: ['A'] })).toEqual(['actor']);
    expect(changed({ genre: ['x'] })).toEqual(['genre']);
    expect(changed({ label: [] })).toEqual(['label']);
  });

  it('see the order of people, and not that of tags', () => {
    expect(changed({ actor: ['B', 'A'] })).toEqual(['actor']);
    expect(changed({ genre: ['y', 'x'] })).toEqual([]);
  });

  it('do not see what Plex does not see', () => {
    expect(changed({ genre: ['X', 'Y'], actor: ['a', 'b'], userRating: '8.0' })).toEqual([]);
  });
});

describe('what Plex shows', () => {
  const shown = (name: string, item: Parameters<typeof shownItem>[0]) =>
    textFields.find((field) => field.name === name)?.shown(shownItem(item));

  it('has the title for a sort title where Plex says none', () => {
    expect(shown('titleSort', { title: 'Lake', titleSort: '' })).toBe('Lake');
    expect(shown('titleSort', { title: 'The Lake', titleSort: 'Lake' })).toBe('Lake');
  });

  it.each([
    [null, ''],
    [0, ''],
    [8, '8'],
    [7.300000190734863, '7.3'],
    [10, '10'],
  ])('as rating %s is "%s"', (userRating, text) => {
    expect(shown('userRating', { userRating })).toBe(text);
    for (const field of textFields.filter(({ kind }) => kind === 'number')) {
      expect(comparable(field, String(userRating ?? ''))).toBe(text);
    }
  });
});
