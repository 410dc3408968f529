import { describe, expect, it } from 'vitest';
import { compareScene } from '../../../scripts/demo/comparison';
import { allIsWell, type Facts, summary } from '../../../scripts/demo/summary';
import { painter } from '../../../scripts/demo/text';
import type { Status } from '../../../src/shared/status';
import type { Shown } from '../../sim/household';

const shown: Shown = { title: 'Moss', summary: '', studio: '', date: '', actors: [], genres: [] };

const status: Status = {
  version: '0.1.0',
  paused: false,
  worker: { alive: true, pid: 1, since: null },
  stash: { reachable: true, since: null, error: null },
  inbox: 0,
  queue: { waiting: 0, due: 0, inFlight: 0, parked: 0, retrying: 0, fanOuts: 0 },
  deadLetters: 0,
  targets: {
    plex: {
      url: null,
      breaker: { state: 'CLOSED', cause: null, since: null, retryAt: null, failuresInARow: 0 },
      recovery: { active: false, startedAt: null, progress: null },
      rate: { perSecond: null, limitedBy: 'none' },
      done: 43,
      failed: 0,
    },
  },
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
  outcome: { outageMs: 11_300, drained: true },
  tookMs: 28_000,
};

const told = (facts: Facts) => summary(facts, painter(false)).join('\n');

describe('the summary', () => {
  it('tells the numbers of a run in which all went well', () => {
    expect(allIsWell(good)).toBe(true);
    expect(told(good)).toContain('✓ Stash and Plex agree in all 12 fields of 2 scenes.');
    expect(told(good)).toMatch(/edits +3 single, 1 in bulk \(24 scenes\)/);
    expect(told(good)).toMatch(/a save took +12 ms \(median\); in bulk 10 ms a scene/);
    expect(told(good)).toMatch(/scenes synced +43/);
    expect(told(good)).toMatch(/requests to Plex +120/);
    expect(told(good)).toMatch(/Plex was down for +11\.3 s/);
    expect(told(good)).toMatch(/lost +0/);
  });

  it('is not content when a field differs', () => {
    const scenes = [compareScene(1, shown, { ...shown, title: 'Mos' }), compareScene(2, shown, shown)];
    expect(allIsWell({ ...good, scenes })).toBe(false);
    expect(told({ ...good, scenes })).toContain('✗ 1 of 12 fields differs');
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
