/**
 * `servers.json`: more Plex servers than the one of the settings page, written by hand.
 *
 *   { "attic": { "url": "http://192.168.1.11:32400", "token": "...", "libraries": "Concerts, Talks",
 *                "pathMap": { "/data": "/media" }, "trustAnyCertificate": false } }
 *
 * Holds: a mistake costs one server only, which stays known but without an address, so that what waits for it is
 * kept; each mistake is a sentence that names the file, the server and the field; tokens are known as secrets before
 * any sentence leaves, and no sentence shows one. (JSON.parse quotes what it stumbles over: its message is never
 * passed on.)
 */
import * as v from 'valibot';
import { messageOf } from '../shared/errors';
import { registerSecret } from '../shared/secrets';
import { type PathRule, parsePathRules, pathRules } from './path-rule';
import { names, plexAddress, shownAddress, token, yesNo } from './setting-values';
import type { ServerSettings } from './settings';

export interface NamedServer {
  /** Address and token are null when there is a problem. */
  settings: ServerSettings;
  /** Why nothing can be sent to it. */
  problem: string | null;
}

export interface Servers {
  servers: Map<string, NamedServer>;
  /** All that the person should read, the servers' own problems included. */
  problems: string[];
}

export const serversFileName = 'servers.json';
const inFile = `In ${serversFileName},`;

/** Throws an Error with one sentence for the person when the text as a whole is no JSON object. */
export function readServers(text: string): Servers {
  // Also of a text that cannot be parsed.
  for (const [, written] of text.matchAll(/"token"\s*:\s*"((?:[^"\\]|\\.)*)"/g)) registerSecret(written);
  const servers = new Map<string, NamedServer>();
  const problems: string[] = [];
  for (const [name, value] of Object.entries(parseObject(text))) {
    const wrong = whyNoName(name);
    if (wrong !== null) {
      problems.push(`${inFile} ${quoted(name)} cannot be the name of a server: ${wrong}. It is left out.`);
      continue;
    }
    const { settings, mistakes, oddities } = readServer(name, value);
    const problem = mistakes.join(' ') || null;
    servers.set(name, { settings, problem });
    problems.push(...(problem === null ? [] : [problem]), ...oddities);
  }
  return { servers, problems };
}

function parseObject(text: string): Record<string, unknown> {
  // Editors on Windows put an invisible mark before the first character.
  const plain = text.replace(/^\ufeff/, '');
  const example = 'It must look like {"attic": {"url": "http://192.168.1.11:32400", "token": "..."}}.';
  let value: unknown;
  try {
    value = JSON.parse(plain);
  } catch (error) {
    throw new Error(`${serversFileName} is not valid JSON${placeOf(error, plain)}. ${example}`);
  }
  if (isObject(value)) return value;
  throw new Error(`${serversFileName} is not a JSON object. ${example}`);
}

/** Where JSON.parse stumbled, if it says so. */
function placeOf(error: unknown, text: string): string {
  const position = / position (\d+)/.exec(messageOf(error))?.[1];
  if (position === undefined) return '';
  const lines = text.slice(0, Number(position)).split('\n');
  return ` (line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1})`;
}

/** Windows has no folders of these names, and objects no key of the last. */
const impossible = /^(con|prn|aux|nul|com\d|lpt\d|__proto__)$/;

function whyNoName(name: string): string | null {
  if (!/^[a-z0-9_-]{1,40}$/.test(name)) return 'it must be 1 to 40 of the characters a-z, 0-9, "_" and "-"';
  if (name === 'plex') return 'that is the server of the settings page';
  return name === 'archived' || impossible.test(name) ? 'that name is reserved' : null;
}

/** What setting-values throws becomes an issue of valibot, which collects those of all fields. */
const field = <T>(parse: (value: unknown) => T) =>
  v.pipe(
    v.optional(v.unknown(), null),
    v.rawTransform<unknown, T>(({ dataset, addIssue, NEVER }) => {
      try {
        return parse(dataset.value);
      } catch (error) {
        addIssue({ message: messageOf(error) });
        return NEVER;
      }
    }),
  );

