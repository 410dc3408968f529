/**
 * All that is to be done, over all targets, in one durable store. Owned by the one worker.
 *
 * Holds: at most one job per scene and target; an acknowledgement removes only the revision that was processed, so
 * that an edit during a sync causes another; a job keeps its highest priority and its place; at most one fan-out per
 * object, which begins anew with every event of it; what the disk has is never ahead of what was told. The caller
 * flushes: before it deletes an inbox file, and before it sleeps.
 */

import type { KeyedStore } from '../persist/keyed-store';
import type { Clock } from '../shared/clock';
import type { QueueStatus } from '../shared/status';
import type { FanOut, Job, QueueEntry, Sweep, Tally } from './entries';
import { WaitingLine } from './waiting-line';

/**
 * When the person paused, when all was last compared, which settings say what Plex shows (a hash), our name toward Plex;
 * of each target when it was first configured, when all scenes were last queued, and when it left the settings.
 */
type MemoName =
  | 'paused'
  | 'reconciled'
  | 'shown'
  | 'plex-client'
  | `${'configured' | 'synced-all' | 'left'}/${string}`;

/** What becomes of a job after one try. */
export type Verdict =
  /** `filteredBy`: nothing was sent, because of this rule. */
  | { kind: 'done'; filteredBy?: string }
  /** Done, but it is looked at once more at that instant. */
  | { kind: 'later'; at: number }
  /** Given up; the caller has recorded the dead letter. */
  | { kind: 'failed' }
  /** `charged`: it counts as an attempt. */
  | { kind: 'retry'; at: number; reason: string; charged: boolean }
  /** Nothing was its fault: back to its place, uncharged. */
  | { kind: 'back' };

export class Queue {
  readonly #store: KeyedStore<QueueEntry>;
  readonly #clock: Clock;
  readonly #lines = new Map<string, WaitingLine>();
  /** In the order in which they came in. */
  readonly #fanOuts = new Map<string, FanOut>();

  constructor(store: KeyedStore<QueueEntry>, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    const fanOuts: FanOut[] = [];
    for (const [, entry] of store.entries()) {
      // It may have been on its way when the last process ended, so what the ledger says may not be so any more.
      if (entry.is === 'job') this.#line(entry.target).set({ ...entry, asked: true });
      else if (entry.is === 'fan-out') fanOuts.push(entry);
    }
    fanOuts.sort((a, b) => a.queuedAt - b.queuedAt);
    for (const fanOut of fanOuts) this.#fanOuts.set(fanOutKey(fanOut), fanOut);
  }

  flush(): Promise<void> {
    return this.#store.flush();
  }

