/**
 * From what a person typed to what the program uses, one function for each kind of setting.
 *
 * Each gets trimmed text that is not empty. A mistake is thrown as an Error whose message goes on after the name of
 * the setting and its value: "must be ...".
 */
import { checkGlob } from './glob';

/** What goes into a request header as it is. */
export function token(text: string): string {
  if (!/^[\x21-\x7e]+$/.test(text)) throw new Error('must be one word of plain letters, digits and signs');
  return text;
}

export function yesNo(text: string): boolean {
  const word = text.toLowerCase();
  if (['true', 'yes', 'on', '1'].includes(word)) return true;
  if (['false', 'no', 'off'].includes(word)) return false;
  throw new Error('must be true or false');
}

export const numberFrom =
  ({ least, most, whole }: { least: number; most: number; whole?: true }) =>
  (text: string): number => {
    const number = Number(text);
    if (number >= least && number <= most && (!whole || Number.isInteger(number))) return number;
    throw new Error(`must be a ${whole ? 'whole number' : 'number'} from ${least} to ${most}`);
  };

/** Comma-separated; a name that holds a comma stands in double quotes, and a quote in there is doubled. */
export function names(text: string): string[] {
  const found = new Set<string>();
  let rest = text;
  while (rest !== '') {
    const quoted = /^\s*"((?:[^"]|"")*)"\s*(?:,|$)/.exec(rest);
    const plain = quoted ?? /^\s*([^",][^,]*|)(?:,|$)/.exec(rest);
    if (!plain)
      throw new Error('must be names with commas between them; a name in double quotes has to end with one');
    const name = quoted ? (quoted[1] ?? '').replaceAll('""', '"') : (plain[1] ?? '').trim();
    if (name !== '') found.add(name);
    rest = rest.slice(plain[0].length);
  }
  return [...found];
}

/** One of a few words, whatever their case. */
export const oneOf =
  <T extends string>(...allowed: readonly T[]) =>
  (text: string): T => {
    const found = allowed.find((word) => word.toLowerCase() === text.toLowerCase());
    if (found === undefined) throw new Error(`must be ${inWords(allowed, 'or')}`);
    return found;
  };

/** Any of a few words, in the order of the table that allows them. */
export const someOf =
  <T extends string>(allowed: readonly T[]) =>
  (text: string): T[] => {
    const given = new Map(names(text).map((name) => [name.toLowerCase(), name]));
    const chosen = allowed.filter((word) => given.delete(word.toLowerCase()));
    const [wrong] = given.values();
    if (wrong !== undefined)
      throw new Error(`must be of ${inWords(allowed, 'and')}, which "${wrong}" is not`);
    return chosen;
  };

/** `studio, groups, tag:NAME`; a tag with a comma in its name: `"tag:Rivers, lakes"`. */
export function collectionSources(text: string): { studio: boolean; groups: boolean; tags: string[] } {
  const sources = { studio: false, groups: false, tags: new Set<string>() };
  for (const source of names(text)) {
    const word = source.toLowerCase();
    const tag = /^tag:\s*(.+)$/is.exec(source)?.[1];
    if (tag !== undefined) sources.tags.add(tag);
    else if (word === 'studio' || word === 'groups') sources[word] = true;
    else throw new Error(`must be of studio, groups and tag:NAME, which "${source}" is not`);
  }
  return { ...sources, tags: [...sources.tags] };
}

/** Globs with commas between them; one that holds a comma stands in double quotes. */
export function globs(text: string): string[] {
  const found = names(text);
  found.forEach(checkGlob);
  return found;
}

export const oneLine =
  (most: number) =>
  (text: string): string => {
    if ([...text].length <= most && !/\p{Cc}/u.test(text)) return text;
    throw new Error(`must be one line of at most ${most} characters`);
  };

const inWords = (words: readonly string[], last: string): string =>
  `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;

const plexPort = 32_400;

/**
 * The address of a Plex server without a slash at its end. People copy it from their browser, so the page they were
 * on (`/web/...`) is cut off, and a bare name or number gets what Plex uses: http and port 32400.
 */
export function plexAddress(text: string): string {
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  const whole = hasScheme ? text : `http://${text}`;
  const url = URL.canParse(whole) ? new URL(whole) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new Error('must be an address such as http://192.168.1.10:32400');
  }
  if (url.username || url.password) {
    throw new Error('must not hold a user name or a password: Plex takes a token, which has its own setting');
  }
  if (url.hostname === 'app.plex.tv') {
    throw new Error(
      "must be the address of your own server, such as http://192.168.1.10:32400, not of Plex's web app",
    );
  }
  if (!hasScheme && url.port === '') url.port = String(plexPort);
  return url.origin + url.pathname.replace(/\/web(\/.*)?$/, '').replace(/\/+$/, '');
}

/** An address as it may be shown: without user name, password and query, each of which may be a secret. */
export const shownAddress = (text: string): string =>
  text.replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, '$1***@').replace(/[?#].*$/s, '');

/** Any address that can be sent something. It may be a secret as a whole: whoever knows a webhook can use it. */
export function webAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new Error('must be a whole address that begins with http:// or https://');
  }
  if (url.username || url.password) throw new Error('must not hold a user name or a password');
  return url.href;
}

/** A shorter path is a word like any other: hiding it would garble messages about files. */
const shortestSecretPath = 12;

/** What of a secret address must not be shown, also when it is mistyped. */
export function secretsInAddress(text: string): string[] {
  const whole = text.includes('://') ? text : `http://${text}`;
  if (!URL.canParse(whole)) return [text];
  const { href, pathname, search } = new URL(whole);
  const path = pathname + search;
  return [text, href, ...(path.length < shortestSecretPath ? [] : [path])];
}
