import { describe, expect, it } from 'vitest';
import { nextTry, nextTurn } from '../../../src/resilience/retry';
import type { OutcomeKind } from '../../../src/shared/outcome';
import { flowWith, start } from './rig';

const flow = flowWith();
const longest = () => 1;

/** The longest wait in seconds after each failure; null: given up. */
const waits = (kind: OutcomeKind, tries: number, own = flow) =>
  Array.from({ length: tries }, (_, attempts) => {
    const at = nextTry(kind, attempts, own, start, longest);
    return at === null ? null : (at - start) / 1_000;
  });

describe('the next try of a job', () => {
  it('waits up to 5 s and then twice as long each time, and is given up after 5 tries', () => {
    expect(waits('transient', 5)).toEqual([5, 10, 20, 40, null]);
  });

  it('waits 80 s at most, if more tries are allowed', () => {
    expect(waits('transient', 8, flowWith({ transientTries: 100 })).slice(4)).toEqual([80, 80, 80, 80]);
  });

  it('of a scene that Plex does not have waits up to 30 s and then up to 600 s, 12 times in all', () => {
    const expected = [30, 60, 120, 240, 480, 600, 600, 600, 600, 600, 600, null];
    expect(waits('not-in-plex', 12)).toEqual(expected);
  });

  it('is spread over the whole wait, from nothing on', () => {
    expect(nextTry('transient', 3, flow, start, () => 0)).toBe(start);
    expect(nextTry('transient', 3, flow, start, () => 0.5)).toBe(start + 20_000);
  });

  it('does not come for data that will not get better', () => {
    expect(nextTry('bad-data', 0, flow, start, longest)).toBeNull();
  });

  it('is still a time after more attempts than anybody allowed', () => {
    expect(nextTry('transient', 5_000, flow, start, longest)).toBeNull();
    const own = flowWith({ transientTries: 1_000_000 });
    expect(nextTry('transient', 5_000, own, start, longest)).toBe(start + 80_000);
  });

  it('goes by the settings', () => {
    const own = flowWith({ missingTries: 2, missingBaseSeconds: 1, missingMaxSeconds: 1 });
    expect(waits('not-in-plex', 2, own)).toEqual([1, null]);
  });
});

describe('the turn of a job that let the others go first', () => {
  it('comes after 30 s, and then twice as late each time, up to 600 s', () => {
    const seconds = [0, 1, 2, 3, 4, 5, 6, 7, 2_000].map(
      (rounds) => (nextTurn(rounds, start) - start) / 1_000,
    );
    expect(seconds).toEqual([30, 30, 60, 120, 240, 480, 600, 600, 600]);
  });
});
