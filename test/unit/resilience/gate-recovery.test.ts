import { describe, expect, it } from 'vitest';
import { MemoryLog } from '../../support/memory-log';
import {
  admissions,
  admitted,
  flowWith,
  gateWith,
  halfOpen,
  outcomes,
  rateAt,
  recovering,
  restarted,
  send,
  sendAll,
  start,
  stored,
} from './rig';

const neverOpen = { failuresInARow: Number.POSITIVE_INFINITY, windowResults: Number.POSITIVE_INFINITY };
const messages = (log: MemoryLog, level: string) =>
  log.lines.filter((line) => line.level === level).map(({ message }) => message);

describe('the recovery period of a gate', () => {
  it.each([
    [0, 1, 5],
    [75, 1, 8.75],
    [150, 1, 12.5],
    [150, 0.5, 6.25],
    [299.9, 1, 19.995],
  ])(
    'allows, %s s after its start and with the multiplier %s, %s jobs a second',
    (elapsed, multiplier, rate) => {
      const gate = recovering();
      const now = start + elapsed * 1_000;
      if (multiplier === 0.5) {
        // 40 % of 5 results fail: enough to be halved, too few to open.
        gate.flow = flowWith({ initialRate: 1_000, targetRate: 1_000 });
        const asked = now - 1_000;
        gate.ask(asked);
        const results = [outcomes.ok, outcomes.down, outcomes.ok, outcomes.down, outcomes.ok];
        results.forEach((outcome, n) => void send(gate, outcome, asked + 100 + n * 10));
        gate.flow = flowWith();
      }
      expect(gate.view(now).recovery.multiplier).toBe(multiplier);
      expect(rateAt(gate, now).perSecond).toBeCloseTo(rate, 9);
      expect(rateAt(gate, now).limitedBy).toBe('ramp');
    },
  );

  it('knows no limit 300 s after its start', () => {
    const gate = recovering();
    expect(rateAt(gate, start + 300_000)).toMatchObject({ perSecond: null, limitedBy: 'none' });
    for (let n = 0; n < 100; n++) send(gate, outcomes.ok, start + 300_000);
  });

  it('begins in the same change of state as the closing, by whatever it closes', () => {
    const byProbe = recovering();
    const byTrial = halfOpen();
    send(byTrial, outcomes.ok, start);
    const forWant = halfOpen();
    forWant.nothingToTry(start);
    for (const gate of [byProbe, byTrial, forWant]) {
      expect(stored(gate)).toMatchObject({ breaker: { state: 'CLOSED' }, recoveryStartedAt: start });
      expect(gate.ask(start)).toMatchObject({ limitedBy: 'ramp', nextAt: start + 200 });
    }
  });

  it('does not exist for a gate that was never open', () => {
    expect(gateWith().recoveryEndsAt(start)).toBeNull();
    expect(gateWith().tick(start)).toBe(false);
  });

  it('lets through what the ramp allows in it, and no more', () => {
    const gate = recovering();
    const times = admissions(gate, start, start + 300_000);
    const within = (from: number, to: number) =>
      times.filter((at) => at >= start + from * 1_000 && at < start + to * 1_000).length;
    expect(within(0, 1)).toBeLessThanOrEqual(6);
    expect(within(0, 300)).toBeLessThanOrEqual(3_751);
    expect(within(0, 300)).toBeGreaterThan(3_650);
    expect(within(150, 151)).toBeGreaterThanOrEqual(12);
    expect(within(150, 151)).toBeLessThanOrEqual(14);
  });

  it('tells who is held back when to come again, and then admits', () => {
    const gate = recovering();
    const pass = gate.ask(start);
    expect(pass).toEqual({
      admit: 'nothing',
      limitedBy: 'ramp',
      reason: expect.stringContaining('Plex has just come back'),
      nextAt: start + 200,
    });
    expect(gate.ask(start + 199)).toMatchObject({ admit: 'nothing' });
    expect(gate.ask(start + 200)).toMatchObject({ admit: 'job' });
  });

  it('takes no token for a job that no lane is free for', () => {
    const gate = recovering({ flow: { lanes: 1 } });
    gate.ask(start);
    const ticket = admitted(gate.ask(start + 200));
    for (let ms = 300; ms < 1_000; ms += 100)
      expect(gate.ask(start + ms)).toMatchObject({ limitedBy: 'lanes' });
    gate.learn(ticket, outcomes.ok, start + 1_000);
    expect(gate.ask(start + 1_000)).toMatchObject({ admit: 'job' });
  });

  it('goes on after a restart at that point of the ramp, neither from its start nor at full speed', () => {
    const next = restarted(recovering(), start + 150_000);
    expect(rateAt(next, start + 150_000).perSecond).toBe(12.5);
    expect(next.recoveryEndsAt(start + 150_000)).toBe(start + 300_000);
  });

  it('is over after a restart that comes later than its end, with one line in the log', () => {
    const log = new MemoryLog();
    const next = gateWith({ state: stored(recovering()), now: start + 300_000, log });
    expect(rateAt(next, start + 300_000).perSecond).toBeNull();
    expect(next.tick(start + 300_000)).toBe(true);
    expect(messages(log, 'info')).toHaveLength(1);
    expect(stored(next).recoveryStartedAt).toBe(0);
  });

  it('gives a process that crashes in a loop no free jobs', () => {
    let gate = recovering();
    let jobs = 0;
    for (let ms = 0; ms < 60_000; ms += 100) {
      gate = restarted(gate, start + ms);
      const pass = gate.ask(start + ms);
      if (pass.admit === 'job') jobs++;
      if (gate.ask(start + ms + 99).admit === 'job') jobs++;
    }
    expect(jobs).toBe(0);
  });

  it('counts a start in the future as now: the clock was set back while nothing ran', () => {
    const back = start - 3_600_000;
    const next = restarted(recovering(), back);
    expect(stored(next).recoveryStartedAt).toBe(back);
    expect(rateAt(next, back + 150_000).perSecond).toBe(12.5);
    expect(next.recoveryEndsAt(back)).toBe(back + 300_000);
  });

  it('counts a start in the future as now: the clock was set back meanwhile', () => {
    const gate = recovering();
    const back = start - 3_600_000;
    expect(rateAt(gate, back).perSecond).toBe(5);
    expect(gate.tick(back)).toBe(false);
    expect(rateAt(gate, back + 150_000).perSecond).toBe(12.5);
    expect(gate.tick(back + 300_000)).toBe(true);
  });

  it('is over when the clock jumped beyond its end', () => {
    const gate = recovering();
    expect(gate.tick(start + 86_400_000)).toBe(true);
    expect(rateAt(gate, start + 86_400_000).limitedBy).toBe('none');
  });

  it('ends for good, with one line in the log', () => {
    const log = new MemoryLog();
    const gate = recovering({ log });
    log.lines.length = 0;
    expect(gate.tick(start + 299_999)).toBe(false);
    expect(gate.tick(start + 300_000)).toBe(true);
    expect(gate.tick(start + 300_001)).toBe(false);
    expect(log.lines).toEqual([
      { level: 'info', message: 'The recovery period is over: scenes go to Plex without a limit again.' },
    ]);
    expect(stored(gate)).toMatchObject({ recoveryStartedAt: 0, halving: { multiplier: 1, recent: [] } });
    expect(gate.view(start + 10_000).recovery).toMatchObject({
      active: false,
      startedAt: null,
      endsAt: null,
    });
  });

  it('leaves nothing of the limiter when it is over', () => {
    const gate = recovering();
    admissions(gate, start, start + 1_000);
    expect(rateAt(gate, start + 1_000).tokens).not.toBeNull();
    send(gate, outcomes.ok, start + 300_000);
    expect(rateAt(gate, start + 300_000).tokens).toBeNull();
  });

  it('is cancelled by an opening; the next closing starts a new one', () => {
    const gate = recovering();
    const now = start + 100_000;
    gate.ask(now - 1_000);
    send(gate, outcomes.notAuthorised, now);
    expect(stored(gate).recoveryStartedAt).toBe(0);
    expect(gate.recoveryEndsAt(now)).toBeNull();
    gate.ask(now + 60_000);
    gate.probed(outcomes.ok, false, now + 60_000);
    expect(stored(gate).recoveryStartedAt).toBe(now + 60_000);
    expect(rateAt(gate, now + 60_000).perSecond).toBe(5);
  });

  it('starts whole after an outage, however badly the one before went', () => {
    const gate = recovering({ flow: { ...neverOpen, openSeconds: 1 } });
    admissions(gate, start, start + 2_000, outcomes.down);
    expect(gate.view(start + 2_000).recovery.multiplier).toBe(0.5);
    send(gate, outcomes.notAuthorised, start + 10_000);
    gate.ask(start + 11_000);
    gate.probed(outcomes.ok, false, start + 11_000);
    expect(rateAt(gate, start + 11_000).perSecond).toBe(5);
  });

  it('is halved while too many jobs fail, and never below half a job a second', () => {
    const gate = recovering({ flow: neverOpen });
    const rates: (number | null)[] = [];
    for (let minute = 0; minute < 5; minute++) {
      admissions(gate, start + minute * 60_000, start + minute * 60_000 + 20_000, outcomes.down);
      rates.push(rateAt(gate, start + minute * 60_000 + 20_000).perSecond);
    }
    // 6, 9, 12, 15 and 18 a second by the ramp.
    expect(rates.map((rate) => rate?.toFixed(3))).toEqual(['3.000', '2.250', '1.500', '0.938', '0.563']);
    admissions(gate, start + 285_000, start + 299_000, outcomes.down);
    expect(rateAt(gate, start + 299_000).perSecond).toBeGreaterThanOrEqual(0.5);
  });

  it('is halved to the lowest rate at most', () => {
    const gate = recovering({ flow: { ...neverOpen, initialRate: 0.8, targetRate: 0.8 } });
    admissions(gate, start, start + 10_000, outcomes.down);
    expect(gate.view(start + 10_000).recovery.multiplier).toBe(0.5);
    expect(rateAt(gate, start + 10_000).perSecond).toBe(0.5);
  });

  it('keeps its multiplier over a restart', () => {
    const gate = recovering({ flow: neverOpen });
    admissions(gate, start, start + 2_000, outcomes.down);
    const next = restarted(gate, start + 2_000);
    expect(next.view(start + 2_000).recovery.multiplier).toBe(0.5);
    expect(next.ask(start + 2_000)).toMatchObject({ reason: expect.stringContaining('still fails') });
  });

  it('keeps to a ramp that is set below the lowest rate', () => {
    const gate = recovering({ flow: { initialRate: 0.1, targetRate: 0.2 } });
    expect(rateAt(gate, start).perSecond).toBe(0.1);
    expect(admissions(gate, start, start + 20_000)).toHaveLength(2);
  });

  it('follows settings that change meanwhile', () => {
    const gate = recovering();
    gate.flow = flowWith({ recoverySeconds: 600 });
    expect(rateAt(gate, start + 150_000).perSecond).toBe(8.75);
    gate.flow = flowWith({ initialRate: 1, targetRate: 2 });
    expect(rateAt(gate, start + 150_000).perSecond).toBe(1.5);
    gate.flow = flowWith({ recoverySeconds: 100 });
    expect(rateAt(gate, start + 150_000).perSecond).toBeNull();
    expect(gate.tick(start + 150_000)).toBe(true);
  });

  it('tells how far it is', () => {
    const gate = recovering();
    expect(gate.view(start + 75_000).recovery).toEqual({
      active: true,
      startedAt: '2026-11-16T14:02:00.000Z',
      endsAt: '2026-11-16T14:07:00.000Z',
      progress: 0.25,
      multiplier: 1,
    });
  });

  it('keeps no results for the halving when there is none', () => {
    const gate = gateWith();
    sendAll(gate, [outcomes.ok, outcomes.down, outcomes.ok], start);
    expect(stored(gate).halving.recent).toEqual([]);
  });
});
