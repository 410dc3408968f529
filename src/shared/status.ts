/** How things stand: the shape of `status.json` and of the answer to the task `status`. Times are ISO, without secrets. */
export interface Status {
  version: string;
  paused: boolean;
  worker: { alive: boolean; pid: number | null; since: string | null };
  stash: { reachable: boolean; since: string | null; error: string | null };
  /** Files in the inbox that are not yet in the queue. */
  inbox: number;
  queue: {
    /** All jobs that are not finished, over all targets; the others are parts of it. */
    waiting: number;
    due: number;
    inFlight: number;
    parked: number;
    retrying: number;
    fanOuts: number;
  };
  deadLetters: number;
  targets: Record<string, TargetStatus>;
}

export interface TargetStatus {
  url: string | null;
  breaker: {
    state: 'CLOSED' | 'OPEN' | 'HALF_OPEN';
    cause: string | null;
    since: string | null;
    retryAt: string | null;
    failuresInARow: number;
  };
  recovery: { active: boolean; startedAt: string | null; progress: number | null };
  rate: {
    /** null: no limit. */
    perSecond: number | null;
    limitedBy: 'none' | 'paused' | 'breaker' | 'retry-after' | 'cooldown' | 'ramp' | 'cap';
  };
  done: number;
  failed: number;
}
