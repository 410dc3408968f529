import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { Gate, gateSchema, unknownGate } from '../../../src/resilience/gate';
import { flowDefaults } from '../../../src/shared/flow-settings';
import type { Outcome } from '../../../src/shared/outcome';
import { MemoryLog } from '../../support/memory-log';
import {
  admissions,
  admitted,
  call,
  fail,
  flowWith,
  gateWith,
  halfOpen,
  opened,
  outcomes,
  overloadedFor,
  rateAt,
  recovering,
  restarted,
  send,
  sendAll,
  settleLatency,
  start,
  stored,
  take,
} from './rig';

const never = Number.POSITIVE_INFINITY;
const messages = (log: MemoryLog, level: string) =>
  log.lines.filter((line) => line.level === level).map(({ message }) => message);

describe('a gate that is closed', () => {
  it('admits jobs without a limit', () => {
    const gate = gateWith();
    for (let n = 0; n < 1_000; n++) send(gate, outcomes.ok, start);
    expect(gate.view(start)).toMatchObject({
      reason: 'Scenes go to Plex without a limit.',
      rate: { perSecond: null, limitedBy: 'none', tokens: null, cap: null },
      breaker: { state: 'CLOSED', cause: null },
      recovery: { active: false, multiplier: 1 },
    });
  });

  it('admits as many jobs at a time as there are lanes, and the next when one has ended', () => {
    const gate = gateWith();
    const [first] = take(gate, 2, start);
    expect(gate.ask(start)).toMatchObject({ admit: 'nothing', limitedBy: 'lanes', nextAt: never });
    if (first) gate.learn(first, outcomes.ok, start + 1);
    expect(gate.ask(start + 1)).toMatchObject({ admit: 'job' });
    expect(gate.ask(start + 1)).toMatchObject({ limitedBy: 'lanes' });
  });

  it('has the lane of a job that was broken off back, and learns nothing from it', () => {
    const gate = gateWith();
    const [first] = take(gate, 2, start);
    const before = stored(gate);
    expect(first && gate.learn(first, null, start + 1)).toBe(false);
    expect(stored(gate)).toEqual(before);
    expect(gate.ask(start + 1)).toMatchObject({ admit: 'job' });
  });

  it.each([outcomes.down, outcomes.transient])('opens after 5 times $kind in a row', (outcome) => {
    const gate = gateWith();
    const all = new Array<Outcome>(5).fill(outcome);
    expect(sendAll(gate, all, start)).toEqual([false, false, false, false, true]);
    expect(gate.isClosed).toBe(false);
    expect(gate.outage).toEqual({ since: start, cause: outcome.message });
  });

  it('resets the run of failures with a success', () => {
    const gate = gateWith();
    fail(gate, 4, start);
    send(gate, outcomes.ok, start + 60_000);
    fail(gate, 4, start + 120_000);
    expect(gate.isClosed).toBe(true);
  });

  it.each([outcomes.notInPlex, outcomes.badData, outcomes.unchanged])(
    'takes $kind for a healthy answer [lesson 12: an error of one item is none of the server]',
    (outcome) => {
      const gate = gateWith();
      fail(gate, 4, start);
      send(gate, outcome, start + 60_000);
      fail(gate, 4, start + 120_000);
      expect(gate.isClosed).toBe(true);
    },
  );

  it.each([outcomes.filtered, outcomes.gone, outcomes.untouched, outcomes.stashAway])(
    'learns nothing from $kind: it counts neither as a failure nor as a success',
    (outcome) => {
      const gate = gateWith();
      fail(gate, 4, start);
      const before = { ...stored(gate), pace: null };
      for (let n = 0; n < 100; n++) expect(send(gate, outcome, start)).toBe(false);
      expect({ ...stored(gate), pace: null }).toEqual(before);
      expect(fail(gate, 1, start)).toEqual([true]);
    },
  );

  it.each([outcomes.notAuthorised, outcomes.mayNotEdit, outcomes.misconfigured])(
    'opens at once after $kind, with its cause',
    (outcome) => {
      const gate = gateWith();
      expect(send(gate, outcome, start)).toBe(true);
      expect(gate.ask(start + 1)).toEqual({
        admit: 'nothing',
        limitedBy: 'breaker',
        reason: outcome.message,
        nextAt: start + 60_000,
      });
    },
  );

  it('counts an hour-old failure for nothing in its error rate', () => {
    const gate = gateWith();
    fail(gate, 4, start);
    expect(gate.view(start).breaker.errorRate).toBe(1);
    expect(gate.view(start + 3_600_000).breaker.errorRate).toBeNull();
  });

  it('opens when a probe of changed settings fails', () => {
    const gate = gateWith();
    expect(gate.probed(outcomes.down, true, start)).toBe(true);
    expect(gate.outage?.cause).toBe(outcomes.down.message);
  });

  it('stays as it is when a probe of changed settings succeeds', () => {
    const gate = gateWith();
    const before = stored(gate);
    expect(gate.probed(outcomes.ok, true, start)).toBe(false);
    expect(gate.probed(outcomes.ok, false, start)).toBe(false);
    expect(gate.probed(null, false, start)).toBe(false);
    expect(stored(gate)).toEqual(before);
  });

  it('has no outage, and knows when the last was over', () => {
    expect(gateWith()).toMatchObject({ outage: null, closedAt: null });
    expect(recovering()).toMatchObject({ outage: null, closedAt: start });
  });
});

