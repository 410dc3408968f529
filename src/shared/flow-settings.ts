/**
 * Every number that regulates the flow toward Plex: its default and the range that makes sense. Each is a setting:
 * `openSeconds` is `flowOpenSeconds` on Stash's page (those with a label) and SLUICE_FLOW_OPEN_SECONDS in the
 * environment (all of them).
 *
 * Holds: 0 is in no range, because as a setting it means the default.
 */
export interface FlowNumber {
  fallback: number;
  least: number;
  most: number;
  whole?: true;
  /** What the person sees on the settings page; without one it can be set by the environment only. */
  label?: string;
}

export const flowNumbers = {
  // The breaker.
  failuresInARow: {
    fallback: 5,
    least: 1,
    most: 100,
    whole: true,
    label: 'Failures until Plex counts as down',
  },
  overloadsInARow: {
    fallback: 3,
    least: 1,
    most: 100,
    whole: true,
    label: 'Overloads until Plex counts as down',
  },
  openSeconds: { fallback: 60, least: 1, most: 86_400, label: 'Wait after Plex failed' },
  openMaxSeconds: { fallback: 300, least: 1, most: 86_400, label: 'Longest wait after Plex failed' },
  /** The wait is lengthened at random by up to this much, so that several clients do not come back at once. */
  openJitterPercent: { fallback: 20, least: 0.1, most: 100 },
  windowSeconds: { fallback: 30, least: 1, most: 600 },
  windowResults: { fallback: 10, least: 1, most: 1_000, whole: true },
  windowErrorPercent: { fallback: 50, least: 1, most: 100 },

  // The recovery period.
  initialRate: {
    fallback: 5,
    least: 0.1,
    most: 1_000,
    label: 'Scenes per second at the start of a recovery',
  },
  targetRate: { fallback: 20, least: 0.1, most: 1_000, label: 'Scenes per second at the end of a recovery' },
  recoverySeconds: { fallback: 300, least: 1, most: 86_400, label: 'Length of a recovery' },
  lowestRate: { fallback: 0.5, least: 0.01, most: 100 },
  halvingSeconds: { fallback: 60, least: 1, most: 600 },
  halvingResults: { fallback: 5, least: 1, most: 1_000, whole: true },
  halvingErrorPercent: { fallback: 30, least: 1, most: 100 },
  healthyErrorPercent: { fallback: 10, least: 0.1, most: 100 },

  // The adaptive cap.
  latencyWeight: { fallback: 0.15, least: 0.01, most: 1 },
  latencyDriftPercent: { fallback: 0.05, least: 0.001, most: 10 },
  /** A server whose normal latency is below this is judged as if it were this: between 2 and 4 ms nothing is wrong. */
  quickMs: { fallback: 25, least: 1, most: 10_000 },
  distressFactor: { fallback: 1.8, least: 1.1, most: 100 },
  uneaseFactor: { fallback: 1.4, least: 1, most: 100 },
  distressCut: { fallback: 0.8, least: 0.1, most: 0.99 },
  overloadCut: { fallback: 0.5, least: 0.1, most: 0.99 },
  cutApartSeconds: { fallback: 5, least: 0.1, most: 3_600 },
  /** Of the cap, right after a cut, until the server is calm again or waiting for that does not help. */
  reliefPercent: { fallback: 20, least: 1, most: 100 },
  calmFactor: { fallback: 1.1, least: 1, most: 100 },
  reliefJobs: { fallback: 4, least: 1, most: 100 },
  growthPercent: { fallback: 5, least: 0.1, most: 100 },
  inUsePercent: { fallback: 70, least: 1, most: 100 },

  // Lanes, cooldown, Retry-After.
  lanes: { fallback: 2, least: 1, most: 20, whole: true, label: 'Scenes sent at the same time' },
  cooldownSeconds: { fallback: 5, least: 0.1, most: 3_600 },
  cooldownMaxSeconds: { fallback: 60, least: 0.1, most: 3_600 },
  /** How long Plex may take to answer one request. */
  requestSeconds: { fallback: 30, least: 0.1, most: 600 },
  retryAfterMaxSeconds: { fallback: 3_600, least: 1, most: 86_400 },

  // Retries of one job.
  transientTries: { fallback: 5, least: 1, most: 100, whole: true },
  transientBaseSeconds: { fallback: 5, least: 0.1, most: 600 },
  transientMaxSeconds: { fallback: 80, least: 0.1, most: 600 },
  missingTries: { fallback: 12, least: 1, most: 100, whole: true },
  missingBaseSeconds: { fallback: 30, least: 0.1, most: 600 },
  missingMaxSeconds: { fallback: 600, least: 0.1, most: 600 },
  /** How long after a sync without a cover one more look is taken: a scan tells of a scene before its cover exists. */
  coverSeconds: { fallback: 600, least: 0.1, most: 600 },
  deaths: { fallback: 3, least: 1, most: 100, whole: true },
} as const satisfies Record<string, FlowNumber>;

export type FlowSettings = { readonly [K in keyof typeof flowNumbers]: number };

export const flowDefaults: FlowSettings = Object.fromEntries(
  Object.entries(flowNumbers).map(([name, { fallback }]) => [name, fallback]),
) as Record<keyof typeof flowNumbers, number>;
