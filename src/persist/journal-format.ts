/**
 * What the files of a journaled map look like, and how they are read back after any crash.
 *
 *   <name>.json         snapshot: {"version":1,"kind":<name>,"epoch":E,"seq":S,"entries":{key: value}}
 *   <name>.ndjson       changes since: one {"seq","epoch","key","value"} a line; no value: the key was deleted
 *   <name>.prev.json    the snapshot before, and
 *   <name>.prev.ndjson  the changes that led from it to <name>.json
 *   <name>.next.json    a snapshot that was written but not yet put in its place
 *   <name>.damaged      changes are missing, and nothing has been done about it yet
 *
 * Every change has a place in one order: (epoch, seq). The epoch grows with each worker, seq with each change.
 * A journal begins with a mark `{"seq","epoch","after":[epoch, seq]}` that says which change came before it, and
 * so does each worker's part of it. Hence a reader knows whether anything is missing:
 * - it starts from the newest snapshot that can be read, replays what is newer from both journals, and
 * - it skips lines of an older epoch that stand after a newer one (a worker that had lost its lease wrote them);
 * - a last line without its newline was never confirmed to anybody: it is dropped;
 * - any other unreadable line, or a change that the order says is missing, is damage, and the caller is told.
 */
import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs';
import { codeOf, messageOf } from '../shared/errors';
import type { Log } from '../shared/log';
import { counted } from '../shared/words';
import { NewerState } from './set-aside';

export const formatVersion = 1;

export type Place = readonly [epoch: number, seq: number];

export interface JournalLine {
  seq: number;
  epoch: number;
  key?: string;
  value?: unknown;
  after?: Place;
}

export interface MapFiles {
  snapshot: string;
  journal: string;
  previousSnapshot: string;
  previousJournal: string;
  nextSnapshot: string;
  damageMark: string;
}

export const mapFiles = (base: string): MapFiles => ({
  snapshot: `${base}.json`,
  journal: `${base}.ndjson`,
  previousSnapshot: `${base}.prev.json`,
  previousJournal: `${base}.prev.ndjson`,
  nextSnapshot: `${base}.next.json`,
  damageMark: `${base}.damaged`,
});

export interface Recovered<V> {
  entries: Map<string, V>;
  place: Place;
  /** Lines in the current journal. */
  journalLines: number;
  /** Bytes of the current journal up to the end of its last whole line; null: it does not exist. */
  journalBytes: number | null;
  /** The files in which something could not be read, so that changes are missing. */
  damage: string[];
  /** A new snapshot should be written: a rotation was cut short, or a file was broken. */
  untidy: boolean;
  /** Files that cannot be used at all; the caller sets them aside. */
  broken: { path: string; why: string }[];
}

export const isAfter = (a: Place, b: Place): boolean => a[0] > b[0] || (a[0] === b[0] && a[1] > b[1]);

export function snapshotText(kind: string, place: Place, entries: Iterable<[string, unknown]>): string {
  const [epoch, seq] = place;
  const rows: string[] = [];
  for (const [key, value] of entries) rows.push(`${JSON.stringify(key)}:${JSON.stringify(value)}`);
  const head = `"version":${formatVersion},"kind":${JSON.stringify(kind)},"epoch":${epoch},"seq":${seq}`;
  return `{${head},"entries":{\n${rows.join(',\n')}\n}}\n`;
}

