/**
 * Which of Plex's libraries the person wants in step, and what to tell them when they named one that Plex does
 * not have.
 */
import type { PlexLibrary } from './answers';

export interface LibraryChoice {
  chosen: PlexLibrary[];
  /** One sentence for the person, or null. The libraries that do exist are used all the same. */
  problem: string | null;
}

/** Films and "Other Videos": the only libraries whose items are one file with one description. */
const holdsFilms = (library: PlexLibrary) => library.type === 'movie';

const sameName = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase();

/** Without names: every library that holds films or other videos. */
export function chooseLibraries(libraries: readonly PlexLibrary[], names: readonly string[]): LibraryChoice {
  const usable = libraries.filter(holdsFilms);
  if (usable.length === 0) {
    return {
      chosen: [],
      problem: 'Plex has no library that holds films or other videos. Add one in Plex.',
    };
  }
  if (names.length === 0) return { chosen: usable, problem: null };
  const unknown = names.filter((name) => !usable.some(({ title }) => sameName(title, name)));
  return {
    chosen: usable.filter(({ title }) => names.some((name) => sameName(title, name))),
    problem: unknown.length === 0 ? null : describeUnknown(unknown, usable),
  };
}

/** Whether an item of the library of this title may be written to; '' is a library that Plex did not name. */
export const isChosen = (title: string, names: readonly string[]): boolean =>
  names.length === 0 || title === '' || names.some((name) => sameName(title, name));

const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ');

function describeUnknown(unknown: readonly string[], usable: readonly PlexLibrary[]): string {
  const has = quoted(usable.map(({ title }) => title));
  return `"Plex libraries" in the settings names ${quoted(unknown)}, but the libraries of films and other videos that Plex has are ${has}.`;
}
