import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryStore } from '../../../src/persist/keyed-store';
import type { FanOut, QueueEntry } from '../../../src/queue/entries';
import { Queue } from '../../../src/queue/queue';
import { Bell } from '../../../src/shared/bell';
import type { Related, SceneIdsPage } from '../../../src/stash/client';
import { StashTrouble } from '../../../src/stash/trouble';
import type { RelationKind } from '../../../src/sync/ledger-entry';
import { FanOuts } from '../../../src/worker/fan-outs';
import { Notices } from '../../../src/worker/notices';
import { StashLink } from '../../../src/worker/stash-link';
import { MemoryLog } from '../../support/memory-log';
import { tempDir } from '../../support/temp-dir';
import { settle, VirtualClock } from '../../support/virtual-clock';

/** Answers with the pages of what it is told; a test may put a failure in between. */
class RelatedStash extends StashLink {
  readonly asked: string[] = [];
  readonly scenesOf = new Map<string, number[]>();
  before: (of: Related) => void | Promise<void> = () => {};

  override relatedSceneIds(of: Related, after: number, limit: number): Promise<SceneIdsPage> {
    return this.ask(async () => {
      const { object, id, withChildren } = of;
      this.asked.push(`${object} ${id}${withChildren ? ' with children' : ''} after ${after}`);
      await this.before(of);
      const rest = (this.scenesOf.get(`${object} ${id}`) ?? []).filter((scene) => scene > after);
      const ids = rest.slice(0, limit);
      return { total: rest.length, ids, last: ids.length < rest.length ? (ids.at(-1) ?? null) : null };
    });
  }
}

/** The scenes of each object as a ledger remembers them. */
class Remembered {
  passes = 0;
  constructor(
    readonly name: string,
    private readonly known: Record<number, Partial<Record<RelationKind, string[]>>>,
  ) {}

  *scenesWith(kind: RelationKind, ids: ReadonlySet<string>): IterableIterator<number> {
    this.passes++;
    for (const [scene, had] of Object.entries(this.known))
      if (had[kind]?.some((id) => ids.has(id))) yield Number(scene);
  }
}

