/**
 * The last line of defence for secrets: every text that leaves the process (log, status, error) passes `redact`.
 * The first line is that nobody puts a secret into a message.
 */
const known = new Set<string>();

/** Shorter texts are not registered: replacing them would only garble messages. */
const shortestSecret = 6;

export function registerSecret(secret: string | null | undefined): void {
  if (!secret || secret.length < shortestSecret) return;
  known.add(secret);
  known.add(encodeURIComponent(secret));
}

export function redact(text: string): string {
  let clean = text;
  for (const secret of known) clean = clean.replaceAll(secret, '***');
  return clean
    .replace(/(\w+:\/\/)[^/\s@]+@/g, '$1***@')
    .replace(/(X-Plex-Token=|apikey=)[^&\s"']+/gi, '$1***');
}
