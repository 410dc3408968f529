import { describe, expect, it } from 'vitest';
import type { PlexItem } from '../../../src/plex/answers';
import { difference } from '../../../src/sync/difference';
import type { ListName } from '../../../src/sync/fields';
import { isSettled, type Ours, oursAfter, triedBefore } from '../../../src/sync/own-values';
import type { Wanted } from '../../../src/sync/wanted';
import { shownItem } from './shown-item';

/** A person's Plex that keeps its own values, and what we do with it. Writes take effect at once. */
class Household {
  shown: PlexItem;
  ours: Ours | null = null;
  former: ListName[] = [];
  /** The process ends after the write and before the ledger hears of it. */
  crash = false;

  constructor(shown: Partial<PlexItem>) {
    this.shown = shownItem(shown);
  }

  sync(wanted: Wanted): string[] {
    const options = { keepsOwn: true, former: this.former };
    const edit = difference(wanted, this.shown, this.ours, options);
    const before = this.shown;
    if (edit) this.ours = triedBefore(wanted, edit, this.ours);
    for (const { field, value } of edit?.texts ?? []) {
      if (field !== 'userRating') this.shown = { ...this.shown, [field]: value };
    }
    for (const { field, names } of edit?.lists ?? []) {
      if (field === 'genre') this.shown = { ...this.shown, genres: names };
    }
    if (!this.crash) {
      this.ours = oursAfter(wanted, before, edit, this.ours, options, null);
      expect(isSettled(wanted, this.former, this.ours)).toBe(true);
      expect(difference(wanted, this.shown, this.ours, options)).toBeNull();
    }
    return edit?.fields ?? [];
  }
}

describe('a text that a person changed in Plex', () => {
  it('stays, also when Stash changes later, until they clear it there', () => {
    const home = new Household({ title: 'a', summary: '' });
    home.sync({ title: 'Tides', summary: 'ours' });
    expect(home.shown).toMatchObject({ title: 'Tides', summary: 'ours' });
    home.shown = { ...home.shown, title: 'Mine', summary: 'mine' };
    expect(home.sync({ title: 'Tides', summary: 'ours' })).toEqual([]);
    expect(home.sync({ title: 'Waves', summary: 'newer' })).toEqual([]);
    expect(home.sync({ title: 'Winds', summary: 'newest' })).toEqual([]);
    expect(home.shown).toMatchObject({ title: 'Mine', summary: 'mine' });
    home.shown = { ...home.shown, title: '', summary: '' };
    home.sync({ title: 'Winds', summary: 'newest' });
    expect(home.shown).toMatchObject({ title: 'Winds', summary: 'newest' });
    home.sync({ title: 'Rain', summary: '' });
    expect(home.shown).toMatchObject({ title: 'Rain', summary: '' });
  });

  it('takes its sort title along, and gives it back', () => {
    const home = new Household({});
    home.sync({ title: 'The Tides', titleSort: 'Tides' });
    home.shown = { ...home.shown, title: 'A Mine', locked: ['title', 'titleSort'] };
    home.sync({ title: 'The Tides', titleSort: 'Tides' });
    expect(home.shown.titleSort).toBe('Mine');
    home.sync({ title: 'The Waves', titleSort: 'Waves' });
    home.shown = { ...home.shown, title: '' };
    home.sync({ title: 'The Waves', titleSort: 'Waves' });
    expect(home.shown).toMatchObject({ title: 'The Waves', titleSort: 'Waves' });
  });

  it('stays beside a crash, and what we tried counts as ours', () => {
    const home = new Household({ summary: '' });
    home.sync({ summary: 'one' });
    home.crash = true;
    home.sync({ summary: 'two' });
    home.shown = { ...home.shown, summary: 'one' };
    home.sync({ summary: 'three' });
    expect(home.shown.summary).toBe('three');
    expect(home.ours && isSettled({ summary: 'one' }, [], home.ours)).toBe(false);
    home.crash = false;
    home.sync({ summary: 'one' });
    expect(home.shown.summary).toBe('one');
    expect(home.ours?.tried).toBeUndefined();
    home.shown = { ...home.shown, summary: 'three' };
    expect(home.sync({ summary: 'four' })).toEqual([]);
  });

  it('is not confused with what we wrote before the field was left out', () => {
    const home = new Household({});
    home.sync({ summary: 'one', studio: 'S' });
    home.sync({ studio: 'S' });
    home.sync({ studio: 'T' });
    home.sync({ summary: 'two', studio: 'T' });
    expect(home.shown.summary).toBe('two');
  });
});

