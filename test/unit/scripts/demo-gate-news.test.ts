import { describe, expect, it } from 'vitest';
import { calmGate, GateNews, type GateView, gateOf } from '../../../scripts/demo/gate-news';
import type { Status, TargetStatus } from '../../../src/shared/status';
import { quietTarget } from '../../support/target-status';

const refused = 'Plex is not answering (connection refused).';
const open: GateView = { ...calmGate, is: 'open', pid: 1, cause: refused, failuresInARow: 5, retryAt: 3_200 };
const onRamp: GateView = { ...calmGate, is: 'recovery', pid: 1, recoveryStartedAt: 9_000, rate: 1.04 };

/** What is told when these are seen one after the other. */
function told(...views: Partial<GateView>[]): string[] {
  const news = new GateNews({ targetRate: 7, recoverySeconds: 10 });
  return views.flatMap((view) => news.see({ ...calmGate, ...view }, 0).map(({ text }) => text));
}

describe('what happens at the gate', () => {
  it('is nothing while it is closed, whatever fails', () => {
    expect(told({}, { failuresInARow: 1 }, { failuresInARow: 3 }, {})).toEqual([]);
  });

  it('is told once when it opens, with the cause and the next try', () => {
    expect(told({ failuresInARow: 2 }, open, open)).toEqual([
      'breaker opens: Plex is not answering (connection refused); next try in 3.2 s',
    ]);
  });

  it('counts the tries since it opened, not what failed before', () => {
    const [, ...tries] = told(
      open,
      { ...open, failuresInARow: 6 },
      { ...open, failuresInARow: 7, retryAt: null },
    );
    expect(tries).toEqual([
      'try 1 failed: Plex is not answering (connection refused); next try in 3.2 s',
      'try 2 failed: Plex is not answering (connection refused)',
    ]);
  });

  it('goes on counting when another worker tries', () => {
    const news = told(open, { ...open, failuresInARow: 6 }, { ...open, failuresInARow: 7, pid: 2 });
    expect(news.at(-1)).toMatch(/^try 2 failed/);
  });

  it('begins to count anew with the next outage', () => {
    const news = told({ ...open, failuresInARow: 9 }, onRamp, open, { ...open, failuresInARow: 6 });
    expect(news.at(-2)).toMatch(/^breaker opens/);
    expect(news.at(-1)).toMatch(/^try 1 failed/);
  });

  it('tells of the probe and of the trial, if they were seen', () => {
    const half: GateView = { ...open, is: 'half-open', retryAt: null };
    expect(told(open, half, half, { ...half, isTrial: true }).slice(1)).toEqual([
      'half open: Plex is asked whether it is well',
      'half open: Plex answers, one scene is sent as a trial',
    ]);
    expect(told(open, { ...half, isTrial: true }).slice(1)).toEqual([
      'half open: Plex answers, one scene is sent as a trial',
    ]);
  });

  it('tells of the recovery from its beginning to its end', () => {
    const again: GateView = { ...open, failuresInARow: 6 };
    expect(told(open, again, onRamp, { ...onRamp, rate: 6.9 }, calmGate).slice(2)).toEqual([
      'breaker closes after 1 failed try',
      'recovery begins: 1.0 scenes a second now, 7 in 10 s',
      'recovery is over: no limit any more',
    ]);
  });
});

