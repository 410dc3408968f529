/** What Plex should show for a scene. Computed from Stash alone: what Plex has at the moment plays no part. */
import { baseName } from '../plex/path-map';
import type { Scene } from '../stash/scene';
import { distinct } from './names';

export interface Wanted {
  title: string;
  summary: string;
  studio: string;
  /** `YYYY-MM-DD`; null: Plex shall show none. */
  originallyAvailableAt: string | null;
  /** In Stash's order. */
  actors: string[];
  genres: string[];
}

export function wantedState(scene: Scene): Wanted {
  return {
    title: (scene.title.trim() === '' ? titleFromFile(scene.files[0] ?? '') : scene.title).toWellFormed(),
    summary: scene.details.toWellFormed(),
    studio: (scene.studio?.name ?? '').toWellFormed(),
    originallyAvailableAt: fullDate(scene.date),
    actors: distinct(scene.performers.map(({ name }) => name.toWellFormed())),
    genres: distinct(scene.tags.map(({ name }) => name.toWellFormed())),
  };
}

/** The file's name without its extension; a name that is nothing but an extension stays. */
function titleFromFile(path: string): string {
  const name = baseName(path);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}

/** Stash knows dates of a year and of a month; Plex wants a day: their first. */
function fullDate(date: string | null): string | null {
  const [, year, month = '01', day = '01'] =
    /^(\d{4})(?:-(\d\d))?(?:-(\d\d))?$/.exec(date?.trim() ?? '') ?? [];
  if (year === undefined) return null;
  const text = `${year}-${month}-${day}`;
  const parsed = new Date(`${text}T00:00:00Z`);
  // 2024-02-30 parses as the first of March.
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(text) ? text : null;
}
