import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { Breaker, breakerSchema, closedBreaker } from '../../../src/resilience/breaker';
import type { FlowSettings } from '../../../src/shared/flow-settings';
import { flowWith, start } from './rig';

const flow = flowWith();
const cause = 'Plex is not answering (connection refused).';
const noFloor = 0;

const closed = (random = () => 0) => new Breaker(closedBreaker, random);
const fail = (breaker: Breaker, now: number, own: FlowSettings = flow) =>
  breaker.failed(false, cause, noFloor, own, now);
const overload = (breaker: Breaker, now: number) => breaker.failed(true, 'Overloaded.', noFloor, flow, now);

function openedAt(now: number, random = () => 0, floorAt = noFloor): Breaker {
  const breaker = closed(random);
  breaker.open(cause, floorAt, flow, now);
  return breaker;
}

/** In HALF_OPEN, with the probe under way. */
function probingAt(now: number): Breaker {
  const breaker = openedAt(now - 60_000);
  expect(breaker.step(now)).toBe('probe');
  return breaker;
}

const restarted = (breaker: Breaker) =>
  new Breaker(v.parse(breakerSchema, JSON.parse(JSON.stringify(breaker.state))), () => 0);

describe('the breaker in CLOSED', () => {
  it('lets everything through', () => {
    expect(closed().step(start)).toBe('jobs');
  });

  it('opens at 5 failures in a row', () => {
    const breaker = closed();
    for (let n = 1; n <= 4; n++) expect(fail(breaker, start + n * 60_000)).toBe(false);
    expect(fail(breaker, start + 300_000)).toBe(true);
    expect(breaker.state).toMatchObject({ state: 'OPEN', cause, since: start + 300_000, failuresInARow: 5 });
  });

  it('forgets the run of failures with one success', () => {
    const breaker = closed();
    for (let n = 1; n <= 4; n++) fail(breaker, start + n * 60_000);
    breaker.succeeded(start + 300_000);
    for (let n = 6; n <= 9; n++) expect(fail(breaker, start + n * 60_000)).toBe(false);
  });

  it('opens at 3 overloads in a row', () => {
    const breaker = closed();
    expect(overload(breaker, start)).toBe(false);
    expect(overload(breaker, start + 60_000)).toBe(false);
    expect(overload(breaker, start + 120_000)).toBe(true);
  });

  it('forgets the run of overloads with one success', () => {
    const breaker = closed();
    overload(breaker, start);
    overload(breaker, start + 60_000);
    breaker.succeeded(start + 120_000);
    expect(overload(breaker, start + 180_000)).toBe(false);
  });

  it('counts overloads as a run only if no other failure is between them, but as failures all the same', () => {
    const breaker = closed();
    overload(breaker, start);
    overload(breaker, start + 60_000);
    fail(breaker, start + 120_000);
    expect(overload(breaker, start + 180_000)).toBe(false);
    expect(breaker.state).toMatchObject({ failuresInARow: 4, overloadsInARow: 1 });
  });

  it('opens when half of 10 results within 30 s failed', () => {
    const breaker = closed();
    for (let n = 0; n < 4; n++) {
      expect(fail(breaker, start + n * 2_000)).toBe(false);
      breaker.succeeded(start + n * 2_000 + 1_000);
    }
    breaker.succeeded(start + 20_000);
    expect(fail(breaker, start + 29_000)).toBe(true);
  });

  it('stays closed when less than half of the results failed', () => {
    const breaker = closed();
    for (let n = 0; n < 100; n++) {
      breaker.succeeded(start + n * 100);
      breaker.succeeded(start + n * 100);
      expect(fail(breaker, start + n * 100)).toBe(false);
    }
  });

  it('stays closed when there are fewer than 10 results', () => {
    const breaker = closed();
    for (let n = 0; n < 4; n++) {
      expect(fail(breaker, start)).toBe(false);
      breaker.succeeded(start);
    }
    expect(fail(breaker, start)).toBe(false);
  });

  it('counts for nothing in the window what is older than 30 s', () => {
    const breaker = closed();
    for (let n = 0; n < 4; n++) {
      fail(breaker, start);
      breaker.succeeded(start);
    }
    breaker.succeeded(start);
    expect(fail(breaker, start + 30_000)).toBe(false);
    expect(breaker.errorRate(flow, start + 30_000)).toBe(1);
  });

  it('knows no error rate when nothing happened in the window', () => {
    const breaker = closed();
    expect(breaker.errorRate(flow, start)).toBeNull();
    fail(breaker, start);
    breaker.succeeded(start);
    expect(breaker.errorRate(flow, start + 29_000)).toBe(0.5);
    expect(breaker.errorRate(flow, start + 3_600_000)).toBeNull();
  });

  it('goes by the settings', () => {
    expect(fail(closed(), start, flowWith({ failuresInARow: 1 }))).toBe(true);
    const own = flowWith({ windowResults: 2, windowErrorPercent: 50, failuresInARow: 100 });
    const breaker = closed();
    breaker.succeeded(start);
    expect(fail(breaker, start, own)).toBe(true);
  });

  it('counts on after a restart', () => {
    let breaker = closed();
    for (let n = 1; n <= 4; n++) {
      fail(breaker, start + n);
      breaker = restarted(breaker);
    }
    expect(fail(breaker, start + 5)).toBe(true);
  });
});

