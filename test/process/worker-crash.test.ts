import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { home } from '../support/home';

const points = [
  'lease.locked',
  'lease.written',
  'lease.proved',
  'lease.alive',
  'lease.taken',
  'fold.told',
  'fold.flushed',
  'fold.deleted',
  'queue.append',
  'queue.append.written',
  'queue.append.synced',
  'ledger.append',
  'ledger.append.synced',
  'dead-letters.append',
  'host.ended',
  'lease.not-alive',
  'lease.released',
];

const ended = async (child: ChildProcess): Promise<NodeJS.Signals | null> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.signalCode;
};

describe('a worker that dies at a step', () => {
  it.concurrent.for(points)('"%s" leaves nothing undone: the next one goes on', async (point, context) => {
    const { expect } = context;
    const household = await home({ scenes: 2 }, context.onTestFinished);
    household.changeSilently(1, { title: 'Seen by both' });
    household.leaveEvent(1);
    const env = { SLUICE_IDLE_SECONDS: '0.5' };
    expect(await ended(household.startWorker({ ...env, SLUICE_CRASH_AT: point }))).toBe('SIGKILL');
    household.changeSilently(2, { title: 'Came after' });
    household.leaveEvent(2);
    const next = household.startWorker(env);
    await household.drained();
    expect(await household.differences()).toEqual([]);
    expect(await ended(next)).toBeNull();
    expect(household.log()).not.toContain('damaged');
  });

  it('while it takes over from another that died leaves the lease to the next', async () => {
    const household = await home({ scenes: 1 });
    household.changeSilently(1, { title: 'In the end' });
    household.leaveEvent(1);
    await ended(household.startWorker({ SLUICE_CRASH_AT: 'lease.taken' }));
    expect(await ended(household.startWorker({ SLUICE_CRASH_AT: 'lease.dead' }))).toBe('SIGKILL');
    expect(await ended(household.startWorker({ SLUICE_CRASH_AT: 'lease.locked' }))).toBe('SIGKILL');
    household.startWorker();
    await household.drained();
    expect(await household.differences()).toEqual([]);
  });
});
