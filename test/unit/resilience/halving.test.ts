import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { Halving, halvingSchema } from '../../../src/resilience/halving';
import { flowWith, start } from './rig';

const flow = flowWith();
const rate = 20;

/** Results that come in the same instant. */
function add(halving: Halving, failures: number, successes: number, now: number): void {
  for (let n = 0; n < failures; n++) halving.result(true, now);
  for (let n = 0; n < successes; n++) halving.result(false, now);
}

function halvedAt(now: number): Halving {
  const halving = new Halving();
  add(halving, 5, 0, now);
  expect(halving.multiplier(rate, flow, now)).toBe(0.5);
  return halving;
}

describe('the halving of a recovery that goes badly', () => {
  it('begins at once when more than 30 % of at least 5 results failed', () => {
    const halving = new Halving();
    add(halving, 2, 3, start);
    expect(halving.multiplier(rate, flow, start)).toBe(0.5);
  });

  it('does not begin at 30 %', () => {
    const halving = new Halving();
    add(halving, 3, 7, start);
    expect(halving.multiplier(rate, flow, start)).toBe(1);
  });

  it('does not begin with fewer than 5 results, though all failed', () => {
    const halving = new Halving();
    add(halving, 4, 0, start);
    expect(halving.multiplier(rate, flow, start)).toBe(1);
  });

  it('counts errors by time: what failed more than 60 s ago is nothing', () => {
    const halving = new Halving();
    add(halving, 5, 0, start);
    expect(halving.multiplier(rate, flow, start + 60_000)).toBe(1);
  });

  it('counts errors by time, not by number: many successes before the window hide nothing', () => {
    const halving = new Halving();
    add(halving, 0, 1_000, start);
    add(halving, 2, 3, start + 61_000);
    expect(halving.multiplier(rate, flow, start + 61_000)).toBe(0.5);
  });

  it('lasts at least 60 s, however well it goes', () => {
    const halving = halvedAt(start);
    add(halving, 0, 1_000, start + 1_000);
    expect(halving.multiplier(rate, flow, start + 59_999)).toBe(0.5);
    expect(halving.multiplier(rate, flow, start + 60_000)).toBe(1);
  });

  it('is not halved again within the 60 s, however badly it goes', () => {
    const halving = halvedAt(start);
    add(halving, 100, 0, start + 1_000);
    expect(halving.multiplier(rate, flow, start + 59_999)).toBe(0.5);
  });

  it('is halved again when still more than 30 % fail after the 60 s', () => {
    const halving = halvedAt(start);
    add(halving, 5, 5, start + 50_000);
    expect(halving.multiplier(rate, flow, start + 60_000)).toBe(0.25);
    expect(halving.multiplier(rate, flow, start + 119_999)).toBe(0.25);
  });

  it('stays between 10 % and 30 %', () => {
    const halving = halvedAt(start);
    add(halving, 1, 9, start + 50_000);
    expect(halving.multiplier(rate, flow, start + 60_000)).toBe(0.5);
    add(halving, 0, 1, start + 60_000);
    expect(halving.multiplier(rate, flow, start + 60_000)).toBe(1);
  });

  it('ends from whatever depth in one step', () => {
    const halving = halvedAt(start);
    add(halving, 5, 0, start + 60_000);
    expect(halving.multiplier(rate, flow, start + 60_000)).toBe(0.25);
    expect(halving.multiplier(rate, flow, start + 180_000)).toBe(1);
  });

  it('ends when nothing happened for 60 s', () => {
    expect(halvedAt(start).multiplier(rate, flow, start + 60_000)).toBe(1);
  });

  it('can begin again at once after it ended', () => {
    const halving = halvedAt(start);
    expect(halving.multiplier(rate, flow, start + 60_000)).toBe(1);
    add(halving, 5, 0, start + 60_000);
    expect(halving.multiplier(rate, flow, start + 60_000)).toBe(0.5);
  });

  it('goes no further once the rate is at the lowest', () => {
    const halving = new Halving();
    let multiplier = 1;
    for (let minute = 0; minute < 30; minute++) {
      const now = start + minute * 60_000;
      add(halving, 5, 0, now);
      multiplier = halving.multiplier(rate, flow, now);
    }
    expect(multiplier).toBe(2 ** -6);
    expect(rate * multiplier * 2).toBeGreaterThan(flow.lowestRate);
  });

  it('is in order to be saved at its deepest', () => {
    const halving = new Halving();
    const extreme = flowWith({ lowestRate: 0.01, halvingSeconds: 1 });
    for (let second = 0; second < 100; second++) {
      add(halving, 5, 0, start + second * 1_000);
      halving.multiplier(1_000, extreme, start + second * 1_000);
    }
    expect(v.parse(halvingSchema, halving.state)).toEqual(halving.state);
  });

  it('goes on after a restart where it was', () => {
    const halving = halvedAt(start);
    const next = new Halving(v.parse(halvingSchema, JSON.parse(JSON.stringify(halving.state))));
    expect(next.multiplier(rate, flow, start + 59_999)).toBe(0.5);
    add(next, 5, 0, start + 59_999);
    expect(next.multiplier(rate, flow, start + 60_000)).toBe(0.25);
  });

  it('does not last for hours because the clock was set back', () => {
    expect(halvedAt(start).multiplier(rate, flow, start - 3_600_000)).toBe(1);
  });

  it('does not come again when a clock that was set back comes to that time again', () => {
    const halving = halvedAt(start);
    add(halving, 2, 8, start - 120_000);
    expect(halving.multiplier(rate, flow, start - 120_000)).toBe(0.5);
    add(halving, 0, 1, start + 1_000);
    expect(halving.multiplier(rate, flow, start + 1_000)).toBe(1);
  });

  it('goes by the settings', () => {
    const own = flowWith({ halvingSeconds: 10, halvingResults: 2, halvingErrorPercent: 60 });
    const halving = new Halving();
    add(halving, 1, 1, start);
    expect(halving.multiplier(rate, own, start)).toBe(1);
    add(halving, 1, 0, start);
    expect(halving.multiplier(rate, own, start)).toBe(0.5);
    expect(halving.multiplier(rate, own, start + 10_000)).toBe(1);
  });
});
