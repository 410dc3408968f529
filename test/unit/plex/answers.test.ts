import { describe, expect, it } from 'vitest';
import { parseImages, parseItem, parsePage } from '../../../src/plex/answers';

const item = (fields: Record<string, unknown>) =>
  parsePage({ MediaContainer: { Metadata: [{ ratingKey: '7', ...fields }] } }).items[0];

describe('an item', () => {
  it('of which Plex says nothing has a default for everything', () => {
    expect(item({})).toEqual({
      ratingKey: '7',
      sectionKey: '',
      library: '',
      files: [],
      title: '',
      titleSort: '',
      summary: '',
      tagline: '',
      studio: '',
      contentRating: '',
      originallyAvailableAt: '',
      userRating: null,
      actors: [],
      directors: [],
      genres: [],
      labels: [],
      collections: [],
      thumb: '',
      art: '',
      locked: [],
      updatedAt: 0,
    });
  });

  it.each([
    [{ userRating: 7.5, updatedAt: 1_700_000_000 }, 7.5, 1_700_000_000],
    [{ userRating: '7.5', updatedAt: '1700000000' }, 7.5, 1_700_000_000],
    [{ userRating: 0, updatedAt: 0 }, 0, 0],
    [{ userRating: '', updatedAt: '' }, null, 0],
    [{ userRating: 'none', updatedAt: 'never' }, null, 0],
  ])('has numbers, however they are written: %j', (fields, userRating, updatedAt) => {
    expect(item(fields)).toMatchObject({ userRating, updatedAt });
  });

  it('names the fields that are locked, and not those that no longer are', () => {
    const Field = [
      { name: 'title', locked: true },
      { name: 'thumb', locked: 1 },
      { name: 'genre', locked: '1' },
      { name: 'studio', locked: false },
      { name: 'summary', locked: 0 },
      { name: 'art', locked: '0' },
      { name: 'tagline' },
    ];
    expect(item({ Field })?.locked).toEqual(['title', 'thumb', 'genre']);
  });
});

describe('an item of another shape', () => {
  const good = { ratingKey: '7', title: 'Tides' };
  const odd = [{ ratingKey: '8', title: ['Tides'] }, { title: 'no key' }, 'text', null, { ratingKey: {} }];
  const answer = (...Metadata: unknown[]) => ({ MediaContainer: { Metadata } });

  it.each(odd)('is left out of a listing, and the others are read: %j', (other) => {
    const page = parsePage(answer(good, other, { ...good, ratingKey: '9' }));
    expect(page.items.map(({ ratingKey }) => ratingKey)).toEqual(['7', '9']);
    expect(page).toMatchObject({ total: 3, sent: 3 });
  });

  it.each(odd)('cannot be read by itself: %j', (other) => {
    expect(parseItem(answer(good), '7')).toMatchObject(good);
    expect(() => parseItem(answer(other), '8')).toThrow();
  });

  it('is not what a listing may be instead of items', () => {
    expect(() => parsePage({ MediaContainer: { Metadata: 'none' } })).toThrow();
    expect(() => parsePage({ error: 'no container' })).toThrow();
  });
});

it('pictures are read with the one that is shown, however Plex writes yes', () => {
  const Metadata = [
    { ratingKey: 'upload://posters/1', key: '/file?url=1', selected: true },
    { ratingKey: 'upload://posters/2', selected: '1' },
    { ratingKey: 'media://3', selected: 0 },
    { ratingKey: 'metadata://posters/4', provider: 'local' },
  ];
  expect(parseImages({ MediaContainer: { Metadata } })).toEqual([
    { key: 'upload://posters/1', selected: true },
    { key: 'upload://posters/2', selected: true },
    { key: 'media://3', selected: false },
    { key: 'metadata://posters/4', selected: false },
  ]);
  expect(parseImages({ MediaContainer: {} })).toEqual([]);
});