describe('the scenes of what changed', () => {
  let clock: VirtualClock;
  let log: MemoryLog;
  let store: MemoryStore<QueueEntry>;
  let queue: Queue;
  let stash: RelatedStash;
  let ledgers: Remembered[];
  let bell: Bell;
  let stop: AbortController;
  let flushed: { jobs: number; after: number | null }[];
  let rings: number;
  let fanOuts: FanOuts;

  beforeEach(() => {
    const dir = tempDir();
    clock = new VirtualClock();
    log = new MemoryLog();
    store = new MemoryStore();
    queue = new Queue(store, clock);
    stash = new RelatedStash(join(dir, 'connection.json'), dir, clock, log, new Notices(join(dir, 'n'), log));
    stash.learn(
      { scheme: 'http', host: '127.0.0.1', port: 9, cookie: null, dir, pluginDir: dir },
      clock.now(),
    );
    ledgers = [new Remembered('plex', {}), new Remembered('attic', {})];
    bell = new Bell();
    stop = new AbortController();
    flushed = [];
    rings = 0;
    fanOuts = new FanOuts({
      queue,
      targets: {
        names: ['plex', 'attic'],
        all: () => ledgers.map((ledger) => ({ target: { name: ledger.name, ledger } })),
      },
      stash,
      bell,
      clock,
      log,
      flush: async () => {
        const after = queue.waitingFanOuts()[0]?.after ?? null;
        flushed.push({ jobs: queue.counts('plex').waiting, after });
      },
      onQueued: () => void rings++,
    });
  });

  const idle = async () => {
    for (let n = 0; n < 100; n++) await settle();
  };
  /** Lets it work until it waits. */
  const run = async (meanwhile: () => Promise<void> = async () => {}) => {
    const ended = fanOuts.run(stop.signal);
    await idle();
    await meanwhile();
    stop.abort();
    await ended;
  };
  const changed = (object: FanOut['object'], id: number, action: FanOut['action'] = 'Update') =>
    queue.addFanOut({ object, id, action });
  const waiting = (target: string) =>
    [...store.entries()]
      .flatMap(([, entry]) => (entry.is === 'job' && entry.target === target ? [entry.scene] : []))
      .sort((a, b) => a - b);

  it('are queued for every target as bulk work, page by page, each page with its position in one flush', async () => {
    stash.scenesOf.set(
      'Tag 4',
      Array.from({ length: 2_500 }, (_, index) => (index + 1) * 2),
    );
    changed('Tag', 4);
    await run();
    expect(stash.asked).toEqual(['Tag 4 after 0', 'Tag 4 after 2000', 'Tag 4 after 4000']);
    expect(flushed).toEqual([
      { jobs: 1_000, after: 2_000 },
      { jobs: 2_000, after: 4_000 },
      { jobs: 2_500, after: null },
    ]);
    expect(waiting('attic')).toHaveLength(2_500);
    expect(store.get('job/attic/5000')).toMatchObject({ bulk: true, asked: false });
    expect(queue.fanOuts).toBe(0);
    expect(rings).toBe(3);
  });

  it('go on where the last process ended', async () => {
    stash.scenesOf.set('Performer 7', [10, 20, 30]);
    changed('Performer', 7);
    for (const fanOut of queue.waitingFanOuts()) queue.moveFanOut(fanOut, 20);
    await run();
    expect(stash.asked).toEqual(['Performer 7 after 20']);
    expect(waiting('plex')).toEqual([30]);
  });

  it('include those of the studios below a studio, which may show its name', async () => {
    for (const object of ['Studio', 'Group', 'Performer'] as const) changed(object, 1);
    changed('Tag', 1, 'Merge');
    await run();
    expect(stash.asked).toEqual([
      'Studio 1 with children after 0',
      'Group 1 after 0',
      'Performer 1 after 0',
      'Tag 1 after 0',
    ]);
  });

  it('are none if the object is gone from Stash, and that is the end of it', async () => {
    changed('Tag', 4);
    await run();
    expect(queue.fanOuts).toBe(0);
    expect(waiting('plex')).toEqual([]);
  });

  it('are looked for from the beginning when another event comes meanwhile', async () => {
    stash.scenesOf.set(
      'Tag 4',
      Array.from({ length: 1_500 }, (_, index) => index + 1),
    );
    changed('Tag', 4);
    stash.before = () => {
      if (stash.asked.length === 2) changed('Tag', 4);
    };
    await run();
    expect(stash.asked.map((one) => one.replace(/.*after /, ''))).toEqual(['0', '1000', '0', '1000']);
    expect(waiting('plex')).toHaveLength(1_500);
  });

  it.each([
    ['the queue was cleared', () => void queue.clear()],
    ['all scenes were queued', () => queue.dropFanOutsBefore(clock.now())],
  ])('are not queued if %s while Stash was asked', async (_, meanwhile) => {
    stash.scenesOf.set('Tag 4', [1, 2]);
    changed('Tag', 4);
    stash.before = meanwhile;
    await run();
    expect(waiting('plex')).toEqual([]);
    expect(stash.asked).toHaveLength(1);
  });

  it('wait for Stash while it is away, and one change that it cannot answer holds up no other', async () => {
    stash.scenesOf.set('Tag 5', [5]);
    stash.scenesOf.set('Tag 4', [4]);
    let canAnswer = false;
    stash.before = ({ id }) => {
      if (id === 4 && !canAnswer) throw new StashTrouble('away', 'Stash took too long.');
    };
    changed('Tag', 4);
    changed('Tag', 5);
    await run(async () => {
      expect(waiting('plex')).toEqual([]);
      await clock.advance(999);
      expect(stash.asked).toHaveLength(1);
      await clock.advance(1);
      await idle();
      expect(waiting('plex')).toEqual([5]);
      canAnswer = true;
      await clock.advance(60_000);
      await idle();
    });
    expect(waiting('plex')).toEqual([4, 5]);
    expect(queue.fanOuts).toBe(0);
  });

  it('are found in the ledgers when the objects are gone: one pass for all of a kind, and no question to Stash', async () => {
    ledgers = [
      new Remembered('plex', { 1: { tags: ['4'] }, 2: { tags: ['5', '6'] }, 3: { performers: ['4'] } }),
      new Remembered('attic', { 2: { tags: ['6'] }, 9: { studio: ['8'] } }),
    ];
    for (const id of [4, 6, 7]) changed('Tag', id, 'Destroy');
    changed('Studio', 8, 'Destroy');
    await run();
    expect(waiting('plex')).toEqual([1, 2]);
    expect(waiting('attic')).toEqual([2, 9]);
    expect(ledgers.map(({ passes }) => passes)).toEqual([2, 2]);
    expect(store.get('job/plex/1')).toMatchObject({ bulk: true, asked: false });
    expect(stash.asked).toEqual([]);
    expect(queue.fanOuts).toBe(0);
    expect(flushed).toEqual([{ jobs: 2, after: null }]);
  });

  it('that are gone are found although Stash is away', async () => {
    await stash
      .ask(() => Promise.reject(new StashTrouble('away', 'Stash is not answering.')))
      .catch(() => {});
    ledgers = [new Remembered('plex', { 1: { groups: ['3'] } })];
    changed('Group', 3, 'Destroy');
    changed('Group', 4);
    await run();
    expect(waiting('plex')).toEqual([1]);
    expect(queue.waitingFanOuts()).toMatchObject([{ id: 4 }]);
  });

  it('include one that is on its way while an object goes: it may have been read with it', async () => {
    queue.add('plex', 5, { bulk: false, asked: false });
    queue.add('plex', 6, { bulk: false, asked: false });
    const flying = queue.take('plex');
    if (!flying) throw new Error('nothing is due');
    changed('Tag', 4, 'Destroy');
    await run();
    queue.settle(flying, { kind: 'done' });
    expect(waiting('plex')).toEqual([5, 6]);
  });

  it('are waited for by the bell when nothing changed', async () => {
    await run(async () => {
      expect(stash.asked).toEqual([]);
      changed('Tag', 4);
      bell.ring();
      await idle();
    });
    expect(stash.asked).toHaveLength(1);
  });

  it('that fail for another reason tell whoever runs it', async () => {
    changed('Tag', 4);
    stash.before = () => {
      throw new Error('a defect');
    };
    await expect(fanOuts.run(stop.signal)).rejects.toThrow('a defect');
    expect(queue.fanOuts).toBe(1);
  });
});
