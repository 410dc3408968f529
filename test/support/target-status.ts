import type { TargetStatus } from '../../src/shared/status';

/** A target that is well and has nothing to do. */
export const quietTarget: TargetStatus = {
  url: 'http://plex',
  reason: 'Scenes go to Plex without a limit.',
  breaker: {
    state: 'CLOSED',
    cause: null,
    since: null,
    retryAt: null,
    failuresInARow: 0,
    overloadsInARow: 0,
    errorRate: null,
  },
  recovery: { active: false, startedAt: null, endsAt: null, progress: null, multiplier: 1 },
  rate: { perSecond: null, limitedBy: 'none', achieved: 0, tokens: null, cap: null },
  cooldown: { until: null, retryAfter: null, generations: 0, participants: 0, parked: 0, released: 0 },
  latency: {},
  queue: { waiting: 0, due: 0, inFlight: 0, parked: 0, retrying: 0 },
  done: 0,
  retried: 0,
  failed: 0,
  filtered: {},
};
