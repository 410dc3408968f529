/**
 * What Plex answers, parsed once into types that the inside can trust. Plex leaves out what is empty, gives ids
 * now as text and now as numbers, and adds fields with every version: everything optional has a default here,
 * and what we do not read is ignored.
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
  summary: string;
  studio: string;
  /** `YYYY-MM-DD`, or ''. */
  originallyAvailableAt: string;
  /** Tags in Plex's order. A listing truncates them to two or three: compare only with `PlexClient.item`. */
  actors: string[];
  genres: string[];
}

interface Page {
  items: PlexItem[];
  /** How many there are in all, on this page and others. */
  total: number;
}

const text = v.optional(v.string(), '');
const id = v.pipe(v.union([v.string(), v.number()]), v.transform(String));
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
  summary: text,
  studio: text,
  originallyAvailableAt: text,
  Role: tags,
  Genre: tags,
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
    Metadata: list(metadata),
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

export function parsePage(json: unknown): Page {
  const container = v.parse(itemsAnswer, json).MediaContainer;
  const items = container.Metadata.map((found) => ({
    ratingKey: found.ratingKey,
    sectionKey: found.librarySectionID || container.librarySectionID,
    library: found.librarySectionTitle || container.librarySectionTitle,
    files: found.Media.flatMap(({ Part }) => Part.map(({ file }) => file)).filter((file) => file !== ''),
    title: found.title,
    summary: found.summary,
    studio: found.studio,
    originallyAvailableAt: found.originallyAvailableAt.slice(0, 10),
    actors: found.Role,
    genres: found.Genre,
  }));
  return { items, total: container.totalSize ?? items.length };
}