describe('a title', () => {
  it.each([
    ['/m/Tiny Boats.mp4', 'Tiny Boats'],
    ['/m/Tiny Boats.mp4', 'tiny boats.MP4'],
    ['/m/tiny.boats_two.mkv', 'Tiny Boats Two'],
    ['/m/tiny-boats (2020).mkv', 'Tiny Boats'],
    ['/m/My.Film_2020.mp4', 'My Film 2020'],
    ['/m/Tiny Boats [1080p].mkv', 'Tiny Boats'],
    ['C:\\v\\Ve\u0301lo.mp4', 'V\u00e9lo'],
  ])('that Plex made of %s is nobody’s own: %s', (file, title) => {
    const home = new Household({ files: ['/m/other.mp4', file], title });
    expect(home.sync({ title: 'Ours' })).toEqual(['title']);
  });

  it.each(['Tiny Boat', 'Boats', 'Tiny Boats, too'])('"%s" is Plex’s own', (title) => {
    const home = new Household({ files: ['/m/Tiny Boats.mp4'], title });
    expect(home.sync({ title: 'Ours' })).toEqual([]);
  });

  it('gives its sort title, unless somebody chose another', () => {
    const sorted = (titleSort: string) => {
      const home = new Household({ files: ['/m/The Boats.mp4'], title: 'The Boats', titleSort });
      home.sync({ title: 'A Sea', titleSort: 'Sea' });
      return home.shown.titleSort;
    };
    expect(sorted('')).toBe('Sea');
    expect(sorted('Boats')).toBe('Sea');
    expect(sorted('Boats 01')).toBe('Boats 01');
  });
});

describe('a name in a list', () => {
  it('that we put there goes when it is not wanted any more; a person’s own stays', () => {
    const home = new Household({ genres: ['mine'] });
    home.sync({ genre: ['sea', 'lake'] });
    home.shown = { ...home.shown, genres: [...home.shown.genres, 'also mine'] };
    home.sync({ genre: ['Lake', 'new'] });
    expect(home.shown.genres.sort()).toEqual(['Lake', 'also mine', 'mine', 'new']);
    home.shown = { ...home.shown, genres: [...home.shown.genres, 'sea'] };
    home.sync({ genre: [] });
    expect(home.shown.genres.sort()).toEqual(['also mine', 'mine', 'sea']);
  });

  it('is ours from the first attempt on', () => {
    const home = new Household({});
    home.crash = true;
    home.sync({ genre: ['sea'] });
    home.crash = false;
    home.sync({ genre: ['lake'] });
    expect(home.shown.genres).toEqual(['lake']);
  });

  it('is remembered while its list is left out, and forgotten with a list that is not used', () => {
    const home = new Household({});
    home.sync({ genre: ['sea'], studio: '' });
    home.sync({ studio: '' });
    expect(home.ours?.names).toHaveProperty('genre');
    home.former = ['genre'];
    expect(home.ours && isSettled({ studio: '' }, ['genre'], home.ours)).toBe(false);
    home.shown = { ...home.shown, genres: [] };
    home.sync({ studio: '' });
    expect(home.ours?.names).not.toHaveProperty('genre');
  });
});

describe('a text that had to be cut', () => {
  it('is ours, and not written again and again', () => {
    const value = 'long words '.repeat(2000);
    const cut = `${value.slice(0, 6000)}…`;
    const options = { keepsOwn: true, former: [] };
    const before = shownItem();
    const edit = difference({ summary: value }, before, null, options);
    const applied = { cut: [], shortened: { summary: cut }, shortenedLists: {} };
    const after = shownItem({ summary: cut });
    let ours = oursAfter({ summary: value }, before, edit, null, options, applied);
    for (let time = 0; time < 3; time++) {
      expect(difference({ summary: value }, after, ours, options)).toBeNull();
      ours = oursAfter({ summary: value }, after, null, ours, options, null);
    }
    expect(difference({ summary: 'short' }, after, ours, options)?.fields).toEqual(['summary']);
    expect(difference({ summary: `${value}.` }, after, null, options)).toBeNull();
    expect(difference({ summary: value }, after, null, { ...options, keepsOwn: false })).not.toBeNull();
  });
});
