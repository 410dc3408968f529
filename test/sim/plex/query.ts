/** A query string as ordered pairs, decoded once: Plex's edits depend on names such as `genre[0].tag.tag`. */
export type Query = readonly (readonly [name: string, value: string])[];

/**
 * `title==24` is the name `title=` with the value `24`: Plex's operators end in the equals sign that every
 * parameter has anyway.
 */
export function parseQuery(search: string): Query {
  if (search === '') return [];
  return search
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      let split = pair.indexOf('=');
      if (split < 0) return [decode(pair), ''] as const;
      if (pair[split + 1] === '=') split += 1;
      return [decode(pair.slice(0, split)), decode(pair.slice(split + 1))] as const;
    });
}

/** The last one counts when a name occurs twice. */
export function param(query: Query, name: string): string | undefined {
  return query.findLast(([key]) => key === name)?.[1];
}

/** A plus is a space, and what is not valid percent-encoding stays as it is. */
export function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}
