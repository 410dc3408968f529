import { describe, expect, it } from 'vitest';
import type { PlexItem } from '../../../src/plex/answers';
import { compare, difference, type Options } from '../../../src/sync/difference';
import { nameHash } from '../../../src/sync/fields';
import type { Ours } from '../../../src/sync/own-values';
import { parcelsOf } from '../../../src/sync/parcels';
import type { Wanted } from '../../../src/sync/wanted';
import { shownItem } from './shown-item';

const replaces: Options = { keepsOwn: false, former: [] };
const keeps: Options = { keepsOwn: true, former: [] };
const wantsNothing: Wanted = {
  title: 't',
  titleSort: 't',
  summary: '',
  studio: '',
  originallyAvailableAt: '',
  userRating: '',
  tagline: '',
  director: [],
  actor: [],
  genre: [],
};
const diff = (wanted: Wanted, shown: Partial<PlexItem>, options = replaces, ours: Ours | null = null) =>
  difference({ ...wantsNothing, ...wanted }, shownItem(shown), ours, options);
const params = (...args: Parameters<typeof diff>) => {
  const edit = diff(...args);
  return edit && parcelsOf(edit).flat();
};

describe('difference', () => {
  it('is nothing when Plex shows what it should', () => {
    expect(diff({}, {})).toBeNull();
    expect(
      diff(
        { summary: 's', userRating: '7.5', actor: ['A'], genre: ['g'], title: 'The t', titleSort: 't' },
        { summary: 's', userRating: 7.5, actors: ['A'], genres: ['g'], title: 'The t', titleSort: 't' },
      ),
    ).toBeNull();
  });

  it('leaves alone what is not wanted at all', () => {
    const shown = shownItem({ title: 'other', labels: ['l'], genres: ['g'], contentRating: 'R' });
    expect(difference({ summary: '' }, shown, null, replaces)).toBeNull();
  });

  it('writes and locks each text that differs, and no other', () => {
    const edit = diff({ summary: 'new', studio: 'same' }, { summary: 'old', studio: 'same' });
    expect(edit).toMatchObject({ fields: ['summary'], kept: [], lists: [] });
    expect(edit && parcelsOf(edit)).toEqual([
      [
        ['summary.value', 'new'],
        ['summary.locked', '1'],
      ],
    ]);
  });

  it('clears what was emptied in Stash', () => {
    const shown = { summary: 's', tagline: 'c', originallyAvailableAt: '2024-01-01', userRating: 7 };
    expect(params({}, shown)?.filter(([name]) => name.endsWith('value'))).toEqual([
      ['summary.value', ''],
      ['originallyAvailableAt.value', ''],
      ['userRating.value', ''],
      ['tagline.value', ''],
    ]);
  });

  it('sends the sort title along with a new title, because Plex would make its own', () => {
    expect(diff({ title: 'The t', titleSort: 't' }, { title: 't' })?.fields).toEqual(['title', 'sort title']);
    expect(diff({ title: 'The t', titleSort: 't' }, { title: 'A t', titleSort: 't' })?.fields).toEqual([
      'title',
      'sort title',
    ]);
    const locked = { title: 'A t', titleSort: 't', locked: ['titleSort'] };
    expect(diff({ title: 'The t', titleSort: 't' }, locked)?.fields).toEqual(['title']);
  });

  it('names every wanted tag and removes every other, encoded once more than the rest', () => {
    expect(params({ genre: ['a', 'b, c'] }, { genres: ['a', 'x', 'y, 100%'] })).toEqual([
      ['genre[0].tag.tag', 'a'],
      ['genre[1].tag.tag', 'b, c'],
      ['genre[].tag.tag-', 'x,y%2C%20100%25'],
      ['genre.locked', '1'],
    ]);
  });

  it('removes all tags when none is wanted', () => {
    expect(params({}, { genres: ['a', 'b'] })).toEqual([
      ['genre[].tag.tag-', 'a,b'],
      ['genre.locked', '1'],
    ]);
  });

  it('takes tags for the same whatever their case and form', () => {
    expect(diff({ genre: ['nature', 'V\u00e9lo'] }, { genres: ['Ve\u0301lo', 'Nature'] })).toBeNull();
    expect(params({ genre: ['nature', 'new'] }, { genres: ['Nature', 'Old'] })).toContainEqual([
      'genre[].tag.tag-',
      'Old',
    ]);
  });

  it('sees people in another order, and a new one before one who was there', () => {
    const moved = (wanted: string[], actors: string[]) =>
      diff({ actor: wanted }, { actors })?.lists[0]?.moved;
    expect(moved(['B', 'A'], ['A', 'B'])).toBe(true);
    expect(moved(['new', 'A'], ['A'])).toBe(true);
    expect(moved(['A', 'new'], ['A'])).toBe(false);
    expect(moved(['A', 'B'], ['A', 'x', 'B'])).toBe(false);
  });
});