describe('the breaker in OPEN', () => {
  it('sends nothing for 60 s, then a probe', () => {
    const breaker = openedAt(start);
    expect(breaker.retryAt).toBe(start + 60_000);
    expect(breaker.step(start)).toBe('nothing');
    expect(breaker.step(start + 59_999)).toBe('nothing');
    expect(breaker.step(start + 60_000)).toBe('probe');
  });

  it('waits twice as long after each failed try, up to 300 s', () => {
    const breaker = openedAt(start);
    const waits: number[] = [];
    for (let now = start; waits.length < 6; ) {
      const retryAt = breaker.retryAt ?? 0;
      waits.push((retryAt - now) / 1_000);
      now = retryAt;
      expect(breaker.step(now)).toBe('probe');
      breaker.open(cause, noFloor, flow, now);
    }
    expect(waits).toEqual([60, 120, 240, 300, 300, 300]);
  });

  it('lengthens the wait at random by up to 20 %, and never shortens it', () => {
    expect(openedAt(start, () => 0).retryAt).toBe(start + 60_000);
    expect(openedAt(start, () => 0.5).retryAt).toBe(start + 66_000);
    expect(openedAt(start, () => 0.999_999).retryAt).toBe(start + 72_000);
  });

  it('waits at least as long as the server asked for', () => {
    expect(openedAt(start, () => 0, start + 600_000).retryAt).toBe(start + 600_000);
    expect(openedAt(start, () => 0, start + 1_000).retryAt).toBe(start + 60_000);
  });

  it('knows since when and why, however often it was tried in vain', () => {
    const breaker = openedAt(start);
    breaker.step(start + 60_000);
    breaker.open('Another cause.', noFloor, flow, start + 60_100);
    expect(breaker.state).toMatchObject({ since: start, cause: 'Another cause.', failedTries: 1 });
  });

  it('tries now when told to, no more than that', () => {
    const breaker = openedAt(start);
    expect(breaker.tryNow()).toBe(true);
    expect(breaker.state).toMatchObject({ state: 'OPEN', failedTries: 0, since: start });
    expect(breaker.step(start + 1)).toBe('probe');
    breaker.open(cause, noFloor, flow, start + 2);
    expect(breaker.retryAt).toBe(start + 2 + 120_000);
  });

  it('has nothing to hurry when the try is due, under way, or not needed', () => {
    const breaker = openedAt(start);
    breaker.tryNow();
    expect(breaker.tryNow()).toBe(false);
    breaker.step(start);
    expect(breaker.tryNow()).toBe(false);
    expect(closed().tryNow()).toBe(false);
  });

  it('neither forgets nor re-rolls its wait at a restart', () => {
    const breaker = openedAt(start, () => 0.5);
    const next = restarted(breaker);
    expect(next.retryAt).toBe(start + 66_000);
    expect(next.step(start + 65_999)).toBe('nothing');
    expect(next.step(start + 66_000)).toBe('probe');
  });

  it('goes on doubling after a restart', () => {
    const breaker = openedAt(start);
    breaker.step(start + 60_000);
    breaker.open(cause, noFloor, flow, start + 60_000);
    const next = restarted(breaker);
    next.step(start + 180_000);
    next.open(cause, noFloor, flow, start + 180_000);
    expect(next.retryAt).toBe(start + 180_000 + 240_000);
  });

  it('does not wait for hours because the clock was set back', () => {
    expect(openedAt(start).step(start - 3_600_000)).toBe('probe');
  });

  it('tries at once when the clock jumped over its wait', () => {
    expect(openedAt(start).step(start + 86_400_000)).toBe('probe');
  });

  it('does not become longer than the limit by an outage of a thousand tries', () => {
    const breaker = openedAt(start);
    for (let n = 0; n < 1_000; n++) breaker.open(cause, noFloor, flow, start);
    expect(breaker.retryAt).toBe(start + 300_000);
  });
});

