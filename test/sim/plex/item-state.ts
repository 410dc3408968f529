import { numberOf } from './fields';
import type { Item } from './item';
import type { TagKind } from './tags';

/** What Plex shows for an item at this moment, as plain data: for tests to compare with. */
export interface ItemState {
  ratingKey: number;
  library: string;
  guid: string;
  files: string[];
  title: string;
  titleSort: string;
  originalTitle: string;
  summary: string;
  tagline: string;
  studio: string;
  contentRating: string;
  editionTitle: string;
  /** `YYYY-MM-DD`, or empty. */
  originallyAvailableAt: string;
  year: number | null;
  rating: number | null;
  audienceRating: number | null;
  userRating: number | null;
  /** Seconds since 1970. */
  addedAt: number;
  updatedAt: number;
  genres: string[];
  /** In Plex's order. */
  actors: string[];
  /** The same people with what else is known of them. */
  roles: { name: string; role: string; thumb: string | null }[];
  directors: string[];
  writers: string[];
  producers: string[];
  countries: string[];
  collections: string[];
  labels: string[];
  /** In alphabetical order. */
  locked: string[];
  /** Of the pictures that are shown: `upload://posters/<sha1>` for an uploaded one. */
  poster: string | null;
  art: string | null;
}

/** All that Sluice writes, and nothing else: two items that show the same are equal in this. */
export interface Shown
  extends Pick<
    ItemState,
    | 'title'
    | 'titleSort'
    | 'summary'
    | 'tagline'
    | 'studio'
    | 'contentRating'
    | 'originallyAvailableAt'
    | 'userRating'
    | 'actors'
    | 'directors'
    | 'genres'
    | 'labels'
    | 'collections'
    | 'locked'
  > {
  /** SHA-1 of the uploaded picture that is shown; null for none, or one that was not uploaded. */
  posterSha1: string | null;
  artSha1: string | null;
}

export function shownOf(item: Item): Shown {
  const state = stateOf(item);
  return {
    title: state.title,
    titleSort: state.titleSort,
    summary: state.summary,
    tagline: state.tagline,
    studio: state.studio,
    contentRating: state.contentRating,
    originallyAvailableAt: state.originallyAvailableAt,
    userRating: state.userRating,
    actors: state.actors,
    directors: state.directors,
    genres: state.genres,
    labels: state.labels,
    collections: state.collections,
    locked: state.locked,
    posterSha1: uploadedSha1(state.poster),
    artSha1: uploadedSha1(state.art),
  };
}

function uploadedSha1(key: string | null): string | null {
  return /^upload:\/\/\w+\/([0-9a-f]{40})$/.exec(key ?? '')?.[1] ?? null;
}

export function stateOf(item: Item): ItemState {
  const { values } = item;
  const names = (kind: TagKind) => (item.tags[kind] ?? []).map(({ tag }) => tag.name);
  return {
    ratingKey: item.ratingKey,
    library: item.section.title,
    guid: item.guid,
    files: item.files,
    title: values.title ?? '',
    titleSort: item.titleSort,
    originalTitle: values.originalTitle ?? '',
    summary: values.summary ?? '',
    tagline: values.tagline ?? '',
    studio: values.studio ?? '',
    contentRating: values.contentRating ?? '',
    editionTitle: values.editionTitle ?? '',
    originallyAvailableAt: values.originallyAvailableAt ?? '',
    year: item.year,
    rating: numberOf(values, 'rating'),
    audienceRating: numberOf(values, 'audienceRating'),
    userRating: numberOf(values, 'userRating'),
    addedAt: numberOf(values, 'addedAt') ?? 0,
    updatedAt: item.updatedAt,
    genres: names('genre'),
    actors: names('actor'),
    roles: (item.tags.actor ?? []).map(({ tag, text }) => ({ name: tag.name, role: text, thumb: tag.thumb })),
    directors: names('director'),
    writers: names('writer'),
    producers: names('producer'),
    countries: names('country'),
    collections: names('collection'),
    labels: names('label'),
    locked: [...item.locked].sort(),
    poster: item.selectedImage('posters'),
    art: item.selectedImage('arts'),
  };
}
