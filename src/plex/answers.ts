/**
 * What Plex answers, parsed once into types that the inside can trust. Plex leaves out what is empty, gives ids
 * now as text and now as numbers, and adds fields with every version: everything optional has a default here,
 * and what we do not read is ignored. An item of another shape is left out of a listing: the others are not worse for
 * it. By itself it is an answer that cannot be read.
 */
import * as v from 'valibot';

export interface PlexServer {
  name: string;
  version: string;
  machineIdentifier: string;
}

export interface PlexLibrary {
  key: string;
  title: string;
  /** `movie` for films and for "Other Videos"; also show, artist, photo. */
  type: string;
  locations: string[];
}

export interface PlexItem {
  ratingKey: string;
  /** Key and title of its library; '' where Plex does not say. */
  sectionKey: string;
  library: string;
  /** Every file of every version, as Plex sees them. */
  files: string[];
  title: string;
  /** As Plex says; '' when it says none. */
  titleSort: string;
  summary: string;
  tagline: string;
  studio: string;
  contentRating: string;
  /** `YYYY-MM-DD`, or ''. */
  originallyAvailableAt: string;
  /** 0 to 10; null when nobody rated it. */
  userRating: number | null;
  /** Tags in Plex's order. A listing truncates them to two or three: compare only with `PlexClient.item`. */
  actors: string[];
  directors: string[];
  genres: string[];
  labels: string[];
  collections: string[];
  /** Address of the picture that is shown, as Plex says: another one whenever another picture is shown; ''. */
  thumb: string;
  art: string;
  /** Names of the locked fields (title, thumb, art, genre, ...). Only in a whole item, [] in listings. */
  locked: string[];
  /** Seconds since 1970, 0 when Plex does not say. */
  updatedAt: number;
}

/** A picture that an item can choose from. */
export interface PlexImage {
  /** `upload://posters/<sha1>` or another; what selects it. */
  key: string;
  /** Whether it is the one that is shown. */
  selected: boolean;
}

export interface PlexPage {
  items: PlexItem[];
  /** How many items Plex put on it, also those that could not be read. */
  sent: number;
  /** How many there are in all, on this page and others. */
  total: number;
}

const text = v.optional(v.string(), '');
const id = v.pipe(v.union([v.string(), v.number()]), v.transform(String));
/** Plex writes a number as one or as text, and a yes as true, 1 or "1"; what is neither is none. */
const numeric = v.optional(
  v.pipe(
    v.union([v.number(), v.string()]),
    v.transform((value) => (value === '' || Number.isNaN(Number(value)) ? null : Number(value))),
  ),
);
const yes = v.pipe(
  v.optional(v.union([v.boolean(), v.number(), v.string()]), false),
  v.transform((value) => value === true || Number(value) === 1),
);
const list = <S extends v.GenericSchema>(of: S) => v.optional(v.array(of), []);
const tags = v.pipe(
  list(v.object({ tag: v.string() })),
  v.transform((found) => found.map(({ tag }) => tag)),
);

const metadata = v.object({
  ratingKey: id,
  librarySectionID: v.optional(id, ''),
  librarySectionTitle: text,
  title: text,
  titleSort: text,
  summary: text,
  tagline: text,
  studio: text,
  contentRating: text,
  originallyAvailableAt: text,
  userRating: numeric,
  Role: tags,
  Director: tags,
  Genre: tags,
  Label: tags,
  Collection: tags,
  thumb: text,
  art: text,
  Field: list(v.object({ name: v.string(), locked: yes })),
  updatedAt: numeric,
  Media: list(v.object({ Part: list(v.object({ file: text })) })),
});

const serverAnswer = v.object({
  MediaContainer: v.object({ friendlyName: text, version: text, machineIdentifier: v.string() }),
});

const librariesAnswer = v.object({
  MediaContainer: v.object({
    Directory: list(
      v.object({
        key: id,
        title: v.string(),
        type: v.string(),
        Location: list(v.object({ path: v.string() })),
      }),
    ),
  }),
});

const itemsAnswer = v.object({
  MediaContainer: v.object({
    totalSize: v.optional(v.number()),
    librarySectionID: v.optional(id, ''),
    librarySectionTitle: text,
    Metadata: list(v.unknown()),
  }),
});

const imagesAnswer = v.object({
  MediaContainer: v.object({
    Metadata: list(v.object({ ratingKey: text, selected: yes })),
  }),
});

export function parseServer(json: unknown): PlexServer {
  const { friendlyName, version, machineIdentifier } = v.parse(serverAnswer, json).MediaContainer;
  return { name: friendlyName, version, machineIdentifier };
}

export function parseLibraries(json: unknown): PlexLibrary[] {
  return v.parse(librariesAnswer, json).MediaContainer.Directory.map(({ key, title, type, Location }) => ({
    key,
    title,
    type,
    locations: Location.map(({ path }) => path),
  }));
}

/** A page of a listing. */
export function parsePage(json: unknown): PlexPage {
  const container = v.parse(itemsAnswer, json).MediaContainer;
  const items = container.Metadata.flatMap((found) => {
    const read = v.safeParse(metadata, found);
    return read.success ? itemOf(read.output, container) : [];
  });
  const sent = container.Metadata.length;
  return { items, total: container.totalSize ?? sent, sent };
}

/** What Plex answers for one key; null: another item, or none. */
export function parseItem(json: unknown, ratingKey: string): PlexItem | null {
  const container = v.parse(itemsAnswer, json).MediaContainer;
  const items = container.Metadata.map((found) => itemOf(v.parse(metadata, found), container));
  return items.find((item) => item.ratingKey === ratingKey) ?? null;
}

type Container = v.InferOutput<typeof itemsAnswer>['MediaContainer'];

const itemOf = (found: v.InferOutput<typeof metadata>, container: Container): PlexItem => ({
  ratingKey: found.ratingKey,
  sectionKey: found.librarySectionID || container.librarySectionID,
  library: found.librarySectionTitle || container.librarySectionTitle,
  files: found.Media.flatMap(({ Part }) => Part.map(({ file }) => file)).filter((file) => file !== ''),
  title: found.title,
  titleSort: found.titleSort,
  summary: found.summary,
  tagline: found.tagline,
  studio: found.studio,
  contentRating: found.contentRating,
  originallyAvailableAt: found.originallyAvailableAt.slice(0, 10),
  userRating: found.userRating ?? null,
  actors: found.Role,
  directors: found.Director,
  genres: found.Genre,
  labels: found.Label,
  collections: found.Collection,
  thumb: found.thumb,
  art: found.art,
  locked: found.Field.filter(({ locked }) => locked).map(({ name }) => name),
  updatedAt: found.updatedAt ?? 0,
});

export function parseImages(json: unknown): PlexImage[] {
  return v
    .parse(imagesAnswer, json)
    .MediaContainer.Metadata.map(({ ratingKey, selected }) => ({ key: ratingKey, selected }));
}
