/**
 * What can go wrong with Plex, classified once. Everything that decides about retrying, parking or giving up
 * reads `kind`, and nothing else looks at status codes.
 *
 * Holds: no message names the token, a password, or an address with either. An abort by our own signal is never
 * a PlexError: whoever aborted knows why.
 */
import type { Outcome } from '../shared/outcome';

/** The outcomes that Plex can be the cause of. */
export type PlexErrorKind =
  | 'overloaded'
  | 'server-down'
  | 'transient'
  | 'not-authorised'
  | 'may-not-edit'
  | 'misconfigured'
  | 'bad-data';

export class PlexError extends Error {
  readonly kind: PlexErrorKind;
  /** The HTTP status, where there was an answer. */
  readonly status: number | null;
  /** What Plex asked for with Retry-After. */
  readonly retryAfterMs: number | null;

  constructor(
    kind: PlexErrorKind,
    message: string,
    more: { status?: number; retryAfterMs?: number | null; cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? {} : { cause: more.cause });
    this.name = 'PlexError';
    this.kind = kind;
    this.status = more.status ?? null;
    this.retryAfterMs = more.retryAfterMs ?? null;
  }
}

/** Whether it says more about what was asked for than about the server. */
export const isItemsFault = ({ kind }: PlexError): boolean => kind === 'transient' || kind === 'bad-data';

/** A setting with which no scene at all can be synced. Never charged to a job. */
export class PlexSettingsError extends PlexError {
  constructor(message: string, more: { status?: number } = {}) {
    super('misconfigured', message, more);
    this.name = 'PlexSettingsError';
  }
}

/**
 * What a request was about, because the same status means different things: a 404 of the whole server says that
 * the address is wrong, a 404 of an item or of its pictures says that the item is gone.
 */
export type Subject = 'server' | 'library' | 'item' | 'edit' | 'picture';

/** What an answer other than 2xx means. */
export function errorForStatus(
  status: number,
  subject: Subject,
  answer: { retryAfterMs: number | null; redirectsTo: string | null },
): PlexError {
  const as = (kind: PlexErrorKind, message: string) =>
    new PlexError(kind, message, { status, retryAfterMs: answer.retryAfterMs });

  if (status === 429 || status === 503) {
    return as('overloaded', `Plex is overloaded or still starting (HTTP ${status}).`);
  }
  if (status === 408 || status === 502 || status === 504) {
    return as('server-down', `Plex does not answer behind its proxy (HTTP ${status}). Check that Plex runs.`);
  }
  if (status >= 500) return as('transient', `Plex failed to answer a request (HTTP ${status}).`);
  if (status === 401) {
    return as(
      'not-authorised',
      'Plex does not accept the token (HTTP 401). Enter a valid one as "Plex token" in the settings.',
    );
  }
  if (status === 403 && (subject === 'edit' || subject === 'picture')) {
    return as(
      'may-not-edit',
      'The token may read from Plex but not edit (HTTP 403). Enter the token of the server\'s owner as "Plex token" in the settings.',
    );
  }
  if (status === 403) {
    return as(
      'not-authorised',
      'The token may not read from Plex (HTTP 403). Enter the token of the server\'s owner as "Plex token" in the settings.',
    );
  }
  if (status >= 300 && status < 400) {
    return new PlexSettingsError(
      `The address of Plex sends us on${answer.redirectsTo ? ` to ${answer.redirectsTo}` : ''} (HTTP ${status}). Enter the address that Plex itself answers at as "Plex address" in the settings.`,
      { status },
    );
  }
  if (subject === 'server') {
    return new PlexSettingsError(
      `What answers there is no Plex server (HTTP ${status}). Correct "Plex address" in the settings.`,
      { status },
    );
  }
  if (status === 404 && subject === 'library')
    return as('transient', 'Plex has just lost a library (HTTP 404).');
  if (status === 413) {
    return as(
      'bad-data',
      `The picture is too large for Plex or a proxy in front of it (HTTP ${status}). Give the scene a smaller cover.`,
    );
  }
  if (status === 414 || status === 431) {
    return as(
      'bad-data',
      `The edit is too long for Plex or a proxy in front of it (HTTP ${status}). Shorten the scene's details or its list of tags.`,
    );
  }
  return as('bad-data', `Plex refused a request (HTTP ${status}).`);
}

/** Rethrows what is no error of Plex's: an abort, a lost lease, a defect of our own. */
export function toOutcome(error: unknown): Outcome {
  if (!(error instanceof PlexError)) throw error;
  const { kind, message, retryAfterMs } = error;
  return kind === 'overloaded' ? { kind, message, retryAfterMs } : { kind, message };
}
