import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryStore } from '../../../src/persist/keyed-store';
import type { DeadLetter, QueueEntry } from '../../../src/queue/entries';
import { Queue } from '../../../src/queue/queue';
import type { Pass } from '../../../src/resilience/gate';
import { Bell } from '../../../src/shared/bell';
import type { Outcome } from '../../../src/shared/outcome';
import { StoredLedger } from '../../../src/sync/ledger';
import type { LedgerEntry } from '../../../src/sync/ledger-entry';
import type { SyncJob } from '../../../src/sync/sync-scene';
import { Drain } from '../../../src/worker/drain';
import { Notices } from '../../../src/worker/notices';
import { StashLink } from '../../../src/worker/stash-link';
import { Target } from '../../../src/worker/target';
import { MemoryLog } from '../../support/memory-log';
import { tempDir } from '../../support/temp-dir';
import { settle, VirtualClock } from '../../support/virtual-clock';

/** Syncs as the test says, and asks the gate as the test says. */
class ScriptedTarget extends Target {
  readonly synced: number[] = [];
  passes: Pass[] = [];
  probes = 0;
  become: (job: SyncJob, signal: AbortSignal) => Outcome | Promise<Outcome> = () => ({ kind: 'unchanged' });
  override missing: string | null = null;

  override async sync(job: SyncJob, _: unknown, signal: AbortSignal): Promise<Outcome> {
    this.synced.push(job.scene);
    return this.become(job, signal);
  }

  override ask(): Pass {
    return this.passes.shift() ?? { admit: 'job' };
  }

  override async probe(): Promise<void> {
    this.probes++;
  }
}

