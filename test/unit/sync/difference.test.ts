import { describe, expect, it } from 'vitest';
import type { PlexItem } from '../../../src/plex/answers';
import { difference, reordering, surplus } from '../../../src/sync/difference';
import type { Wanted } from '../../../src/sync/wanted';

const wantsNothing: Wanted = {
  title: 't',
  summary: '',
  studio: '',
  originallyAvailableAt: null,
  actors: [],
  genres: [],
};
const showsNothing: PlexItem = {
  ratingKey: '5',
  sectionKey: '1',
  library: 'Films',
  files: ['/media/a.mp4'],
  title: 't',
  summary: '',
  studio: '',
  originallyAvailableAt: '',
  actors: [],
  genres: [],
};
const diff = (wanted: Partial<Wanted>, shown: Partial<PlexItem>) =>
  difference({ ...wantsNothing, ...wanted }, { ...showsNothing, ...shown });

describe('difference', () => {
  it('is nothing when Plex shows what it should', () => {
    expect(diff({}, {})).toBeNull();
    const all = {
      summary: 's',
      studio: 'S',
      originallyAvailableAt: '2024-01-01',
      actors: ['A'],
      genres: ['g'],
    };
    expect(diff(all, all)).toBeNull();
  });

  it('writes and locks each text that differs, and no other', () => {
    expect(diff({ title: 'new', summary: 'same' }, { title: 'old', summary: 'same' })).toEqual({
      params: [
        ['title.value', 'new'],
        ['title.locked', '1'],
      ],
      fields: ['title'],
      verify: false,
    });
  });

  it('clears what was emptied in Stash', () => {
    const edit = diff({}, { summary: 's', studio: 'S', originallyAvailableAt: '2024-01-01' });
    expect(edit?.params).toEqual([
      ['summary.value', ''],
      ['summary.locked', '1'],
      ['studio.value', ''],
      ['studio.locked', '1'],
      ['originallyAvailableAt.value', ''],
      ['originallyAvailableAt.locked', '1'],
    ]);
  });

  it('names every wanted tag and removes every other, encoded once more than the rest', () => {
    expect(diff({ genres: ['a', 'b, c'] }, { genres: ['a', 'x', 'y, 100%'] })).toEqual({
      params: [
        ['genre[0].tag.tag', 'a'],
        ['genre[1].tag.tag', 'b, c'],
        ['genre[].tag.tag-', 'x,y%2C%20100%25'],
        ['genre.locked', '1'],
      ],
      fields: ['genre'],
      verify: true,
    });
  });

  it('removes all tags when none is wanted', () => {
    expect(diff({}, { genres: ['a', 'b'] })?.params).toEqual([
      ['genre[].tag.tag-', 'a,b'],
      ['genre.locked', '1'],
    ]);
  });

  it('takes tags for the same whatever their case and form', () => {
    expect(diff({ genres: ['nature', 'V\u00e9lo'] }, { genres: ['Ve\u0301lo', 'Nature'] })).toBeNull();
    const edit = diff({ genres: ['nature', 'new'] }, { genres: ['Nature', 'Old'] });
    expect(edit?.params).toContainEqual(['genre[].tag.tag-', 'Old']);
  });

  it('does not look afterwards when tags were only added', () => {
    expect(diff({ genres: ['a', 'b'], actors: ['A', 'B'] }, { genres: ['a'], actors: ['A'] })?.verify).toBe(
      false,
    );
  });

  it('sees people in another order, and looks afterwards', () => {
    const edit = diff({ actors: ['B', 'A'] }, { actors: ['A', 'B'] });
    expect(edit?.params).toEqual([
      ['actor[0].tag.tag', 'B'],
      ['actor[1].tag.tag', 'A'],
      ['actor.locked', '1'],
    ]);
    expect(edit?.verify).toBe(true);
  });

  it('looks afterwards when a new person stands before one who was there', () => {
    expect(diff({ actors: ['new', 'A'] }, { actors: ['A'] })?.verify).toBe(true);
  });
});

describe('what is left after a write', () => {
  const wanted = { ...wantsNothing, actors: ['B', 'A'], genres: ['g'] };

  it('is removed one tag at a time', () => {
    const left = surplus(wanted, { ...showsNothing, actors: ['A', 'X, Y'], genres: ['g', 'h'] });
    expect(left).toEqual([
      {
        tag: 'X, Y',
        params: [
          ['actor[].tag.tag-', 'X%2C%20Y'],
          ['actor.locked', '1'],
        ],
      },
      {
        tag: 'h',
        params: [
          ['genre[].tag.tag-', 'h'],
          ['genre.locked', '1'],
        ],
      },
    ]);
  });

  it('is nothing when all is well', () => {
    const item = { ...showsNothing, actors: ['b', 'a'], genres: ['G'] };
    expect(surplus(wanted, item)).toEqual([]);
    expect(reordering(wanted, item)).toBeNull();
  });

  it('is a new beginning for people in the wrong order', () => {
    expect(reordering(wanted, { ...showsNothing, actors: ['A', 'B'], genres: ['g'] })).toEqual({
      clear: [
        ['actor[].tag', ''],
        ['actor[].tag.tag-', 'A,B'],
        ['actor.locked', '1'],
      ],
      name: [
        ['actor[0].tag.tag', 'B'],
        ['actor[1].tag.tag', 'A'],
        ['actor.locked', '1'],
      ],
    });
  });
});
