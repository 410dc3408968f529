/**
 * The last line of defence for secrets: every text that leaves the process (log, status, error) passes `redact`.
 * The first line is that nobody puts a secret into a message.
 */
const known = new Set<string>();

/** Every hook brings a new cookie; only the newest are worth remembering. */
const mostKnown = 500;

/** Shorter texts are not registered: replacing them would only garble messages. */
const shortestSecret = 6;

export function registerSecret(secret: string | null | undefined): void {
  if (!secret || secret.length < shortestSecret) return;
  for (const form of [secret, encodeURIComponent(secret.toWellFormed())]) {
    known.delete(form);
    known.add(form);
  }
  for (const oldest of known) {
    if (known.size <= mostKnown) break;
    known.delete(oldest);
  }
}

export function redact(text: string): string {
  let clean = text;
  for (const secret of known) clean = clean.replaceAll(secret, '***');
  return clean.replace(/(:\/\/)[^/\s@]+@/g, '$1***@').replace(/(X-Plex-Token=|apikey=)[^&\s"']+/gi, '$1***');
}
