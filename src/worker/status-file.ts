/**
 * How things stand, for people and for programs: `status.json` at every tick, and the same numbers in `metrics.prom`
 * as often as a scraper may want them.
 */
import { writeFileWhole, writeJson } from '../persist/atomic-file';
import type { StatePaths } from '../persist/paths';
import { type Clock, iso } from '../shared/clock';
import { metricsText } from '../shared/metrics';
import type { QueueStatus, Status } from '../shared/status';
import { version } from '../shared/version';
import type { StashLink } from './stash-link';
import type { State } from './state';
import type { Targets } from './targets';

const metricsEveryMs = 5_000;

export interface StatusParts {
  paths: StatePaths;
  state: State;
  stash: StashLink;
  targets: Targets;
  /** Files in the inbox that are not yet in the queue. */
  inbox: { count(): number };
  clock: Clock;
}

export class StatusFile {
  readonly #since: string;
  #metricsAt = 0;

  constructor(private readonly parts: StatusParts) {
    this.#since = iso(parts.clock.now());
  }

  /** `alive`: false at the end, when the worker is about to go. */
  async write(alive: boolean): Promise<void> {
    const { paths, clock } = this.parts;
    const status = this.#status(alive);
    await writeJson(paths.status, status);
    const now = clock.now();
    if (alive && Math.abs(now - this.#metricsAt) < metricsEveryMs) return;
    await writeFileWhole(paths.metrics, metricsText(status));
    this.#metricsAt = now;
  }

  #status(alive: boolean): Status {
    const { state, stash, inbox } = this.parts;
    const { queue, deadLetters } = state;
    const paused = queue.isPaused;
    const targets: Status['targets'] = {};
    for (const { target } of this.parts.targets.all()) {
      const { name } = target;
      targets[name] = target.status(paused, queue.counts(name), queue.tally(name));
    }
    return {
      version,
      paused,
      worker: alive ? { alive, pid: process.pid, since: this.#since } : { alive, pid: null, since: null },
      stash: stash.health,
      inbox: inbox.count(),
      queue: { ...sum(Object.values(targets).map((one) => one.queue)), fanOuts: queue.fanOuts },
      deadLetters: deadLetters.size,
      passes: queue.sweeps().map(({ name, sweep: { startedAt, looked, queued, total } }) => ({
        name: passNames[name],
        startedAt: iso(startedAt),
        looked,
        queued,
        total,
      })),
      targets,
    };
  }
}

const passNames = { all: 'sync_all', recent: 'sync_recent', reconcile: 'reconcile' } as const;

function sum(parts: QueueStatus[]): QueueStatus {
  const total = { waiting: 0, due: 0, inFlight: 0, parked: 0, retrying: 0 };
  for (const part of parts) {
    for (const key of Object.keys(total) as (keyof QueueStatus)[]) total[key] += part[key];
  }
  return total;
}