describe('the breaker in HALF_OPEN', () => {
  it('sends one probe and nothing else until it is answered', () => {
    const breaker = probingAt(start);
    expect(breaker.state.state).toBe('HALF_OPEN');
    expect(breaker.step(start + 1)).toBe('nothing');
    expect(breaker.step(start + 600_000)).toBe('nothing');
  });

  it('sends one job, alone, when the probe was answered', () => {
    const breaker = probingAt(start);
    expect(breaker.awaitsTrial).toBe(false);
    breaker.probedWell();
    expect(breaker.awaitsTrial).toBe(true);
    expect(breaker.step(start + 1)).toBe('trial');
    expect(breaker.awaitsTrial).toBe(false);
    expect(breaker.step(start + 2)).toBe('nothing');
  });

  it('asks again when the probe was broken off', () => {
    const breaker = probingAt(start);
    breaker.again();
    expect(breaker.step(start + 1)).toBe('probe');
  });

  it('takes the next job as the trial when the first said nothing', () => {
    const breaker = probingAt(start);
    breaker.probedWell();
    breaker.step(start + 1);
    breaker.again();
    expect(breaker.step(start + 2)).toBe('trial');
  });

  it('forgets every failure when it closes', () => {
    const breaker = probingAt(start);
    breaker.close(start + 1);
    expect(breaker.state).toEqual({ ...closedBreaker, since: start + 1 });
    expect(breaker.step(start + 2)).toBe('jobs');
  });

  it.each(['probe', 'trial'] as const)('opens for longer when the %s fails', (which) => {
    const breaker = probingAt(start);
    if (which === 'trial') breaker.probedWell();
    breaker.open(cause, noFloor, flow, start);
    expect(breaker.state).toMatchObject({ state: 'OPEN', failedTries: 1 });
    expect(breaker.retryAt).toBe(start + 120_000);
  });

  it('begins with a probe again after a trial that failed', () => {
    const breaker = probingAt(start);
    breaker.probedWell();
    breaker.step(start);
    breaker.open(cause, noFloor, flow, start);
    expect(breaker.step(start + 120_000)).toBe('probe');
  });

  it.each(['probe', 'trial'] as const)(
    'is no lasting state: a process killed during the %s leaves a probe that is due',
    (which) => {
      const breaker = probingAt(start);
      if (which === 'trial') {
        breaker.probedWell();
        breaker.step(start);
      }
      const next = restarted(breaker);
      expect(next.step(start + 1)).toBe('probe');
      expect(next.state.since).toBe(start - 60_000);
    },
  );
});
