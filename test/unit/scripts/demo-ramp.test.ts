import { describe, expect, it } from 'vitest';
import type { Recovery, Sample } from '../../../scripts/demo/moment';
import {
  allowedBetween,
  fullestSecond,
  keepsToRamp,
  rampAt,
  rateAt,
  secondsOf,
} from '../../../scripts/demo/ramp';
import { rampChart } from '../../../scripts/demo/ramp-chart';
import { painter, widthOf } from '../../../scripts/demo/text';

const ramp = (sentAtMs: number[] = []): Recovery => ({
  startedAtMs: 20_000,
  endsAtMs: 30_000,
  initialRate: 1,
  targetRate: 7,
  sentAtMs,
});

describe('the ramp', () => {
  it('rises evenly from one rate to the other, and is nowhere else', () => {
    const rates = [19_999, 20_000, 25_000, 29_999, 30_000].map((at) => rateAt(ramp(), at));
    expect(rates).toEqual([null, 1, 4, expect.closeTo(7, 2), null]);
  });

  it('is known as a part of its end', () => {
    expect(rampAt(ramp(), 25_000)).toBeCloseTo(4 / 7);
    expect(rampAt(ramp(), 30_000)).toBe(1);
  });

  it('allows the area under it, and nothing outside of it', () => {
    expect(allowedBetween(ramp(), 0, 99_000)).toBeCloseTo(40);
    expect(allowedBetween(ramp(), 20_000, 21_000)).toBeCloseTo(1.3);
    expect(allowedBetween(ramp(), 29_500, 31_000)).toBeCloseTo(3.425);
    expect(allowedBetween(ramp(), 30_000, 31_000)).toBe(0);
  });
});

describe('the seconds of a recovery', () => {
  it('begin with it, and have what came in them', () => {
    const seconds = secondsOf(ramp([19_999, 20_000, 20_999, 21_000, 30_000]), 1, 1);
    expect(seconds).toHaveLength(12);
    expect(seconds.map(({ sent }) => sent)).toEqual([1, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    expect(seconds[0]?.allowed).toBeNull();
    expect(seconds[1]?.allowed).toBeCloseTo(1.3);
    expect(seconds[11]?.allowed).toBeNull();
  });
});

describe('the fullest second', () => {
  it('is found wherever it begins, and told with what the ramp and its bucket allow there', () => {
    const fullest = fullestSecond(ramp([20_100, 24_600, 24_900, 25_200, 25_500, 25_700]));
    expect(fullest).toEqual({ scenes: 4, most: expect.closeTo(allowedBetween(ramp(), 24_600, 25_600) + 1) });
  });

  it('is the strictest of those with as many scenes', () => {
    expect(fullestSecond(ramp([28_000, 28_100, 21_000, 21_100]))?.most).toBeCloseTo(3.0 - 0.1);
  });

  it('is in the recovery', () => {
    expect(fullestSecond(ramp([19_000, 19_100, 19_200, 30_000, 30_001]))).toBeNull();
    expect(fullestSecond(ramp([29_900, 30_000, 30_001]))?.scenes).toBe(1);
  });
});

describe('keeping to the ramp', () => {
  it('is to send no more than it allows; the lanes may have bunched a few on their way', () => {
    expect(keepsToRamp(ramp([]))).toBe(true);
    expect(keepsToRamp(ramp([20_700, 20_701, 20_702, 20_703]))).toBe(true);
    expect(keepsToRamp(ramp([20_100, 20_101, 20_102, 20_103, 20_104]))).toBe(false);
    expect(keepsToRamp(ramp([1, 2, 3, 4, 5, 30_000, 30_001, 30_002, 30_003, 30_004]))).toBe(true);
  });
});

describe('the chart of the recovery', () => {
  const sample = (atMs: number, workerLives: boolean): Sample => ({
    atMs,
    requests: 0,
    waiting: 0,
    plexIsUp: true,
    workerLives,
    gate: 'recovery',
    ramp: 0.5,
  });
  const samples = (untilMs: number) =>
    Array.from({ length: untilMs / 100 }, (_, n) => sample(n * 100, n < 230 || n >= 250));
  const sent = [
    19_500,
    20_700,
    ...[21_200, 21_700],
    ...[22_200, 22_600],
    ...[25_200, 25_500, 25_800],
    ...Array.from({ length: 12 }, (_, n) => 30_000 + n * 50),
  ];
  const chart = (width = 99, untilMs = 32_000) =>
    rampChart(ramp(sent), samples(untilMs), width, painter(false));

  it('has bars for what was sent in front of a staircase of what was allowed', () => {
    const [, ...rows] = chart().slice(0, 8);
    const column = (second: number) => rows.map((row) => [...row][14 + (second + 1) * 6]).join('');
    expect(column(-1)).toBe('      █');
    expect(column(0)).toBe('      █');
    expect(column(1)).toBe('     ██');
    expect(column(2)).toBe('    ░██');
    expect(column(3)).toBe('    ░░░');
    expect(column(5)).toBe('   ░███');
    expect(column(9)).toBe('░░░░░░░');
  });

  it('marks a bar that is higher than the chart', () => {
    expect(chart()[1]?.at(14 + 11 * 6)).toBe('▲');
    expect(chart()[2]?.at(14 + 11 * 6)).toBe('█');
  });

  it('has the numbers below, and who was at work', () => {
    const [second = '', count = '', allowed = '', worker = ''] = chart().slice(-4);
    expect(second).toMatch(/^second +│-1 +0 +1 .* 10 +11/);
    expect(count).toMatch(/^sent +│1 +1 +2 +2 +0 +0 +3 +0 +0 +0 +0 +12 +0/);
    expect(allowed).toMatch(/^allowed +│trial 1\.3 +1\.9 .* 6\.7 +∞ +∞/);
    expect(worker).toMatch(/^worker +│━{24}░{12}━+$/);
  });

  it('claims nothing about seconds that are still to come', () => {
    const [, count = ''] = chart(99, 22_500).slice(-4);
    expect(count.trimEnd()).toMatch(/^sent +│1 +1 +2 +2$/);
  });

  it.each([43, 60, 79, 99, 139])('fits %i columns', (width) => {
    const lines = rampChart(ramp(sent), samples(32_000), width, painter(true));
    for (const line of lines.slice(1)) expect(widthOf(line)).toBeLessThanOrEqual(width);
    expect(lines).toHaveLength(1 + 7 + 4);
  });

  it('is left out where it would not fit', () => {
    expect(chart(30)).toEqual([]);
  });
});
