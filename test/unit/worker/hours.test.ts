import { describe, expect, it } from 'vitest';
import { hoursFrom } from '../../../src/worker/hours';

describe('the hours of a task', () => {
  it.each([
    [24, 24],
    ['24', 24],
    [0.5, 0.5],
    [undefined, 'none'],
    ['', 'none'],
  ])('given as %j are %j', (given, hours) => {
    expect(hoursFrom(given, 'none')).toBe(hours);
  });

  it.each([0, -1, 'soon', 87_841, Number.NaN, null, true, [5], {}])(
    'given as %j are refused in words',
    (given) => {
      expect(hoursFrom(given, 24)).toMatch(/^"hours" is .+, but must be a number above 0 and at most 87840/);
    },
  );
});
