/**
 * All that is to be done, over all targets, in one durable store. Owned by the one worker.
 *
 * Holds: at most one job per scene and target; an acknowledgement removes only the revision that was processed, so
 * that an edit during a sync causes another; a job keeps its highest priority and its place; what the disk has is
 * never ahead of what was told. The caller flushes: before it deletes an inbox file, and before it sleeps.
 */

import type { KeyedStore } from '../persist/keyed-store';
import type { Clock } from '../shared/clock';
import type { QueueStatus } from '../shared/status';
import type { FanOut, Job, QueueEntry, Sweep, Tally } from './entries';
import { WaitingLine } from './waiting-line';

/**
 * When the person paused, our name toward Plex; of each target when it was first configured, when all scenes were last
 * queued, and when it left the settings.
 */
type MemoName = 'paused' | 'plex-client' | `${'configured' | 'synced-all' | 'left'}/${string}`;

/** What becomes of a job after one try. */
export type Verdict =
  | { kind: 'done' }
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
  #fanOuts = 0;

  constructor(store: KeyedStore<QueueEntry>, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    for (const [, entry] of store.entries()) {
      // It may have been on its way when the last process ended, so what the ledger says may not be so any more.
      if (entry.is === 'job') this.#line(entry.target).set({ ...entry, asked: true });
      else if (entry.is === 'fan-out') this.#fanOuts++;
    }
  }

  flush(): Promise<void> {
    return this.#store.flush();
  }

  add(target: string, scene: number, how: { bulk: boolean; asked: boolean }): void {
    const now = this.#clock.now();
    const old = this.#line(target).get(scene);
    this.#putJob({
      is: 'job',
      target,
      scene,
      rev: old ? old.rev + 1 : 1,
      bulk: how.bulk && (old?.bulk ?? true),
      asked: how.asked || (old?.asked ?? false),
      queuedAt: old?.queuedAt ?? now,
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
    if (verdict.kind === 'done' || verdict.kind === 'failed') this.#count(job.target, verdict.kind);
    if (verdict.kind === 'retry') this.#count(job.target, 'retried');
    if (!current || verdict.kind === 'back') return;
    if (current.rev !== job.rev) return; // edited meanwhile: that revision is still to be synced
    if (verdict.kind === 'retry') {
      const { at, reason, charged } = verdict;
      this.#putJob({ ...current, attempts: current.attempts + (charged ? 1 : 0), dueAt: at, reason });
    } else {
      line.remove(job.scene);
      this.#store.delete(jobKey(job.target, job.scene));
    }
  }

  addFanOut(fanOut: Omit<FanOut, 'is' | 'queuedAt'>): void {
    const key = `fan-out/${fanOut.object}/${fanOut.id}`;
    const entry = this.#store.get(key);
    const old = entry?.is === 'fan-out' ? entry : null;
    if (!old) this.#fanOuts++;
    this.#store.put(key, {
      ...fanOut,
      is: 'fan-out',
      fields: old ? union(old.fields, fanOut.fields) : fanOut.fields,
      queuedAt: this.#clock.now(),
    });
  }

  /** Every scene was queued by other means since then, so these need not be worked off. */
  dropFanOutsBefore(time: number): void {
    for (const [key, entry] of [...this.#store.entries()]) {
      if (entry.is !== 'fan-out' || entry.queuedAt > time) continue;
      this.#store.delete(key);
      this.#fanOuts--;
    }
  }

  sweeps(): { name: SweepName; sweep: Sweep }[] {
    const found: { name: SweepName; sweep: Sweep }[] = [];
    for (const name of sweepNames) {
      const sweep = this.#store.get(`sweep/${name}`);
      if (sweep?.is === 'sweep') found.push({ name, sweep });
    }
    return found;
  }

  beginSweep(name: SweepName, since: number | null): void {
    const startedAt = this.#clock.now();
    this.setSweep(name, { is: 'sweep', since, after: 0, total: null, queued: 0, startedAt });
  }

  /** Null: it is over. */
  setSweep(name: SweepName, sweep: Sweep | null): void {
    if (sweep) this.#store.put(`sweep/${name}`, sweep);
    else this.#store.delete(`sweep/${name}`);
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
        line.remove(job.scene);
        this.#store.delete(jobKey(target, job.scene));
        cleared++;
      }
    }
    for (const [key, entry] of [...this.#store.entries()]) {
      if (entry.is !== 'fan-out') continue;
      this.#store.delete(key);
      cleared++;
    }
    this.#fanOuts = 0;
    for (const { name } of this.sweeps()) this.setSweep(name, null);
    return cleared;
  }

  get fanOuts(): number {
    return this.#fanOuts;
  }

  counts(target: string): Omit<QueueStatus, 'parked'> {
    const line = this.#line(target);
    const due = line.due(this.#clock.now());
    return { waiting: line.size, due, inFlight: line.inFlight, retrying: line.retrying };
  }

  tally(target: string): Tally {
    const entry = this.#store.get(`tally/${target}`);
    return entry?.is === 'tally' ? entry : { is: 'tally', done: 0, failed: 0, retried: 0 };
  }

  /** Forgets a target and all that waits for it. */
  dropTarget(target: string): void {
    for (const { scene } of this.#line(target).jobs()) this.#store.delete(jobKey(target, scene));
    this.#lines.delete(target);
    this.#store.delete(`tally/${target}`);
    for (const about of ['configured', 'synced-all', 'left'] as const)
      this.setMemo(`${about}/${target}`, null);
  }

  #count(target: string, kind: 'done' | 'failed' | 'retried'): void {
    const tally = this.tally(target);
    this.#store.put(`tally/${target}`, { ...tally, [kind]: tally[kind] + 1 });
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

const sweepNames = ['all', 'recent'] as const;
export type SweepName = (typeof sweepNames)[number];

/** Which fields were touched; null: unknown, so all of them. */
const union = (a: string[] | null, b: string[] | null): string[] | null =>
  a && b ? [...new Set([...a, ...b])] : null;

export const jobKey = (target: string, scene: number): string => `job/${target}/${scene}`;
