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
import { existsSync, readFileSync } from 'node:fs';
import { codeOf, messageOf } from '../shared/errors';
import type { Log } from '../shared/log';
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

interface Snapshot {
  place: Place;
  entries: Record<string, unknown>;
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

export function recover<V>(
  files: MapFiles,
  kind: string,
  parse: (value: unknown) => V,
  log: Log,
): Recovered<V> {
  const damage = new Set<string>();
  const broken: Recovered<V>['broken'] = [];
  let base: Snapshot | null = null;
  let baseFile: string | null = null;
  let unreadableSnapshot: string | null = null;
  for (const path of [files.nextSnapshot, files.snapshot, files.previousSnapshot]) {
    const found = readSnapshot(path, kind, broken);
    if (found === 'unreadable') unreadableSnapshot ??= path;
    else if (found && (!base || isAfter(found.place, base.place))) [base, baseFile] = [found, path];
  }

  const entries = new Map<string, V>();
  for (const [key, value] of Object.entries(base?.entries ?? {})) {
    try {
      entries.set(key, parse(value));
    } catch (error) {
      damage.add(baseFile ?? files.snapshot);
      log.warn(`In ${baseFile} the entry "${key}" cannot be used (${messageOf(error)}).`);
    }
  }

  let place: Place = base?.place ?? [0, 0];
  let newestEpoch = 0;
  let unreadableEnd: string | null = null;
  const previous = readJournal(files.previousJournal, broken, log);
  const current = readJournal(files.journal, broken, log);
  for (const [path, journal] of [
    [files.previousJournal, previous],
    [files.journal, current],
  ] as const) {
    if (journal.unreadableEnd) unreadableEnd = path;
    else if (journal.lines.length > 0) unreadableEnd = null;
    for (const line of journal.lines) {
      if (line.epoch < newestEpoch) continue;
      newestEpoch = line.epoch;
      const here: Place = [line.epoch, line.seq];
      if (!isAfter(here, place)) continue;
      const gap = line.after
        ? isAfter(line.after, place)
        : line.epoch !== place[0] || line.seq !== place[1] + 1;
      if (gap) {
        damage.add(path);
        log.warn(`In ${path} changes are missing before number ${line.seq}.`);
      }
      place = here;
      if (line.key === undefined) continue;
      if (line.value === undefined) {
        entries.delete(line.key);
        continue;
      }
      try {
        entries.set(line.key, parse(line.value));
      } catch (error) {
        damage.add(path);
        log.warn(`In ${path} the entry "${line.key}" cannot be used (${messageOf(error)}).`);
      }
    }
  }
  // What came after the last readable line is unknown; and a lost snapshot may have been newer than all that was
  // read, unless the current journal's mark proves otherwise.
  if (unreadableEnd) damage.add(unreadableEnd);
  if (unreadableSnapshot && current.lines.length === 0) damage.add(unreadableSnapshot);
  if (existsSync(files.damageMark)) damage.add(files.damageMark);
  return {
    entries,
    place,
    journalLines: current.lines.length,
    journalBytes: current.bytes,
    damage: [...damage],
    broken,
    untidy: damage.size > 0 || unreadableSnapshot !== null || baseFile === files.nextSnapshot,
  };
}

function readSnapshot(
  path: string,
  kind: string,
  broken: Recovered<unknown>['broken'],
): Snapshot | 'unreadable' | null {
  try {
    const value = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown> | null;
    if (typeof value !== 'object' || value === null) throw new Error('it is not an object');
    const { version, epoch, seq, entries } = value;
    if (typeof version === 'number' && version > formatVersion) throw new NewerState(path);
    if (version !== formatVersion || value.kind !== kind) throw new Error(`it is not a ${kind} snapshot`);
    if (!isCount(epoch) || !isCount(seq)) throw new Error('its epoch or number is missing');
    if (typeof entries !== 'object' || entries === null || Array.isArray(entries))
      throw new Error('no entries');
    return { place: [epoch, seq], entries: entries as Record<string, unknown> };
  } catch (error) {
    if (error instanceof NewerState) throw error;
    if (codeOf(error) === 'ENOENT') return null;
    broken.push({ path, why: messageOf(error) });
    return 'unreadable';
  }
}

interface ReadJournal {
  lines: JournalLine[];
  /** Up to the end of the last whole line; null: there is no such file. */
  bytes: number | null;
  /** Something stands after the last readable line that is more than a line cut short. */
  unreadableEnd: boolean;
}

/** An unreadable line in the middle needs no flag of its own: the numbers around it show what is missing. */
function readJournal(path: string, broken: Recovered<unknown>['broken'], log: Log): ReadJournal {
  let content: Buffer;
  try {
    content = readFileSync(path);
  } catch (error) {
    const missing = codeOf(error) === 'ENOENT';
    if (!missing) broken.push({ path, why: messageOf(error) });
    return { lines: [], bytes: null, unreadableEnd: !missing };
  }
  const end = content.lastIndexOf('\n') + 1;
  const lines: JournalLine[] = [];
  let unreadable = 0;
  let unreadableEnd = false;
  for (const row of content.toString('utf8', 0, end).split('\n')) {
    if (row === '') continue;
    const line = parseLine(row);
    if (line) lines.push(line);
    else unreadable++;
    unreadableEnd = line === null;
  }
  if (unreadable > 0) log.warn(`${path} has ${unreadable} line(s) that cannot be read.`);
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
