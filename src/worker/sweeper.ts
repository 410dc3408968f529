/**
 * Works off the passes over Stash's library (`sync_all`, `sync_recent`), page by page, by ascending id: scenes that
 * come or go meanwhile shift nothing. How far it has come is in the queue's journal together with the jobs of the
 * page, so that the next process goes on where this one ended. One page is in memory at a time.
 */
import type { Sweep } from '../queue/entries';
import type { Queue, SweepName } from '../queue/queue';
import type { Bell } from '../shared/bell';
import type { Clock } from '../shared/clock';
import type { Log } from '../shared/log';
import { counted } from '../shared/words';
import { StashTrouble } from '../stash/trouble';
import type { StashLink } from './stash-link';

const pageSize = 1_000;
const lookAgainMs = 60_000;

export interface SweeperParts {
  queue: Queue;
  /** What scenes are queued for. */
  targets: { readonly names: readonly string[] };
  stash: StashLink;
  /** Rung when there may be something to do. */
  bell: Bell;
  clock: Clock;
  log: Log;
  flush(): Promise<void>;
  onProgress(name: SweepName, sweep: Sweep, done: boolean): Promise<void>;
}

export class Sweeper {
  constructor(private readonly parts: SweeperParts) {}

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const [next] = this.parts.queue.sweeps();
      const waitMs = next ? this.parts.stash.retryAt - this.parts.clock.now() : lookAgainMs;
      if (next && waitMs <= 0) {
        await this.#page(next.name, next.sweep, signal);
      } else {
        await this.parts.bell.wait(waitMs, this.parts.clock, signal);
      }
    }
  }

  async #page(name: SweepName, sweep: Sweep, signal: AbortSignal): Promise<void> {
    const { since, after } = sweep;
    const updatedSince = since === null ? null : new Date(since);
    const ask = { after, updatedSince, limit: pageSize };
    const page = await this.parts.stash
      .ask((client) => client.sceneIds(ask, signal))
      .catch((error: unknown) => {
        if (signal.aborted || error instanceof StashTrouble) return null;
        throw error;
      });
    if (page === null) return;
    // A person may have cleared the queue or asked anew meanwhile.
    if (!this.parts.queue.sweeps().some((current) => current.sweep === sweep)) return;
    for (const scene of page.ids) {
      for (const target of this.parts.targets.names)
        this.parts.queue.add(target, scene, { bulk: true, asked: true });
    }
    const queued = sweep.queued + page.ids.length;
    const now: Sweep = { ...sweep, queued, total: sweep.total ?? page.total, after: page.last ?? after };
    this.parts.queue.setSweep(name, page.last === null ? null : now);
    if (page.last === null && name === 'all') this.parts.queue.dropFanOutsBefore(sweep.startedAt);
    await this.parts.flush();
    if (page.last === null) this.parts.log.info(`Queued ${counted(queued, 'scene', 'scenes')} for a sync.`);
    await this.parts.onProgress(name, now, page.last === null);
  }
}
