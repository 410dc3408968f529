/**
 * Globs for whole paths, as people write them into the settings.
 *
 *   /data/talks         without * and ?: this file, or everything in this folder
 *   /data/*.mp4         * is anything within one folder
 *   /data/**            ** is anything, over folders; between two separators it may also be no folder at all
 *   /data/talk-?.mp4    ? is one character, but no separator
 *   /data/{a,b}/        {a,b} is either; braces without a comma are themselves, as in "Otters {edition-Long}.mp4".
 *                       A separator at the end: everything in these folders
 *   drafts, *.mkv       begins neither with a separator nor with a drive: at any depth
 *
 * A glob becomes a small program, whose steps are characters and ways to go on. All ways through it are walked at the
 * same time, one character of the path after another.
 *
 * Holds: the cost is at most the glob's length times the path's, whatever the glob; the kind of the path decides how
 * it is compared, as everywhere: POSIX exactly, with `/` only; Windows (a drive or a share) without case and with
 * both separators; Unicode forms never matter.
 */
type Step =
  | { is: 'char'; char: string }
  /** Any one character; a separator only if it `crosses` folders. */
  | { is: 'any'; crosses: boolean }
  /** Takes no character, and goes on at each of these. */
  | { is: 'ways'; to: number[] };

const longestGlob = 1_000;

/** Throws what must be corrected, naming the faulty glob. */
export function checkGlob(glob: string): void {
  if (glob.length > longestGlob) {
    throw new Error(`must not hold a path of more than ${longestGlob} characters`);
  }
  if (alternatives([...glob]) === null) {
    throw new Error(
      `must have a "}" for each "{", which "${glob}" has not: a path with a comma in it stands in double quotes`,
    );
  }
}

/** Whether a path fits the glob, which was checked. */
export function globMatcher(glob: string): (path: string) => boolean {
  const posix = compile(glob, false);
  const windows = compile(glob, true);
  return (path) => {
    const isWindows = windowsPath.test(path);
    return fits([...plainPath(path, isWindows)], isWindows ? windows : posix);
  };
}

const windowsPath = /^([a-z]:(?=[\\/]|$)|\\\\|\/\/)/i;

/** The form in which paths and globs are compared: `/` separates, once, except before a share. */
function plainPath(text: string, isWindows: boolean): string {
  const nfc = text.normalize('NFC');
  if (!isWindows) return nfc.replace(/\/+/g, '/');
  const plain = nfc
    .toLowerCase()
    .replaceAll('\\', '/')
    .replace(/^\/\/\?\/(unc(?=\/))?/, (_, share) => (share ? '/' : ''));
  return (plain.startsWith('//') ? '/' : '') + plain.replace(/\/+/g, '/');
}

function compile(glob: string, isWindows: boolean): Step[] {
  const whole = plainPath(glob, isWindows);
  const chars = [...whole.replace(/\/$/, '')];
  const roles = alternatives(chars) ?? new Map();
  const steps: Step[] = [];
  const open: { fork: number[]; ends: number[][]; atName: boolean }[] = [];
  const ways = (...to: number[]): number[] => {
    steps.push({ is: 'ways', to });
    return to;
  };
  const anything = (crosses: boolean) => {
    const start = steps.length;
    ways(start + 1, start + 3);
    steps.push({ is: 'any', crosses });
    ways(start);
  };
  const anyFolders = () => {
    const none = ways(steps.length + 1);
    anything(true);
    steps.push({ is: 'char', char: '/' });
    none.push(steps.length);
  };

  if (!(isWindows ? /^(\/|[a-z]:)/ : /^\//).test(whole)) anyFolders();
  for (let i = 0; i < chars.length; i++) {
    const char = chars[i] ?? '';
    const role = roles.get(i);
    const group = open.at(-1);
    const before = roles.get(i - 1);
    const inGroup = before === 'open' || before === 'comma';
    const atName = i === 0 || chars[i - 1] === '/' || (inGroup && group?.atName === true);
    if (role === 'open') {
      open.push({ fork: ways(steps.length + 1), ends: [], atName });
    } else if (role === 'comma') {
      group?.ends.push(ways());
      group?.fork.push(steps.length);
    } else if (role === 'close') {
      for (const end of group?.ends ?? []) end.push(steps.length);
      open.pop();
    } else if (char === '*') {
      const first = i;
      while (chars[i + 1] === '*') i++;
      const crosses = i > first;
      if (crosses && atName && chars[i + 1] === '/') {
        anyFolders();
        i++;
      } else {
        anything(crosses);
      }
    } else {
      steps.push(char === '?' ? { is: 'any', crosses: false } : { is: 'char', char });
    }
  }
  if (whole.endsWith('/') || !/[*?]/.test(whole)) {
    const none = ways(steps.length + 1);
    steps.push({ is: 'char', char: '/' });
    anything(true);
    none.push(steps.length);
  }
  return steps;
}

/** What braces and commas mean, by their place; null if a brace has no partner. */
function alternatives(chars: readonly string[]): Map<number, 'open' | 'comma' | 'close'> | null {
  const roles = new Map<number, 'open' | 'comma' | 'close'>();
  const open: { at: number; commas: number[] }[] = [];
  for (const [i, char] of chars.entries()) {
    if (char === '{') open.push({ at: i, commas: [] });
    else if (char === ',') open.at(-1)?.commas.push(i);
    else if (char === '}') {
      const group = open.pop();
      if (!group) return null;
      if (group.commas.length === 0) continue;
      roles.set(group.at, 'open').set(i, 'close');
      for (const comma of group.commas) roles.set(comma, 'comma');
    }
  }
  return open.length === 0 ? roles : null;
}

function fits(path: readonly string[], steps: readonly Step[]): boolean {
  /** In which round a place was reached last: each is walked from once in a round. */
  const rounds = new Int32Array(steps.length + 1).fill(-1);
  let round = 0;
  /** Adds a place, or all that can be reached from there without taking a character. */
  const reach = (place: number, places: number[]): void => {
    if (rounds[place] === round) return;
    rounds[place] = round;
    const step = steps[place];
    if (step?.is !== 'ways') places.push(place);
    else for (const next of step.to) reach(next, places);
  };

  let places: number[] = [];
  reach(0, places);
  for (const char of path) {
    round++;
    const next: number[] = [];
    for (const place of places) {
      const step = steps[place];
      const takes =
        step?.is === 'char' ? step.char === char : step?.is === 'any' && (step.crosses || char !== '/');
      if (takes) reach(place + 1, next);
    }
    if (next.length === 0) return false;
    places = next;
  }
  return places.includes(steps.length);
}