describe('a gate that is open', () => {
  it('admits nothing before its wait is over, then a probe', () => {
    const gate = opened();
    for (const ms of [0, 1, 30_000, 59_999]) {
      expect(gate.ask(start + ms)).toMatchObject({ limitedBy: 'breaker', nextAt: start + 60_000 });
    }
    expect(gate.ask(start + 60_000)).toEqual({ admit: 'probe' });
  });

  it('says what is wrong, since when, and when the next try is', () => {
    const gate = opened();
    expect(gate.view(start + 1_000)).toMatchObject({
      reason: outcomes.notAuthorised.message,
      breaker: {
        state: 'OPEN',
        cause: outcomes.notAuthorised.message,
        since: '2026-11-16T14:02:00.000Z',
        retryAt: '2026-11-16T14:03:00.000Z',
      },
      rate: { perSecond: 0, limitedBy: 'breaker' },
    });
  });

  it('learns nothing from answers to jobs from before, and nothing from their calls', () => {
    const gate = gateWith({ flow: { lanes: 20 } });
    const [refused, ...others] = take(gate, 10, start);
    if (refused) gate.learn(refused, outcomes.notAuthorised, start + 1_000);
    const before = stored(gate);
    const late = [outcomes.ok, outcomes.overloaded, outcomes.down, overloadedFor(600_000), null];
    others.forEach((ticket, n) => {
      expect(gate.learn(ticket, late[n % late.length] ?? null, start + 2_000)).toBe(false);
    });
    gate.called(call({ startedAt: start + 999, retryAfterMs: 600_000 }), start + 2_000);
    expect(stored(gate)).toEqual(before);
  });

  it('is not closed by a probe that was sent before it opened', () => {
    const gate = opened();
    const before = stored(gate);
    expect(gate.probed(outcomes.ok, false, start + 1)).toBe(false);
    expect(gate.probed(outcomes.ok, true, start + 1)).toBe(false);
    expect(stored(gate)).toEqual(before);
    expect(gate.ask(start + 1)).toMatchObject({ limitedBy: 'breaker', nextAt: start + 60_000 });
  });

  it('does not wait longer for a failed probe that was sent before it opened', () => {
    const gate = opened();
    const before = stored(gate);
    expect(gate.probed(outcomes.down, true, start + 1)).toBe(false);
    expect(stored(gate)).toEqual(before);
  });

  it('probes at once when it is told to, and waits longer if that fails', () => {
    const gate = opened();
    expect(gate.tryNow()).toBe(true);
    expect(gate.ask(start + 1)).toEqual({ admit: 'probe' });
    gate.probed(outcomes.down, true, start + 1);
    expect(gate.ask(start + 2)).toMatchObject({ limitedBy: 'breaker', nextAt: start + 1 + 120_000 });
  });

  it('waits at least as long as the server asked for', () => {
    const gate = gateWith({ flow: { overloadsInARow: 1 } });
    send(gate, overloadedFor(600_000), start);
    expect(gate.ask(start + 1)).toMatchObject({ limitedBy: 'breaker', nextAt: start + 600_000 });
  });

  it('waits at least as long as the server asked for in a call, when the job failed otherwise', () => {
    const gate = gateWith({ flow: { failuresInARow: 1 } });
    const ticket = admitted(gate.ask(start));
    gate.called(call({ end: 'failed', retryAfterMs: 600_000 }), start);
    gate.learn(ticket, outcomes.transient, start);
    expect(gate.ask(start + 1)).toMatchObject({ limitedBy: 'breaker', nextAt: start + 600_000 });
  });

  it('waits exactly as long after a restart', () => {
    const gate = opened({ random: () => 0.7 });
    const next = restarted(gate, start + 1_000, () => 0.1);
    expect(next.ask(start + 1_000)).toEqual(gate.ask(start + 1_000));
    expect(next.ask(start + 68_399)).toMatchObject({ limitedBy: 'breaker', nextAt: start + 68_400 });
    expect(next.ask(start + 68_400)).toEqual({ admit: 'probe' });
    expect(next.outage).toEqual(gate.outage);
  });

  it('does not wait for hours because the clock was set back', () => {
    expect(opened().ask(start - 3_600_000)).toEqual({ admit: 'probe' });
  });

  it('goes by the settings of the moment in which it opens', () => {
    const gate = gateWith();
    gate.flow = flowWith({ openSeconds: 10, failuresInARow: 1 });
    send(gate, outcomes.down, start);
    gate.flow = flowWith();
    expect(gate.ask(start + 1)).toMatchObject({ nextAt: start + 10_000 });
  });
});

