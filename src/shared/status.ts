/** How things stand: the shape of `status.json` and of the answer to the task `status`. Times are ISO, without secrets. */
export interface Status {
  version: string;
  paused: boolean;
  worker: { alive: boolean; pid: number | null; since: string | null };
  stash: { reachable: boolean; since: string | null; error: string | null };
  /** Files in the inbox that are not yet in the queue. */
  inbox: number;
  /** Over all targets that are in use. */
  queue: QueueStatus & { fanOuts: number };
  deadLetters: number;
  /** Passes over Stash's library that are under way. */
  passes: {
    name: 'sync_all' | 'sync_recent' | 'reconcile';
    startedAt: string;
    looked: number;
    queued: number;
    /** How many scenes there are to look at; null: not known yet. */
    total: number | null;
  }[];
  targets: Record<string, TargetStatus>;
}

export interface QueueStatus {
  /** All jobs that are not finished; the others are parts of it. */
  waiting: number;
  /** Could be sent now, as far as the job itself is concerned. */
  due: number;
  inFlight: number;
  /** Of those that are due: met an overload, and wait for the end of the cooldown. */
  parked: number;
  /** Failed before: waits for its next try, or is due again. */
  retrying: number;
}

/** What keeps the next job back, or slows it down. */
export type Limit =
  | 'none'
  | 'paused'
  | 'not configured'
  | 'breaker'
  | 'retry-after'
  | 'cooldown'
  | 'ramp'
  | 'cap'
  | 'lanes';

export type CallKind = 'read' | 'edit' | 'upload' | 'listing';

export interface TargetStatus {
  url: string | null;
  /** The gate's last decision in words: why jobs flow, or do not. */
  reason: string;
  breaker: {
    state: 'CLOSED' | 'OPEN' | 'HALF_OPEN';
    cause: string | null;
    /** An outage: since its beginning. Otherwise: since the last one ended. */
    since: string | null;
    retryAt: string | null;
    failuresInARow: number;
    overloadsInARow: number;
    /** 0 to 1, of the results in the window (30 s); null: there was none. */
    errorRate: number | null;
  };
  recovery: {
    active: boolean;
    startedAt: string | null;
    endsAt: string | null;
    /** 0 to 1. */
    progress: number | null;
    /** 1, or less while errors make the ramp slower. */
    multiplier: number;
  };
  rate: {
    /** What the limits allow now; null: no limit. */
    perSecond: number | null;
    limitedBy: Limit;
    /** What was really sent, over the last seconds. */
    achieved: number;
    tokens: number | null;
    /** The adaptive cap; null: none. */
    cap: number | null;
  };
  cooldown: {
    until: string | null;
    /** Until when Plex asked us to wait. */
    retryAfter: string | null;
    generations: number;
    participants: number;
    parked: number;
    released: number;
  };
  /** Only the kinds of calls that were made. */
  latency: Partial<Record<CallKind, { smoothedMs: number; normalMs: number; p95Ms: number }>>;
  queue: QueueStatus;
  done: number;
  retried: number;
  failed: number;
  /** Of those that are done: how many were left out, by the setting that did, or by `no-file` and `not-in-plex`. */
  filtered: Record<string, number>;
}
