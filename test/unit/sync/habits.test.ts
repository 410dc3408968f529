import { describe, expect, it } from 'vitest';
import { Habits } from '../../../src/sync/habits';

describe('habits', () => {
  it('believe nothing at first but that nothing needs no looking at', () => {
    const habits = new Habits();
    expect(habits.removes('alone', 0)).toBe(true);
    expect(habits.removes('alone', 1)).toBe(false);
    expect(habits).toMatchObject({ ordersAsSent: null, empties: null, takesParts: null });
  });

  it('believe several removals only after several, each kind by itself', () => {
    const habits = new Habits();
    habits.sawRemoved('alone', 1);
    expect([1, 2].map((count) => habits.removes('alone', count))).toEqual([true, false]);
    expect(habits.removes('beside-names', 1)).toBe(false);
    habits.sawRemoved('alone', 2);
    expect(habits.removes('alone', 50)).toBe(true);
    habits.sawRemoved('alone', 1);
    expect(habits.removes('alone', 50)).toBe(true);
  });

  it('forget what a look contradicts', () => {
    const habits = new Habits();
    habits.sawRemoved('alone', 2);
    habits.sawRemoved('beside-names', 2);
    habits.sawNotRemoved();
    expect(habits.removes('alone', 1) || habits.removes('beside-names', 1)).toBe(false);
  });
});
