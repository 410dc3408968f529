import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryStore } from '../../../src/persist/keyed-store';
import type { QueueEntry, Sweep } from '../../../src/queue/entries';
import { Queue } from '../../../src/queue/queue';
import { Bell } from '../../../src/shared/bell';
import type { SceneIdsPage, StashClient } from '../../../src/stash/client';
import { StashTrouble } from '../../../src/stash/trouble';
import { Notices } from '../../../src/worker/notices';
import type { Reconcile } from '../../../src/worker/reconcile';
import { StashLink } from '../../../src/worker/stash-link';
import { Sweeper } from '../../../src/worker/sweeper';
import { MemoryLog } from '../../support/memory-log';
import { tempDir } from '../../support/temp-dir';
import { settle, VirtualClock } from '../../support/virtual-clock';

type Asked = Parameters<StashClient['sceneIds']>[0];

/** Answers with the pages of a library; a test may put a failure in between. */
class PagedStash extends StashLink {
  readonly asked: Asked[] = [];
  library: number[] = [];
  before: () => void | Promise<void> = () => {};

  override async ask<T>(question: (client: StashClient) => Promise<T>): Promise<T> {
    const sceneIds = async (wanted: Asked): Promise<SceneIdsPage> => {
      this.asked.push(wanted);
      await this.before();
      const after = this.library.filter((id) => id > wanted.after);
      const ids = after.slice(0, wanted.limit);
      return { total: after.length, ids, last: ids.length < after.length ? (ids.at(-1) ?? null) : null };
    };
    return super.ask(() => question({ sceneIds } as StashClient));
  }
}

