/**
 * Compares every scene with the ledger and with what Plex's libraries hold, and queues what differs: Stash runs no hook
 * for merges, auto-tagging, generated covers and moved folders, and drops hooks when a browser tab is closed in the
 * middle of a bulk edit; a person may change things in Plex.
 *
 * It is one of the sweeper's passes: page by page, its position is in the queue's journal with the jobs of the page.
 * Plex is only listed, one request at a time, and only while it is well and nobody paused; otherwise the pass waits where
 * it is. Of several servers, one that stays away does not keep the others waiting for more than some minutes.
 *
 * Holds: a scene that is in step is not queued, and one that waits already keeps its place and its tries; a ledger entry
 * or a dead letter whose scene is gone from Stash goes.
 */
import type { KeyedStore } from '../persist/keyed-store';
import { isItemsFault, PlexError } from '../plex/errors';
import type { DeadLetter, Sweep } from '../queue/entries';
import type { Queue } from '../queue/queue';
import type { Clock } from '../shared/clock';
import type { Log } from '../shared/log';
import { counted } from '../shared/words';
import type { Scene } from '../stash/scene';
import { type Difference, differences, whyDifferent } from '../sync/whether-different';
import type { StashLink } from './stash-link';
import type { SweepPage } from './sweeper';
import type { Target } from './target';

/** Whole scenes, so fewer than of ids alone. */
const pageSize = 250;

/** How long those that are well wait for the others. */
const patienceMs = 10 * 60_000;

export interface ReconcileParts {
  queue: Queue;
  deadLetters: KeyedStore<DeadLetter>;
  targets: { all(): { target: ReconciledTarget }[] };
  stash: StashLink;
  clock: Clock;
  log: Log;
  /** Dead letters of this target went. */
  onLettersChanged(target: string): void;
}

export type ReconciledTarget = Pick<Target, 'name' | 'missing' | 'isAtEase' | 'doubt' | 'reading' | 'ledger'>;

type Reading = NonNullable<ReturnType<ReconciledTarget['reading']>>;

/** A target whose libraries are listed. */
interface Ready {
  target: ReconciledTarget;
  reading: Reading;
}

export class Reconcile {
  /** Since when a pass, told by its start, waits for a target. */
  #waits: { startedAt: number; since: number } | null = null;

  constructor(private readonly parts: ReconcileParts) {}