describe('a worker that goes on with the recovery of another', () => {
  const killed: GateView = { ...onRamp, rate: 2.44 };
  // It has not read the settings yet.
  const starting: GateView = { ...onRamp, pid: 2, rate: null };

  it('is told with the speed before and after', () => {
    const news = new GateNews({ targetRate: 7, recoverySeconds: 10 });
    const views = [
      onRamp,
      killed,
      killed,
      starting,
      { ...onRamp, pid: 2, rate: 4.36 },
      { ...onRamp, pid: 2, rate: 5 },
    ];
    const texts = views.flatMap((view) => news.see(view, 0).map(({ text }) => text));
    expect(texts).toEqual(['the ramp goes on: 2.4 scenes a second before, 4.4 now']);
    expect(news.handovers).toEqual([{ rateBefore: 2.44, rateAfter: 4.36, isSameRamp: true }]);
  });

  it('is found out if it begins anew', () => {
    const news = new GateNews({ targetRate: 7, recoverySeconds: 10 });
    news.see(killed, 0);
    const anew = { ...onRamp, pid: 2, recoveryStartedAt: 12_000, rate: 1 };
    expect(news.see(anew, 0)).toEqual([
      { kind: 'bad', text: 'the ramp begins anew: 2.4 scenes a second before, 1.0 now' },
    ]);
    expect(news.handovers).toMatchObject([{ isSameRamp: false }]);
  });

  it('is nothing special after another outage', () => {
    const news = new GateNews({ targetRate: 7, recoverySeconds: 10 });
    for (const view of [killed, open, { ...onRamp, pid: 2, recoveryStartedAt: 12_000 }]) news.see(view, 0);
    expect(news.handovers).toEqual([]);
  });
});

describe('what status.json says', () => {
  const statusWith = (plex: Partial<TargetStatus>): Status => ({
    version: '0.1.0',
    paused: false,
    worker: { alive: true, pid: 7, since: null },
    stash: { reachable: true, since: null, error: null },
    inbox: 0,
    queue: { waiting: 0, due: 0, inFlight: 0, parked: 0, retrying: 0, fanOuts: 0 },
    deadLetters: 0,
    passes: [],
    targets: { plex: { ...quietTarget, ...plex } },
  });
  const recovering: TargetStatus['recovery'] = {
    active: true,
    startedAt: '2024-05-01T10:00:00.000Z',
    endsAt: '2024-05-01T10:00:10.000Z',
    progress: 0.25,
    multiplier: 1,
  };

  it('is nothing when there is none', () => {
    expect(gateOf(null)).toBeNull();
    expect(gateOf({ ...statusWith({}), targets: {} })).toBeNull();
  });

  it('is a recovery while the breaker is closed and the ramp limits', () => {
    const rate = { ...quietTarget.rate, perSecond: 2.5, limitedBy: 'ramp' as const, achieved: 2 };
    expect(gateOf(statusWith({}))).toMatchObject({ is: 'closed', pid: 7, rate: null });
    expect(gateOf(statusWith({ recovery: recovering, rate }))).toMatchObject({
      is: 'recovery',
      recoveryStartedAt: Date.parse('2024-05-01T10:00:00Z'),
      rate: 2.5,
      achieved: 2,
    });
  });

  it('is no rate while the settings are not known', () => {
    const rate = { ...quietTarget.rate, perSecond: 0, limitedBy: 'not configured' as const };
    expect(gateOf(statusWith({ recovery: recovering, rate }))).toMatchObject({ is: 'recovery', rate: null });
  });

  it('is a trial when a scene is on its way while the breaker is half open', () => {
    const breaker = { ...quietTarget.breaker, state: 'HALF_OPEN' as const };
    expect(gateOf(statusWith({ breaker }))).toMatchObject({ is: 'half-open', isTrial: false });
    const queue = { ...quietTarget.queue, inFlight: 1 };
    expect(gateOf(statusWith({ breaker, queue }))).toMatchObject({ isTrial: true });
    expect(gateOf(statusWith({ queue }))).toMatchObject({ is: 'closed', isTrial: false });
  });

  it('has the instant of the next try', () => {
    const breaker = {
      ...quietTarget.breaker,
      state: 'OPEN' as const,
      retryAt: '2024-05-01T10:00:03.000Z',
      cause: refused,
    };
    const retryAt = Date.parse('2024-05-01T10:00:03Z');
    expect(gateOf(statusWith({ breaker }))).toMatchObject({ is: 'open', retryAt, cause: refused });
  });
});