describe('a pass over the library', () => {
  let clock: VirtualClock;
  let store: MemoryStore<QueueEntry>;
  let queue: Queue;
  let stash: PagedStash;
  let told: [name: string, queued: number, how: string][];
  let bell: Bell;
  let stop: AbortController;
  let sweeper: Sweeper;
  let reconcile: Reconcile['page'];
  let relisted: number;
  let settingsRead: number;
  let whileSettingsAreRead: () => void;
  let log: MemoryLog;

  beforeEach(() => {
    const dir = tempDir();
    log = new MemoryLog();
    relisted = 0;
    settingsRead = 0;
    whileSettingsAreRead = () => {};
    reconcile = async () => null;
    clock = new VirtualClock();
    store = new MemoryStore();
    queue = new Queue(store, clock);
    stash = new PagedStash(join(dir, 'connection.json'), dir, clock, log, new Notices(join(dir, 'n'), log));
    stash.learn(
      { scheme: 'http', host: '127.0.0.1', port: 9, cookie: null, dir, pluginDir: dir },
      clock.now(),
    );
    stash.library = Array.from({ length: 2_500 }, (_, index) => (index + 1) * 2);
    told = [];
    bell = new Bell();
    stop = new AbortController();
    sweeper = new Sweeper({
      queue,
      targets: { names: ['plex', 'attic'], relist: () => void relisted++ },
      reconcile: { page: (...asked) => reconcile(...asked) },
      freshSettings: async () => {
        settingsRead++;
        whileSettingsAreRead();
      },
      stash,
      bell,
      clock,
      log,
      flush: () => queue.flush(),
      onProgress: async (name: string, { queued }: Sweep, how: string) => void told.push([name, queued, how]),
    });
  });

  /** Lets it work until it waits. */
  const run = async (meanwhile: () => Promise<void> = async () => {}) => {
    const ended = sweeper.run(stop.signal);
    for (let n = 0; n < 100; n++) await settle();
    await meanwhile();
    stop.abort();
    await ended;
  };

  it('queues every scene for every target as bulk work that looks at Plex, page by page', async () => {
    queue.beginSweep('all', null);
    await run();
    expect(stash.asked).toEqual(
      [0, 2_000, 4_000].map((after) => ({ after, updatedSince: null, limit: 1_000 })),
    );
    expect(queue.counts('plex').waiting).toBe(2_500);
    expect(store.get('job/attic/5000')).toMatchObject({ bulk: true, asked: true });
    expect(queue.sweeps()).toEqual([]);
    expect(told).toEqual([
      ['all', 1_000, 'under way'],
      ['all', 2_000, 'under way'],
      ['all', 2_500, 'done'],
    ]);
  });

  it('goes on where the last process ended, and the edit of a person stays one', async () => {
    queue.add('plex', 4_002, { bulk: false, asked: false });
    queue.setSweep('recent', {
      is: 'sweep',
      since: 1_000_000,
      asked: false,
      after: 4_000,
      total: 2_500,
      looked: 2_000,
      queued: 2_000,
      found: {},
      startedAt: 0,
    });
    await run();
    expect(stash.asked).toEqual([{ after: 4_000, updatedSince: new Date(1_000_000), limit: 1_000 }]);
    expect(told).toEqual([['recent', 2_500, 'done']]);
    expect(store.get('job/plex/4002')).toMatchObject({ bulk: false, asked: true });
  });

  it('that Stash interrupts is gone on with when the wait is over', async () => {
    queue.beginSweep('all', null);
    let failures = 2;
    stash.before = () => {
      if (stash.asked.length >= 2 && failures-- > 0)
        throw new StashTrouble('away', 'Stash is not answering.');
    };
    await run(async () => {
      expect(queue.counts('plex').waiting).toBe(1_000);
      expect(queue.sweeps()).toMatchObject([{ sweep: { after: 2_000, queued: 1_000, total: 2_500 } }]);
      await clock.advance(999);
      expect(stash.asked).toHaveLength(2);
      await clock.advance(1 + 2_000);
      for (let n = 0; n < 100; n++) await settle();
    });
    expect(stash.asked.map(({ after }) => after)).toEqual([0, 2_000, 2_000, 2_000, 4_000]);
    expect(queue.counts('plex').waiting).toBe(2_500);
  });

  it('that a person cleared while Stash was asked queues nothing more', async () => {
    queue.beginSweep('all', null);
    stash.before = () => void queue.clear();
    await run();
    expect(queue.counts('plex').waiting).toBe(0);
    expect(told).toEqual([]);
    expect(stash.asked).toHaveLength(1);
  });

  it('that a person began anew begins at the first scene again', async () => {
    queue.beginSweep('all', null);
    let again = true;
    stash.before = () => {
      if (stash.asked.length === 2 && again) queue.beginSweep('all', null);
      if (stash.asked.length === 2) again = false;
    };
    await run();
    expect(stash.asked.map(({ after }) => after)).toEqual([0, 2_000, 0, 2_000, 4_000]);
    expect(queue.counts('plex').waiting).toBe(2_500);
  });

  it('of an empty library is over at once', async () => {
    stash.library = [];
    queue.beginSweep('all', null);
    await run();
    expect(told).toEqual([['all', 0, 'done']]);
    expect(queue.sweeps()).toEqual([]);
  });

  it('waits for the bell when nobody asked for one', async () => {
    await run(async () => {
      expect(stash.asked).toEqual([]);
      queue.beginSweep('recent', clock.now());
      bell.ring();
      for (let n = 0; n < 100; n++) await settle();
    });
    expect(stash.asked).toHaveLength(3);
  });

  it('that fails for another reason tells whoever runs it', async () => {
    queue.beginSweep('all', null);
    stash.before = () => {
      throw new Error('a defect');
    };
    await expect(sweeper.run(stop.signal)).rejects.toThrow('a defect');
  });

  it('of everything goes by the settings of its beginning and a new listing, told only once', async () => {
    queue.beginSweep('all', null);
    let failures = 3;
    stash.before = () => {
      if (failures-- > 0) throw new StashTrouble('away', 'Stash is not answering.');
    };
    await run(() => clock.advance(10_000));
    expect(queue.counts('plex').waiting).toBe(2_500);
    expect([settingsRead, relisted]).toEqual([1, 1]);
  });

  it('of what is recent looks at Plex anew too', async () => {
    queue.beginSweep('recent', 0);
    await run();
    expect([settingsRead, relisted]).toEqual([1, 1]);
  });

  it('that was cleared while the settings were read begins nothing', async () => {
    queue.beginSweep('all', null);
    whileSettingsAreRead = () => void queue.clear();
    await run();
    expect(stash.asked).toEqual([]);
  });

  describe('to reconcile', () => {
    const page = { looked: 250, queued: 2, total: 500, last: 250, found: { new: 2 } };

    it('adds up what each page found, remembers how far it is, and says the end in one sentence', async () => {
      queue.beginSweep('reconcile', null);
      const begun: number[] = [];
      reconcile = async ({ after }) => {
        begun.push(after);
        return after === 0 ? page : { ...page, last: null, queued: 1, found: { new: 3 } };
      };
      await run();
      expect(begun).toEqual([0, 250]);
      expect(told).toEqual([
        ['reconcile', 2, 'under way'],
        ['reconcile', 3, 'done'],
      ]);
      expect(log.lines.at(-1)?.message).toBe(
        'Reconciled: 500 scenes were compared, 3 queued (3 never synced).',
      );
      expect(queue.memo('reconciled')).toBe(clock.now());
    });

    it('is gone on with by the next process where this one ended', async () => {
      queue.beginSweep('reconcile', null);
      reconcile = async ({ after }) => (after === 0 ? page : null);
      await run();
      const [next] = new Queue(store, clock).sweeps();
      expect(next).toMatchObject({ name: 'reconcile', sweep: { after: 250, looked: 250, queued: 2 } });
      expect(queue.memo('reconciled')).toBeUndefined();
    });

    it('that waits for Plex lists it anew only once, and lets whoever asked see that it is under way', async () => {
      queue.beginSweep('reconcile', null);
      let tries = 0;
      reconcile = async () => {
        tries++;
        return null;
      };
      await run(() => clock.advance(60_000));
      expect(tries).toBe(13);
      expect(relisted).toBe(1);
      expect(told[0]).toEqual(['reconcile', 0, 'stuck']);
    });

    it('goes on at once while Plex is being listed, without waiting in between', async () => {
      queue.beginSweep('reconcile', null);
      let lists = 20;
      reconcile = async () => (lists-- > 0 ? 'listing' : { ...page, last: null });
      await run();
      expect(queue.sweeps()).toEqual([]);
    });

    it('lets another pass go first, whether it waits for Plex or lists it', async () => {
      queue.beginSweep('reconcile', null);
      let lists = 0;
      reconcile = async () => {
        if (++lists === 3) queue.beginSweep('all', null);
        return lists > 5 ? null : 'listing';
      };
      await run(async () => {
        expect(queue.counts('plex').waiting).toBe(2_500);
        queue.beginSweep('recent', 0);
        bell.ring();
        for (let n = 0; n < 100; n++) await settle();
      });
      expect(told.filter(([, , how]) => how === 'done').map(([name]) => name)).toEqual(['all', 'recent']);
      expect(queue.sweeps().map(({ name }) => name)).toEqual(['reconcile']);
    });
  });
});
