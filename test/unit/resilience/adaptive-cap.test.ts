import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { AdaptiveCap, capSchema } from '../../../src/resilience/adaptive-cap';
import { flowWith, start } from './rig';

const flow = flowWith();
const apartMs = flow.cutApartSeconds * 1_000;
/** Below the target, so that a cap has room to grow. */
const achieved = flow.targetRate / 2;
const calm = 1;

function cutAt(now: number, rate = achieved): AdaptiveCap {
  const cap = new AdaptiveCap();
  expect(cap.distress(false, rate, flow, now)).toBe(true);
  return cap;
}

/** The cap itself, whatever relief leaves of it at the moment. */
const capOf = (cap: AdaptiveCap): number | null => cap.state.perSecond;

/** Asked every tenth of a second while the cap is used to the full; how long it took until it was gone. */
function secondsUntilGone(cap: AdaptiveCap, from: number, strain = calm): number {
  for (let ms = 100; ms < 3_600_000; ms += 100) {
    cap.grow(strain, capOf(cap) ?? 0, flow, from + ms);
    if (capOf(cap) === null) return ms / 1_000;
  }
  throw new Error('the cap is there for ever');
}

/** How many times larger the cap is after a second of full use. */
function growth(cap: AdaptiveCap, from: number, strain = calm): number {
  const before = capOf(cap) ?? 0;
  for (let ms = 100; ms <= 1_000; ms += 100) cap.grow(strain, capOf(cap) ?? 0, flow, from + ms);
  return (capOf(cap) ?? 0) / before;
}

