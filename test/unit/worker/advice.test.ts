import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryStore } from '../../../src/persist/keyed-store';
import type { QueueEntry } from '../../../src/queue/entries';
import { Queue } from '../../../src/queue/queue';
import { type SyncSettings, syncDefaults } from '../../../src/stash/sync-settings';
import { Advice } from '../../../src/worker/advice';
import { Notices } from '../../../src/worker/notices';
import { MemoryLog } from '../../support/memory-log';
import { tempDir } from '../../support/temp-dir';
import { VirtualClock } from '../../support/virtual-clock';

describe('advice', () => {
  let clock: VirtualClock;
  let store: MemoryStore<QueueEntry>;
  let queue: Queue;
  let notices: Notices;
  let targets: {
    name: string;
    missing: string | null;
    isNewServer: boolean;
    isAtEase: boolean;
    ledger: { size: number };
  }[];
  let advice: Advice;

  beforeEach(() => {
    clock = new VirtualClock();
    store = new MemoryStore();
    targets = [{ name: 'plex', missing: null, isNewServer: false, isAtEase: true, ledger: { size: 0 } }];
    open();
  });

  /** As the next process would find it. */
  const open = () => {
    queue = new Queue(store, clock);
    notices = new Notices(join(tempDir(), 'notice'), new MemoryLog());
    const all = () => targets.map((target) => ({ target, notices: notices.about(target.name, '') }));
    advice = new Advice({ queue, targets: { all }, notices, clock });
  };
  const give = (changed: Partial<SyncSettings> = {}, heldBecause: string | null = null) => {
    advice.give({ ...syncDefaults, ...changed, heldBecause });
    return notices.sentences.join('\n');
  };
  /** What the command does, and what comes of it. */
  const syncAll = () => {
    for (const { name, ledger } of targets) {
      queue.setMemo(`synced-all/${name}`, clock.now());
      ledger.size = 7;
    }
    advice.applied();
  };

  describe('about settings that say what Plex shows', () => {
    const told = 'A setting changed that says what Plex shows.';

    it('is given when one changed after everything was synced, also by the next process', () => {
      syncAll();
      expect(give()).toBe('');
      expect(give({ syncTagsAs: 'labels' })).toContain(told);
      open();
      expect(give({ syncTagsAs: 'labels' })).toContain('run "Sync all scenes" to apply it');
    });

    it('ends with a sync of everything', () => {
      syncAll();
      give();
      give({ syncTagsAs: 'labels' });
      syncAll();
      expect(notices.sentences).toEqual([]);
      expect(give({ syncTagsAs: 'labels' })).toBe('');
      expect(give({ syncTagsAs: 'genres' })).toContain(told);
    });

    it('is not given for a mistake, which is no change of mind', () => {
      syncAll();
      give();
      expect(give({ syncTagsAs: 'genres', syncSkipFields: [] }, 'Something is misspelt.')).toBe('');
      expect(give({ syncStudioParent: true }, 'Something is misspelt.')).toBe('');
    });

    it('ends when the setting is set back', () => {
      syncAll();
      give();
      expect(give({ syncStudioParent: true })).toContain(told);
      expect(give()).toBe('');
    });

    it('is not given while everything was never synced: there is nothing to apply it to', () => {
      give();
      expect(give({ syncTagsAs: 'labels' })).not.toContain(told);
      syncAll();
      expect(give({ syncTagsAs: 'labels' })).not.toContain(told);
    });

    it.each<Partial<SyncSettings>>([
      { plexKeepsOwn: true },
      { syncSkipFields: ['summary'] },
      { syncCollectionsFrom: { studio: true, groups: false, tags: [] } },
      { syncContentRating: 'G' },
      { syncPictureAs: 'poster' },
      { syncOnlyOrganized: true },
      { syncOnlyWithMetadata: true },
      { syncNeverTags: ['Draft'] },
      { syncOnlyPaths: ['/media/**'] },
    ])('is given for %j', (changed) => {
      syncAll();
      give();
      expect(give(changed)).toContain(told);
    });

    it.each<Partial<SyncSettings>>([
      { plexScan: true },
      { plexMatchByName: true },
      { plexMissing: 'drop' },
      { syncReconcile: 'never' },
    ])('is not given for %j, which changes nothing that Plex shows', (changed) => {
      syncAll();
      give();
      expect(give(changed)).toBe('');
    });
  });

  describe('to sync everything once', () => {
    const told = 'run the task "Sync all scenes" once';

    it('is given for a day after the set-up, or until it was done', () => {
      expect(give()).toContain(told);
      clock.set(clock.now() + 24 * 3_600_000 - 1);
      open();
      expect(give()).toContain(told);
      clock.set(clock.now() + 1);
      expect(give()).toBe('');
    });

    it('ends when it was done', () => {
      give();
      syncAll();
      expect(give()).toBe('');
    });

    it('is not given before the server is set up', () => {
      targets = [
        {
          name: 'plex',
          missing: '"Plex token" is missing.',
          isNewServer: false,
          isAtEase: true,
          ledger: { size: 0 },
        },
      ];
      expect(give()).toBe('');
      clock.set(clock.now() + 30 * 24 * 3_600_000);
      targets = [{ name: 'plex', missing: null, isNewServer: false, isAtEase: true, ledger: { size: 0 } }];
      expect(give()).toContain(told);
    });

    it('is given again when another server answers there', () => {
      syncAll();
      give();
      clock.set(clock.now() + 30 * 24 * 3_600_000);
      targets = [{ name: 'plex', missing: null, isNewServer: true, isAtEase: true, ledger: { size: 0 } }];
      expect(give()).toContain(told);
      expect(targets[0]?.isNewServer).toBe(false);
    });
  });
});
