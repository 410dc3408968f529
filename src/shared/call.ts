import type { CallKind } from './status';

/** One request to Plex, as the gate sees it. */
export interface Call {
  kind: CallKind;
  startedAt: number;
  ms: number;
  /** `failed`: no whole answer came. What the answer says about an item does not matter here. */
  end: 'answered' | 'overloaded' | 'failed';
  /** What Plex asked for with Retry-After. */
  retryAfterMs: number | null;
}
