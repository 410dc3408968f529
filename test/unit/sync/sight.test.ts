import { describe, expect, it } from 'vitest';
import { isAsWeLeftIt } from '../../../src/sync/sight';

const second = Date.parse('2026-01-02T03:04:05Z') / 1_000;

describe('an item is as we left it', () => {
  it('while Plex says the time that it said when we looked', () => {
    const known = { at: 0, seen: second };
    expect(isAsWeLeftIt(known, second)).toBe(true);
    expect(isAsWeLeftIt(known, second + 1)).toBe(false);
    // A restored copy of Plex's database.
    expect(isAsWeLeftIt(known, second - 1)).toBe(false);
  });

  it('after a write, if Plex says about the time of that write', () => {
    const known = { at: second * 1_000 + 400 };
    const verdicts = [-5, -4, 0, 2, 3].map((later) => isAsWeLeftIt(known, second + later));
    expect(verdicts).toEqual([false, true, true, true, false]);
  });

  it('never, if Plex says no time', () => {
    expect(isAsWeLeftIt({ at: 0, seen: 0 }, 0)).toBe(false);
    expect(isAsWeLeftIt({ at: 0 }, 0)).toBe(false);
  });
});
