import type { TargetStatus } from '../../src/shared/status';

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

/** What was measured at one instant. */
export interface Sample {
  atMs: number;
  /** To Plex, since the sample before. */
  requests: number;
  waiting: number;
  plexIsUp: boolean;
  workerLives: boolean;
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
  breaker: {
    state: TargetStatus['breaker']['state'];
    cause: string | null;
    failuresInARow: number;
    /** Until the next try; null when none is planned. */
    nextTryMs: number | null;
    /** How long it stays open after each try. */
    openMs: number;
  };
  plexIsUp: boolean;
  requests: number;
  /** One for each scene: Plex shows what Stash says. */
  inStep: readonly boolean[];
  samples: readonly Sample[];
  lines: readonly Line[];
}
