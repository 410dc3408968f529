/**
 * How values get into an address unchanged: `%20` for a space (Plex takes `+` literally), brackets encoded, and
 * half a surrogate pair, which no encoding knows, replaced as every JSON writer does.
 */
export type Params = readonly (readonly [name: string, value: string])[];

export const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

export const queryString = (params: Params): string =>
  params.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
