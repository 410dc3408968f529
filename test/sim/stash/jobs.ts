import { rfc3339 } from './go-time';
import type { StashLog } from './log';

export type JobStatus = 'READY' | 'RUNNING' | 'FINISHED' | 'FAILED';

export interface Job {
  id: number;
  description: string;
  status: JobStatus;
  /** 0 to 1; stays where it was when the job ends. */
  progress: number;
  addTime: string;
  startTime: string | null;
  endTime: string | null;
  error: string | null;
}

type Work = (job: Job, closed: AbortSignal) => Promise<void>;

/** Stash keeps this many finished jobs for `findJob`. */
const remembered = 10;

/** One job at a time, whatever it is. */
export class Jobs {
  #lastId = 0;
  #queue: Job[] = [];
  #finished: Job[] = [];
  #last: Promise<void> = Promise.resolve();
  readonly #endings = new Map<number, Promise<Job>>();
  readonly #closed = new AbortController();

  constructor(
    private readonly clock: { now: () => number; utcOffsetMinutes: number },
    private readonly log: StashLog,
  ) {}

  /** `run` gets the job, to show its progress in, and a signal that says that Stash ends. */
  add(description: string, run: Work): number {
    this.#lastId += 1;
    const job: Job = {
      id: this.#lastId,
      description,
      status: 'READY',
      progress: 0,
      addTime: this.#now(),
      startTime: null,
      endTime: null,
      error: null,
    };
    this.#queue.push(job);
    this.#last = this.#last.then(() => this.#run(job, run));
    this.#endings.set(
      job.id,
      this.#last.then(() => job),
    );
    return job.id;
  }

  /** When all that were added so far have ended. */
  idle(): Promise<void> {
    return this.#last;
  }

  queue(): Job[] {
    return this.#queue;
  }

  find(id: number): Job | undefined {
    return [...this.#queue, ...this.#finished].find((job) => job.id === id);
  }

  /** Resolves when the job has ended, also if Stash has forgotten it since. */
  async ended(id: number): Promise<Job> {
    const ending = this.#endings.get(id);
    if (!ending) throw new Error(`There was never a job ${id}`);
    return ending;
  }

  /** Stash ends: what waits will never run. */
  close(): void {
    this.#closed.abort();
  }

  async #run(job: Job, run: Work): Promise<void> {
    if (this.#closed.signal.aborted) return;
    job.status = 'RUNNING';
    job.startTime = this.#now();
    try {
      await run(job, this.#closed.signal);
      job.status = 'FINISHED';
    } catch (error) {
      job.error = error instanceof Error ? error.message : String(error);
      job.status = 'FAILED';
      this.log.write('error', `task failed due to error: ${job.error}`);
    }
    job.endTime = this.#now();
    this.#queue = this.#queue.filter((other) => other !== job);
    this.#finished = [...this.#finished, job].slice(-remembered);
  }

  #now(): string {
    return rfc3339(this.clock.now(), this.clock.utcOffsetMinutes);
  }
}
