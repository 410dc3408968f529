import { describe, expect, it } from 'vitest';
import { isOver, progress, rampRate } from '../../../src/resilience/recovery';
import { flowWith, start } from './rig';

const flow = flowWith();
const rateAfter = (seconds: number) => rampRate(start, start + seconds * 1_000, flow);

describe('the recovery period', () => {
  it.each([
    [0, 5],
    [75, 8.75],
    [150, 12.5],
    [299.9, 19.995],
  ])('allows, %s s after its start, %s jobs a second', (seconds, rate) => {
    expect(rateAfter(seconds)).toBeCloseTo(rate, 9);
  });

  it('knows no limit from its end on', () => {
    expect(rateAfter(300)).toBeNull();
    expect(rateAfter(86_400)).toBeNull();
    expect(isOver(start, start + 299_999, flow)).toBe(false);
    expect(isOver(start, start + 300_000, flow)).toBe(true);
  });

  it('does not exist when none was started', () => {
    expect(rampRate(0, 1_000, flow)).toBeNull();
  });

  it('counts a start in the future as now', () => {
    expect(rateAfter(-3_600)).toBe(5);
    expect(progress(start, start - 3_600_000, flow)).toBe(0);
  });

  it('never becomes slower with time', () => {
    const rates = Array.from({ length: 300 }, (_, second) => rateAfter(second) ?? 0);
    expect(rates).toEqual(rates.toSorted((a, b) => a - b));
  });

  it('tells how far it is', () => {
    expect(progress(start, start + 75_000, flow)).toBe(0.25);
    expect(progress(start, start + 600_000, flow)).toBe(1);
  });

  it('goes by the settings', () => {
    const own = flowWith({ initialRate: 1, targetRate: 3, recoverySeconds: 10 });
    expect(rampRate(start, start + 5_000, own)).toBe(2);
    expect(rampRate(start, start + 10_000, own)).toBeNull();
  });
});
