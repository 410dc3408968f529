import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { Pace, paceSchema } from '../../../src/resilience/pace';
import { start } from './rig';

/** So many jobs a second for so long, from `from` on. */
function admit(pace: Pace, perSecond: number, seconds: number, from: number): number {
  const every = 1_000 / perSecond;
  let now = from;
  for (let n = 1; n <= perSecond * seconds; n++) {
    now = Math.round(from + n * every);
    pace.admitted(now);
  }
  return now;
}

describe('the achieved rate', () => {
  it('is nothing before anything was admitted', () => {
    expect(new Pace().perSecond(start)).toBe(0);
  });

  it.each([0.01, 0.1, 0.377, 0.5, 0.58, 2, 8, 20])('is what is really admitted: %s a second', (rate) => {
    const pace = new Pace();
    const everyMs = 1_000 / rate;
    for (let n = 1; n <= 100; n++) {
      const now = Math.round(start + n * everyMs);
      // As the gate sees it, right before the next one.
      if (n > 20) expect(Math.abs(pace.perSecond(now) / rate - 1)).toBeLessThan(0.05);
      pace.admitted(now);
    }
  });

  it('is known within a second of a start', () => {
    const pace = new Pace();
    const now = admit(pace, 10, 1, start);
    expect(pace.perSecond(now)).toBeCloseTo(10, 0);
  });

  it('is not taken for more than it was because the first jobs came in a burst', () => {
    const pace = new Pace();
    for (let n = 0; n < 20; n++) pace.admitted(start);
    expect(pace.perSecond(start)).toBe(20);
    expect(pace.perSecond(start + 4_000)).toBe(5);
  });

  it('follows a rate that falls within five seconds', () => {
    const pace = new Pace();
    const now = admit(pace, 2, 6, admit(pace, 20, 20, start));
    expect(pace.perSecond(now)).toBeLessThan(2.7);
  });

  it('falls toward nothing in a silence', () => {
    const pace = new Pace();
    const now = admit(pace, 20, 20, start);
    expect(pace.perSecond(now + 3_000)).toBeLessThan(12);
    expect(pace.perSecond(now + 6_000)).toBeLessThan(0.2);
    expect(pace.perSecond(now + 60_000)).toBeLessThan(0.02);
    expect(pace.perSecond(now + 600_000)).toBe(0);
  });

  it('is measured anew after a silence', () => {
    const pace = new Pace();
    const later = admit(pace, 20, 20, start) + 60_000;
    expect(pace.perSecond(admit(pace, 10, 1, later))).toBeCloseTo(10, 0);
  });

  it.each([1, 2_000, 600_000])('does not change because the clock was set back by %i ms', (backMs) => {
    const pace = new Pace();
    const now = admit(pace, 10, 20, start);
    const rate = pace.perSecond(now);
    expect(Math.abs(pace.perSecond(now - backMs) / rate - 1)).toBeLessThan(0.25);
    for (let n = 1; n <= 50; n++) {
      pace.admitted(now - backMs + n * 100);
      expect(Math.abs(pace.perSecond(now - backMs + n * 100) / rate - 1)).toBeLessThan(0.25);
    }
  });

  it('takes a few counters, however many jobs', () => {
    const pace = new Pace();
    for (let n = 0; n < 100_000; n++) pace.admitted(start + n);
    expect(pace.state.length).toBeLessThanOrEqual(6);
  });

  it('is the same after a restart', () => {
    const pace = new Pace();
    const now = admit(pace, 10, 20, start);
    const next = new Pace(v.parse(paceSchema, JSON.parse(JSON.stringify(pace.state))));
    expect(next.perSecond(now + 500)).toBe(pace.perSecond(now + 500));
  });
});