/** Nothing is held in memory twice: files are read as bytes, and each entry is parsed and taken over by itself. */
export function recover<V>(
  files: MapFiles,
  kind: string,
  parse: (value: unknown) => V,
  log: Log,
): Recovered<V> {
  const damage = new Set<string>();
  const broken: Recovered<V>['broken'] = [];
  const entries = new Map<string, V>();
  const take = (key: string, value: unknown, path: string) => {
    try {
      entries.set(key, parse(value));
    } catch (error) {
      damage.add(path);
      log.warn(`In ${path} the entry "${key}" cannot be used (${messageOf(error)}).`);
    }
  };

  let place: Place = [0, 0];
  let baseFile: string | null = null;
  const snapshots = newestFirst([files.nextSnapshot, files.snapshot, files.previousSnapshot], kind, broken);
  for (const { path, content } of snapshots) {
    const found = readSnapshot(content(), (key, value) => take(key, value, path));
    if (found) {
      [place, baseFile] = [found, path];
      break;
    }
    entries.clear();
    broken.push({ path, why: 'it is cut short or not JSON' });
  }
  const unreadableSnapshot = broken[0]?.path ?? null;

  const replay = (line: JournalLine, path: string) => {
    const here: Place = [line.epoch, line.seq];
    // In the snapshot already, or of a worker that had lost its lease.
    if (!isAfter(here, place)) return;
    const gap = line.after
      ? isAfter(line.after, place)
      : line.epoch !== place[0] || line.seq !== place[1] + 1;
    if (gap) {
      damage.add(path);
      log.warn(`In ${path} changes are missing before number ${line.seq}.`);
    }
    place = here;
    if (line.key === undefined) return;
    if (line.value === undefined) entries.delete(line.key);
    else take(line.key, line.value, path);
  };
  const previous = readJournal(files.previousJournal, broken, log, replay);
  const current = readJournal(files.journal, broken, log, replay);

  // What came after the last readable line is unknown; and a lost snapshot may have been newer than all that was
  // read, unless the current journal's mark proves otherwise.
  if (current.unreadableEnd) damage.add(files.journal);
  else if (previous.unreadableEnd && current.lines === 0) damage.add(files.previousJournal);
  if (unreadableSnapshot && current.lines === 0) damage.add(unreadableSnapshot);
  if (existsSync(files.damageMark)) damage.add(files.damageMark);
  return {
    entries,
    place,
    journalLines: current.lines,
    journalBytes: current.bytes,
    damage: [...damage],
    broken,
    untidy: damage.size > 0 || unreadableSnapshot !== null || baseFile === files.nextSnapshot,
  };
}

interface SnapshotFile {
  path: string;
  place: Place;
  content(): Buffer;
}

/** The snapshots that exist, by what their first line says; those whose first line says nothing are broken. */
function newestFirst(paths: string[], kind: string, broken: Recovered<unknown>['broken']): SnapshotFile[] {
  const found: SnapshotFile[] = [];
  for (const path of paths) {
    try {
      const place = placeOf(headOf(path), kind, path);
      found.push({ path, place, content: () => readFileSync(path) });
    } catch (error) {
      if (error instanceof NewerState) throw error;
      if (codeOf(error) !== 'ENOENT') broken.push({ path, why: messageOf(error) });
    }
  }
  return found.sort((a, b) => (isAfter(a.place, b.place) ? -1 : 1));
}

/** Long enough for every first line. */
const headBytes = 400;

function headOf(path: string): string {
  const fd = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(headBytes);
    return bytes.toString('utf8', 0, readSync(fd, bytes, 0, headBytes, 0));
  } finally {
    closeSync(fd);
  }
}

/** `{"version":1,"kind":...,"epoch":...,"seq":...,"entries":{`, also when somebody has laid it out differently. */
function placeOf(head: string, kind: string, path: string): Place {
  const field = (name: string) => new RegExp(`"${name}"\\s*:\\s*("[^"]*"|\\d+)`).exec(head)?.[1];
  const version = Number(field('version'));
  if (version > formatVersion) throw new NewerState(path);
  if (version !== formatVersion || field('kind') !== JSON.stringify(kind)) {
    throw new Error(`it is not a ${kind} snapshot`);
  }
  const place = [Number(field('epoch') ?? Number.NaN), Number(field('seq') ?? Number.NaN)] as const;
  if (!place.every(isCount)) throw new Error('its epoch or number is missing');
  return place;
}