describe('the drain', () => {
  let clock: VirtualClock;
  let log: MemoryLog;
  let queue: Queue;
  let deadLetters: MemoryStore<DeadLetter>;
  let target: ScriptedTarget;
  let stash: StashLink;
  let bell: Bell;
  let notices: Notices;
  let stop: AbortController;
  let drain: Drain;
  let flushes: string[];
  let news: number;

  beforeEach(() => {
    const dir = tempDir();
    clock = new VirtualClock();
    log = new MemoryLog();
    flushes = [];
    news = 0;
    queue = new Queue(new MemoryStore<QueueEntry>(), clock);
    deadLetters = new MemoryStore();
    const ledger = new StoredLedger(new MemoryStore<LedgerEntry>());
    target = new ScriptedTarget('plex', join(dir, 'plex'), ledger, 'test', clock, log);
    notices = new Notices(join(dir, 'notice'), log);
    stash = new StashLink(join(dir, 'connection.json'), dir, clock, log, notices);
    bell = new Bell();
    stop = new AbortController();
    drain = new Drain({
      target,
      queue,
      deadLetters,
      stash,
      bell,
      clock,
      random: () => 0.5,
      log,
      notices,
      flush: async () => void flushes.push('all'),
      onNews: () => void news++,
    });
  });

  const add = (...scenes: number[]) => {
    for (const scene of scenes) queue.add('plex', scene, { bulk: false, asked: false });
  };
  const idle = async () => {
    for (let n = 0; n < 50; n++) await settle();
  };
  /** Runs until there is nothing to do, then what the test does meanwhile, and ends. */
  const run = async (meanwhile: () => Promise<void> = async () => {}) => {
    const ended = drain.run(stop.signal);
    await idle();
    await meanwhile();
    stop.abort();
    await ended;
  };

  it.each<Outcome>([
    { kind: 'ok', message: 'Written.' },
    { kind: 'unchanged' },
    { kind: 'gone' },
    { kind: 'filtered', message: 'It has no file.' },
  ])('is done with a job after $kind, and forgets what it had given up', async (outcome) => {
    add(1);
    deadLetters.put('plex/1', { target: 'plex', scene: 1, kind: 'x', reason: 'x', attempts: 1, at: 0 });
    target.become = () => outcome;
    await run();
    expect(queue.counts().waiting).toBe(0);
    expect(queue.tally('plex')).toMatchObject({ done: 1, failed: 0 });
    expect(deadLetters.size).toBe(0);
    if ('message' in outcome) expect(log.lines).toContainEqual({ level: 'info', message: outcome.message });
  });

  it.each<Outcome['kind']>([
    'overloaded',
    'server-down',
    'not-authorised',
    'may-not-edit',
    'misconfigured',
    'stash-away',
  ])('charges a job nothing for %s, and keeps its place', async (kind) => {
    add(1, 2);
    let troubles = 3;
    target.become = () =>
      troubles-- > 0 ? ({ kind, message: 'Trouble.', retryAfterMs: null } as Outcome) : { kind: 'unchanged' };
    await run();
    expect(target.synced).toEqual([1, 1, 1, 1, 2]);
    expect(deadLetters.size).toBe(0);
    expect(queue.tally('plex')).toMatchObject({ done: 2, failed: 0 });
    expect(log.lines.filter(({ level }) => level !== 'debug')).toEqual([]);
  });

  it('tries a job that failed again later, others meanwhile, and gives it up in the end, saying why', async () => {
    add(1, 2);
    target.become = ({ scene }) =>
      scene === 1 ? { kind: 'transient', message: 'Scene 1 failed.' } : { kind: 'ok', message: 'Written.' };
    const tries = () => target.synced.filter((scene) => scene === 1).length;
    await run(async () => {
      expect(target.synced).toEqual([1, 2]);
      expect(queue.counts()).toMatchObject({ waiting: 1, due: 0, retrying: 1 });
      // Half of 5, 10, 20 and 40 s: random is 0.5.
      for (const [attempt, ms] of [2_500, 5_000, 10_000, 20_000].entries()) {
        add(10 + attempt); // it succeeds, so the failure is the job's own
        bell.ring();
        await clock.advance(ms - 1);
        expect(tries()).toBe(attempt + 1);
        await clock.advance(1);
        await idle();
        expect(tries()).toBe(attempt + 2);
      }
    });
    expect(queue.counts().waiting).toBe(0);
    expect(deadLetters.get('plex/1')).toEqual({
      target: 'plex',
      scene: 1,
      kind: 'transient',
      reason: 'Scene 1 failed.',
      attempts: 5,
      at: clock.now(),
    });
    expect(queue.tally('plex')).toMatchObject({ done: 5, failed: 1 });
    expect(log.warnings).toEqual(['Gave up on scene 1: Scene 1 failed.']);
    expect(log.lines[0]?.message).toMatch(/^Scene 1 failed\. Trying again at /);
  });

  it('charges nobody for a Plex that fails at everything', async () => {
    add(...Array.from({ length: 20 }, (_, index) => index + 1));
    target.become = () => ({ kind: 'transient', message: 'Plex failed to answer a request (HTTP 500).' });
    await run(async () => {
      for (let minute = 0; minute < 60; minute++) {
        await clock.advance(60_000);
        await idle();
      }
    });
    expect(deadLetters.size).toBe(0);
    expect(queue.counts().waiting).toBe(20);
  });

  it.each([
    ['Stash', { kind: 'stash-away', message: 'Stash could not answer.' } as const],
    ['Plex', { kind: 'server-down', message: 'Plex is not answering.' } as const],
  ])(
    'lets the others go first when one scene alone makes %s fail, and gives it up in the end',
    async (_, fault) => {
      add(1, 2, 3);
      target.become = ({ scene }) => {
        if (scene !== 1) return { kind: 'ok', message: 'Written.' };
        // What the worker does between two tries: Stash answers for the settings, Plex its probe.
        stash.answered++;
        target.passes = [{ admit: 'probe' }];
        return fault;
      };
      let next = 10;
      await run(async () => {
        for (let minute = 0; minute < 240; minute++) {
          add(next++);
          bell.ring();
          await clock.advance(60_000);
          await idle();
        }
      });
      expect(target.synced).toContain(3);
      expect(deadLetters.get('plex/1')).toMatchObject({ reason: fault.message });
      expect(queue.tally('plex')).toMatchObject({ done: 242, failed: 1 });
    },
  );

  it('gives a job with bad data up at once', async () => {
    add(1);
    target.become = () => ({ kind: 'bad-data', message: 'Too long.' });
    await run();
    expect(deadLetters.get('plex/1')).toMatchObject({ kind: 'bad-data', attempts: 1 });
  });

  it('syncs again what was edited during its sync', async () => {
    add(1);
    target.become = () => {
      if (target.synced.length === 1) add(1);
      return { kind: 'unchanged' };
    };
    await run();
    expect(target.synced).toEqual([1, 1]);
    expect(queue.counts().waiting).toBe(0);
  });

  it('does what the gate says: nothing until then, a probe, a job', async () => {
    add(1);
    target.passes = [
      { admit: 'nothing', reason: 'Plex is away', nextAt: clock.now() + 60_000 },
      { admit: 'probe' },
      { admit: 'job' },
    ];
    await run(async () => {
      await clock.advance(59_999);
      expect(target.probes).toBe(0);
      await clock.advance(1);
      await idle();
    });
    expect(target.probes).toBe(1);
    expect(target.synced).toEqual([1]);
  });

  it('sends nothing while it is paused or not configured, and goes on at the bell', async () => {
    queue.setMemo('paused', clock.now());
    add(1);
    await run(async () => {
      expect(target.synced).toEqual([]);
      queue.setMemo('paused', null);
      target.missing = 'Set something.';
      bell.ring();
      await idle();
      expect(target.synced).toEqual([]);
      target.missing = null;
      bell.ring();
      await idle();
      expect(target.synced).toEqual([1]);
    });
  });

  it('waits for Stash when that is away', async () => {
    add(1);
    await stash.ask(async () => 'no connection known').catch(() => {});
    await run(async () => {
      expect(target.synced).toEqual([]);
      await clock.advance(1_000);
      await idle();
      expect(target.synced).toEqual([1]);
    });
  });

  it('flushes in batches, and tells of it', async () => {
    add(...Array.from({ length: 250 }, (_, index) => index + 1));
    const ended = drain.run(stop.signal);
    await idle();
    while (target.synced.length < 250) await settle();
    stop.abort();
    await ended;
    const rounds = flushes.length;
    // At once (a second has passed since 1970), after 100, after 200, before it sleeps, at the end.
    expect(rounds).toBeLessThanOrEqual(5);
    expect(news).toBeGreaterThanOrEqual(3);
  });

  it('that is stopped in the middle of a sync leaves the job as it was', async () => {
    add(1);
    target.become = (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    await run(async () => expect(queue.counts()).toMatchObject({ inFlight: 1 }));
    expect(queue.counts()).toMatchObject({ waiting: 1, due: 1, inFlight: 0, retrying: 0 });
    expect(flushes.at(-1)).toBe('all');
  });

  it('tells whoever runs it of a defect, and the job is not lost', async () => {
    add(1);
    target.become = () => Promise.reject(new Error('a defect'));
    await expect(drain.run(stop.signal)).rejects.toThrow('a defect');
    expect(queue.counts()).toMatchObject({ waiting: 1, due: 1, inFlight: 0 });
  });
});
