/** Something that happened, in words. */
export interface Line {
  /** Since the beginning. */
  atMs: number;
  kind: 'save' | 'good' | 'bad' | 'note';
  text: string;
  /** How long the person waited for the save. */
  tookMs?: number;
}

export interface Save {
  scenes: number;
  tookMs: number;
}

/** How the way to Plex stands: the breaker's states, and `recovery` while it is closed but the ramp still limits. */
export type GateState = 'closed' | 'recovery' | 'open' | 'half-open';

/** What was measured at one instant. */
export interface Sample {
  atMs: number;
  /** To Plex, since the sample before. */
  requests: number;
  waiting: number;
  plexIsUp: boolean;
  workerLives: boolean;
  gate: GateState;
  /** How far up the ramp is, as a part of the rate at its end; 0 when there is none. */
  ramp: number;
}

/** The recovery period after the outage, and what came to Plex around it. All times since the beginning. */
export interface Recovery {
  startedAtMs: number;
  endsAtMs: number;
  /** Scenes per second at these two instants; between them it rises evenly. */
  initialRate: number;
  targetRate: number;
  /** When each scene came to Plex, also before and after the period. */
  sentAtMs: readonly number[];
}

/** All that the screen shows at one instant. */
export interface Moment {
  atMs: number;
  saves: readonly Save[];
  /** Files of hooks that nobody has taken in yet. */
  inbox: number;
  /** As the worker last said: jobs not finished, and those of them that failed and are tried again. */
  waiting: number;
  retrying: number;
  workerPid: number | null;
  gate: {
    is: GateState;
    cause: string | null;
    /** Tries in vain since it opened. */
    failedTries: number;
    /** Until the next try; null when none is planned. */
    nextTryMs: number | null;
    /** How long it stays open after each try. */
    openMs: number;
    /** Scenes per second that the worker says it may send, and that it did send; null: no limit. */
    rate: number | null;
    achieved: number;
  };
  /** Null until the first one began. */
  recovery: Recovery | null;
  plexIsUp: boolean;
  requests: number;
  /** One for each scene: Plex shows what Stash says. */
  inStep: readonly boolean[];
  samples: readonly Sample[];
  lines: readonly Line[];
}
