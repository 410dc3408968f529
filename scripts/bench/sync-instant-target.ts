/** A target whose Plex is in this process; its gate, ledger, finder and index are the real ones. */
import { PlexFinder } from '../../src/plex/finder';
import { FolderScanner } from '../../src/plex/scanner';
import { systemClock } from '../../src/shared/clock';
import type { Outcome } from '../../src/shared/outcome';
import { syncDefaults } from '../../src/stash/sync-settings';
import { Habits } from '../../src/sync/habits';
import { OneAtATime } from '../../src/sync/one-at-a-time';
import type { PlanPorts, SyncJob } from '../../src/sync/plan';
import { type SyncPorts, syncScene } from '../../src/sync/sync-scene';
import { Target, type TargetParts } from '../../src/worker/target';
import type { InstantPlex } from './sync-instant-plex';

/** As with a real server. */
const worthListing = 100;

export class InstantTarget extends Target {
  readonly #ports: Omit<SyncPorts, 'stash' | 'signal'>;
  readonly #due: () => number;

  constructor(parts: TargetParts, plex: InstantPlex) {
    super(parts);
    const { ledger, keep, clock } = parts;
    const finder = new PlexFinder({ client: plex, libraries: [], rules: [], matchByName: false, clock });
    const scanner = new FolderScanner({ client: plex, clock });
    const own = { habits: new Habits(), items: new OneAtATime(), settings: syncDefaults };
    this.#ports = { plex, finder, scanner, ledger, keep, ...own, clock: systemClock, coverMs: 0 };
    this.#due = parts.due;
    this.missing = null;
  }

  override relist(): void {
    this.#ports.finder.index.expire();
  }

  protected override attempt(
    job: SyncJob & { bulk?: boolean },
    stash: PlanPorts['stash'],
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { index } = this.#ports.finder;
    const listFirst = job.bulk === true && (index.isReady() || this.#due() >= worthListing);
    return syncScene({ ...job, listFirst }, { ...this.#ports, stash, signal });
  }
}
