import { describe, expect, it } from 'vitest';
import { Recent } from '../../../src/resilience/recent';
import { start } from './rig';

const totals = (results: number, failures: number) => ({ results, failures });

describe('what happened lately', () => {
  it('is counted by time, the current second included', () => {
    const recent = new Recent();
    recent.add(true, start);
    recent.add(false, start + 999);
    recent.add(true, start + 29_000);
    expect(recent.totals(30, start + 29_999)).toEqual(totals(3, 2));
    expect(recent.totals(30, start + 30_000)).toEqual(totals(1, 1));
    expect(recent.totals(1, start + 29_500)).toEqual(totals(1, 1));
  });

  it('is forgotten when nothing happens', () => {
    const recent = new Recent();
    for (let n = 0; n < 100; n++) recent.add(true, start);
    expect(recent.totals(30, start + 3_600_000)).toEqual(totals(0, 0));
  });

  it('is nothing at first', () => {
    expect(new Recent().totals(600, start)).toEqual(totals(0, 0));
  });

  it('takes one counter a second, however many results, and no more than are kept', () => {
    const recent = new Recent();
    for (let second = 0; second < 2_000; second++) {
      for (let n = 0; n < 3; n++) recent.add(false, start + second * 1_000 + n);
    }
    expect(recent.state).toHaveLength(600);
    expect(recent.totals(600, start + 1_999_000)).toEqual(totals(1_800, 0));
  });

  it('is kept over a long silence only as far as it still counts', () => {
    const recent = new Recent();
    for (let second = 0; second < 100; second++) recent.add(true, start + second * 1_000);
    recent.add(false, start + 3_600_000);
    expect(recent.state).toHaveLength(1);
  });

  it('does not count what is in the future after the clock was set back', () => {
    const recent = new Recent();
    recent.add(true, start);
    expect(recent.totals(600, start - 1_000)).toEqual(totals(0, 0));
  });

  it.each([2_000, 60_000, 3_600_000])('counts on at once after the clock was set back by %i ms', (backMs) => {
    const recent = new Recent();
    recent.add(true, start);
    recent.add(false, start - backMs);
    recent.add(true, start - backMs + 1_000);
    expect(recent.totals(30, start - backMs + 1_000)).toEqual(totals(2, 1));
  });

  it('does not count what was before the clock was set back twice', () => {
    const recent = new Recent();
    recent.add(true, start);
    recent.add(false, start - 10_000);
    expect(recent.totals(30, start)).toEqual(totals(1, 0));
  });

  it('keeps what is older than the instant that the clock was set back to', () => {
    const recent = new Recent();
    recent.add(true, start);
    recent.add(true, start + 10_000);
    recent.add(false, start + 5_000);
    expect(recent.totals(30, start + 5_000)).toEqual(totals(2, 1));
  });

  it('goes on from a saved state without changing it', () => {
    const recent = new Recent();
    recent.add(true, start);
    const saved = JSON.stringify(recent.state);
    const state = JSON.parse(saved);
    const next = new Recent(state);
    next.add(false, start + 1);
    expect(next.totals(30, start + 1)).toEqual(totals(2, 1));
    expect(JSON.stringify(state)).toBe(saved);
  });
});
