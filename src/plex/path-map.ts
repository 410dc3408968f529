/**
 * From a path as Stash sees it to the same file's path as Plex sees it, and the question whether two paths are
 * the same file. Stash and Plex may run on different systems, so both kinds of path are understood everywhere:
 *
 * - POSIX (`/data/a`): only `/` separates, a backslash is a character like any other; case matters.
 * - Windows (`C:\data`, `C:/data`, `\\server\share`, `//server/share`, with or without `\\?\`): both separators
 *   are the same, and so are upper and lower case.
 *
 * Holds: a rule applies only at a path boundary (`/data` says nothing about `/database`); of several the longest
 * applies, whatever their order; a path that no rule applies to comes back as it was.
 * Unicode forms never matter: macOS stores names decomposed.
 */
import type { PathRule } from '../stash/path-rule';

interface ParsedPath {
  /** '/' on POSIX, 'C:' for a drive, '\\' for a share. Anything else is relative: ''. */
  root: string;
  names: string[];
  windows: boolean;
}

const shareRoot = '\\\\';

/** Without the prefix that Windows wants before a long path. */
const withoutPrefix = (path: string): string =>
  path.replace(/^\\\\\?\\UNC\\/i, shareRoot).replace(/^\\\\\?\\/, '');

function parse(path: string): ParsedPath {
  const plain = withoutPrefix(path);
  const drive = /^[a-z]:(?=[\\/]|$)/i.exec(plain)?.[0];
  if (drive) return { root: drive, names: split(plain.slice(2), /[\\/]/), windows: true };
  if (/^(\\\\|\/\/)/.test(plain)) return { root: shareRoot, names: split(plain, /[\\/]/), windows: true };
  return { root: plain.startsWith('/') ? '/' : '', names: split(plain, '/'), windows: false };
}

const split = (text: string, separator: string | RegExp) =>
  text.split(separator).filter((name) => name !== '');

const key = (name: string, windows: boolean) =>
  windows ? name.normalize('NFC').toLowerCase() : name.normalize('NFC');

/** Equal for two paths exactly when they are the same file. Begins with the kind of path, so kinds never mix. */
export function pathKey(path: string): string {
  const { root, names, windows } = parse(path);
  return [key(root, windows), ...names.map((name) => key(name, windows))].join('/');
}

export const samePath = (a: string, b: string): boolean => pathKey(a) === pathKey(b);

/** Whether the path is the folder itself or lies somewhere in it. */
export const isInside = (path: string, folder: string): boolean =>
  restOf(parse(path), parse(folder)) !== null;

/** The names below `folder`, or null if the path is not in it. */
function restOf(path: ParsedPath, folder: ParsedPath): string[] | null {
  const same = (a: string, b: string) => key(a, path.windows) === key(b, path.windows);
  if (!same(path.root, folder.root) || folder.names.length > path.names.length) return null;
  if (!folder.names.every((name, i) => same(name, path.names[i] ?? ''))) return null;
  return path.names.slice(folder.names.length);
}

export function mapPath(path: string, rules: readonly PathRule[]): string {
  const parsed = parse(path);
  let best: { depth: number; to: string; rest: string[] } | null = null;
  for (const { from, to } of rules) {
    const folder = parse(from || '/');
    const rest = restOf(parsed, folder);
    if (rest && (!best || folder.names.length > best.depth)) best = { depth: folder.names.length, to, rest };
  }
  if (!best) return path;
  const { rest } = best;
  const to = best.to || '/';
  if (rest.length === 0) return to;
  const separator = separatorOf(to);
  return (to.endsWith(separator) ? to : to + separator) + rest.join(separator);
}

/** The separator that the target is written with: the person knows how their Plex writes paths. */
function separatorOf(to: string): '/' | '\\' {
  if (!parse(to).windows) return '/';
  return to.includes('/') && !to.includes('\\') ? '/' : '\\';
}

/** The last name of a path of either kind; the path itself if it has none. */
export const baseName = (path: string): string => parse(path).names.at(-1) ?? path;

/** Equal for all paths whose last names may be the same in the sense of `sameName`. */
export const nameKey = (path: string): string => key(baseName(path), true);

/** Whether the last names of two paths are the same. Case matters only if it does at both ends. */
export function sameName(a: string, b: string): boolean {
  const windows = parse(a).windows || parse(b).windows;
  return key(baseName(a), windows) === key(baseName(b), windows);
}

/** The folder that a file is in, written as its path is; null: the path does not say. */
export function folderOf(path: string): string | null {
  const { windows, names, root } = parse(path);
  if (root === '' || names.length < (root === shareRoot ? 3 : 1)) return null;
  const plain = withoutPrefix(path);
  const end = windows ? Math.max(plain.lastIndexOf('\\'), plain.lastIndexOf('/')) : plain.lastIndexOf('/');
  // The root keeps its separator: `C:` alone is another place.
  return plain.slice(0, names.length === 1 ? end + 1 : end);
}

/** The map as the person wrote it in the settings. */
export const describeRules = (rules: readonly PathRule[]): string =>
  rules.map(({ from, to }) => `${from || '/'} => ${to || '/'}`).join('; ');
