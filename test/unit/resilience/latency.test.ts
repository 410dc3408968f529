import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { Latency, latencySchema } from '../../../src/resilience/latency';
import type { CallKind } from '../../../src/shared/status';
import { flowWith, start } from './rig';

const flow = flowWith();
/** Well above what counts as quick. */
const usualMs = flow.quickMs * 10;

/** Calls at a steady latency, so many that the smoothed one gets there. */
function settle(latency: Latency, ms: number, now: number, kind: CallKind = 'edit'): number {
  let strain = 1;
  for (let n = 0; n < 200; n++) strain = latency.add(kind, ms, flow, now);
  return strain;
}

function settled(ms = usualMs, kind: CallKind = 'edit'): Latency {
  const latency = new Latency();
  settle(latency, ms, start, kind);
  return latency;
}

describe('the strain of a server', () => {
  it('is 1 as long as it is as quick as usual', () => {
    expect(settle(new Latency(), usualMs, start)).toBeCloseTo(1, 9);
  });

  it('is 1 at the very first call, however slow', () => {
    expect(new Latency().add('edit', 60_000, flow, start)).toBe(1);
  });

  it('is how many times slower it has become', () => {
    expect(settle(settled(), usualMs * 3, start)).toBeCloseTo(3, 3);
  });

  it('is smoothed: one slow call is no distress', () => {
    const latency = settled();
    const strain = latency.add('edit', usualMs * 3, flow, start);
    expect(strain).toBeGreaterThan(1);
    expect(strain).toBeLessThan(flow.distressFactor);
  });

  it('is an average of logarithms: a call takes the smoothed latency a fixed part of the way', () => {
    const strain = settled().add('edit', usualMs * 8, flow, start);
    expect(strain).toBeCloseTo(8 ** flow.latencyWeight, 6);
  });

  it('shows a server that slows down gradually', () => {
    const latency = settled();
    let strain = 1;
    for (let n = 0; n < 300; n++) strain = latency.add('edit', usualMs * 1.01 ** n, flow, start + n * 100);
    expect(strain).toBeGreaterThan(flow.distressFactor);
  });

  it('is against the lowest that there ever was: normal falls with the server at once', () => {
    const latency = settled(usualMs * 4);
    expect(settle(latency, usualMs, start)).toBeCloseTo(1, 2);
    expect(settle(latency, usualMs * 4, start)).toBeCloseTo(4, 1);
  });

  it('is forgiven in the end when the server has become slower for good', () => {
    const latency = settled();
    expect(settle(latency, usualMs * 3, start)).toBeGreaterThan(flow.distressFactor);
    const later = start + (Math.log(3) / Math.log1p(flow.latencyDriftPercent / 100) + 1) * 1_000;
    expect(settle(latency, usualMs * 3, later)).toBeCloseTo(1, 3);
  });

  it('drifts with time, not with the number of calls', () => {
    const latency = settled();
    settle(latency, usualMs * 3, start);
    for (let n = 0; n < 1_000; n++) latency.add('edit', usualMs * 3, flow, start);
    expect(latency.strain(flow, start)).toBeCloseTo(3, 3);
  });

  it('is not mistaken for distress by chance where latencies vary a lot', () => {
    const latency = new Latency();
    let worst = 1;
    // Between a third of the usual and three times that, evenly in the logarithm, in an order without a pattern.
    for (let n = 0; n < 5_000; n++) {
      const ms = usualMs * 3 ** (2 * ((n * 0.618_034) % 1) - 1);
      worst = Math.max(worst, latency.add('edit', ms, flow, start));
    }
    expect(worst).toBeLessThan(flow.uneaseFactor);
  });

  it('is nothing among latencies that are all quick', () => {
    const latency = settled(1);
    expect(settle(latency, flow.quickMs, start)).toBe(1);
  });

  it('counts only what is above quick', () => {
    const latency = settled(1);
    expect(settle(latency, flow.quickMs * 2, start)).toBeCloseTo(2, 3);
  });

  it('is kept for each kind of call: a run of pictures is not distress', () => {
    const latency = settled(usualMs, 'read');
    expect(settle(latency, usualMs * 20, start, 'upload')).toBeCloseTo(1, 9);
    expect(latency.strain(flow, start)).toBeCloseTo(1, 9);
  });

  it('is that of the worst kind, over all kinds', () => {
    const latency = settled(usualMs, 'read');
    settle(latency, usualMs, start, 'edit');
    settle(latency, usualMs * 3, start, 'edit');
    expect(latency.strain(flow, start)).toBeCloseTo(3, 3);
  });

  it('is not that of a kind that was not called for a while', () => {
    const latency = settled();
    settle(latency, usualMs * 3, start);
    expect(latency.strain(flow, start + 60_000)).toBe(1);
  });

  it('is 1 when nothing was called yet', () => {
    expect(new Latency().strain(flow, start)).toBe(1);
  });

  it('stays a number at latencies of 0', () => {
    expect(settle(new Latency(), 0, start)).toBe(1);
  });

  it('does not change because the clock was set back', () => {
    const latency = settled();
    expect(settle(latency, usualMs * 3, start - 3_600_000)).toBeCloseTo(3, 3);
  });

  it('is the same after a restart', () => {
    const latency = settled();
    settle(latency, usualMs * 3, start);
    const next = new Latency(v.parse(latencySchema, JSON.parse(JSON.stringify(latency.state))));
    expect(next.strain(flow, start)).toBe(latency.strain(flow, start));
    expect(next.add('edit', usualMs, flow, start)).toBe(latency.add('edit', usualMs, flow, start));
  });
});

describe('the latency that is shown', () => {
  it('is smoothed, normal and the 95th percentile, of the kinds that were called', () => {
    const latency = new Latency();
    for (let n = 0; n < 94; n++) latency.add('read', 100, flow, start);
    for (let n = 0; n < 6; n++) latency.add('read', 900, flow, start);
    const shown = latency.figures;
    expect(Object.keys(shown)).toEqual(['read']);
    expect(shown.read).toMatchObject({ normalMs: 100, p95Ms: 900 });
    expect(shown.read?.smoothedMs).toBeGreaterThan(100);
  });

  it('is of the last calls, not of all that there ever were', () => {
    const latency = new Latency();
    for (let n = 0; n < 100; n++) latency.add('read', 900, flow, start);
    for (let n = 0; n < 100; n++) latency.add('read', 100, flow, start);
    expect(latency.figures.read?.p95Ms).toBe(100);
  });

  it('is the smoothed one right after a restart', () => {
    const next = new Latency(settled(200).state);
    expect(next.figures.edit).toEqual({ smoothedMs: 200, normalMs: 200, p95Ms: 200 });
  });
});
