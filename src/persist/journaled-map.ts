/**
 * A map in memory whose changes are on disk after `flush`: the queue, the dead letters, the ledger.
 *
 * A change costs one line, whatever the size of the map. When the journal has grown to twice the map, a snapshot
 * takes its place, in steps that each leave a readable whole (`journal-format.ts` has the files):
 *   1. <name>.next.json is written and synced       nothing else has changed
 *   2. <name>.ndjson  becomes <name>.prev.ndjson    next, or old snapshot + previous journal
 *   3. <name>.json    becomes <name>.prev.json      next, or previous snapshot + previous journal
 *   4. <name>.next.json becomes <name>.json         the new snapshot, no journal
 *   5. a new <name>.ndjson begins with its mark
 * While this happens appends wait in memory. `mayCommit` is asked before every write and throws once the lease is
 * lost; what slips through between the question and the write is skipped by readers because of its epoch.
 */
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Clock } from '../shared/clock';
import { crashPoint } from '../shared/crash-points';
import { describeFileError, isFileError } from '../shared/errors';
import type { Log } from '../shared/log';
import { syncFolder, writeFileWhole } from './atomic-file';
import {
  type JournalLine,
  type MapFiles,
  mapFiles,
  type Place,
  recover,
  snapshotText,
} from './journal-format';
import type { KeyedStore } from './keyed-store';
import { privateFile } from './paths';
import { keepCopy, setAside } from './set-aside';

/** A journal shorter than this is never worth a snapshot. */
const worthSnapshotLines = 1_000;

/** What is written at a time: a hundred thousand lines are never one string. */
const pieceChars = 64 * 1024;

function writeAll(fd: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
}

export interface JournaledMapOptions<V> {
  /** Path without an ending; its last part names the kind of map in the files. */
  base: string;
  parse(value: unknown): V;
  /** The lease's epoch. */
  epoch: number;
  mayCommit(): void;
  clock: Clock;
  log: Log;
  /** Changes were missing. What is put into the map here is as durable as the repair. */
  onDamage?(map: JournaledMap<V>): void;
  /** For tests that want to see many snapshots. */
  worthSnapshotLines?: number;
}

export class JournaledMap<V> implements KeyedStore<V> {
  /** Files in which changes were missing when the map was opened. */
  readonly damage: string[];
  readonly #options: JournaledMapOptions<V>;
  readonly #worthSnapshotLines: number;
  #nextSnapshotLines: number;
  readonly #files: MapFiles;
  readonly #entries: Map<string, V>;
  /** The last change that is on disk. */
  #place: Place;
  readonly #epoch: number;
  /** Changed keys that are not on disk yet. */
  #pending = new Set<string>();
  /** The next append begins with a mark: nothing older is valid after it. */
  #markDue = true;
  #journalLines: number;
  /** A crash or damage left the files in a state that a new snapshot mends. */
  readonly #untidy: boolean;
  #journal: number | null = null;
  #compaction: Promise<void> | null = null;

