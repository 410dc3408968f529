/**
 * How many scenes a second the worker brings in step apart from the network, and whether a scene costs more when there
 * are many: the real queue, drain loop, target with its gate, index, ledger and log, all on disk, with a Stash and a
 * Plex in this process that answer at once.
 *
 * What grows is judged by processor time: other work on the machine lengthens the time on the wall, hardly that. Sizes
 * are measured in turns and medians are compared.
 */
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Bell } from '../../src/shared/bell';
import { systemClock } from '../../src/shared/clock';
import { flowDefaults } from '../../src/shared/flow-settings';
import { syncDefaults } from '../../src/stash/sync-settings';
import { Drain } from '../../src/worker/drain';
import { FlightLog } from '../../src/worker/flight-log';
import { Notices } from '../../src/worker/notices';
import { Target } from '../../src/worker/target';
import { median, progress, say } from './measure';
import { openOwnState, queueScenes, targetName } from './own-state';
import { type Asked, InstantPlex } from './sync-instant-plex';
import { InstantStash } from './sync-library';
import type { Row } from './table';

export const sizes = [1_000, 10_000, 50_000] as const;
type Size = (typeof sizes)[number];

export const passes = {
  first: 'first sync_all, everything is written',
  second: 'second sync_all, nothing has changed',
  changed: 'bulk edit, every title has changed',
} as const;
type Pass = keyof typeof passes;

/** Of one scene. */
interface Cost {
  cpuMs: number;
  wallMs: number;
}

type Samples = Record<Pass, Cost[]>;

/** How often each size is measured in one round. */
const times: Record<Size, number> = { 1_000: 5, 10_000: 2, 50_000: 1 };
const rounds = 2;
const limit = 1.2;
