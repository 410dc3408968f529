import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryStore } from '../../../src/persist/keyed-store';
import type { QueueEntry } from '../../../src/queue/entries';
import { Queue } from '../../../src/queue/queue';
import type { SyncSettings } from '../../../src/stash/sync-settings';
import { ReconcileSchedule } from '../../../src/worker/reconcile-schedule';
import { VirtualClock } from '../../support/virtual-clock';

const hourMs = 3_600_000;

describe('the schedule of reconcile', () => {
  let clock: VirtualClock;
  let store: MemoryStore<QueueEntry>;
  let queue: Queue;
  let target: { missing: string | null };
  let schedule: ReconcileSchedule;

  beforeEach(() => {
    clock = new VirtualClock();
    store = new MemoryStore();
    target = { missing: null };
    open();
  });

  /** As the next process would find it. */
  const open = () => {
    queue = new Queue(store, clock);
    schedule = new ReconcileSchedule({ queue, targets: { all: () => [{ target }] }, clock });
  };
  const look = (syncReconcile: SyncSettings['syncReconcile'] = 'daily') =>
    schedule.beginWhenDue({ syncReconcile });
  const pass = (hours: number) => clock.set(clock.now() + hours * hourMs);
  const finish = () => {
    queue.setSweep('reconcile', null);
    queue.setMemo('reconciled', clock.now());
  };

  it.each([
    ['hourly', 1],
    ['daily', 24],
    ['weekly', 168],
  ] as const)('that is %s begins a pass after %i h, and not before', (often, hours) => {
    expect(look(often)).toBe(false);
    pass(hours - 0.01);
    expect(look(often)).toBe(false);
    pass(0.01);
    expect(look(often)).toBe(true);
    expect(queue.sweeps().map(({ name }) => name)).toEqual(['reconcile']);
  });

  it('that is never begins none', () => {
    look('never');
    pass(10_000);
    expect(look('never')).toBe(false);
  });

  it('counts from the day of the set-up, so that nothing is compared that was never sent', () => {
    target.missing = '"Plex address" is missing.';
    expect(look('hourly')).toBe(false);
    pass(1_000);
    expect(look('hourly')).toBe(false);
    target.missing = null;
    expect(look('hourly')).toBe(false);
    pass(1);
    expect(look('hourly')).toBe(true);
  });

  it('counts from the end of the last pass, also in the next process', () => {
    look();
    pass(24);
    expect(look()).toBe(true);
    pass(30);
    open();
    // It is still under way.
    expect(look()).toBe(false);
    finish();
    pass(23);
    open();
    expect(look()).toBe(false);
    pass(1);
    expect(look()).toBe(true);
  });

  it('does not begin anew at once what a person has just cleared', () => {
    look();
    pass(24);
    expect(look()).toBe(true);
    queue.clear();
    expect(look()).toBe(false);
    pass(24);
    expect(look()).toBe(true);
  });

  it('begins nothing while paused or while another pass is under way, and does afterwards', () => {
    look();
    pass(24);
    queue.setMemo('paused', clock.now());
    expect(look()).toBe(false);
    queue.setMemo('paused', null);
    queue.beginSweep('all', null);
    expect(look()).toBe(false);
    expect(queue.sweeps().map(({ name }) => name)).toEqual(['all']);
    queue.setSweep('all', null);
    expect(look()).toBe(true);
  });

  it('waits one period, and not for years, when the clock was set back', () => {
    pass(24 * 365);
    look();
    pass(-24 * 365);
    expect(look()).toBe(false);
    pass(24);
    expect(look()).toBe(true);
  });

  it('does not stumble over a memo that makes no sense', () => {
    queue.setMemo('reconciled', 'yesterday');
    expect(look()).toBe(false);
    pass(24);
    expect(look()).toBe(true);
  });

  it('follows a setting that changed at once', () => {
    look('weekly');
    pass(2);
    expect(look('weekly')).toBe(false);
    expect(look('hourly')).toBe(true);
  });
});
