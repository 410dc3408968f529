/**
 * The right to be the one worker.
 *
 * proper-lockfile's lock (a folder, `lease.lock`) says that somebody works and shows by its changing time that they
 * still do; `lease.json` says who, and with which token and epoch. Both belong to the host's idle main thread: a busy
 * thread's lock would look abandoned.
 *
 * Taking over is where such locks fail (of eight contenders for one abandoned lock two may win), so:
 * - a lock is given up for dead only after watching it, not by comparing clocks: its holder is on this host and
 *   runs no more (also a zombie), or neither its time nor `alive` moved for `staleMs`. A time in the future is
 *   judged the same way;
 * - whoever got the lock writes a new token, waits, and reads it again: the last writer wins, the others leave;
 * - a loser removes nothing: proper-lockfile would remove the winner's lock when it lets go or ends (`ownRmdir`);
 * - the token is read again before every commit (`mayCommit`), and each take-over has a higher epoch, by which
 *   readers skip what a loser still wrote.
 */

import { randomUUID } from 'node:crypto';
import fs, {
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { lock } from 'proper-lockfile';
import { writeJson } from '../persist/atomic-file';
import { privateFile, type StatePaths } from '../persist/paths';
import { type Clock, iso } from '../shared/clock';
import { crashPoint } from '../shared/crash-points';
import { codeOf } from '../shared/errors';
import type { Log } from '../shared/log';
import { isRunning, nameText, ownName, type ProcessName, readName } from '../shared/process';

export interface LeaseTimes {
  /** How often the holder shows that it lives. */
  beatMs: number;
  /** How long `alive` counts after each beat. */
  aliveMs: number;
  /** A holder that shows nothing for this long is dead. */
  staleMs: number;
  /** How long a dead pid must be seen: its successor may just be writing its own name. */
  deadMs: number;
  /** How long the token must stay ours before we believe it. */
  proveMs: number;
}

export const leaseTimes: LeaseTimes = {
  beatMs: 2_000,
  aliveMs: 10_000,
  staleMs: 20_000,
  deadMs: 500,
  proveMs: 150,
};

interface LeaseRecord {
  version: 1;
  pid: number;
  ticks: string;
  host: string;
  sluice: string;
  epoch: number;
  token: string;
  since: string;
}

export class LeaseLost extends Error {
  constructor() {
    super('Another worker has taken over.');
  }
}

const watchEveryMs = 100;
/** proper-lockfile must never judge by itself; see above. */
const neverStaleMs = 24 * 3_600_000;

export class Lease {
  readonly lost: AbortSignal;

  private constructor(
    private readonly paths: StatePaths,
    readonly epoch: number,
    readonly token: string,
    private readonly times: LeaseTimes,
    private readonly unlock: () => Promise<void>,
    private readonly loss: AbortController,
  ) {
    this.lost = loss.signal;
  }

  /** Null: another worker lives and will see whatever was in the inbox when we were called. */
  static async take(
    paths: StatePaths,
    clock: Clock,
    log: Log,
    version: string,
    times: LeaseTimes = leaseTimes,
  ): Promise<Lease | null> {
    const loss = new AbortController();
    const token = randomUUID();
    let written = false;
    const isOurs = () => !written || readRecord(paths.lease)?.token === token;
    const unlock = await lockWhenFree(paths, clock, log, times, loss, isOurs);
    if (!unlock) return null;
    crashPoint('lease.locked');
    const epoch = (readRecord(paths.lease)?.epoch ?? 0) + 1;
    const record: LeaseRecord = {
      version: 1,
      ...ownName(),
      host: hostname(),
      sluice: version,
      epoch,
      token,
      since: iso(clock.now()),
    };
    const lease = new Lease(paths, epoch, token, times, unlock, loss);
    try {
      // A nearly full disk must not keep everybody from working.
      await writeJson(paths.lease, record, 0);
      written = true;
      crashPoint('lease.written');
      await clock.sleep(times.proveMs);
      mayCommit(paths.lease, token);
      crashPoint('lease.proved');
      lease.beat();
      crashPoint('lease.alive');
      removeClaims(paths.root);
      crashPoint('lease.taken');
    } catch (error) {
      await unlock().catch(() => {});
      if (error instanceof LeaseLost) return null;
      throw error;
    }
    return lease;
  }

  /** Shows that we live. Called every `beatMs`. */
  beat(): void {
    try {
      mayCommit(this.paths.lease, this.token);
    } catch {
      this.loss.abort(new LeaseLost());
      return;
    }
    try {
      this.#showAlive();
    } catch {
      this.#prolongAlive();
    }
  }

  /** A full disk takes no new file, but the old one's time can still be moved. If not, the lock shows that we live. */
  #prolongAlive(): void {
    const until = new Date(Date.now() + this.times.aliveMs);
    try {
      if (readName(this.paths.alive)?.pid === process.pid) utimesSync(this.paths.alive, until, until);
    } catch {
      // Hooks start a worker in vain, which sees the lock and leaves.
    }
  }

  #showAlive(): void {
    const next = `${this.paths.alive}.next`;
    writeFileSync(next, nameText(ownName()), { mode: privateFile });
    // The folder may be on a share with a clock of its own: its now is the time of what was just written.
    const until = new Date(statSync(next).mtimeMs + this.times.aliveMs);
    utimesSync(next, until, until);
    renameSync(next, this.paths.alive);
  }

  /** First `alive` goes, then the lock: whoever writes to the inbox from here on starts a worker. */
  async release(): Promise<void> {
    if (readName(this.paths.alive)?.pid === process.pid) unlinkSync(this.paths.alive);
    crashPoint('lease.not-alive');
    await this.unlock().catch(() => {});
    crashPoint('lease.released');
  }
}