describe('a gate that is half open', () => {
  it('sends one probe, and nothing until it is answered', () => {
    const gate = opened();
    gate.ask(start + 60_000);
    expect(gate.ask(start + 60_001)).toMatchObject({ limitedBy: 'breaker', nextAt: never });
    expect(gate.wantsTrial).toBe(false);
  });

  it('sends one job alone when the probe was well, and closes when that succeeds', () => {
    const gate = halfOpen();
    expect(gate.wantsTrial).toBe(true);
    const trial = admitted(gate.ask(start + 1));
    expect(trial.isTrial).toBe(true);
    expect(gate.wantsTrial).toBe(false);
    expect(gate.ask(start + 2)).toMatchObject({ admit: 'nothing', nextAt: never });
    expect(gate.learn(trial, outcomes.ok, start + 3)).toBe(true);
    expect(gate.isClosed).toBe(true);
  });

  it('closes by the probe alone when nothing waits', () => {
    const gate = opened();
    gate.ask(start + 60_000);
    expect(gate.probed(outcomes.ok, false, start + 60_100)).toBe(true);
    expect(gate.isClosed).toBe(true);
  });

  it('closes when what could have been the trial is gone', () => {
    const gate = halfOpen();
    expect(gate.nothingToTry(start + 1)).toBe(true);
    expect(gate).toMatchObject({ isClosed: true, closedAt: start + 1 });
  });

  it('is not closed for want of a trial in any other state', () => {
    const gate = opened();
    expect(gate.nothingToTry(start + 60_000)).toBe(false);
    gate.ask(start + 60_000);
    expect(gate.nothingToTry(start + 60_000)).toBe(false);
    const trying = halfOpen();
    trying.ask(start + 1);
    expect(trying.nothingToTry(start + 2)).toBe(false);
    expect(gateWith().nothingToTry(start)).toBe(false);
  });

  it.each([outcomes.down, outcomes.overloaded, outcomes.notAuthorised, outcomes.transient])(
    'opens for longer when the probe meets $kind',
    (outcome) => {
      const gate = opened();
      gate.ask(start + 60_000);
      expect(gate.probed(outcome, true, start + 60_000)).toBe(true);
      const expected = { limitedBy: 'breaker', reason: outcome.message, nextAt: start + 180_000 };
      expect(gate.ask(start + 60_001)).toMatchObject(expected);
      expect(gate.outage?.since).toBe(start);
    },
  );

  it.each([outcomes.down, outcomes.overloaded, outcomes.notAuthorised, outcomes.transient])(
    'opens for longer when the trial meets $kind',
    (outcome) => {
      const gate = halfOpen();
      expect(send(gate, outcome, start)).toBe(true);
      const expected = { limitedBy: 'breaker', reason: outcome.message, nextAt: start + 120_000 };
      expect(gate.ask(start + 1)).toMatchObject(expected);
    },
  );

  it.each([outcomes.filtered, outcomes.gone, outcomes.untouched, outcomes.stashAway, null])(
    'takes the next job as the trial when the first ended without asking Plex (%o)',
    (outcome) => {
      const gate = halfOpen();
      expect(send(gate, outcome, start)).toBe(false);
      expect(gate.wantsTrial).toBe(true);
      expect(admitted(gate.ask(start + 1)).isTrial).toBe(true);
    },
  );

  it.each([outcomes.notInPlex, outcomes.badData, outcomes.unchanged])(
    'closes when the trial ends with $kind: the server answered',
    (outcome) => {
      const gate = halfOpen();
      expect(send(gate, outcome, start)).toBe(true);
      expect(gate.isClosed).toBe(true);
    },
  );

  it('probes again when the probe was broken off', () => {
    const gate = opened();
    gate.ask(start + 60_000);
    expect(gate.probed(null, true, start + 60_100)).toBe(false);
    expect(gate.ask(start + 60_200)).toEqual({ admit: 'probe' });
  });

  it.each([outcomes.filtered, outcomes.stashAway])(
    'probes again when the probe ended with $kind, which says nothing about Plex',
    (outcome) => {
      const gate = opened();
      gate.ask(start + 60_000);
      expect(gate.probed(outcome, true, start + 60_100)).toBe(false);
      expect(gate.ask(start + 60_200)).toEqual({ admit: 'probe' });
    },
  );

  it('waits with the trial until the jobs from before the opening have ended, so that it runs alone', () => {
    const gate = gateWith();
    const [first, second] = take(gate, 2, start);
    if (first) gate.learn(first, outcomes.notAuthorised, start);
    gate.ask(start + 60_000);
    gate.probed(outcomes.ok, true, start + 60_000);
    expect(gate.ask(start + 60_001)).toMatchObject({ admit: 'nothing', nextAt: never });
    expect(gate.wantsTrial).toBe(true);
    if (second) gate.learn(second, outcomes.down, start + 61_000);
    expect(admitted(gate.ask(start + 61_000)).isTrial).toBe(true);
  });

  it('keeps to what the server asked for during the trial, when it opens again', () => {
    const gate = halfOpen();
    const trial = admitted(gate.ask(start));
    gate.called(call({ end: 'failed', retryAfterMs: 900_000 }), start);
    gate.learn(trial, outcomes.transient, start);
    expect(gate.ask(start + 1)).toMatchObject({ limitedBy: 'breaker', nextAt: start + 900_000 });
  });

  it('keeps to what the server asked for during the trial, when it closes', () => {
    const gate = halfOpen();
    const trial = admitted(gate.ask(start));
    gate.called(call({ retryAfterMs: 30_000 }), start);
    gate.learn(trial, outcomes.ok, start);
    expect(gate.ask(start + 1_000)).toMatchObject({ limitedBy: 'retry-after', nextAt: start + 30_000 });
  });

  it('cannot be hurried: the try is under way', () => {
    const gate = opened();
    gate.ask(start + 60_000);
    expect(gate.tryNow()).toBe(false);
  });

  it.each(['probe', 'trial'])(
    'leaves no half-open state when its process is killed during the %s',
    (which) => {
      const gate = opened();
      gate.ask(start + 60_000);
      if (which === 'trial') {
        gate.probed(outcomes.ok, true, start + 60_000);
        gate.ask(start + 60_000);
      }
      const next = restarted(gate, start + 61_000);
      expect(next.ask(start + 61_000)).toEqual({ admit: 'probe' });
      next.probed(outcomes.ok, true, start + 61_000);
      send(next, outcomes.ok, start + 61_000);
      expect(next.isClosed).toBe(true);
    },
  );

  it('shows that it is tried', () => {
    const gate = halfOpen();
    expect(gate.view(start)).toMatchObject({
      breaker: { state: 'HALF_OPEN', retryAt: null },
      rate: { perSecond: 0, limitedBy: 'breaker' },
    });
  });
});

