import { expect, it } from 'vitest';
import { chaos } from '../sim/chaos';
import { home } from '../support/home';
import { seeded } from '../support/seeded';

it('agrees for every scene after workers and hooks were killed at random instants in 30 rounds', async () => {
  const household = await home({ scenes: 20, settings: { flowOpenSeconds: 1 } });
  const seed = Date.now() % 1_000_000;
  const tally = await chaos(household, 30, seeded(seed));
  const note = `seed ${seed}, ${JSON.stringify(tally)}`;
  expect(tally.workersKilled, note).toBeGreaterThan(5);
  expect(await household.differences(), note).toEqual([]);
  expect(household.status(), note).toMatchObject({
    deadLetters: 0,
    queue: { waiting: 0, inFlight: 0 },
  });
  expect(household.log(), note).not.toContain('damaged');
  expect(household.plex.violations).toEqual([]);
}, 180_000);
