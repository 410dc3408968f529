import { describe, expect, it } from 'vitest';
import { dayAndTime, duration, timeBeside } from '../../../src/shared/time-words';

const at = (year: number, month: number, day: number, hour: number, minute: number) =>
  new Date(year, month - 1, day, hour, minute).getTime();

describe('a time in words', () => {
  const now = at(2026, 11, 16, 14, 31);

  it('has its day, and its year only if that is another one', () => {
    expect(dayAndTime(at(2026, 3, 2, 9, 5), now)).toBe('2 Mar 09:05');
    expect(dayAndTime(at(2025, 11, 16, 23, 59), now)).toBe('16 Nov 2025 23:59');
  });

  it('beside another of the same day needs no day', () => {
    expect(timeBeside(at(2026, 11, 16, 0, 0), now)).toBe('00:00');
    expect(timeBeside(at(2026, 11, 15, 14, 31), now)).toBe('15 Nov 14:31');
    expect(timeBeside(at(2025, 11, 16, 14, 31), now)).toBe('16 Nov 2025 14:31');
  });
});

describe('a duration in words', () => {
  it.each([
    [-5_000, '0 s'],
    [499, '0 s'],
    [45_400, '45 s'],
    [59_600, '1 min'],
    [130_000, '2 min 10 s'],
    [599_400, '9 min 59 s'],
    [599_600, '10 min'],
    [29 * 60_000 + 29_000, '29 min'],
    [59 * 60_000 + 40_000, '1 h'],
    [185 * 60_000, '3 h 5 min'],
    [48 * 3_600_000, '2 days'],
    [98.4 * 3_600_000, '4 days 2 h'],
  ])('of %i ms is %s', (ms, words) => {
    expect(duration(ms)).toBe(words);
  });
});