describe('a gate of which nothing is known', () => {
  it('begins with a probe, a trial and a recovery period', () => {
    const gate = gateWith({ state: unknownGate('The file was damaged.', start) });
    expect(gate.outage).toEqual({ since: start, cause: 'The file was damaged.' });
    expect(gate.ask(start)).toEqual({ admit: 'probe' });
    gate.probed(outcomes.ok, true, start);
    send(gate, outcomes.ok, start);
    expect(gate.recoveryEndsAt(start)).toBe(start + 300_000);
  });
});

describe('the lanes of a gate', () => {
  it('follow a setting that changes meanwhile', () => {
    const gate = gateWith();
    take(gate, 2, start);
    gate.flow = flowWith({ lanes: 3 });
    take(gate, 1, start);
    gate.flow = flowWith({ lanes: 1 });
    expect(gate.ask(start)).toMatchObject({ limitedBy: 'lanes' });
  });

  it('are still taken by jobs that outlive an outage', () => {
    const gate = gateWith({ flow: { recoverySeconds: 1 } });
    const [first, second] = take(gate, 2, start);
    if (first) gate.learn(first, outcomes.notAuthorised, start);
    gate.ask(start + 60_000);
    gate.probed(outcomes.ok, false, start + 60_000);
    take(gate, 1, start + 62_000);
    expect(gate.ask(start + 62_000)).toMatchObject({ limitedBy: 'lanes' });
    if (second) gate.learn(second, outcomes.down, start + 63_000);
    expect(gate.ask(start + 63_000)).toMatchObject({ admit: 'job' });
  });

  it('are no reason in the status, which speaks of the flow', () => {
    const gate = gateWith();
    take(gate, 2, start);
    expect(gate.view(start)).toMatchObject({
      reason: 'Scenes go to Plex without a limit.',
      rate: { limitedBy: 'none' },
    });
  });
});

