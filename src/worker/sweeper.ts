/**
 * Works off the passes over Stash's library (`sync_all`, `sync_recent`, `reconcile`), page by page, by ascending id:
 * scenes that come or go meanwhile shift nothing. How far it has come is in the queue's journal together with the jobs
 * of the page, so that the next process goes on where this one ended. One page is in memory at a time.
 */
import type { Sweep } from '../queue/entries';
import type { Queue, SweepName } from '../queue/queue';
import type { Bell } from '../shared/bell';
import type { Clock } from '../shared/clock';
import type { Log } from '../shared/log';
import { counted } from '../shared/words';
import { StashTrouble } from '../stash/trouble';
import { type Reconcile, reconciledInWords } from './reconcile';
import type { StashLink } from './stash-link';

const pageSize = 1_000;
const lookAgainMs = 60_000;
/** When a pass cannot go on because Plex is not well. */
const plexWaitMs = 5_000;

/** What became of one page. */
export interface SweepPage {
  /** How many scenes were looked at, and how many jobs that made. */
  looked: number;
  queued: number;
  /** How many scenes Stash counts from here on. */
  total: number;
  /** Where the next page begins; null: this was the last one. */
  last: number | null;
  /** What differed, and how often, since the pass began. */
  found: Record<string, number>;
}

export interface SweeperParts {
  queue: Queue;
  /** What scenes are queued for. */
  targets: { readonly names: readonly string[]; relist(): void };
  stash: StashLink;
  reconcile: Pick<Reconcile, 'page'>;
  /** Resolves when the settings were read anew, or could not be. */
  freshSettings(): Promise<void>;
  /** Rung when there may be something to do. */
  bell: Bell;
  clock: Clock;
  log: Log;
  flush(): Promise<void>;
  /** `stuck`: Plex has to be well before it goes on. */
  onProgress(name: SweepName, sweep: Sweep, how: 'under way' | 'stuck' | 'done'): Promise<void>;
}

export class Sweeper {
  /** Those of which nothing is done yet, but all is prepared. */
  readonly #begun = new WeakSet<Sweep>();

  constructor(private readonly parts: SweeperParts) {}

  async run(signal: AbortSignal): Promise<void> {
    const { queue, stash, bell, clock } = this.parts;
    while (!signal.aborted) {
      const [next] = queue.sweeps();
      const waitMs = next ? stash.retryAt - clock.now() : lookAgainMs;
      const isStuck = next && waitMs <= 0 && !(await this.#page(next.name, next.sweep, signal));
      if (isStuck || waitMs > 0) await bell.wait(isStuck ? plexWaitMs : waitMs, clock, signal);
    }
  }

  /** False: it cannot go on now. */
  async #page(name: SweepName, sweep: Sweep, signal: AbortSignal): Promise<boolean> {
    const { queue, log, flush, onProgress } = this.parts;
    if (sweep.looked === 0) await this.#begin(sweep);
    // A person may clear the queue or ask anew meanwhile.
    const isCurrent = () => queue.sweeps().some((current) => current.sweep === sweep);
    if (!isCurrent()) return true;
    let page: SweepPage | 'listing' | null;
    try {
      page =
        name === 'reconcile'
          ? await this.parts.reconcile.page(sweep, isCurrent, signal)
          : await this.#queueAll(sweep, isCurrent, signal);
    } catch (error) {
      // How long to wait then, Stash's own back-off knows.
      if (signal.aborted || error instanceof StashTrouble) return true;
      throw error;
    }
    if (!isCurrent()) return true;
    if (page === null || page === 'listing') {
      // Whoever asked for it sees that it is under way.
      await onProgress(name, sweep, page === null ? 'stuck' : 'under way');
      return page === 'listing';
    }
    const now: Sweep = {
      ...sweep,
      looked: sweep.looked + page.looked,
      queued: sweep.queued + page.queued,
      total: sweep.total ?? page.total,
      found: page.found,
      after: page.last ?? sweep.after,
    };
    const done = page.last === null;
    queue.setSweep(name, done ? null : now);
    if (done && name === 'all') queue.dropFanOutsBefore(sweep.startedAt);
    if (done && name === 'reconcile') queue.setMemo('reconciled', this.parts.clock.now());
    await flush();
    if (done) {
      const queued = `Queued ${counted(now.queued, 'scene', 'scenes')} for a sync.`;
      log.info(name === 'reconcile' ? reconciledInWords(now) : queued);
    }
    await onProgress(name, now, done ? 'done' : 'under way');
    return true;
  }

  /** Once for each pass: it goes by the settings of now, and what Plex's libraries held earlier is not believed. */
  async #begin(sweep: Sweep): Promise<void> {
    const { freshSettings, targets } = this.parts;
    if (this.#begun.has(sweep)) return;
    this.#begun.add(sweep);
    await freshSettings();
    targets.relist();
  }

  async #queueAll(sweep: Sweep, isCurrent: () => boolean, signal: AbortSignal): Promise<SweepPage | null> {
    const { queue, targets, stash } = this.parts;
    const { since, after } = sweep;
    const ask = { after, updatedSince: since === null ? null : new Date(since), limit: pageSize };
    const page = await stash.ask((client) => client.sceneIds(ask, signal));
    if (!isCurrent()) return null;
    for (const scene of page.ids) {
      for (const target of targets.names)
        queue.add(target, scene, { bulk: true, asked: true, since: sweep.startedAt });
    }
    const { length } = page.ids;
    return { looked: length, queued: length, total: page.total, last: page.last, found: {} };
  }
}
