/**
 * Compares every scene with the ledger and with what Plex's libraries hold, and queues what differs: Stash runs no hook
 * for merges, auto-tagging, generated covers and moved folders, and drops hooks when a browser tab is closed in the
 * middle of a bulk edit; a person may change things in Plex.
 *
 * It is one of the sweeper's passes: page by page, its position is in the queue's journal with the jobs of the page.
 * Plex is only listed, while its gate is closed to nobody; when it is not well the pass waits where it is.
 *
 * Holds: a scene that is in step is not queued; a ledger entry whose scene is gone from Stash goes.
 */
import type { KeyedStore } from '../persist/keyed-store';
import { PlexError } from '../plex/errors';
import type { DeadLetter, Sweep } from '../queue/entries';
import type { Queue } from '../queue/queue';
import type { Log } from '../shared/log';
import { counted } from '../shared/words';
import type { Scene } from '../stash/scene';
import { type Difference, differences, whyDifferent } from '../sync/whether-different';
import type { StashLink } from './stash-link';
import type { SweepPage } from './sweeper';
import type { Target } from './target';

/** Whole scenes, so fewer than of ids alone. */
const pageSize = 250;

export interface ReconcileParts {
  queue: Queue;
  deadLetters: KeyedStore<DeadLetter>;
  targets: { all(): { target: ReconciledTarget }[] };
  stash: StashLink;
  log: Log;
}

export type ReconciledTarget = Pick<Target, 'name' | 'missing' | 'reading' | 'ledger'>;

type Reading = NonNullable<ReturnType<ReconciledTarget['reading']>>;

export class Reconcile {
  constructor(private readonly parts: ReconcileParts) {}

  /** Queues what differs on the next page; null: Plex cannot be listed now, or the pass is not wanted any more. */
  async page(sweep: Sweep, isCurrent: () => boolean, signal: AbortSignal): Promise<SweepPage | null> {
    const { queue, targets, stash } = this.parts;
    const used = targets.all().filter(({ target }) => target.missing === null);
    if (queue.isPaused || used.length === 0) return null;
    const readings: { target: ReconciledTarget; reading: Reading }[] = [];
    for (const { target } of used) {
      const reading = target.reading(stash, signal);
      if (reading === null || !(await this.#isListed(target.name, reading, signal))) return null;
      readings.push({ target, reading });
    }
    const { after } = sweep;
    const ask = { after, updatedSince: null, limit: pageSize };
    const page = await stash.ask((client) => client.scenes(ask, signal));
    if (!isCurrent()) return null;
    const found = { ...sweep.found };
    let queued = 0;
    for (const { target, reading } of readings) {
      for (const scene of page.scenes) {
        const why = this.#whyDifferent(target.name, scene, reading);
        if (why === null) continue;
        queue.add(target.name, scene.id, { bulk: true, asked: why === 'plex' || why === 'lost' });
        found[why] = (found[why] ?? 0) + 1;
        queued++;
      }
      this.#forgetTheGone(target, page.scenes, after, page.last);
    }
    return { looked: page.scenes.length, queued, total: page.total, last: page.last, found };
  }

  async #isListed(name: string, { finder }: Reading, signal: AbortSignal): Promise<boolean> {
    try {
      while (!finder.index.isReady()) await finder.advance(signal);
      return true;
    } catch (error) {
      if (!(error instanceof PlexError)) throw error;
      this.parts.log.debug(`Reconcile waits: the libraries of ${name} could not be listed. ${error.message}`);
      return false;
    }
  }

  #whyDifferent(target: string, scene: Scene, reading: Reading): Difference | null {
    const isGivenUp = this.parts.deadLetters.get(`${target}/${scene.id}`) !== undefined;
    return whyDifferent(scene, isGivenUp, reading);
  }

  /** Those between the last page and the end of this one that Stash did not name. */
  #forgetTheGone(
    { name, ledger }: ReconciledTarget,
    scenes: readonly Scene[],
    after: number,
    last: number | null,
  ): void {
    const there = new Set(scenes.map(({ id }) => id));
    const end = last ?? Number.POSITIVE_INFINITY;
    for (const scene of [...ledger.scenes()]) {
      if (scene <= after || scene > end || there.has(scene)) continue;
      ledger.remove(scene);
      this.parts.deadLetters.delete(`${name}/${scene}`);
    }
  }
}

/** What a finished pass found, for people. */
export function reconciledInWords({
  looked,
  queued,
  found,
}: Pick<Sweep, 'looked' | 'queued' | 'found'>): string {
  const parts = Object.entries(differences)
    .filter(([difference]) => (found[difference] ?? 0) > 0)
    .map(([difference, words]) => `${found[difference]} ${words}`);
  const why = parts.length > 0 ? ` (${parts.join(', ')})` : '';
  return `Reconciled: ${counted(looked, 'scene was', 'scenes were')} compared, ${queued === 0 ? 'and all are in step' : `${queued} queued${why}`}.`;
}
