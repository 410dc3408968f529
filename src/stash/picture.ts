/**
 * Covers: from what Stash says of one (`coverPath`) to its bytes (`readCover`).
 *
 * Stash serves a picture for every scene; where there is no cover it is a drawing of its own, with status 200 and
 * type image/svg+xml (so in 0.27 to 0.30). Nothing in an address or a header says so, and Plex shows no SVG: whatever
 * is SVG is no cover.
 *
 * Holds: a Cover is a JPEG, PNG, GIF or WebP by its own first bytes, whatever the answer calls it, and no larger than
 * Plex takes; a page that is served in its place never becomes one, and no redirect is followed. What Stash
 * really has for a cover but Plex could not show is an UnusableCover, not a StashTrouble: Stash is well, and the same
 * question will get the same answer.
 */
import { createHash } from 'node:crypto';
import { baseUrl, type StashConnection } from './connection';
import { troubleOfStatus } from './trouble';

export interface Cover {
  bytes: Buffer;
  /** Of the bytes, in lower-case hex: Plex names an upload by it. */
  sha1: string;
  /** Such as `image/jpeg`. */
  type: string;
}

/** Above this Plex answers an upload with an error. */
const largestCoverBytes = 10_000_000;

/** The message goes on where "The cover of scene 7 was not sent, and the picture in Plex stays as it is:" ends. */
export class UnusableCover extends Error {
  /** `mayPass`: the same question may get another answer some day. */
  constructor(
    message: string,
    readonly mayPass = false,
  ) {
    super(message);
    this.name = 'UnusableCover';
  }
}

/**
 * Path and query of a cover's address. Stash begins the address with the host, and perhaps a folder, by which people
 * reach it from outside; we call it directly, so only its own part is of use. Null: no address we could call.
 */
export function coverPath(address: string): string | null {
  const own = /\/scene\/[^/?#]+\/screenshot(\?[^#]*)?$/.exec(address);
  if (own) return own[0];
  if (!URL.canParse(address)) return null;
  const { pathname, search } = new URL(address);
  return pathname.startsWith('/') ? pathname + search : null;
}

/** At this Stash and nowhere else, whatever the path says. */
export function coverUrl(connection: StashConnection, path: string): string {
  return `${baseUrl(connection)}/${path.replace(/^\/+/, '')}`;
}

/** What Stash answered when it was asked for a cover; null: there is none. */
export async function readCover(response: Response): Promise<Cover | null> {
  if (!response.ok) {
    await response.body?.cancel();
    if (response.status === 404) return null;
    // Of this one scene: everything else would wait for it if Stash counted as away.
    if (response.status === 500) throw new UnusableCover('Stash fails to serve it (HTTP 500).', true);
    throw troubleOfStatus(leadsToLogin(response) ? 401 : response.status);
  }
  const bytes = await readBody(response);
  const type = typeOf(bytes);
  if (type) return { bytes, sha1: createHash('sha1').update(bytes).digest('hex'), type };
  const said = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (said === 'image/svg+xml') return null;
  if (bytes.length === 0) throw new UnusableCover('it is empty.');
  throw new UnusableCover(`it is not a JPEG, PNG, GIF or WebP picture (${said || 'no type'}).`);
}

/** Stash sends those it does not know there from every page, and takes pictures for pages. */
function leadsToLogin({ status, headers }: Response): boolean {
  const [path = ''] = (headers.get('location') ?? '').split(/[?#]/);
  return status >= 300 && status < 400 && path.endsWith('/login');
}

async function readBody(response: Response): Promise<Buffer> {
  const announced = Number(response.headers.get('content-length') ?? 0);
  if (announced > largestCoverBytes) {
    await response.body?.cancel();
    throw tooLarge(announced);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop early ends the answer too.
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > largestCoverBytes) throw tooLarge(size);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function typeOf(bytes: Buffer): string | null {
  const text = bytes.toString('latin1', 0, 12);
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (/^GIF8[79]a/.test(text)) return 'image/gif';
  if (/^RIFF.{4}WEBP/s.test(text)) return 'image/webp';
  return null;
}

/** `bytes` is what Stash says, or, when it does not say, how much had come when we stopped reading. */
const tooLarge = (bytes: number): UnusableCover =>
  new UnusableCover(`it is too large (${inMb(bytes)}; Plex takes at most ${inMb(largestCoverBytes)}).`);

const inMb = (bytes: number): string => `${Math.ceil(bytes / 1_000_000)} MB`;