/** Null: it cannot be read. As we write it there is one entry a line; as others do, it is JSON all the same. */
function readSnapshot(content: Buffer, take: (key: string, value: unknown) => void): Place | null {
  const place = (value: { epoch?: unknown; seq?: unknown }): Place | null =>
    isCount(value.epoch) && isCount(value.seq) ? [value.epoch, value.seq] : null;
  try {
    const rows = linesOf(content, content.length);
    const head = JSON.parse(`${rows.next().value}}}`);
    let last = '';
    for (const row of rows) {
      if (last !== '') takeRow(last, take);
      last = row;
    }
    if (last === '}}') return place(head);
  } catch {
    // Not as we write it.
  }
  try {
    const value = JSON.parse(content.toString('utf8')) as {
      entries?: unknown;
      epoch?: unknown;
      seq?: unknown;
    };
    const { entries } = value;
    if (typeof entries !== 'object' || entries === null || Array.isArray(entries)) return null;
    for (const [key, one] of Object.entries(entries)) take(key, one);
    return place(value);
  } catch {
    return null;
  }
}

function takeRow(row: string, take: (key: string, value: unknown) => void): void {
  const entry = JSON.parse(`{${row.endsWith(',') ? row.slice(0, -1) : row}}`) as Record<string, unknown>;
  for (const [key, value] of Object.entries(entry)) take(key, value);
}

/** The lines in the first `end` bytes, without empty ones, one at a time. */
function* linesOf(content: Buffer, end: number): Generator<string> {
  for (let start = 0; start < end; ) {
    const found = content.indexOf(10, start);
    const stop = found < 0 || found > end ? end : found;
    if (stop > start) yield content.toString('utf8', start, stop);
    start = stop + 1;
  }
}

interface ReadJournal {
  /** How many could be read. */
  lines: number;
  /** Up to the end of the last whole line; null: there is no such file. */
  bytes: number | null;
  /** Something stands after the last readable line that is more than a line cut short. */
  unreadableEnd: boolean;
}

/** An unreadable line in the middle needs no flag of its own: the numbers around it show what is missing. */
function readJournal(
  path: string,
  broken: Recovered<unknown>['broken'],
  log: Log,
  replay: (line: JournalLine, path: string) => void,
): ReadJournal {
  let content: Buffer;
  try {
    content = readFileSync(path);
  } catch (error) {
    const missing = codeOf(error) === 'ENOENT';
    if (!missing) broken.push({ path, why: messageOf(error) });
    return { lines: 0, bytes: null, unreadableEnd: !missing };
  }
  const end = content.lastIndexOf('\n') + 1;
  let lines = 0;
  let unreadable = 0;
  let unreadableEnd = false;
  for (const row of linesOf(content, end)) {
    const line = parseLine(row);
    if (line) {
      lines++;
      replay(line, path);
    } else unreadable++;
    unreadableEnd = line === null;
  }
  if (unreadable > 0) log.warn(`${path} has ${counted(unreadable, 'line', 'lines')} that cannot be read.`);
  if (end < content.length) {
    const cutShort = lineStart.startsWith(content.toString('utf8', end, end + lineStart.length));
    if (cutShort) log.warn(`${path} ends in the middle of a line, as after a crash; that part is dropped.`);
    else log.warn(`${path} ends in something that cannot be read.`);
    unreadableEnd ||= !cutShort;
  }
  return { lines, bytes: end, unreadableEnd };
}

/** How every line begins, so that one that was cut short can be told from garbage. */
const lineStart = '{"seq":';

function parseLine(row: string): JournalLine | null {
  try {
    const line = JSON.parse(row) as JournalLine | null;
    if (typeof line !== 'object' || line === null || !isCount(line.seq) || !isCount(line.epoch)) return null;
    if (line.key !== undefined && typeof line.key !== 'string') return null;
    if (line.after !== undefined && !(Array.isArray(line.after) && line.after.every(isCount))) return null;
    return line.key === undefined && line.after === undefined ? null : line;
  } catch {
    return null;
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
