/**
 * Works off the changes of performers, studios, tags and groups: their scenes are queued for every target, as bulk
 * work. A change counts as done only when they are.
 *
 * What still exists is asked for in Stash, page by page, by ascending id. How far it has come is in the queue's journal
 * together with the jobs of the page, so that the next process goes on where this one ended; one page is in memory at
 * a time. A new event of the same object begins it anew: the pages before may have been read too early.
 *
 * What is gone cannot be asked for: each target's ledger knows which scenes had it when they were last synced there,
 * and all that are gone are looked for in one pass. A scene that is in flight at that moment may have been read while
 * the object was still there, and the ledger learns that only afterwards: it is synced once more.
 */
import type { FanOut } from '../queue/entries';
import type { Queue } from '../queue/queue';
import type { Bell } from '../shared/bell';
import type { Clock } from '../shared/clock';
import type { Log } from '../shared/log';
import { counted } from '../shared/words';
import { StashTrouble } from '../stash/trouble';
import type { StoredLedger } from '../sync/ledger';
import type { RelationKind } from '../sync/ledger-entry';
import { relationOf } from './fan-out-scope';
import type { StashLink } from './stash-link';

const pageSize = 1_000;
const lookAgainMs = 60_000;

export interface FanOutsParts {
  queue: Queue;
  targets: {
    /** What scenes are queued for. */
    readonly names: readonly string[];
    all(): { target: { name: string; ledger: Pick<StoredLedger, 'scenesWith'> } }[];
  };
  stash: Pick<StashLink, 'retryAt' | 'relatedSceneIds'>;
  /** Rung when there may be something to do. */
  bell: Bell;
  clock: Clock;
  log: Log;
  flush(): Promise<void>;
  /** Scenes were queued. */
  onQueued(): void;
}

export class FanOuts {
  /** What Stash failed to answer, so that one that it can never answer holds up no other. */
  readonly #failed = new Set<FanOut>();

  constructor(private readonly parts: FanOutsParts) {}

  async run(signal: AbortSignal): Promise<void> {
    const { queue, stash, bell, clock } = this.parts;
    while (!signal.aborted) {
      const waiting = queue.waitingFanOuts();
      const gone = waiting.filter(({ action }) => action === 'Destroy');
      if (gone.length > 0) {
        await this.#lookInLedgers(gone);
        continue;
      }
      const next = this.#choose(waiting);
      const waitMs = next ? stash.retryAt - clock.now() : lookAgainMs;
      if (next && waitMs <= 0) await this.#askStash(next, signal);
      else await bell.wait(waitMs, clock, signal);
    }
  }

  /** The oldest; those that Stash failed to answer come when all others have had their turn. */
  #choose(waiting: FanOut[]): FanOut | undefined {
    const next = waiting.find((fanOut) => !this.#failed.has(fanOut));
    if (next) return next;
    this.#failed.clear();
    return waiting[0];
  }

  async #lookInLedgers(gone: FanOut[]): Promise<void> {
    const { queue, targets, log } = this.parts;
    const wanted = new Map<RelationKind, Set<string>>();
    for (const { object, id } of gone) {
      const kind = relationOf[object];
      wanted.set(kind, (wanted.get(kind) ?? new Set()).add(String(id)));
    }
    const found = new Set<number>();
    for (const { target } of targets.all()) {
      const scenes = new Set(queue.flying(target.name));
      for (const [kind, ids] of wanted)
        for (const scene of target.ledger.scenesWith(kind, ids)) scenes.add(scene);
      for (const scene of scenes) {
        queue.add(target.name, scene, { bulk: true, asked: false });
        found.add(scene);
      }
    }
    for (const fanOut of gone) queue.moveFanOut(fanOut, null);
    log.info(
      `Queued ${counted(found.size, 'scene', 'scenes')} because of what is gone from Stash (${named(gone)}).`,
    );
    await this.#queued();
  }

  async #askStash(fanOut: FanOut, signal: AbortSignal): Promise<void> {
    const { queue, targets, stash, log } = this.parts;
    const { object, id, after } = fanOut;
    // A scene may show the studio above its own.
    const of = { object, id, withChildren: object === 'Studio' };
    const page = await stash.relatedSceneIds(of, after, pageSize, signal).catch((error: unknown) => {
      if (!signal.aborted && !(error instanceof StashTrouble)) throw error;
      this.#failed.add(fanOut);
      return null;
    });
    // There may have been another event, a cleared queue or the end of a sync of everything meanwhile.
    if (page === null || !queue.isCurrent(fanOut)) return;
    for (const scene of page.ids) {
      for (const target of targets.names) queue.add(target, scene, { bulk: true, asked: false });
    }
    queue.moveFanOut(fanOut, page.last);
    log.info(`Queued ${counted(page.ids.length, 'scene', 'scenes')} of ${named([fanOut])}, which changed.`);
    await this.#queued();
  }

  async #queued(): Promise<void> {
    await this.parts.flush();
    this.parts.onQueued();
  }
}

/** "tag 4", "12 performers, studios, tags or groups". */
function named(fanOuts: FanOut[]): string {
  const [first] = fanOuts;
  if (first && fanOuts.length === 1) return `${first.object.toLowerCase()} ${first.id}`;
  return `${fanOuts.length} performers, studios, tags or groups`;
}