  /**
   * Queues what differs on the next page; 'listing': that needs a listing of Plex's libraries, which got on; null: Plex
   * cannot be listed now, or the pass is not wanted any more.
   */
  async page(
    sweep: Sweep,
    isCurrent: () => boolean,
    signal: AbortSignal,
  ): Promise<SweepPage | 'listing' | null> {
    const { queue, stash, clock } = this.parts;
    if (queue.isPaused) return null;
    const ready = await this.#ready(sweep, signal);
    if (ready === null || ready === 'listing') return ready;
    const { after } = sweep;
    const ask = { after, updatedSince: null, limit: pageSize };
    const askedAt = clock.now();
    const page = await stash.ask((client) => client.scenes(ask, signal));
    if (!isCurrent()) return null;
    const found = { ...sweep.found };
    let queued = 0;
    for (const { target, reading } of ready) {
      for (const scene of page.scenes) {
        const why = this.#whyDifferent(target.name, scene, reading);
        const isHeld = why === 'new' && !sweep.asked && !this.#isAllWanted(target.name);
        if (why === null || (!isHeld && !this.#queue(target.name, scene.id, why))) continue;
        const as = isHeld ? unsent : why;
        found[as] = (found[as] ?? 0) + 1;
        if (!isHeld) queued++;
      }
      this.#forgetTheGone(target, new Set(page.scenes.map(({ id }) => id)), after, page.last, askedAt);
    }
    return { looked: page.scenes.length, queued, total: page.total, last: page.last, found };
  }

  async #ready({ startedAt }: Sweep, signal: AbortSignal): Promise<Ready[] | 'listing' | null> {
    const { targets, stash, clock } = this.parts;
    const used = targets.all().filter(({ target }) => target.missing === null);
    const ready: Ready[] = [];
    for (const { target } of used) {
      const reading = target.isAtEase ? target.reading(stash, signal) : null;
      if (reading?.finder.index.isReady()) ready.push({ target, reading });
      else if (reading?.finder.index.isUsable() && (await this.#list(target, reading, signal)))
        return 'listing';
    }
    const now = clock.now();
    if (ready.length === used.length) this.#waits = null;
    else if (this.#waits?.startedAt !== startedAt) this.#waits = { startedAt, since: now };
    const isPatient = this.#waits !== null && Math.abs(now - this.#waits.since) < patienceMs;
    return ready.length === 0 || isPatient ? null : ready;
  }

  async #list(target: ReconciledTarget, { finder }: Reading, signal: AbortSignal): Promise<boolean> {
    try {
      await finder.advance(signal);
      return true;
    } catch (error) {
      if (!(error instanceof PlexError)) throw error;
      this.parts.log.debug(
        `Reconcile waits: the libraries of ${target.name} could not be listed. ${error.message}`,
      );
      if (isItemsFault(error)) finder.index.failed();
      else target.doubt();
      return false;
    }
  }

  #whyDifferent(target: string, scene: Scene, reading: Reading): Difference | null {
    const givenUp = this.parts.deadLetters.get(`${target}/${scene.id}`)?.kind ?? null;
    return whyDifferent(scene, givenUp, reading);
  }

  /** Nothing that was never synced is sent in bulk before a person asked for that once. */
  #isAllWanted(target: string): boolean {
    return this.parts.queue.memo(`synced-all/${target}`) !== undefined;
  }

  /** False: it waits already, and would only lose count of its tries. */
  #queue(target: string, scene: number, why: Difference): boolean {
    const { queue } = this.parts;
    const asked = why === 'plex' || why === 'lost';
    const job = queue.job(target, scene);
    if (job && (job.attempts > 0 || job.asked || !asked)) return false;
    queue.add(target, scene, { bulk: true, asked });
    return true;
  }

  /**
   * Those between the last page and the end of this one that Stash did not name. One that was synced since Stash was
   * asked may be newer than the answer.
   */
  #forgetTheGone(
    { name, ledger }: ReconciledTarget,
    there: ReadonlySet<number>,
    after: number,
    last: number | null,
    askedAt: number,
  ): void {
    const { deadLetters, onLettersChanged } = this.parts;
    const end = last ?? Number.POSITIVE_INFINITY;
    const isGone = (scene: number, at: number) =>
      scene > after && scene <= end && !there.has(scene) && at < askedAt;
    const scenes: number[] = [];
    for (const scene of ledger.scenes()) {
      if (scene > after && scene <= end && isGone(scene, ledger.get(scene)?.at ?? 0)) scenes.push(scene);
    }
    for (const scene of scenes) ledger.remove(scene);
    const letters = [...deadLetters.entries()].filter(
      ([, { target, scene, at }]) => target === name && isGone(scene, at),
    );
    for (const [key] of letters) deadLetters.delete(key);
    if (letters.length > 0) onLettersChanged(name);
  }
}

/** How often a scene was never synced, and is not to be either as long as nobody asked for all of them. */
const unsent = 'unsent';

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
  const rest = found[unsent] ?? 0;
  const held = `${counted(rest, 'scene was', 'scenes were')} never synced: run "Sync all scenes" to send ${rest === 1 ? 'it' : 'them'}.`;
  const result = queued > 0 ? `${queued} queued${why}` : `and all ${rest > 0 ? 'others ' : ''}are in step`;
  const compared = `Reconciled: ${counted(looked, 'scene was', 'scenes were')} compared, ${result}.`;
  return rest > 0 ? `${compared} ${held}` : compared;
}
