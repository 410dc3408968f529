/**
 * Names of people and tags as Plex compares them: upper and lower case are the same (Plex may capitalise the
 * first letter, and the capital of `ß` is `SS`), and so are the Unicode forms.
 */
export const fold = (name: string): string =>
  name.trim().normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');

/** In the order given, without the empty ones and without those that Plex takes for the same. */
export function distinct(names: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const name of names.map((one) => one.trim())) {
    if (name !== '' && !byKey.has(fold(name))) byKey.set(fold(name), name);
  }
  return [...byKey.values()];
}

/** Those of `names` that are not among `others`. */
export function without(names: readonly string[], others: readonly string[]): string[] {
  const keys = new Set(others.map(fold));
  return names.filter((name) => !keys.has(fold(name)));
}

/** Those of `names` that are also among `others`. */
export function among(names: readonly string[], others: readonly string[]): string[] {
  const keys = new Set(others.map(fold));
  return names.filter((name) => keys.has(fold(name)));
}

export const sameSequence = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name, i) => fold(name) === fold(b[i] ?? ''));
