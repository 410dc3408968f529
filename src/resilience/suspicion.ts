/**
 * Tells a job that makes a server fail from a server that fails. Pure; in memory only: a restart gives everybody the
 * benefit of the doubt.
 *
 * A server's fault never costs a job an attempt, and a job keeps its place. But one scene that Stash cannot read, or
 * one item at which Plex always hangs, would then be first again and again, and nothing behind it would ever be sent.
 * So: when a job meets a fault again although the server was seen well in between, it lets the others go first for a
 * while; and when others have succeeded meanwhile, it is charged like any job that fails by itself.
 *
 * An overload is never charged, and its jobs come back in their old order: a busy server answers so to anybody. Only
 * after several rounds such a job lets the others go first.
 *
 * The same the other way round: a failure of the job's own kind ("transient", such as HTTP 500) is charged the first
 * time, and then only if another job succeeded since its last try. A Plex that answers 500 to everything costs nobody
 * more than one attempt.
 */
export interface Seen {
  /** How often the server that failed was seen well, so far. */
  well: number;
  /** How many jobs have succeeded, so far. */
  successes: number;
}

export type Judgement =
  /** The server's fault: back to its place. */
  | 'not its fault'
  /** Let the others go first; `rounds`: how often in a row that was so. */
  | { lastFor: number }
  | 'its fault';

/** So often in a row an overload may meet the same job although the server was well in between. */
const patientRounds = 3;

interface Record extends Seen {
  rounds: number;
}

export class Suspicion {
  readonly #records = new Map<string, Record>();

  /** The server failed while it worked on this job. */
  fault(job: string, now: Seen, isOverload = false): Judgement {
    const before = this.#records.get(job);
    const wasWell = before !== undefined && now.well > before.well;
    const rounds = before === undefined ? 0 : before.rounds + (wasWell ? 1 : 0);
    this.#records.set(job, { ...now, rounds });
    if (!wasWell) return 'not its fault';
    if (isOverload) return rounds <= patientRounds ? 'not its fault' : { lastFor: rounds - patientRounds };
    return rounds >= 2 && now.successes > before.successes ? 'its fault' : { lastFor: rounds };
  }

  /** The job failed by itself, as far as can be seen. */
  failure(job: string, now: Seen): 'its fault' | { lastFor: number } {
    const before = this.#records.get(job);
    this.#records.set(job, { ...now, rounds: before?.rounds ?? 0 });
    return before === undefined || now.successes > before.successes ? 'its fault' : { lastFor: 1 };
  }

  /** Whether the job's last result was a failure, whoever's fault that was. */
  has(job: string): boolean {
    return this.#records.has(job);
  }

  clear(job: string): void {
    this.#records.delete(job);
  }
}
