import { describe, expect, it } from 'vitest';
import { type Compared, compareScene } from '../../../scripts/demo/comparison';
import type { Recovery } from '../../../scripts/demo/moment';
import { allIsWell, type Facts, summary } from '../../../scripts/demo/summary';
import { painter } from '../../../scripts/demo/text';
import type { Status } from '../../../src/shared/status';
import { quietTarget } from '../../support/target-status';

const shown: Compared = {
  title: 'Moss',
  summary: '',
  studio: '',
  date: '',
  actors: [],
  genres: [],
  poster: null,
};

const status: Status = {
  version: '0.1.0',
  paused: false,
  worker: { alive: true, pid: 1, since: null },
  stash: { reachable: true, since: null, error: null },
  inbox: 0,
  queue: { waiting: 0, due: 0, inFlight: 0, parked: 0, retrying: 0, fanOuts: 0 },
  deadLetters: 0,
  passes: [],
  targets: {
    plex: { ...quietTarget, done: 43 },
  },
};

/** Four seconds, 1 to 5 a second, and never faster than that. */
const recovery: Recovery = {
  startedAtMs: 20_000,
  endsAtMs: 24_000,
  initialRate: 1,
  targetRate: 5,
  sentAtMs: [19_500, 20_800, 21_500, 22_000, 22_400, 22_700, 23_000, 23_200, 23_500, 23_700, 23_900, 24_000],
};

const good: Facts = {
  saves: [
    { scenes: 1, tookMs: 10 },
    { scenes: 1, tookMs: 100 },
    { scenes: 1, tookMs: 12 },
    { scenes: 24, tookMs: 240 },
  ],
  scenes: [compareScene(1, shown, shown), compareScene(2, shown, shown)],
  status,
  requests: 120,
  outcome: { outageMs: 11_300, kills: 2, drained: true },
  recovery,
  handovers: [{ rateBefore: 2.43, rateAfter: 4.36, isSameRamp: true }],
  tookMs: 28_000,
};

const told = (facts: Facts) => summary(facts, painter(false)).join('\n');

describe('the summary', () => {
  it('tells the numbers of a run in which all went well', () => {
    expect(allIsWell(good)).toBe(true);
    expect(told(good)).toContain('✓ Stash and Plex agree in all 14 fields of 2 scenes.');
    expect(told(good)).toMatch(/edits +3 single, 1 in bulk \(24 scenes\)/);
    expect(told(good)).toMatch(/a save took +12 ms \(median\); in bulk 10 ms a scene/);
    expect(told(good)).toMatch(/scenes synced +43/);
    expect(told(good)).toMatch(/requests to Plex +120/);
    expect(told(good)).toMatch(/Plex was down for +11\.3 s/);
    expect(told(good)).toMatch(/lost +0/);
  });

  it('tells how full the fullest second of the recovery was, and whether the ramp outlived the kill', () => {
    expect(told(good)).toMatch(/recovery +1 to 5 scenes a second in 4\.0 s/);
    expect(told(good)).toMatch(/its fullest second +5 scenes; 5\.5 were allowed there/);
    expect(told(good)).toMatch(/ramp over the kill +kept: 2\.4 a second before, 4\.4 after/);
    expect(told(good)).toMatch(/workers killed +2/);
  });

  it('says so when no recovery was seen, or nobody went on with it', () => {
    expect(told({ ...good, recovery: null })).toMatch(/recovery +none was seen/);
    expect(told({ ...good, handovers: [] })).toMatch(/ramp over the kill +not seen/);
    expect(allIsWell({ ...good, recovery: null, handovers: [] })).toBe(true);
  });

  it('is not content with a ramp that began anew, or that nobody kept to', () => {
    const anew = { ...good, handovers: [{ rateBefore: 3.1, rateAfter: 1, isSameRamp: false }] };
    expect(allIsWell(anew)).toBe(false);
    expect(told(anew)).toContain('✗ a worker did not go on with the ramp');
    expect(told(anew)).toContain('not kept: 3.1 a second before, 1.0 after');
    const flood = { ...good, recovery: { ...recovery, sentAtMs: Array<number>(9).fill(21_000) } };
    expect(allIsWell(flood)).toBe(false);
    expect(told(flood)).toContain('✗ more scenes were sent in a second than the ramp allowed');
  });

  it('is not content when a field differs', () => {
    const scenes = [compareScene(1, shown, { ...shown, title: 'Mos' }), compareScene(2, shown, shown)];
    expect(allIsWell({ ...good, scenes })).toBe(false);
    expect(told({ ...good, scenes })).toContain('✗ 1 of 14 fields differs');
    expect(told({ ...good, scenes })).toMatch(/lost +1/);
  });

  it('is not content with a dead letter, a queue that is not empty, no status, or nothing to compare', () => {
    const drained = { ...good.outcome, drained: false };
    for (const bad of [
      { ...good, status: { ...status, deadLetters: 1 } },
      { ...good, status: null },
      { ...good, outcome: drained },
      { ...good, scenes: [] },
    ]) {
      expect(allIsWell(bad)).toBe(false);
      expect(told(bad)).not.toContain('✓');
    }
    expect(told({ ...good, status: { ...status, deadLetters: 1 } })).toContain('✗ 1 dead letter');
    expect(told({ ...good, outcome: drained })).toContain('✗ the queue did not become empty');
  });
});