const fields = v.object({
  url: field((value) => plexAddress(textIn(value, 'an address such as http://192.168.1.11:32400'))),
  token: field((value) => token(textIn(value, "the X-Plex-Token of that server's owner"))),
  libraries: field(libraries),
  pathMap: field(pathMap),
  trustAnyCertificate: field(trust),
});

type Field = keyof typeof fields.entries;
const fieldNames = Object.keys(fields.entries)
  .map((name) => `"${name}"`)
  .join(', ');

interface Reading {
  settings: ServerSettings;
  mistakes: string[];
  /** What the person should know, but what does not stop the server. */
  oddities: string[];
}

function readServer(name: string, value: unknown): Reading {
  const butThen = `; until it is corrected, nothing is sent to "${name}".`;
  if (!isObject(value)) {
    const mistake = `${inFile} "${name}" must be an object with "url" and "token"${butThen}`;
    return { settings: unusable, mistakes: [mistake], oddities: [] };
  }
  if (typeof value.token === 'string') registerSecret(value.token.trim());
  const oddities = Object.keys(value)
    .filter((key) => !Object.hasOwn(fields.entries, key))
    .map((key) => `${inFile} the field ${quoted(key)} of "${name}" is ignored; there are ${fieldNames}.`);

  const { success, output, issues = [] } = v.safeParse(fields, value);
  const mistakes = issues.map((issue) => {
    const key = v.getDotPath(issue) as Field;
    return `${inFile} "${key}" of "${name}" ${beforeBut(key, value[key])}${issue.message}${butThen}`;
  });
  return { settings: success ? settingsOf(output) : unusable, mistakes, oddities };
}

const settingsOf = (server: v.InferOutput<typeof fields>): ServerSettings => ({
  plexUrl: server.url,
  plexToken: server.token,
  plexLibraries: server.libraries,
  plexPathMap: server.pathMap,
  plexTrustAnyCertificate: server.trustAnyCertificate,
});

const unusable: ServerSettings = {
  plexUrl: null,
  plexToken: null,
  plexLibraries: [],
  plexPathMap: [],
  plexTrustAnyCertificate: false,
};

function textIn(value: unknown, what: string): string {
  if (typeof value === 'string' && value.trim() !== '') return value.trim();
  throw new Error(`must be ${what}`);
}

function libraries(value: unknown): string[] {
  if (isMissing(value)) return [];
  if (typeof value === 'string') return names(value);
  const wanted = 'must be names with commas between them, or a list of names in quotes';
  if (!Array.isArray(value)) throw new Error(wanted);
  const list = value.map((name: unknown) => (typeof name === 'string' ? name.trim() : ''));
  if (list.includes('')) throw new Error(wanted);
  return [...new Set(list)];
}

function pathMap(value: unknown): PathRule[] {
  if (isMissing(value)) return [];
  if (typeof value === 'string') return parsePathRules(value);
  const wanted =
    'must be rules like "/data => /media" with ";" between them, or an object like {"/data": "/media"}';
  if (!isObject(value)) throw new Error(wanted);
  const pairs = Object.entries(value).map(([from, to]) => {
    if (typeof to === 'string') return [from.trim(), to.trim()] as const;
    throw new Error(wanted);
  });
  return pathRules(pairs);
}

function trust(value: unknown): boolean {
  if (isMissing(value)) return false;
  if (typeof value === 'boolean') return value;
  return yesNo(typeof value === 'string' ? value.trim() : '');
}

const isMissing = (value: unknown): boolean => value === undefined || value === null || value === '';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a sentence about a mistake says before "must be". */
function beforeBut(key: Field, value: unknown): string {
  if (isMissing(value)) return 'is missing, but ';
  if (key === 'token') return '';
  if (typeof value === 'object') return `is ${Array.isArray(value) ? 'a list' : 'an object'}, but `;
  const text = String(value).trim();
  return `is ${quoted(key === 'url' ? shownAddress(text) : text)}, but `;
}

const longestShown = 80;
const quoted = (text: string): string =>
  `"${text.length > longestShown ? `${text.slice(0, longestShown)}…` : text}"`;