describe('looking at a gate', () => {
  it('changes no decision', () => {
    const [watched, alone] = [recovering(), recovering()];
    for (let ms = 0; ms < 2_000; ms += 10) {
      for (let n = 0; n < 3; n++) watched.view(start + ms);
      expect(watched.ask(start + ms)).toEqual(alone.ask(start + ms));
    }
  });

  it('shows the tokens of the bucket', () => {
    const gate = recovering();
    expect(rateAt(gate, start).tokens).toBeNull();
    gate.ask(start);
    gate.ask(start + 100);
    expect(rateAt(gate, start + 100).tokens).toBeCloseTo(0.5, 9);
  });
});

describe('what a gate logs', () => {
  it('is each change of state at info, with the sentence that a person needs', () => {
    const log = new MemoryLog();
    const gate = gateWith({ log });
    send(gate, outcomes.notAuthorised, start);
    gate.ask(start + 60_000);
    gate.probed(outcomes.ok, false, start + 60_000);
    gate.tick(start + 360_000);
    const lines = log.lines.filter(({ level }) => level !== 'debug').map(({ message }) => message);
    expect(lines).toEqual([
      expect.stringContaining(`${outcomes.notAuthorised.message} The next try is in 60 s.`),
      expect.stringMatching(/well again.*5.*20.*300 s/),
      expect.stringContaining('recovery period is over'),
    ]);
  });

  it('is a step at debug', () => {
    const log = new MemoryLog();
    const gate = gateWith({ log });
    fail(gate, 1, start);
    settleLatency(gate, 100, start + 5_000);
    settleLatency(gate, 1_000, start + 5_000);
    expect(messages(log, 'debug')).toEqual([
      expect.stringContaining(outcomes.down.message),
      expect.stringMatching(/times as slow as usual: at most/),
    ]);
  });

  it('does not call a server slow that only asked us to wait', () => {
    const log = new MemoryLog();
    const gate = gateWith({ log });
    settleLatency(gate, 100, start + 5_000);
    gate.called(call({ ms: 110, retryAfterMs: 1_000 }), start + 5_000);
    expect(messages(log, 'debug')).toHaveLength(1);
    expect(messages(log, 'debug').join()).not.toContain('slow');
  });
});

describe('the saved state of a gate', () => {
  it('is the same when it was loaded', () => {
    const gate = recovering();
    admissions(gate, start, start + 10_000);
    gate.called(call({ startedAt: start + 10_000, end: 'overloaded', retryAfterMs: 60_000 }), start + 10_000);
    gate.called(call({ startedAt: start + 10_000, kind: 'upload', ms: 900 }), start + 10_000);
    expect(stored(restarted(gate, start + 10_000))).toEqual(stored(gate));
  });

  it('does not change when the gate that was loaded from it goes on', () => {
    const state = stored(recovering());
    const before = JSON.stringify(state);
    const next = new Gate({ flow: flowDefaults, random: () => 0, now: start, state });
    admissions(next, start, start + 5_000);
    next.called(call(), start + 5_000);
    expect(JSON.stringify(state)).toBe(before);
  });

  it('is refused when it does not fit', () => {
    const state = stored(gateWith());
    expect(v.is(gateSchema, state)).toBe(true);
    expect(v.is(gateSchema, { ...state, recoveryStartedAt: -1 })).toBe(false);
    expect(v.is(gateSchema, { ...state, breaker: { ...state.breaker, state: 'AJAR' } })).toBe(false);
    expect(v.is(gateSchema, { ...state, pace: undefined })).toBe(false);
  });
});
