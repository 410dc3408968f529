import { describe, expect, it } from 'vitest';
import { Histogram } from '../../../src/worker/dry-run';

describe('a histogram of reasons', () => {
  it('puts the commonest first, aligned, with the first five scenes of each', () => {
    const histogram = new Histogram();
    for (let scene = 1; scene <= 12; scene++) histogram.add('in step', scene);
    histogram.add('not in Plex', 40);
    expect(histogram.lines()).toEqual(['12  in step (scene 1, 2, 3, 4, 5, …)', ' 1  not in Plex (scene 40)']);
  });

  it('holds no more for a hundred thousand scenes than for ten', () => {
    const histogram = new Histogram();
    for (let scene = 1; scene <= 100_000; scene++) histogram.add('in step', scene);
    expect(histogram.lines()).toEqual(['100000  in step (scene 1, 2, 3, 4, 5, …)']);
  });

  it('of nothing is empty', () => {
    expect(new Histogram().lines()).toEqual([]);
  });
});
