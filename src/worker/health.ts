/**
 * Asks a Plex server here and now how it is, for a person who wants to know: whether it answers, what it is, whether
 * it takes the token, which libraries it has, how much is in them, and which of them Sluice keeps in step.
 *
 * Holds: whatever goes wrong is a sentence in the report, and costs only what was asked for just then; nothing is
 * thrown but the reason of an abort.
 */
import type { PlexLibrary } from '../plex/answers';
import type { PlexClient } from '../plex/client';
import { PlexError } from '../plex/errors';
import { chooseLibraries } from '../plex/library-choice';
import { messageOf } from '../shared/errors';
import { counted } from '../shared/words';

export interface HealthReport {
  /** Plex itself answers, if only to say that it is not ready, or that it does not know us. */
  reachable: boolean;
  /** It is ready and takes the token: scenes could be sent. */
  well: boolean;
  /** null: it did not come to that. */
  tokenValid: boolean | null;
  server: { name: string; version: string } | null;
  libraries: LibraryHealth[];
  /** What is wrong, in whole sentences. */
  problems: string[];
}

export interface LibraryHealth {
  title: string;
  /** As Plex calls it: movie, show, artist, photo. */
  type: string;
  /** null: they could not be counted. */
  items: number | null;
  used: boolean;
}

type Client = Pick<PlexClient, 'probe' | 'libraries' | 'count'>;

/** `names`: the libraries of the settings; none: all that hold films or other videos. */
export async function checkHealth(
  client: Client,
  names: readonly string[],
  signal: AbortSignal,
): Promise<HealthReport> {
  const report: HealthReport = {
    reachable: false,
    well: false,
    tokenValid: null,
    server: null,
    libraries: [],
    problems: [],
  };
  try {
    const { name, version } = await client.probe(signal);
    report.reachable = report.well = report.tokenValid = true;
    report.server = { name, version };
    const libraries = await client.libraries(signal);
    const { chosen, problem } = chooseLibraries(libraries, names);
    if (problem !== null) report.problems.push(problem);
    await lookInto(libraries, chosen, client, report, signal);
  } catch (error) {
    signal.throwIfAborted();
    report.problems.push(messageOf(error));
    if (!report.well && error instanceof PlexError) {
      report.reachable = isFromPlex(error);
      report.tokenValid = error.kind === 'not-authorised' ? false : null;
    }
  }
  return report;
}

async function lookInto(
  libraries: readonly PlexLibrary[],
  chosen: readonly PlexLibrary[],
  client: Client,
  report: HealthReport,
  signal: AbortSignal,
): Promise<void> {
  let isCounting = true;
  for (const library of libraries) {
    const { key, title, type } = library;
    const found: LibraryHealth = { title, type, items: null, used: chosen.includes(library) };
    report.libraries.push(found);
    if (!isCounting) continue;
    try {
      found.items = await client.count(key, signal, type);
    } catch (error) {
      signal.throwIfAborted();
      report.problems.push(`The items of "${title}" could not be counted. ${messageOf(error)}`);
      // With a server that has gone meanwhile the person would wait once for each library.
      isCounting = error instanceof PlexError && error.kind === 'transient';
    }
  }
}

/** A wrong address may be answered too, and so may one whose Plex is down: by something else. */
const isFromPlex = ({ kind, status }: PlexError): boolean =>
  kind === 'overloaded' || kind === 'not-authorised' || (kind === 'transient' && status !== null);

const kinds = new Map([
  ['movie', 'films or other videos'],
  ['show', 'TV shows'],
  ['artist', 'music'],
  ['photo', 'photos'],
]);

export function healthInWords(report: HealthReport, targetName: string): string[] {
  const { server, libraries, problems } = report;
  const lines: string[] = [];
  if (server) {
    const name = server.name === '' ? 'The server' : `The server "${server.name}"`;
    const version = server.version === '' ? '' : ` (version ${server.version})`;
    lines.push(`${name} answers${version} and accepts the token.`);
  }
  for (const { title, type, items, used } of libraries) {
    const size = items === null ? 'an unknown number of items' : counted(items, 'item', 'items');
    const use = used ? 'kept in step' : 'left alone';
    lines.push(`The library "${title}" (${kinds.get(type) ?? type}) has ${size} and is ${use}.`);
  }
  return [...lines, ...problems].map((line) => `${targetName}: ${line}`);
}
