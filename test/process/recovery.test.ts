/** The recovery period over real processes: what one worker began, the next one goes on with. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import type { GateState } from '../../src/resilience/gate';
import { rampRate } from '../../src/resilience/recovery';
import { flowDefaults } from '../../src/shared/flow-settings';
import { type Household, until } from '../sim/household';
import { home } from '../support/home';
import { plexIn, workerEnded } from '../support/worker-life';

/** As the next worker would find it: for an instant only the copy before is there. */
function gateOf({ state }: Household): GateState {
  const path = join(state.targets, 'plex', 'gate.json');
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as GateState;
  } catch {
    return JSON.parse(readFileSync(`${path}.prev`, 'utf8')) as GateState;
  }
}

const isOpen = (household: Household) => () => plexIn(household)?.breaker.state === 'OPEN';

/** All scenes are edited at once, and a single hook tells of it. */
function editAll(household: Household): void {
  for (const scene of household.scenes) household.changeSilently(scene, { title: `Edited ${scene}` });
  household.leaveEvent(household.scenes[0] ?? 1, { ids: household.scenes.map(String) });
}

/** When each scene was first asked for at Plex, in the order of time. */
function firstRequests(household: Household): number[] {
  const first = new Map<string, number>();
  for (const { at, kind, path } of household.plex.requests) {
    if (kind === 'item' && !first.has(path)) first.set(path, at);
  }
  return [...first.values()];
}

describe('the recovery period', () => {
  it('is neither restarted nor skipped by a worker that is killed again and again, and no second sees more than it allows', async ({
    expect,
  }) => {
    const flow = { ...flowDefaults, initialRate: 10, targetRate: 30, recoverySeconds: 20, lanes: 2 };
    const household = await home({
      scenes: 500,
      settings: {
        flowInitialRate: flow.initialRate,
        flowTargetRate: flow.targetRate,
        flowRecoverySeconds: flow.recoverySeconds,
        flowOpenSeconds: 1,
      },
    });
    const { plex } = household;
    await plex.goDown();
    editAll(household);
    household.startWorker();
    await until('nothing is sent', isOpen(household));
    expect(plexIn(household)?.queue.waiting).toBe(500);
    await plex.comeBack();
    plex.clearRecords();
    await until('it recovers', () => plexIn(household)?.recovery.active === true);
    const { recoveryStartedAt } = gateOf(household);
    const end = recoveryStartedAt + flow.recoverySeconds * 1_000;

    let kills = 0;
    while (Date.now() < end - 3_000) {
      await new Promise((resolve) => setTimeout(resolve, 2_500));
      household.killWorkers();
      await workerEnded(household);
      household.startWorker();
      await until('it goes on', () => household.worker() !== null && plexIn(household)?.url === plex.url);
      expect(gateOf(household).recoveryStartedAt).toBe(recoveryStartedAt);
      expect(plexIn(household)?.rate.limitedBy).toBe('ramp');
      kills++;
    }
    expect(kills).toBeGreaterThanOrEqual(2);
    await until('the ramp is over', () => plexIn(household)?.recovery.active === false);
    expect(Date.now()).toBeGreaterThanOrEqual(end);
    await until('that is on disk', () => gateOf(household).recoveryStartedAt === 0);
    await household.drained();
    expect(await household.differences()).toEqual([]);
    expect(household.status()?.deadLetters).toBe(0);

    // Each lane may hold one scene that was admitted and has not reached Plex yet: it may arrive a little late.
    const during = firstRequests(household).filter((at) => at < end);
    expect(during.length).toBeGreaterThan(20);
    for (const from of during) {
      const within = during.filter((at) => at >= from && at < from + 1_000).length;
      const allowed = rampRate(recoveryStartedAt, Math.min(end - 1, from + 1_000), flow) ?? 0;
      expect(within, `from ${from - recoveryStartedAt} ms on`).toBeLessThanOrEqual(allowed + 1 + flow.lanes);
    }
  });

  it.for(['gate.saving.CLOSED', 'gate.saved.CLOSED'])(
    'is what the next worker is in when one dies at "%s", in the instant in which the breaker closes',
    async (point, { expect, onTestFinished }) => {
      const settings = { flowInitialRate: 5, flowTargetRate: 6, flowRecoverySeconds: 8, flowOpenSeconds: 1 };
      const household = await home({ scenes: 30, settings }, onTestFinished);
      const { plex } = household;
      await plex.goDown();
      editAll(household);
      household.startWorker();
      await until('nothing is sent', isOpen(household));
      household.killWorkers();
      await workerEnded(household);
      await plex.comeBack();
      const dying = household.startWorker({ SLUICE_CRASH_AT: point });
      await once(dying, 'exit');
      expect(dying.signalCode).toBe('SIGKILL');
      const { breaker } = gateOf(household);
      expect(breaker.state).toBe(point === 'gate.saved.CLOSED' ? 'CLOSED' : 'HALF_OPEN');
      const died = Date.now();
      household.startWorker();
      await until('it recovers', () => plexIn(household)?.recovery.active === true);
      expect(gateOf(household).recoveryStartedAt).toBeGreaterThan(died - 10_000);
      await household.drained();
      // 30 scenes at 5 to 6 a second.
      expect(Date.now() - died).toBeGreaterThan(3_000);
      expect(await household.differences()).toEqual([]);
    },
  );
});
