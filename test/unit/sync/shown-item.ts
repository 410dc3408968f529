import type { PlexItem } from '../../../src/plex/answers';

/** An item that shows nothing but its title, except for what a test says. */
export const shownItem = (shown: Partial<PlexItem> = {}): PlexItem => ({
  ratingKey: '5',
  sectionKey: '1',
  library: 'Films',
  files: ['/media/a.mp4'],
  title: 't',
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
  ...shown,
});
