/**
 * The last line of defence for secrets: every text that leaves the process (log, status, error) passes `redact`.
 * The first line is that nobody puts a secret into a message.
 */
const known = new Set<string>();
const cookies = new Set<string>();

/** Every hook brings a new cookie; only the newest are worth remembering. */
const mostCookies = 500;

/** Shorter texts are not registered: replacing them would only garble messages. */
const shortestSecret = 6;

export function registerSecret(secret: string | null | undefined): void {
  register(secret, known);
}

export function registerCookie(cookie: string | null | undefined): void {
  register(cookie, cookies);
  for (const oldest of cookies) {
    if (cookies.size <= mostCookies) break;
    cookies.delete(oldest);
  }
}

function register(secret: string | null | undefined, among: Set<string>): void {
  if (!secret || secret.length < shortestSecret) return;
  for (const form of [secret, encodeURIComponent(secret.toWellFormed())]) {
    among.delete(form);
    among.add(form);
  }
}

export function redact(text: string): string {
  let clean = text;
  // The longest first: a secret may be the beginning of another, whose rest would stay readable.
  const longestFirst = [...known].sort((a, b) => b.length - a.length);
  for (const secret of [...longestFirst, ...cookies]) clean = clean.replaceAll(secret, '***');
  return clean.replace(/(:\/\/)[^/\s@]+@/g, '$1***@').replace(/(X-Plex-Token=|apikey=)[^&\s"']+/gi, '$1***');
}
