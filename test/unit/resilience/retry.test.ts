import { describe, expect, it } from 'vitest';
import { nextTry } from '../../../src/resilience/retry';

const longest = () => 1;
const waits = (kind: 'transient' | 'not-in-plex', tries: number) =>
  Array.from({ length: tries }, (_, attempts) => nextTry(kind, attempts, 0, longest));

describe('the next try of a job', () => {
  it('doubles its longest wait up to the cap, and is given up after the last try', () => {
    expect(waits('transient', 5)).toEqual([5_000, 10_000, 20_000, 40_000, null]);
    const notInPlex = waits('not-in-plex', 12);
    expect(notInPlex.slice(0, 6)).toEqual([30_000, 60_000, 120_000, 240_000, 480_000, 600_000]);
    expect(notInPlex[10]).toBe(600_000);
    expect(notInPlex[11]).toBeNull();
  });

  it('is spread over the whole wait', () => {
    expect(nextTry('transient', 3, 1_000, () => 0)).toBe(1_000);
    expect(nextTry('transient', 3, 1_000, () => 0.5)).toBe(21_000);
  });

  it('does not come for data that will not get better', () => {
    expect(nextTry('bad-data', 0, 0, longest)).toBeNull();
  });
});
