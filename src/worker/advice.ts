/**
 * What a person is advised to do when all scenes are better sent once: after the first configuration of a server, and
 * when a setting changed that says what Plex shows. Looked at whenever the settings were read.
 *
 * Holds: what was advised before a restart is advised after it, and no longer than it is of use: a sync of all scenes
 * ends it, and so does setting the setting back.
 */
import type { Queue } from '../queue/queue';
import type { Clock } from '../shared/clock';
import type { Settings } from '../stash/settings';
import { type SyncSettings, shownSettings } from '../stash/sync-settings';
import type { Notices, TargetNotices } from './notices';
import type { Target } from './target';

const welcomeMs = 24 * 3_600_000;

export interface AdviceParts {
  queue: Pick<Queue, 'memo' | 'setMemo'>;
  targets: { all(): { target: AdvisedTarget; notices: TargetNotices }[] };
  notices: Pick<Notices, 'say'>;
  clock: Clock;
}

type AdvisedTarget = Pick<Target, 'name' | 'missing' | 'isNewServer' | 'isAtEase'> & {
  ledger: { readonly size: number };
};

export class Advice {
  constructor(private readonly parts: AdviceParts) {}

  give(settings: SyncSettings & Pick<Settings, 'heldBecause'>): void {
    for (const { target, notices } of this.parts.targets.all()) {
      // Before Plex was found to be well it would be a promise too much.
      if (target.missing === null && target.isAtEase) this.#welcome(target, notices);
    }
    // A mistake is no change of mind.
    if (settings.heldBecause === null) this.#noteShown(settings);
  }

  /** All scenes are about to be sent by the settings of now. */
  applied(): void {
    this.parts.queue.setMemo('shown', null);
    this.parts.notices.say('shown', null);
  }

  /** Told once for each target, after its first configuration, and again when another server answers there. */
  #welcome(target: AdvisedTarget, notices: TargetNotices): void {
    const { queue, clock } = this.parts;
    const now = clock.now();
    const { name } = target;
    if (target.isNewServer) {
      target.isNewServer = false;
      queue.setMemo(`synced-all/${name}`, null);
      queue.setMemo(`configured/${name}`, now);
    }
    const since = Number(queue.memo(`configured/${name}`) ?? now);
    if (queue.memo(`configured/${name}`) === undefined) queue.setMemo(`configured/${name}`, now);
    const isDue = queue.memo(`synced-all/${name}`) === undefined && now - since < welcomeMs;
    const welcome =
      'Sluice is set up: from now on every edit goes to Plex. Scenes that you edited before are not sent by ' +
      'themselves: run the task "Sync all scenes" once.';
    notices.say('welcome', isDue ? welcome : null);
  }

  /** Scenes that were synced before a setting changed stay as they are until they are synced again. */
  #noteShown(settings: SyncSettings): void {
    const { queue, targets, notices } = this.parts;
    const shown = shownSettings(settings);
    const isSynced = targets.all().some(({ target }) => target.ledger.size > 0);
    if (queue.memo('shown') === undefined || !isSynced) queue.setMemo('shown', shown);
    const changed =
      'A setting changed that says what Plex shows. Scenes follow when they are edited or reconciled; run "Sync all ' +
      'scenes" to apply it to all of them now.';
    notices.say('shown', queue.memo('shown') === shown ? null : changed);
  }
}
