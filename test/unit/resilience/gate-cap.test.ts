import { describe, expect, it } from 'vitest';
import type { Gate } from '../../../src/resilience/gate';
import { flowDefaults } from '../../../src/shared/flow-settings';
import {
  admissions,
  call,
  flowWith,
  gateWith,
  halfOpen,
  outcomes,
  rateAt,
  recovering,
  restarted,
  send,
  settleLatency,
  start,
  stored,
} from './rig';

describe('the adaptive cap of a gate', () => {
  /** Sends ten jobs a second for ten seconds. */
  function busy(gate: Gate): number {
    for (let ms = 0; ms < 10_000; ms += 100) send(gate, outcomes.ok, start + ms);
    return start + 10_000;
  }

  it('is set by an overload to half of what was achieved, also outside a recovery', () => {
    const gate = gateWith();
    const now = busy(gate);
    const { achieved } = rateAt(gate, now);
    gate.called(call({ end: 'overloaded', startedAt: now }), now);
    expect(rateAt(gate, now)).toMatchObject({ limitedBy: 'cap', cap: achieved * flowDefaults.overloadCut });
  });

  it.each([
    ['an answer with Retry-After', { retryAfterMs: 1 }],
    ['a failure with Retry-After', { end: 'failed', retryAfterMs: 1 }],
  ] as const)('is set by %s', (_, more) => {
    const gate = gateWith();
    const now = busy(gate);
    const { achieved } = rateAt(gate, now);
    gate.called(call({ startedAt: now, ...more }), now);
    expect(rateAt(gate, now).cap).toBe(achieved * flowDefaults.distressCut);
  });

  it('is set when the smoothed latency is well above the normal one [lesson 19: few requests, and no faster than Plex bears]', () => {
    const gate = gateWith();
    const now = busy(gate);
    settleLatency(gate, 100, now);
    expect(rateAt(gate, now).cap).toBeNull();
    settleLatency(gate, 100 * flowDefaults.distressFactor * 0.9, now);
    expect(rateAt(gate, now).cap).toBeNull();
    const { achieved } = rateAt(gate, now);
    settleLatency(gate, 100 * flowDefaults.distressFactor * 1.3, now);
    const { distressCut, reliefPercent } = flowDefaults;
    expect(rateAt(gate, now).cap).toBeCloseTo((achieved * distressCut * reliefPercent) / 100, 9);
  });

  it('is not set by calls that only fail: they say nothing about how long it takes', () => {
    const gate = gateWith();
    const now = busy(gate);
    settleLatency(gate, 100, now);
    for (let n = 0; n < 100; n++) gate.called(call({ end: 'failed', ms: 30_000, startedAt: now }), now);
    expect(rateAt(gate, now).cap).toBeNull();
    expect(gate.view(now).latency.edit?.p95Ms).toBe(100);
  });

  it('is not set by a run of pictures', () => {
    const gate = gateWith();
    const now = busy(gate);
    settleLatency(gate, 50, now);
    for (let n = 0; n < 100; n++) gate.called(call({ kind: 'upload', ms: 5_000, startedAt: now }), now);
    expect(rateAt(gate, now).cap).toBeNull();
  });

  it('limits the ramp when it is lower, and is limited by it when it is higher', () => {
    const gate = recovering();
    const now = start + 150_000;
    admissions(gate, now, now + 10_000);
    gate.called(call({ end: 'overloaded', startedAt: now + 10_000 }), now + 10_000);
    expect(rateAt(gate, now + 10_000).limitedBy).toBe('cap');
    expect(rateAt(gate, now + 10_000).perSecond).toBeLessThan(7.5);
    gate.flow = flowWith({ initialRate: 0.6, targetRate: 1 });
    expect(rateAt(gate, now + 10_000)).toMatchObject({
      limitedBy: 'ramp',
      perSecond: expect.closeTo(0.813, 3),
    });
  });

  it('holds jobs back outside a recovery too, and tells why', () => {
    const gate = gateWith();
    const now = busy(gate);
    gate.called(call({ end: 'overloaded', startedAt: now }), now);
    const pass = gate.ask(now);
    expect(pass).toMatchObject({
      limitedBy: 'cap',
      reason: expect.stringContaining('more to do than it can'),
    });
    expect(admissions(gate, now, now + 2_000).length).toBeLessThanOrEqual(13);
  });

  it('counts only from its cut on what it has grown by when it is asked', () => {
    const gate = gateWith({ flow: { growthPercent: 100, cutApartSeconds: 0.1 } });
    const now = busy(gate);
    gate.called(call({ end: 'overloaded', startedAt: now }), now);
    gate.ask(now);
    gate.called(call({ end: 'overloaded', startedAt: now }), now + 100);
    const { cap } = rateAt(gate, now + 100);
    for (let ms = 110; ms <= 350; ms += 10) gate.view(now + ms);
    // The rate of now over the whole time would be a token; what there was at most is not.
    const { perSecond } = rateAt(gate, now + 350);
    expect((perSecond ?? 0) * 0.35).toBeGreaterThan(1);
    expect((cap ?? 0) * 0.1 + (perSecond ?? 0) * 0.25).toBeLessThan(1);
    expect(gate.ask(now + 350)).toMatchObject({ limitedBy: 'cap' });
  });

  it('grows while it is in use and disappears in the end', () => {
    const gate = gateWith();
    const now = busy(gate);
    gate.called(call({ end: 'overloaded', startedAt: now }), now);
    const caps: number[] = [];
    for (let ms = 0; rateAt(gate, now + ms).cap !== null && ms < 600_000; ms += 20) {
      const pass = gate.ask(now + ms);
      if (pass.admit === 'job') gate.learn(pass.ticket, outcomes.ok, now + ms);
      caps.push(rateAt(gate, now + ms).cap ?? flowDefaults.targetRate);
    }
    expect(caps).toEqual(caps.toSorted((a, b) => a - b));
    expect(caps.length * 20).toBeLessThan(120_000);
    expect(rateAt(gate, now + 120_000)).toMatchObject({ cap: null, limitedBy: 'none' });
  });

  it.each([0.5, 0.1, 0.01])('does not stay for ever at a lowest rate of %s', (lowestRate) => {
    const gate = gateWith({ flow: { lowestRate } });
    gate.called(call({ end: 'overloaded' }), start);
    const before = rateAt(gate, start).cap ?? 0;
    admissions(gate, start, start + 20_000 / lowestRate);
    expect(rateAt(gate, start + 20_000 / lowestRate).cap).toBeGreaterThan(before * 1.5);
  });

  it('is not cut to almost nothing because the process is new', () => {
    const gate = gateWith();
    const now = busy(gate);
    const next = restarted(gate, now);
    for (const each of [gate, next]) each.called(call({ end: 'overloaded', startedAt: now }), now);
    expect(rateAt(next, now).cap).toBe(rateAt(gate, now).cap);
  });

  it('learns nothing from the calls of a trial: one job alone says nothing about a rate', () => {
    const gate = halfOpen();
    gate.ask(start);
    gate.called(call({ ms: 100 }), start + 100);
    gate.called(call({ end: 'overloaded' }), start + 100);
    expect(stored(gate)).toMatchObject({ latency: {}, cap: { perSecond: null } });
  });

  it('learns nothing from calls that began before the last opening or closing', () => {
    const gate = recovering({ now: start });
    const before = stored(gate);
    gate.called(call({ startedAt: start - 1, end: 'overloaded', retryAfterMs: 60_000 }), start + 100);
    expect(stored(gate)).toEqual(before);
    gate.called(call({ startedAt: start, end: 'overloaded', retryAfterMs: 60_000 }), start + 100);
    expect(stored(gate)).not.toEqual(before);
  });

  it('learns from calls again soon after the clock was set back', () => {
    const gate = recovering();
    const back = start - 3_600_000;
    gate.called(call({ startedAt: back }), back + 100);
    gate.called(call({ startedAt: back + 100, retryAfterMs: 60_000 }), back + 200);
    expect(gate.ask(back + 200)).toMatchObject({ limitedBy: 'retry-after' });
  });
});
