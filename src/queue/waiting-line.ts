/**
 * The order in which the jobs of one target are taken, in memory: who is next costs the logarithm of the backlog.
 *
 * A job is ready, waiting for its instant, or in flight. Edits of people go before bulk work; within each, the one
 * that was queued first; a job keeps its place when it comes back. A job that waits for a later try never blocks
 * one that is ready. Heap entries are not removed when a job moves: they carry a stamp, and an old one is skipped.
 */
import TinyQueue from 'tinyqueue';
import type { Job } from './entries';

interface Seat {
  job: Job;
  stamp: number;
  state: 'ready' | 'later' | 'in flight';
}

interface Ticket {
  scene: number;
  stamp: number;
  bulk: boolean;
  at: number;
}

/** No retry is further away than this. One that seems to be tells that the clock was set back: it is due. */
const furthestRetryMs = 15 * 60_000;

/** How many jobs are passed over in search of a better one. */
const longestSearch = 50;

/** Whether it failed before. A job that waits for its second look did not. */
export const isRetried = (job: Job): boolean => job.reason !== null;

const byPlace = (a: Ticket, b: Ticket) => Number(a.bulk) - Number(b.bulk) || a.at - b.at || a.scene - b.scene;
const byInstant = (a: Ticket, b: Ticket) => a.at - b.at || a.scene - b.scene;

export class WaitingLine {
  readonly #seats = new Map<number, Seat>();
  readonly #ready = new TinyQueue<Ticket>([], byPlace);
  readonly #later = new TinyQueue<Ticket>([], byInstant);
  readonly #flying = new Set<number>();
  #stamps = 0;
  #laterCount = 0;
  #retrying = 0;

  get size(): number {
    return this.#seats.size;
  }

  get inFlight(): number {
    return this.#flying.size;
  }

  /** The scenes that are in flight. */
  flying(): number[] {
    return [...this.#flying];
  }

  /** Jobs that failed before and will be tried again. */
  get retrying(): number {
    return this.#retrying;
  }

  due(now: number): number {
    this.#promote(now);
    return this.size - this.inFlight - this.#laterCount;
  }

  get(scene: number): Job | undefined {
    return this.#seats.get(scene)?.job;
  }

  isInFlight(scene: number): boolean {
    return this.#flying.has(scene);
  }

  jobs(): Iterable<Job> {
    return [...this.#seats.values()].map(({ job }) => job);
  }

  /** Puts the job where it belongs, also when it was there before. One that is in flight stays so. */
  set(job: Job): void {
    const old = this.#leave(job.scene);
    const state = old?.state === 'in flight' ? 'in flight' : 'later';
    this.#enter({ job, stamp: ++this.#stamps, state });
  }

  remove(scene: number): void {
    this.#leave(scene);
    this.#seats.delete(scene);
  }

  /** When the next job is due; null: none waits. */
  nextAt(now: number): number | null {
    this.#promote(now);
    if (this.#peek(this.#ready, 'ready')) return now;
    return this.#peek(this.#later, 'later')?.at ?? null;
  }

  /** The next that is due. `prefer`: one of the first few of whom that is true, if there is one. */
  take(now: number, prefer: (job: Job) => boolean = () => true): Job | null {
    this.#promote(now);
    const passedOver: Ticket[] = [];
    let chosen = this.#peek(this.#ready, 'ready');
    while (chosen && !prefer(this.#jobOf(chosen)) && passedOver.length < longestSearch) {
      passedOver.push(chosen);
      this.#ready.pop();
      chosen = this.#peek(this.#ready, 'ready');
    }
    if (!chosen || !prefer(this.#jobOf(chosen))) chosen = passedOver[0] ?? chosen;
    for (const ticket of passedOver) this.#ready.push(ticket);
    const seat = chosen && this.#leave(chosen.scene);
    if (!seat) return null;
    this.#enter({ ...seat, stamp: ++this.#stamps, state: 'in flight' });
    return seat.job;
  }

  /** Back from its flight; `set` or `remove` says what becomes of it. */
  land(scene: number): void {
    const seat = this.#leave(scene);
    if (seat) this.#enter({ ...seat, stamp: ++this.#stamps, state: 'later' });
  }

  #jobOf({ scene }: Ticket): Job {
    const job = this.get(scene);
    if (!job) throw new Error(`A ticket of scene ${scene} has no seat`);
    return job;
  }

  #enter(seat: Seat): void {
    const { job, stamp, state } = seat;
    this.#seats.set(job.scene, seat);
    if (isRetried(job)) this.#retrying++;
    if (state === 'in flight') this.#flying.add(job.scene);
    else if (state === 'ready') {
      this.#ready.push({ scene: job.scene, stamp, bulk: job.bulk, at: job.queuedAt });
    } else {
      this.#laterCount++;
      this.#later.push({ scene: job.scene, stamp, bulk: job.bulk, at: job.dueAt });
    }
  }

  /** Gives up its seat, which stays in the map until `#enter` takes it or `remove` clears it. */
  #leave(scene: number): Seat | undefined {
    const seat = this.#seats.get(scene);
    if (!seat) return undefined;
    if (isRetried(seat.job)) this.#retrying--;
    if (seat.state === 'in flight') this.#flying.delete(scene);
    else if (seat.state === 'later') this.#laterCount--;
    return seat;
  }

  #promote(now: number): void {
    for (;;) {
      const ticket = this.#peek(this.#later, 'later');
      if (!ticket || (ticket.at > now && ticket.at <= now + furthestRetryMs)) return;
      const seat = this.#leave(ticket.scene);
      if (seat) this.#enter({ ...seat, stamp: ++this.#stamps, state: 'ready' });
    }
  }

  #peek(heap: TinyQueue<Ticket>, state: Seat['state']): Ticket | undefined {
    for (;;) {
      const ticket = heap.peek();
      if (!ticket) return undefined;
      const seat = this.#seats.get(ticket.scene);
      if (seat && seat.stamp === ticket.stamp && seat.state === state) return ticket;
      heap.pop();
    }
  }
}
