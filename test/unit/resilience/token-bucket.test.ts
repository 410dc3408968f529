import { describe, expect, it } from 'vitest';
import { TokenBucket } from '../../../src/resilience/token-bucket';
import { start } from './rig';

describe('the token bucket', () => {
  it('is empty at first: the first job waits for a whole token', () => {
    const bucket = new TokenBucket(5, start);
    expect(bucket.shouldWait(5, start)).toBe(200);
    expect(bucket.shouldWait(5, start + 199)).toBe(1);
    expect(bucket.shouldWait(5, start + 200)).toBe(0);
  });

  it('takes the token when it admits, and nothing when it does not', () => {
    const bucket = new TokenBucket(5, start);
    for (let ms = 0; ms < 200; ms += 10) expect(bucket.shouldWait(5, start + ms)).toBe(200 - ms);
    expect(bucket.shouldWait(5, start + 200)).toBe(0);
    expect(bucket.tokens).toBe(0);
    expect(bucket.shouldWait(5, start + 200)).toBe(200);
  });

  it('holds one token at most, however long nobody asked', () => {
    const bucket = new TokenBucket(5, start);
    expect(bucket.shouldWait(5, start + 3_600_000)).toBe(0);
    expect(bucket.shouldWait(5, start + 3_600_000)).toBe(200);
  });

  it('has a token for whoever comes back at the told instant, at any rate', () => {
    for (const rate of [0.01, 0.3, 0.5, 3, 7, 12.345, 19.995, 333]) {
      const bucket = new TokenBucket(rate, start);
      let now = start;
      for (let n = 0; n < 20; n++) {
        const waitMs = bucket.shouldWait(rate, now);
        expect(Number.isInteger(waitMs)).toBe(true);
        now += waitMs;
        expect(bucket.shouldWait(rate, now)).toBe(0);
      }
    }
  });

  it('keeps the promise when the rate has risen meanwhile, and gives nothing for the time before', () => {
    const bucket = new TokenBucket(1, start);
    expect(bucket.shouldWait(1, start)).toBe(1_000);
    expect(bucket.shouldWait(10, start + 500)).toBe(50);
    expect(bucket.shouldWait(10, start + 550)).toBe(0);
  });

  it('fills at the lower rate when the rate has fallen meanwhile', () => {
    const bucket = new TokenBucket(10, start);
    expect(bucket.shouldWait(1, start + 500)).toBe(500);
  });

  it('gives nothing for a rate that fell between two questions and has risen again', () => {
    const bucket = new TokenBucket(10, start);
    bucket.fill(1, start);
    expect(bucket.shouldWait(5, start + 500)).toBe(100);
  });

  it('loses no part of a token to rounding: in the long run the rate is reached', () => {
    const bucket = new TokenBucket(7, start);
    let admitted = 0;
    for (let now = start; now < start + 100_000; ) {
      const waitMs = bucket.shouldWait(7, now);
      if (waitMs === 0) admitted++;
      now += waitMs;
    }
    expect(admitted).toBe(699);
  });

  it('gives nothing for a clock that was set back, and goes on from there', () => {
    const bucket = new TokenBucket(5, start);
    bucket.shouldWait(5, start + 100);
    expect(bucket.shouldWait(5, start - 3_600_000)).toBe(100);
    expect(bucket.shouldWait(5, start - 3_600_000 + 100)).toBe(0);
  });

  it('gives one token, no more, for a clock that jumps forward', () => {
    const bucket = new TokenBucket(5, start);
    bucket.shouldWait(5, start);
    expect(bucket.shouldWait(5, start + 86_400_000)).toBe(0);
    expect(bucket.shouldWait(5, start + 86_400_000)).toBe(200);
  });
});
