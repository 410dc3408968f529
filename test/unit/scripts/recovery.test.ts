import { describe, expect, it } from 'vitest';
import { oracleOnRamp } from '../../../scripts/bench/recovery/oracle';
import { ours } from '../../../scripts/bench/recovery/ours';
import { noLimiter, plainRamp } from '../../../scripts/bench/recovery/plain';
import { profileOf } from '../../../scripts/bench/recovery/profile';
import { Server } from '../../../scripts/bench/recovery/server';
import { simulate } from '../../../scripts/bench/recovery/simulation';
import { percentile } from '../../../scripts/bench/recovery/statistics';
import { flowDefaults } from '../../../src/shared/flow-settings';

const seeds = Array.from({ length: 12 }, (_, index) => 20_001 + index);
const small = seeds.map((seed) => ({ ...profileOf(seed), jobs: 300 }));

describe('the simulated server', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(profileOf(7)).toEqual(profileOf(7));
    expect(profileOf(7)).not.toEqual(profileOf(8));
    const [profile] = small;
    if (!profile) throw new Error('no server');
    expect(simulate(profile, ours, flowDefaults)).toEqual(simulate(profile, ours, flowDefaults));
  });

  it('collapses when far more is sent than it can do, and never when it is left alone', () => {
    for (const profile of small) {
      const idle = new Server(profile, 0);
      for (let second = 0; second < 600; second++) idle.pile(second * 1_000);
      expect(idle.collapses).toBe(0);
      const flooded = new Server(profile, 0);
      for (let n = 0; n < 20 * profile.pileLimit && flooded.collapses === 0; n++) flooded.call('edit', 0, n);
      expect(flooded.collapses).toBe(1);
    }
  });

  it('answers more slowly the more has piled up', () => {
    const profile = { ...profileOf(1), noise: 0, films: [], shedding: null, warmUpMs: 1 };
    const server = new Server(profile, 0);
    const first = server.call('edit', 0, 10).ms;
    while (server.pile(10) < profile.pileLimit * 0.9) server.call('edit', 0, 10);
    expect(server.call('edit', 0, 10).ms).toBeGreaterThan(first * 1.5);
  });
});

describe('in the simulation', () => {
  it('every job is done, whatever the policy', () => {
    for (const profile of small.slice(0, 4)) {
      for (const policy of [noLimiter, plainRamp, ours, oracleOnRamp]) {
        expect(simulate(profile, policy, flowDefaults).doneAtMs).toHaveLength(300);
      }
    }
  });

  it('the oracle brings no server down', () => {
    for (const profile of small) expect(simulate(profile, oracleOnRamp, flowDefaults).collapses).toBe(0);
  });

  it('nobody on the ramp sends more than it allows', () => {
    for (const profile of small.slice(0, 4)) {
      const { doneAtMs } = simulate(profile, ours, flowDefaults);
      const inFirstTenSeconds = doneAtMs.filter((at) => at < 10_000).length;
      expect(inFirstTenSeconds).toBeLessThanOrEqual(5 * 10 + 0.5 * 10 + 1);
    }
  });
});

it('a percentile is the smallest value that enough do not exceed', () => {
  const values = [5, 1, 4, 2, 3];
  expect([0, 20, 50, 95, 100].map((percent) => percentile(values, percent))).toEqual([1, 1, 3, 5, 5]);
});
