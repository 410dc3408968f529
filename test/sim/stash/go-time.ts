/** An instant as RFC 3339 in the server's own time zone, with whole seconds: what Stash's database holds. */
export function stamp(ms: number, utcOffsetMinutes: number): string {
  return rfc3339(Math.floor(ms / 1000) * 1000, utcOffsetMinutes).replace('.000', '');
}

/** The same with milliseconds, as jobs show their times. */
export function rfc3339(ms: number, utcOffsetMinutes: number): string {
  const local = new Date(ms + utcOffsetMinutes * 60_000).toISOString().slice(0, -1);
  if (utcOffsetMinutes === 0) return `${local}Z`;
  const minutes = Math.abs(utcOffsetMinutes);
  const two = (n: number) => String(n).padStart(2, '0');
  return `${local}${utcOffsetMinutes < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

export const unixSeconds = (text: string): number => Math.floor(Date.parse(text) / 1000);
