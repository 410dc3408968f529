import { describe, expect, it } from 'vitest';
import { lasts, longer } from '../../../src/resilience/span';

const span = { from: 1_000, until: 2_000 };

describe('a stretch of time', () => {
  it('lasts from its beginning to just before its end', () => {
    expect(lasts(span, 1_000)).toBe(true);
    expect(lasts(span, 1_999)).toBe(true);
    expect(lasts(span, 2_000)).toBe(false);
  });

  it('is over when its beginning is in the future: the clock was set back', () => {
    expect(lasts(span, 999)).toBe(false);
  });

  it('does not last when there is none', () => {
    expect(lasts(null, 1_000)).toBe(false);
  });

  it('gives way only to one that ends later', () => {
    const later = { from: 1_500, until: 2_500 };
    expect(longer(span, later)).toBe(later);
    expect(longer(later, span)).toBe(later);
    expect(longer(null, span)).toBe(span);
  });
});