  /** `since`: for how long already it is to be done; from now on, if not told. */
  add(target: string, scene: number, how: { bulk: boolean; asked: boolean; since?: number }): void {
    const now = how.since ?? this.#clock.now();
    const old = this.#line(target).get(scene);
    this.#putJob({
      is: 'job',
      target,
      scene,
      rev: old ? old.rev + 1 : 1,
      bulk: how.bulk && (old?.bulk ?? true),
      asked: how.asked || (old?.asked ?? false),
      queuedAt: old && !old.secondLook ? old.queuedAt : now,
      dueAt: 0,
      attempts: 0,
      reason: null,
    });
  }

  /** The next job that is due, now in flight; null: none. `prefer`: rather one of whom that is true. */
  take(target: string, prefer?: (job: Job) => boolean): Job | null {
    return this.#line(target).take(this.#clock.now(), prefer);
  }

  job(target: string, scene: number): Job | undefined {
    return this.#line(target).get(scene);
  }

  /** When the next job of the target is due (in the past: now); null: none waits. */
  nextAt(target: string): number | null {
    return this.#line(target).nextAt(this.#clock.now());
  }

  settle(job: Job, verdict: Verdict): void {
    const line = this.#line(job.target);
    line.land(job.scene);
    const current = line.get(job.scene);
    this.#countIn(job, verdict);
    if (!current || verdict.kind === 'back') return;
    if (current.rev !== job.rev) return; // edited meanwhile: that revision is still to be synced
    if (verdict.kind === 'retry') {
      const { at, reason, charged } = verdict;
      this.#putJob({ ...current, attempts: current.attempts + (charged ? 1 : 0), dueAt: at, reason });
    } else if (verdict.kind === 'later') {
      // What was asked for has been done, and what follows is no edit of a person.
      const rest = { bulk: true, asked: false, attempts: 0, reason: null, secondLook: true };
      this.#putJob({ ...current, ...rest, dueAt: verdict.at });
    } else this.#remove(job.target, job.scene);
  }

  /** The scenes of a target that are in flight. */
  flying(target: string): number[] {
    return this.#line(target).flying();
  }

  /**
   * The scene is gone from Stash: nothing waits for it any more. What is in flight may have been read before it went,
   * so that is looked at again.
   */
  forget(scene: number): void {
    for (const [target, line] of this.#lines) {
      if (line.isInFlight(scene)) this.add(target, scene, { bulk: true, asked: false });
      else if (line.get(scene)) this.#remove(target, scene);
    }
  }

  /** One that is under way for the same object begins anew. An object that is gone stays gone. */
  addFanOut({ object, id, action }: Pick<FanOut, 'object' | 'id' | 'action'>): void {
    const key = fanOutKey({ object, id });
    const isGone = this.#fanOuts.get(key)?.action === 'Destroy';
    this.#fanOuts.delete(key);
    this.#putFanOut({
      is: 'fan-out',
      object,
      id,
      action: isGone ? 'Destroy' : action,
      queuedAt: this.#clock.now(),
      after: 0,
    });
  }

  /** The oldest first. */
  waitingFanOuts(): FanOut[] {
    return [...this.#fanOuts.values()];
  }

  /** False: it was dropped, or has begun anew since. */
  isCurrent(fanOut: FanOut): boolean {
    return this.#fanOuts.get(fanOutKey(fanOut)) === fanOut;
  }

  /** The scenes up to `after` are queued; null: all of them are, and it is over. */
  moveFanOut(fanOut: FanOut, after: number | null): void {
    if (after === null) this.#removeFanOut(fanOutKey(fanOut));
    else this.#putFanOut({ ...fanOut, after });
  }

  /** Every scene was queued by other means since then, so these need not be worked off. */
  dropFanOutsBefore(time: number): void {
    for (const [key, { queuedAt }] of [...this.#fanOuts]) if (queuedAt <= time) this.#removeFanOut(key);
  }

  sweeps(): { name: SweepName; sweep: Sweep }[] {
    const found: { name: SweepName; sweep: Sweep }[] = [];
    for (const name of sweepNames) {
      const sweep = this.#store.get(`sweep/${name}`);
      if (sweep?.is === 'sweep') found.push({ name, sweep });
    }
    return found;
  }

  /** `asked`: a person asked for it. */
  beginSweep(name: SweepName, since: number | null, asked = false): void {
    const startedAt = this.#clock.now();
    const begun = { asked, after: 0, total: null, looked: 0, queued: 0, found: {}, startedAt };
    this.setSweep(name, { is: 'sweep', since, ...begun });
  }

  /** Null: it is over. */
  setSweep(name: SweepName, sweep: Sweep | null): void {
    if (sweep) this.#store.put(`sweep/${name}`, sweep);
    else this.#store.delete(`sweep/${name}`);
  }

  /** What waits for its next try need not wait: what it failed by has changed. */
  hurry(target: string): void {
    const line = this.#line(target);
    for (const job of line.jobs()) {
      if (job.reason !== null && job.dueAt > 0 && !line.isInFlight(job.scene))
        this.#putJob({ ...job, dueAt: 0 });
    }
  }

  get isPaused(): boolean {
    return this.memo('paused') !== undefined;
  }

  memo(name: MemoName): string | number | undefined {
    const entry = this.#store.get(`memo/${name}`);
    return entry?.is === 'memo' ? entry.value : undefined;
  }

  setMemo(name: MemoName, value: string | number | null): void {
    if (value === null) this.#store.delete(`memo/${name}`);
    else this.#store.put(`memo/${name}`, { is: 'memo', value });
  }

  /** Forgets all that waits; what is in flight ends as it will. Returns how many jobs and fan-outs that were. */
  clear(): number {
    let cleared = 0;
    for (const [target, line] of this.#lines) {
      for (const job of line.jobs()) {
        if (line.isInFlight(job.scene)) continue;
        this.#remove(target, job.scene);
        cleared++;
      }
    }
    cleared += this.#fanOuts.size;
    for (const key of [...this.#fanOuts.keys()]) this.#removeFanOut(key);
    for (const { name } of this.sweeps()) this.setSweep(name, null);
    return cleared;
  }

  get fanOuts(): number {
    return this.#fanOuts.size;
  }

  counts(target: string): Omit<QueueStatus, 'parked'> {
    const line = this.#line(target);
    const due = line.due(this.#clock.now());
    return { waiting: line.size, due, inFlight: line.inFlight, retrying: line.retrying };
  }

  tally(target: string): Tally {
    const entry = this.#store.get(`tally/${target}`);
    return entry?.is === 'tally' ? entry : { is: 'tally', done: 0, failed: 0, retried: 0, filtered: {} };
  }

  /** Forgets a target and all that waits for it. */
  dropTarget(target: string): void {
    for (const { scene } of this.#line(target).jobs()) this.#store.delete(jobKey(target, scene));
    this.#lines.delete(target);
    this.#store.delete(`tally/${target}`);
    for (const about of ['configured', 'synced-all', 'left'] as const)
      this.setMemo(`${about}/${target}`, null);
  }

  /** What was counted as done before its second look is not counted as done again. */
  #countIn({ target, secondLook }: Job, verdict: Verdict): void {
    if (verdict.kind === 'back') return;
    const tally = { ...this.tally(target) };
    if (verdict.kind === 'retry') tally.retried++;
    else if (verdict.kind === 'failed') tally.failed++;
    else if (secondLook) return;
    else tally.done++;
    if (verdict.kind === 'done' && verdict.filteredBy !== undefined) {
      const rule = verdict.filteredBy;
      tally.filtered = { ...tally.filtered, [rule]: (tally.filtered[rule] ?? 0) + 1 };
    }
    this.#store.put(`tally/${target}`, tally);
  }

  #remove(target: string, scene: number): void {
    this.#line(target).remove(scene);
    this.#store.delete(jobKey(target, scene));
  }

  #putFanOut(fanOut: FanOut): void {
    this.#fanOuts.set(fanOutKey(fanOut), fanOut);
    this.#store.put(fanOutKey(fanOut), fanOut);
  }

  #removeFanOut(key: string): void {
    this.#fanOuts.delete(key);
    this.#store.delete(key);
  }

  #putJob(job: Job): void {
    this.#line(job.target).set(job);
    this.#store.put(jobKey(job.target, job.scene), job);
  }

  #line(target: string): WaitingLine {
    const line = this.#lines.get(target) ?? new WaitingLine();
    this.#lines.set(target, line);
    return line;
  }
}

const sweepNames = ['all', 'recent', 'reconcile'] as const;
export type SweepName = (typeof sweepNames)[number];

const fanOutKey = ({ object, id }: Pick<FanOut, 'object' | 'id'>): string => `fan-out/${object}/${id}`;

export const jobKey = (target: string, scene: number): string => `job/${target}/${scene}`;
