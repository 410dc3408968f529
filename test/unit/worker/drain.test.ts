import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryStore } from '../../../src/persist/keyed-store';
import type { DeadLetter, QueueEntry } from '../../../src/queue/entries';
import { Queue } from '../../../src/queue/queue';
import { Bell } from '../../../src/shared/bell';
import type { Outcome } from '../../../src/shared/outcome';
import { Drain } from '../../../src/worker/drain';
import { FlightLog } from '../../../src/worker/flight-log';
import { LeaseLost } from '../../../src/worker/lease';
import { Notices } from '../../../src/worker/notices';
import { StashLink } from '../../../src/worker/stash-link';
import { MemoryLog } from '../../support/memory-log';
import { tempDir } from '../../support/temp-dir';
import { settle, VirtualClock } from '../../support/virtual-clock';
import { GatedTarget, ok, unchanged } from './gated-target';

describe('the drain', () => {
  let dir: string;
  let clock: VirtualClock;
  let log: MemoryLog;
  let queue: Queue;
  let deadLetters: MemoryStore<DeadLetter>;
  let target: GatedTarget;
  let stash: StashLink;
  let bell: Bell;
  let notices: Notices;
  let stop: AbortController;
  let drain: Drain;
  let flushes: string[];
  let news: number;

  beforeEach(() => {
    dir = tempDir();
    clock = new VirtualClock();
    log = new MemoryLog();
    flushes = [];
    news = 0;
    queue = new Queue(new MemoryStore<QueueEntry>(), clock);
    deadLetters = new MemoryStore();
    target = new GatedTarget(clock, { lanes: 1 });
    notices = new Notices(join(dir, 'notice'), log);
    stash = new StashLink(join(dir, 'connection.json'), dir, clock, log, notices);
    bell = new Bell();
    stop = new AbortController();
    drain = makeDrain();
  });

  const makeDrain = () =>
    new Drain({
      target,
      queue,
      deadLetters,
      stash,
      flights: new FlightLog(join(dir, 'in-flight.json')),
      bell,
      clock,
      random: () => 0.5,
      log,
      notices: notices.about('plex', ''),
      flush: async () => void flushes.push('all'),
      onNews: () => void news++,
    });
  const add = (...scenes: number[]) => {
    for (const scene of scenes) queue.add('plex', scene, { bulk: false, asked: false });
  };
  const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
  /** Lets time pass in steps, so that whoever wakes gets on before the next. */
  const pass = async (ms: number, stepMs = Math.max(10, ms / 200)) => {
    for (let passed = 0; passed < ms; passed += stepMs) {
      await clock.advance(Math.min(stepMs, ms - passed));
      for (let n = 0; n < 5; n++) await settle();
    }
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

  const filtered: Outcome = { kind: 'filtered', rule: 'no-file', message: 'It has no file.' };
  const giveUp = (...keys: string[]) => {
    for (const key of keys) {
      const [name = '', scene] = key.split('/');
      const letter = { target: name, scene: Number(scene), kind: 'x', reason: 'x', attempts: 1, at: 0 };
      deadLetters.put(key, letter);
    }
  };

  it.each<Outcome>([ok, unchanged, { kind: 'gone' }, filtered])(
    'is done with a job after $kind, and forgets what it had given up',
    async (outcome) => {
      add(1);
      giveUp('plex/1');
      target.become = () => outcome;
      await run();
      expect(queue.counts('plex').waiting).toBe(0);
      expect(queue.tally('plex')).toMatchObject({ done: 1, failed: 0 });
      expect(deadLetters.size).toBe(0);
      if ('message' in outcome) expect(log.lines).toContainEqual({ level: 'info', message: outcome.message });
    },
  );

  it('says no more that a scene was given up when the last of this target has gone through', async () => {
    giveUp('plex/1', 'plex/2', 'attic/1');
    notices.about('plex', '').say('given-up', 'Gave up on scene 2.');
    add(1);
    await run(async () => {
      expect(notices.sentences).toEqual(['Gave up on scene 2.']);
      add(2);
      bell.ring();
      await idle();
    });
    expect(notices.sentences).toEqual([]);
    expect(deadLetters.size).toBe(1);
  });

  it('counts what each rule left out, and tells of it where a person waits for one scene', async () => {
    add(1);
    queue.add('plex', 2, { bulk: true, asked: true });
    target.become = ({ scene }) => ({
      kind: 'filtered',
      rule: 'syncNeverTags',
      message: `Not scene ${scene}.`,
    });
    await run();
    expect(queue.tally('plex')).toMatchObject({ done: 2, filtered: { syncNeverTags: 2 } });
    expect(log.lines).toEqual([
      { level: 'info', message: 'Not scene 1.' },
      { level: 'debug', message: 'Not scene 2.' },
    ]);
  });

  it('looks once more, ten minutes later, at a scene that had no cover yet', async () => {
    add(1);
    const looks: (boolean | undefined)[] = [];
    target.become = ({ secondLook }) => {
      looks.push(secondLook);
      return {
        kind: looks.length === 1 ? 'ok' : 'unchanged',
        message: 'Written.',
        looked: false,
        lookAgain: true,
      };
    };
    await run(async () => {
      expect(queue.counts('plex')).toEqual({ waiting: 1, due: 0, inFlight: 0, retrying: 0 });
      expect(queue.tally('plex')).toMatchObject({ done: 1 });
      await clock.advance(599_999);
      await idle();
      expect(looks).toHaveLength(1);
      await clock.advance(1);
      await idle();
    });
    expect(looks).toEqual([undefined, true]);
    expect(queue.counts('plex').waiting).toBe(0);
    expect(queue.tally('plex')).toMatchObject({ done: 1, retried: 0 });
  });

  it('lets a scene that lost its item to another find that out, and become a dead letter', async () => {
    add(3);
    const lost = { kind: 'bad-data', message: 'Scene 7 is the same item as scene 3.' } as const;
    target.become = ({ scene }) => (scene === 7 ? lost : { kind: 'ok', message: 'Written.', displaced: 7 });
    await run();
    expect(target.synced).toEqual([3, 7]);
    expect(deadLetters.get('plex/7')).toMatchObject({ reason: lost.message });
  });

  it('takes for a look again the time that is set', async () => {
    target = new GatedTarget(clock, { coverSeconds: 60 });
    drain = makeDrain();
    add(1);
    target.become = () => ({ kind: 'unchanged', looked: true, lookAgain: true });
    await run(() => clock.advance(60_000).then(idle));
    expect(target.synced).toEqual([1, 1]);
  });

  it('goes on at once with a job whose attempt went into a page of the library: nothing is said or counted', async () => {
    add(1, 2);
    queue.add('plex', 3, { bulk: true, asked: false });
    let pages = 3;
    target.become = () => (pages-- > 0 ? { kind: 'listing' } : unchanged);
    giveUp('plex/1');
    await run(async () => {
      expect(target.synced).toEqual([1, 1, 1, 1, 2, 3]);
    });
    expect(queue.tally('plex')).toMatchObject({ done: 3, failed: 0, retried: 0 });
    expect(log.lines.map(({ message }) => message)).toEqual(
      [1, 2, 3].map((scene) => `Scene ${scene}: unchanged.`),
    );
  });

  it('does not take a page of the library for the success of another job', async () => {
    add(1, 2);
    let pages = 3;
    target.become = ({ scene }) => {
      if (scene === 1) return { kind: 'transient', message: 'Scene 1 failed.' };
      return pages-- > 0 ? { kind: 'listing' } : { kind: 'gone' };
    };
    await run(() => pass(3_000));
    // A failure is charged again only if another job has succeeded since.
    expect(target.synced).toEqual([1, 2, 2, 2, 2, 1]);
    expect(queue.job('plex', 1)).toMatchObject({ attempts: 1 });
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
      troubles-- > 0 ? ({ kind, message: 'Trouble.', retryAfterMs: null } as Outcome) : unchanged;
    await run(() => pass(30 * 60_000));
    expect([...new Set(target.synced)]).toEqual([1, 2]);
    expect(target.synced).toHaveLength(5);
    expect(deadLetters.size).toBe(0);
    expect(queue.tally('plex')).toMatchObject({ done: 2, failed: 0 });
    expect(queue.job('plex', 1)).toBeUndefined();
    expect(log.lines.filter(({ level }) => level !== 'debug')).toEqual([]);
  });

  it('tries a job that failed again later, others meanwhile, and gives it up in the end, saying why', async () => {
    add(1, 2);
    target.become = ({ scene }) => (scene === 1 ? { kind: 'transient', message: 'Scene 1 failed.' } : ok);
    const tries = () => target.synced.filter((scene) => scene === 1).length;
    await run(async () => {
      expect(target.synced).toEqual([1, 2]);
      expect(queue.counts('plex')).toMatchObject({ waiting: 1, due: 0, retrying: 1 });
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
    expect(queue.counts('plex').waiting).toBe(0);
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

  it("charges a failure only while the breaker is closed: the one that opens it is the server's", async () => {
    target = new GatedTarget(clock, { lanes: 1, failuresInARow: 1 });
    drain = makeDrain();
    add(1);
    target.become = () => ({ kind: 'transient', message: 'Scene 1 failed.' });
    await run();
    expect(target.isClosed).toBe(false);
    expect(queue.job('plex', 1)).toMatchObject({ attempts: 0, reason: 'Scene 1 failed.' });
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
    expect(queue.counts('plex').waiting).toBe(20);
  });

  it.each([
    ['Stash', { kind: 'stash-away', message: 'Stash could not answer.' } as const],
    ['Plex', { kind: 'server-down', message: 'Plex is not answering.' } as const],
  ])(
    'lets the others go first when one scene alone makes %s fail, and gives it up in the end',
    async (_, fault) => {
      add(1, 2, 3);
      target.become = ({ scene }) => {
        if (scene !== 1) return ok;
        // What the worker does between two tries: Stash answers for the settings, Plex its probe.
        stash.answered++;
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
      return unchanged;
    };
    await run();
    expect(target.synced).toEqual([1, 1]);
    expect(queue.counts('plex').waiting).toBe(0);
  });

  it('asks Plex how it is after an outage, tries one scene alone, and then goes on at the rate of the ramp', async () => {
    target = new GatedTarget(clock, { lanes: 5, failuresInARow: 1 });
    drain = makeDrain();
    add(...upTo(40));
    let isUp = false;
    target.become = async () => {
      await clock.sleep(10);
      return isUp ? ok : { kind: 'server-down', message: 'Plex is away.' };
    };
    await run(async () => {
      await pass(59_900);
      expect(target.probes).toBe(0);
      const before = target.synced.length;
      isUp = true;
      await pass(115);
      expect(target.probes).toBe(1);
      expect(target.synced).toHaveLength(before + 1);
      await pass(10);
      expect(target.isClosed).toBe(true);
      await pass(2_000);
      expect(target.synced.length - before - 1).toBeGreaterThanOrEqual(9);
      expect(target.synced.length - before - 1).toBeLessThanOrEqual(11);
      await pass(30_000);
    });
    expect(queue.counts('plex').waiting).toBe(0);
    expect(deadLetters.size).toBe(0);
  });

  it('takes as the trial a job that has not failed', async () => {
    target = new GatedTarget(clock, { lanes: 1, failuresInARow: 1 });
    drain = makeDrain();
    add(1, 2, 3);
    let isUp = false;
    target.become = () => (isUp ? ok : { kind: 'server-down', message: 'Plex is away.' });
    await run(async () => {
      expect(target.synced).toEqual([1]);
      isUp = true;
      await pass(61_000);
      expect(target.synced.slice(0, 3)).toEqual([1, 2, 1]);
    });
  });

  it('goes on from trial to trial until one has asked Plex', async () => {
    target = new GatedTarget(clock, { lanes: 1, failuresInARow: 1 });
    drain = makeDrain();
    add(1, 2, 3, 4);
    let isUp = false;
    target.become = ({ scene }) => {
      if (!isUp) return { kind: 'server-down', message: 'Plex is away.' };
      return scene === 4 ? ok : { kind: 'gone' };
    };
    await run(async () => {
      isUp = true;
      await pass(60_050);
      expect(target.synced).toEqual([1, 2, 3, 4]);
      expect(target.isClosed).toBe(true);
    });
  });

  it('closes by the probe alone when nothing waits', async () => {
    target = new GatedTarget(clock, { failuresInARow: 1 });
    drain = makeDrain();
    add(1);
    target.become = () => ({ kind: 'server-down', message: 'Plex is away.' });
    await run(async () => {
      queue.clear();
      await pass(60_050);
      expect(target.isClosed).toBe(true);
      expect(target.synced).toEqual([1]);
    });
  });

  it('sends nothing before a transition of the gate is on disk', async () => {
    target = new GatedTarget(clock, { lanes: 5 });
    drain = makeDrain();
    add(...upTo(3));
    let release = () => {};
    target.keep = () => new Promise((resolve) => (release = resolve));
    await run(async () => {
      expect(target.synced).toEqual([]);
      release();
      await idle();
      expect(target.synced).toEqual([1]);
      for (let n = 0; n < 5; n++) {
        release();
        await idle();
      }
    });
    expect(target.synced).toEqual([1, 2, 3]);
  });

  it('runs as many jobs at a time as there are lanes, and a slow one holds up no other', async () => {
    target = new GatedTarget(clock, { lanes: 3 });
    drain = makeDrain();
    add(...upTo(30));
    target.become = async ({ scene }) => {
      await clock.sleep(scene === 1 ? 60_000 : 100);
      return ok;
    };
    await run(async () => {
      await pass(1_600);
      expect(target.mostAtOnce).toBe(3);
      expect(queue.counts('plex')).toMatchObject({ waiting: 1, inFlight: 1 });
      await pass(60_000);
    });
    expect(queue.counts('plex').waiting).toBe(0);
  });

  it('parks ten lanes that meet an overload at once in one cooldown, and every job comes back in its old order', async () => {
    target = new GatedTarget(clock, { lanes: 10 });
    drain = makeDrain();
    add(...upTo(20));
    let busy = true;
    target.become = async () => {
      await clock.sleep(50);
      return busy ? { kind: 'overloaded', message: 'Plex is overloaded.', retryAfterMs: null } : ok;
    };
    await run(async () => {
      await pass(60);
      expect(target.synced).toEqual(upTo(10));
      expect(target.gate.state.cooldown).toMatchObject({ generations: 1, participants: 10, inARow: 1 });
      expect(target.gate.state.breaker).toMatchObject({ state: 'CLOSED', overloadsInARow: 1 });
      expect(target.gate.parked(clock.now())).toBe(10);
      busy = false;
      await pass(4_950);
      expect(target.synced).toHaveLength(10);
      // One at a time until one has succeeded, then all lanes.
      await pass(60);
      expect(target.synced.slice(10)[0]).toBe(1);
      await pass(60_000);
    });
    expect(target.synced.slice(10)).toEqual(upTo(20));
    expect(queue.tally('plex')).toMatchObject({ done: 20, failed: 0, retried: 0 });
  });

  it('brings a hundred jobs through twenty lanes though every second answer is an overload: none lost, none done twice', async () => {
    target = new GatedTarget(clock, { lanes: 20 });
    drain = makeDrain();
    add(...upTo(100));
    const done: number[] = [];
    let answers = 0;
    target.become = async ({ scene }) => {
      await clock.sleep(20 + (scene % 7));
      if (++answers % 2 === 0)
        return { kind: 'overloaded', message: 'Plex is overloaded.', retryAfterMs: null };
      done.push(scene);
      return ok;
    };
    await run(() => pass(4 * 3_600_000, 500));
    expect(done.toSorted((a, b) => a - b)).toEqual(upTo(100));
    expect(queue.counts('plex')).toMatchObject({ waiting: 0, inFlight: 0 });
    expect(deadLetters.size).toBe(0);
    expect(target.gate.parked(clock.now())).toBe(0);
  });

  it('lets bulk work that the process died with go last', async () => {
    new FlightLog(join(dir, 'in-flight.json')).took(1);
    drain = makeDrain();
    for (const scene of upTo(4)) queue.add('plex', scene, { bulk: true, asked: false });
    await run();
    expect(target.synced).toEqual([2, 3, 4, 1]);
    expect(deadLetters.size).toBe(0);
  });

  it('runs nothing beside a job that the process died with', async () => {
    target = new GatedTarget(clock, { lanes: 5 });
    new FlightLog(join(dir, 'in-flight.json')).took(1);
    drain = makeDrain();
    add(1);
    target.become = async () => {
      await clock.sleep(1_000);
      return ok;
    };
    await run(async () => {
      await pass(500);
      expect(target.synced).toEqual([1]);
      add(2, 3);
      bell.ring();
      await pass(400);
      expect(target.synced).toEqual([1]);
      await pass(2_000);
    });
    expect(target.synced).toEqual([1, 2, 3]);
  });

  it('gives a job up that three processes in a row died with, and nothing finished in between', async () => {
    for (let death = 0; death < 3; death++) new FlightLog(join(dir, 'in-flight.json')).took(1);
    drain = makeDrain();
    add(1, 2);
    await run();
    expect(target.synced).toEqual([2]);
    expect(deadLetters.get('plex/1')).toMatchObject({ kind: 'killed-worker' });
    expect(deadLetters.get('plex/1')?.reason).toContain('died 3 times in a row');
    expect(queue.counts('plex').waiting).toBe(0);
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
    await run(async () => expect(queue.counts('plex')).toMatchObject({ inFlight: 1 }));
    expect(queue.counts('plex')).toMatchObject({ waiting: 1, due: 1, inFlight: 0, retrying: 0 });
    expect(flushes.at(-1)).toBe('all');
  });

  it('tells whoever runs it of a defect, and the job is charged like one that failed', async () => {
    add(1);
    target.become = () => Promise.reject(new Error('a defect'));
    await expect(drain.run(stop.signal)).rejects.toThrow('a defect');
    expect(queue.counts('plex')).toMatchObject({ waiting: 1, due: 0, retrying: 1, inFlight: 0 });
    expect(queue.job('plex', 1)?.reason).toContain('Scene 1 was not synced because of a defect');
  });

  it('does not let a scene that hits a defect each time hold up the others, and gives it up in the end', async () => {
    add(1);
    target.become = ({ scene }) => (scene === 1 ? Promise.reject(new Error('a defect')) : ok);
    let others = 0;
    while (others < 50 && queue.job('plex', 1)) {
      add(2 + others++);
      const ended = drain.run(stop.signal).catch(() => {});
      await pass(3_600_000, 600_000);
      stop.abort();
      await ended;
      stop = new AbortController();
    }
    expect(queue.counts('plex').waiting).toBe(0);
    expect(queue.tally('plex')).toMatchObject({ done: others, failed: 1 });
    expect(deadLetters.get('plex/1')?.reason).toContain('a defect');
  });

  it.each([
    ['a full disk', Object.assign(new Error('no space left'), { code: 'ENOSPC', syscall: 'write' })],
    ['a lost lease', new LeaseLost()],
  ])('puts the job back uncharged after %s, and tells whoever runs it', async (_, error) => {
    add(1);
    target.become = () => Promise.reject(error);
    await expect(drain.run(stop.signal)).rejects.toThrow(error.message);
    expect(queue.counts('plex')).toMatchObject({ waiting: 1, due: 1, retrying: 0, inFlight: 0 });
    expect(queue.job('plex', 1)).toMatchObject({ attempts: 0, reason: null });
  });

  it('puts the job back uncharged when it is stopped in the middle', async () => {
    add(1);
    target.become = (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    await run();
    expect(queue.counts('plex')).toMatchObject({ waiting: 1, due: 1, retrying: 0, inFlight: 0 });
    expect(queue.job('plex', 1)).toMatchObject({ attempts: 0, reason: null });
  });
});