  /**
   * Damage must not be forgotten when the process dies right after it was seen: a mark on disk holds it until what
   * the owner does about it (`onDamage`) is in the snapshot that makes the files whole again.
   */
  static async open<V>(options: JournaledMapOptions<V>): Promise<JournaledMap<V>> {
    const map = new JournaledMap(options);
    if (map.damage.length > 0) options.onDamage?.(map);
    if (map.#untidy) await map.#compact();
    else await map.flush();
    rmSync(map.#files.damageMark, { force: true });
    return map;
  }

  private constructor(options: JournaledMapOptions<V>) {
    this.#options = options;
    this.#worthSnapshotLines = options.worthSnapshotLines ?? worthSnapshotLines;
    this.#nextSnapshotLines = this.#worthSnapshotLines;
    this.#files = mapFiles(options.base);
    options.mayCommit();
    const kind = basename(options.base);
    const now = options.clock.now();
    const found = recover(this.#files, kind, options.parse, options.log);
    this.damage = found.damage;
    if (this.damage.length > 0)
      writeFileSync(this.#files.damageMark, this.damage.join('\n'), { mode: privateFile });
    crashPoint(`${kind}.damage.marked`);
    for (const { path, why } of found.broken)
      setAside(path, why, 'Its previous copy is used.', now, options.log);
    for (const path of this.damage) if (existsSync(path)) keepCopy(path, now, options.log);
    this.#untidy = found.untidy;
    this.#entries = found.entries;
    this.#place = found.place;
    this.#epoch = options.epoch >= found.place[0] ? options.epoch : found.place[0] + 1;
    this.#journalLines = found.journalLines;
    if (found.journalBytes !== null) truncateSync(this.#files.journal, found.journalBytes);
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): V | undefined {
    return this.#entries.get(key);
  }

  entries(): IterableIterator<[string, V]> {
    return this.#entries.entries();
  }

  put(key: string, value: V): void {
    this.#entries.set(key, value);
    this.#pending.add(key);
  }

  delete(key: string): void {
    if (this.#entries.delete(key)) this.#pending.add(key);
  }

  async flush(): Promise<void> {
    while (this.#compaction) await this.#compaction;
    if (this.#pending.size === 0 && !this.#markDue) return;
    this.#append();
    if (this.#journalLines > Math.max(this.#nextSnapshotLines, 2 * this.size))
      await this.#compactIfPossible();
  }

  /** The journal has it all: a snapshot for which there is no room can wait until the journal has grown on. */
  async #compactIfPossible(): Promise<void> {
    try {
      await this.#compact();
      this.#nextSnapshotLines = this.#worthSnapshotLines;
    } catch (error) {
      if (!isFileError(error)) throw error;
      this.#nextSnapshotLines = 2 * this.#journalLines;
      const { base, log } = this.#options;
      log.warn(
        `No new snapshot of ${base}.json could be written: ${describeFileError(error)}. Nothing is lost.`,
      );
    }
  }

  async close(): Promise<void> {
    await this.flush();
    if (this.#journalLines > (this.#worthSnapshotLines + this.size) / 10) await this.#compact();
    this.#closeJournal();
  }

  #append(): void {
    const point = basename(this.#options.base);
    this.#options.mayCommit();
    this.#journal ??= openSync(this.#files.journal, 'a', privateFile);
    const sizeBefore = fstatSync(this.#journal).size;
    const orUndo = (write: (fd: number) => void, fd: number) => {
      try {
        write(fd);
      } catch (error) {
        // A half-written line would glue itself to the next one.
        ftruncateSync(fd, sizeBefore);
        throw error;
      }
    };
    crashPoint(`${point}.append`);
    let [, seq] = this.#place;
    orUndo((fd) => {
      let text = '';
      const row = (line: Omit<JournalLine, 'seq' | 'epoch'>) => {
        text += `${JSON.stringify({ seq: ++seq, epoch: this.#epoch, ...line })}\n`;
        if (text.length < pieceChars) return;
        writeAll(fd, text);
        text = '';
      };
      if (this.#markDue) row({ after: this.#place });
      for (const key of this.#pending) row({ key, value: this.#entries.get(key) });
      writeAll(fd, text);
    }, this.#journal);
    crashPoint(`${point}.append.written`);
    orUndo(fsyncSync, this.#journal);
    crashPoint(`${point}.append.synced`);
    this.#journalLines += seq - this.#place[1];
    this.#place = [this.#epoch, seq];
    this.#pending.clear();
    this.#markDue = false;
  }

  #compact(): Promise<void> {
    this.#compaction ??= this.#rotate().finally(() => {
      this.#compaction = null;
    });
    return this.#compaction;
  }

  async #rotate(): Promise<void> {
    const { snapshot, journal, previousSnapshot, previousJournal, nextSnapshot } = this.#files;
    const point = basename(this.#options.base);
    if (this.#pending.size > 0) this.#append();
    const text = snapshotText(point, this.#place, this.#entries);
    this.#options.mayCommit();
    crashPoint(`${point}.snapshot`);
    await writeFileWhole(nextSnapshot, text);
    crashPoint(`${point}.snapshot.written`);
    this.#options.mayCommit();
    this.#closeJournal();
    if (existsSync(journal)) renameSync(journal, previousJournal);
    crashPoint(`${point}.rotate.journal`);
    if (existsSync(snapshot)) renameSync(snapshot, previousSnapshot);
    crashPoint(`${point}.rotate.snapshot`);
    renameSync(nextSnapshot, snapshot);
    syncFolder(dirname(snapshot));
    crashPoint(`${point}.rotate.done`);
    this.#journalLines = 0;
    this.#markDue = true;
    this.#append();
  }

  #closeJournal(): void {
    if (this.#journal !== null) closeSync(this.#journal);
    this.#journal = null;
  }
}