/** Throws when the lease says that somebody else works. A lease that cannot be read says nothing. */
export function mayCommit(leasePath: string, token: string): void {
  const record = readRecord(leasePath);
  if (record && record.token !== token) throw new LeaseLost();
}

async function lockWhenFree(
  paths: StatePaths,
  clock: Clock,
  log: Log,
  times: LeaseTimes,
  loss: AbortController,
  isOurs: () => boolean,
): Promise<(() => Promise<void>) | null> {
  let first: ReturnType<typeof signsOfLife> | null = null;
  let watchedMs = 0;
  for (;;) {
    try {
      return await lock(paths.root, {
        lockfilePath: paths.leaseLock,
        realpath: false,
        stale: neverStaleMs,
        update: times.beatMs,
        fs: ownRmdir(isOurs),
        onCompromised: () => loss.abort(new LeaseLost()),
      });
    } catch (error) {
      if (codeOf(error) !== 'ELOCKED') throw error;
    }
    const seen = signsOfLife(paths);
    first ??= seen;
    // Something that vanished is no sign of life: the holder may just be leaving.
    if (seen.some((sign, n) => sign !== null && sign !== first?.[n])) return null;
    const dead = watchedMs >= times.deadMs && holderIsDead(paths.lease);
    if (dead || watchedMs >= times.staleMs) {
      log.info(
        `The worker before ended without letting go${dead ? '' : ' and shows no sign of life'}; taking over.`,
      );
      crashPoint('lease.dead');
      rmSync(paths.leaseLock, { recursive: true, force: true });
      first = null;
      watchedMs = 0;
      continue;
    }
    await clock.sleep(watchEveryMs);
    watchedMs += watchEveryMs;
  }
}

/** The file system for proper-lockfile, which may remove the lock's folder only while it is ours. */
function ownRmdir(isOurs: () => boolean): typeof fs {
  const rmdir = (path: string, done: (error: NodeJS.ErrnoException | null) => void) =>
    isOurs() ? fs.rmdir(path, done) : done(null);
  const rmdirSync = (path: string) => {
    if (isOurs()) fs.rmdirSync(path);
  };
  return { ...fs, rmdir, rmdirSync } as typeof fs;
}

/** What changes while the holder lives, or when there is a new one. */
function signsOfLife(paths: StatePaths): (number | string | null)[] {
  const time = (path: string) => {
    try {
      return statSync(path).mtimeMs;
    } catch {
      return null;
    }
  };
  return [time(paths.leaseLock), time(paths.alive), readRecord(paths.lease)?.token ?? null];
}

function holderIsDead(leasePath: string): boolean {
  const record = readRecord(leasePath);
  return record !== null && record.host === hostname() && !isRunning(record);
}

function removeClaims(root: string): void {
  for (const name of readdirSync(root)) {
    if (name.startsWith('starting-')) rmSync(join(root, name), { force: true });
  }
}

function readRecord(path: string): LeaseRecord | null {
  try {
    const record = JSON.parse(readFileSync(path, 'utf8')) as Partial<LeaseRecord> | null;
    if (record?.version !== 1 || typeof record.token !== 'string' || typeof record.host !== 'string')
      return null;
    if (!Number.isSafeInteger(record.epoch) || !Number.isSafeInteger(record.pid)) return null;
    return record as LeaseRecord;
  } catch {
    return null;
  }
}

/** Who holds the lease, as far as is known, and since when. */
export function leaseHolder(path: string): (ProcessName & { since: string }) | null {
  const record = readRecord(path);
  return record && { pid: record.pid, ticks: record.ticks, since: record.since };
}