describe('with values of Plex’s own that stay, difference', () => {
  const ours: Ours = { wrote: {}, names: { genre: [nameHash('Sea'), nameHash('lake')] } };

  it('writes only where Plex shows nothing', () => {
    const edit = diff({ summary: 'new', studio: 'S' }, { summary: 'own' }, keeps);
    expect(edit).toMatchObject({ fields: ['studio'], kept: ['summary'] });
  });

  it('removes of a list what is ours, keeps the rest, and names all that stays', () => {
    const edit = diff({ genre: ['new'] }, { genres: ['own', 'sea', 'Lake'] }, keeps, ours);
    expect(edit?.kept).toEqual(['genres']);
    expect(edit && parcelsOf(edit).flat()).toEqual([
      ['genre[0].tag.tag', 'new'],
      ['genre[1].tag.tag', 'own'],
      ['genre[].tag.tag-', 'sea,Lake'],
      ['genre.locked', '1'],
    ]);
    expect(diff({ genre: ['new'] }, { genres: ['own', 'new'] }, keeps, ours)).toBeNull();
  });

  it('minds the order of the people that are wanted, and not where the others stand', () => {
    const actor = ['A', 'B'];
    expect(diff({ actor }, { actors: ['own', 'A', 'x', 'B'] }, keeps)).toBeNull();
    expect(diff({ actor }, { actors: ['B', 'own', 'A'] }, keeps)?.lists[0]).toMatchObject({
      moved: true,
      names: ['A', 'B', 'own'],
      own: ['own'],
      remove: [],
    });
  });

  it('lets the sort title follow a title that stays', () => {
    const wanted = { title: 'The Sea', titleSort: 'Sea' };
    const edit = diff(wanted, { title: 'A Lake', titleSort: 'Sea', locked: ['titleSort'] }, keeps);
    expect(edit?.texts).toEqual([{ field: 'titleSort', called: 'sort title', value: 'Lake' }]);
    expect(diff(wanted, { title: 'A Lake', titleSort: 'Lake' }, keeps)).toBeNull();
    expect(diff(wanted, { title: 'A Lake', titleSort: '007' }, keeps)).toBeNull();
  });
});

describe('a list that is not used any more', () => {
  const ours: Ours = { wrote: {}, names: { label: [nameHash('Sea')] } };

  it.each([true, false])('loses what is ours, and nothing else is touched or locked', (keepsOwn) => {
    const options: Options = { keepsOwn, former: ['label', 'collection'] };
    const shown = { labels: ['own', 'Sea'], collections: ['mine'] };
    expect(params({}, shown, options, ours)).toEqual([['label[].tag.tag-', 'Sea']]);
    expect(diff({}, { labels: ['own'] }, options, ours)).toBeNull();
    expect(diff({}, shown, options, null)).toBeNull();
    expect(diff({}, shown, { keepsOwn, former: [] }, ours)).toBeNull();
  });

  it('is unlocked when it had only what is ours, so that Plex may fill it again', () => {
    const options: Options = { keepsOwn: false, former: ['label'] };
    const remove = ['label[].tag.tag-', 'Sea'];
    const unlock = ['label.locked', '0'];
    expect(params({}, { labels: ['Sea'], locked: ['label'] }, options, ours)).toEqual([remove, unlock]);
    expect(params({}, { labels: ['Sea'], locked: ['title'] }, options, ours)).toEqual([remove]);
    expect(params({}, { labels: ['Sea', 'own'], locked: ['label'] }, options, ours)).toEqual([remove]);
  });
});

describe('compare', () => {
  it('says of every field what is, what should be, and what is done', () => {
    const wanted: Wanted = { title: 'new', summary: 'same', studio: 'S', genre: ['a'] };
    const shown = shownItem({ title: 'a', summary: 'same', studio: 'own', genres: ['own'] });
    expect(compare(wanted, shown, null, keeps)).toEqual([
      { field: 'title', called: 'title', shown: 'a', wanted: 'new', verdict: 'write' },
      { field: 'summary', called: 'summary', shown: 'same', wanted: 'same', verdict: 'same' },
      { field: 'studio', called: 'studio', shown: 'own', wanted: 'S', verdict: 'kept' },
      { field: 'genre', called: 'genres', shown: ['own'], wanted: ['a', 'own'], verdict: 'write' },
    ]);
  });
});