describe('the adaptive cap', () => {
  it('does not exist as long as all is well', () => {
    const cap = new AdaptiveCap();
    cap.grow(calm, achieved, flow, start);
    expect(capOf(cap)).toBeNull();
  });

  it('is set below the rate that was really achieved', () => {
    expect(capOf(cutAt(start))).toBeCloseTo(achieved * flow.distressCut, 9);
  });

  it('is cut deeper by an overload', () => {
    const cap = new AdaptiveCap();
    cap.distress(true, achieved, flow, start);
    expect(capOf(cap)).toBeCloseTo(achieved * flow.overloadCut, 9);
  });

  it('is cut from itself when more was achieved', () => {
    const cap = cutAt(start);
    cap.grow(calm, 0, flow, start);
    const before = capOf(cap) ?? 0;
    cap.distress(false, achieved * 2, flow, start + apartMs);
    expect(capOf(cap)).toBeCloseTo(before * flow.distressCut, 9);
  });

  it('is cut from what was achieved when that is less than the cap', () => {
    const cap = cutAt(start);
    cap.grow(calm, 0, flow, start);
    cap.distress(false, achieved / 4, flow, start + apartMs);
    expect(capOf(cap)).toBeCloseTo((achieved / 4) * flow.distressCut, 9);
  });

  it('is cut once in a while, not once per answer', () => {
    const cap = cutAt(start);
    const before = capOf(cap);
    for (let ms = 0; ms < apartMs; ms += 10) {
      expect(cap.distress(true, achieved, flow, start + ms)).toBe(false);
    }
    expect(capOf(cap)).toBe(before);
    expect(cap.distress(true, achieved, flow, start + apartMs)).toBe(true);
  });

  it('is never below the lowest rate', () => {
    const cap = new AdaptiveCap();
    for (let n = 0; n < 50; n++) cap.distress(true, 0, flow, start + n * apartMs);
    expect(capOf(cap)).toBe(flow.lowestRate);
  });

  it('grows by some percent a second while it is in use and the server is well', () => {
    expect(growth(cutAt(start), start)).toBeCloseTo(1 + flow.growthPercent / 100, 3);
  });

  it('grows at the same pace however often it is asked', () => {
    const often = cutAt(start);
    for (let ms = 10; ms <= 1_000; ms += 10) often.grow(calm, achieved, flow, start + ms);
    const once = cutAt(start);
    once.grow(calm, achieved, flow, start + 1_000);
    expect(capOf(often)).toBeCloseTo(capOf(once) ?? 0, 9);
  });

  it('grows at a quarter of that while the server is uneasy', () => {
    const uneasy = (flow.uneaseFactor + flow.distressFactor) / 2;
    const calmly = Math.log(growth(cutAt(start), start));
    const relieved = cutAt(start);
    relieved.grow(calm, 0, flow, start);
    const uneasily = Math.log(growth(relieved, start, uneasy));
    expect(uneasily).toBeGreaterThan(0);
    expect(uneasily).toBeLessThan(calmly / 3);
  });

  it('does not grow while the server is in distress', () => {
    expect(growth(cutAt(start), start, flow.distressFactor)).toBe(1);
  });

  it('never grows while it is not in use', () => {
    const cap = cutAt(start);
    const before = capOf(cap) ?? 0;
    const little = (before * flow.inUsePercent) / 100 - 0.001;
    for (let second = 1; second <= 3_600; second++) cap.grow(calm, little, flow, start + second * 1_000);
    expect(capOf(cap)).toBe(before);
  });

  it('does not grow by a long silence', () => {
    const cap = cutAt(start);
    const before = capOf(cap) ?? 0;
    cap.grow(calm, before, flow, start + 3_600_000);
    expect(capOf(cap)).toBeLessThan(before * 1.2);
  });

  it('disappears when it is above the target rate', () => {
    const cap = cutAt(start);
    const factor = flow.targetRate / (achieved * flow.distressCut);
    const expected = Math.log(factor) / Math.log1p(flow.growthPercent / 100);
    const seconds = secondsUntilGone(cap, start);
    expect(seconds).toBeGreaterThan(expected * 0.8);
    expect(seconds).toBeLessThan(expected * 1.5);
  });

  it('does not disappear below the rate that was achieved when it was set', () => {
    const fast = flow.targetRate * 3;
    const cap = cutAt(start, fast);
    let last = 0;
    for (let ms = 100; capOf(cap) !== null; ms += 100) {
      last = capOf(cap) ?? last;
      cap.grow(calm, last, flow, start + ms);
    }
    expect(last).toBeGreaterThan(fast * 0.98);
  });

  it('remembers the highest rate that was achieved at any of its cuts', () => {
    const fast = flow.targetRate * 3;
    const cap = cutAt(start, fast);
    cap.distress(false, fast / 2, flow, start + apartMs);
    expect(cap.state.enough).toBe(fast);
  });

  it('is gone for good: the next distress starts from what is achieved then', () => {
    const cap = cutAt(start);
    const later = start + secondsUntilGone(cap, start) * 1_000 + apartMs;
    cap.distress(false, achieved, flow, later);
    expect(capOf(cap)).toBeCloseTo(achieved * flow.distressCut, 9);
    expect(cap.state.enough).toBe(flow.targetRate);
  });

  it('neither shrinks nor jumps because the clock was set back', () => {
    const cap = cutAt(start);
    const before = capOf(cap) ?? 0;
    const back = start - 3_600_000;
    cap.grow(calm, before, flow, back);
    expect(capOf(cap)).toBe(before);
    expect(growth(cap, back)).toBeCloseTo(1 + flow.growthPercent / 100, 3);
    expect(cap.distress(false, achieved, flow, back)).toBe(true);
  });

  describe('right after a cut', () => {
    const relieved = (cap: AdaptiveCap) => cap.state.relief !== null;

    it('lets only a part through, until the server is calm', () => {
      const cap = cutAt(start);
      expect(cap.perSecond).toBeCloseTo(((capOf(cap) ?? 0) * flow.reliefPercent) / 100, 9);
      cap.grow(flow.calmFactor + 0.01, 0, flow, start + 100);
      expect(relieved(cap)).toBe(true);
      cap.grow(flow.calmFactor, 0, flow, start + 200);
      expect(relieved(cap)).toBe(false);
      expect(cap.perSecond).toBe(capOf(cap));
    });

    it('gives up relief that does not help: the slowness is not our doing', () => {
      const cap = cutAt(start);
      const slow = flow.distressFactor;
      for (let ms = 0; ms <= 30_000 && relieved(cap); ms += 100) cap.grow(slow, 0, flow, start + ms);
      expect(relieved(cap)).toBe(false);
    });

    it('goes on with relief as long as the server gets quicker', () => {
      const cap = cutAt(start);
      let strain = 1_000;
      for (let second = 1; second <= 120; second++) {
        strain *= 0.95;
        cap.grow(strain, 0, flow, start + second * 1_000);
      }
      expect(strain).toBeGreaterThan(flow.calmFactor);
      expect(relieved(cap)).toBe(true);
    });

    it('is cut again by an overload only', () => {
      const cap = cutAt(start);
      expect(cap.distress(false, achieved, flow, start + apartMs)).toBe(false);
      expect(cap.distress(true, achieved, flow, start + apartMs)).toBe(true);
    });

    it('does not grow', () => {
      const cap = cutAt(start);
      const before = capOf(cap);
      cap.grow(flow.calmFactor + 0.1, achieved, flow, start + 1_000);
      expect(capOf(cap)).toBe(before);
    });
  });

  it('is the same after a restart', () => {
    const cap = cutAt(start);
    const next = new AdaptiveCap(v.parse(capSchema, JSON.parse(JSON.stringify(cap.state))));
    expect(next.distress(true, achieved, flow, start + apartMs - 1)).toBe(false);
    expect(growth(next, start)).toBe(growth(cap, start));
    expect(next.state).toEqual(cap.state);
  });
});
