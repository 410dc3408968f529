import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { Cooldown, cooldownSchema } from '../../../src/resilience/cooldown';
import { flowWith, start } from './rig';

const flow = flowWith();
const noFloor = 0;
const meet = (cooldown: Cooldown, generation: number, now: number, floorAt = noFloor) =>
  cooldown.met(generation, floorAt, flow, now);

/** A cooldown that the first generation started. */
function started(now = start): Cooldown {
  const cooldown = new Cooldown();
  expect(meet(cooldown, cooldown.generation, now)).toBe('started');
  return cooldown;
}

const restarted = (cooldown: Cooldown) =>
  new Cooldown(v.parse(cooldownSchema, JSON.parse(JSON.stringify(cooldown.state))));

describe('the cooldown', () => {
  it('does not exist as long as nobody met an overload', () => {
    const cooldown = new Cooldown();
    expect(cooldown.until(start)).toBeNull();
    expect(cooldown.isGentle).toBe(false);
  });

  it('lasts 5 s from the first answer of a generation', () => {
    const cooldown = started();
    expect(cooldown.until(start + 4_999)).toBe(start + 5_000);
    expect(cooldown.until(start + 5_000)).toBeNull();
  });

  it('is joined by the others of its generation, who neither extend it nor start another', () => {
    const cooldown = started();
    for (let n = 1; n < 10; n++) expect(meet(cooldown, 0, start + n * 400)).toBe('joined');
    expect(cooldown.until(start + 4_000)).toBe(start + 5_000);
    expect(cooldown.state).toMatchObject({ generations: 1, participants: 10, inARow: 1 });
  });

  it('is not started by an answer that comes when it is over', () => {
    const cooldown = started();
    expect(meet(cooldown, 0, start + 5_000)).toBe('late');
    expect(cooldown.until(start + 5_000)).toBeNull();
    expect(cooldown.state).toMatchObject({ generations: 1, participants: 1 });
  });

  it('is neither joined nor started by an answer from a generation before the last', () => {
    const cooldown = started();
    meet(cooldown, 1, start + 6_000);
    expect(meet(cooldown, 0, start + 7_000)).toBe('late');
    expect(cooldown.state).toMatchObject({ generations: 2, participants: 2 });
  });

  it('doubles with each generation in a row, up to 60 s', () => {
    const cooldown = new Cooldown();
    const seconds: number[] = [];
    let now = start;
    for (let n = 0; n < 6; n++) {
      meet(cooldown, cooldown.generation, now);
      const until = cooldown.until(now) ?? now;
      seconds.push((until - now) / 1_000);
      now = until;
    }
    expect(seconds).toEqual([5, 10, 20, 40, 60, 60]);
  });

  it('begins at 5 s again when a job of the new generation has succeeded', () => {
    const cooldown = started();
    cooldown.succeeded(1);
    meet(cooldown, 1, start + 6_000);
    expect(cooldown.until(start + 6_000)).toBe(start + 11_000);
  });

  it('is not made shorter by a late success of the generation before', () => {
    const cooldown = started();
    cooldown.succeeded(0);
    expect(cooldown.until(start + 1)).toBe(start + 5_000);
    expect(cooldown.isGentle).toBe(true);
    meet(cooldown, 1, start + 6_000);
    expect(cooldown.until(start + 6_000)).toBe(start + 16_000);
  });

  it('lasts at least as long as the server asked for', () => {
    const cooldown = new Cooldown();
    meet(cooldown, 0, start, start + 90_000);
    expect(cooldown.until(start + 5_000)).toBe(start + 90_000);
    expect(meet(cooldown, 0, start + 89_999)).toBe('joined');
    expect(cooldown.parked(start + 89_999)).toBe(2);
    expect(cooldown.until(start + 90_000)).toBeNull();
  });

  it('is not made shorter by what the server asked for', () => {
    const cooldown = new Cooldown();
    meet(cooldown, 0, start, start + 1_000);
    expect(cooldown.until(start)).toBe(start + 5_000);
  });

  it('has every parked job back when it is over', () => {
    const cooldown = started();
    meet(cooldown, 0, start + 1_000);
    expect(cooldown.parked(start + 4_999)).toBe(2);
    expect(cooldown.parked(start + 5_000)).toBe(0);
  });

  it('counts the parked jobs of each generation for itself', () => {
    const cooldown = started();
    meet(cooldown, 0, start + 1_000);
    meet(cooldown, 1, start + 6_000);
    expect(cooldown.parked(start + 6_000)).toBe(1);
    expect(cooldown.state.participants).toBe(3);
  });

  it('starts the flow gently, until a job of the new generation has succeeded', () => {
    const cooldown = started();
    expect(cooldown.isGentle).toBe(true);
    cooldown.succeeded(1);
    expect(cooldown.isGentle).toBe(false);
  });

  it('has everybody back when the breaker takes over', () => {
    const cooldown = started();
    cooldown.cancel();
    expect(cooldown.until(start + 1)).toBeNull();
    expect(cooldown.parked(start + 1)).toBe(0);
    expect(cooldown.isGentle).toBe(false);
    expect(cooldown.state).toEqual({ span: null, inARow: 0, generations: 1, participants: 1 });
  });

  it('ends after a restart when it would have ended, and the flow still starts gently', () => {
    const next = restarted(started());
    expect(next.until(start + 4_999)).toBe(start + 5_000);
    expect(next.until(start + 5_000)).toBeNull();
    expect(next.isGentle).toBe(true);
    expect(next.generation).toBe(1);
  });

  it('has only waiting jobs after a restart, no parked ones', () => {
    expect(restarted(started()).parked(start + 1)).toBe(0);
  });

  it('goes on doubling after a restart', () => {
    const next = restarted(started());
    meet(next, next.generation, start + 6_000);
    expect(next.until(start + 6_000)).toBe(start + 16_000);
  });

  it('does not last for hours because the clock was set back', () => {
    const cooldown = started();
    expect(cooldown.until(start - 3_600_000)).toBeNull();
    expect(cooldown.parked(start - 3_600_000)).toBe(0);
  });

  it('does not come again when a clock that was set back comes to that time again', () => {
    const cooldown = started();
    cooldown.until(start - 1);
    expect(cooldown.until(start + 1)).toBeNull();
    expect(meet(cooldown, 0, start + 1)).toBe('late');
  });

  it('goes by the settings', () => {
    const cooldown = new Cooldown();
    cooldown.met(0, noFloor, flowWith({ cooldownSeconds: 0.5, cooldownMaxSeconds: 1 }), start);
    expect(cooldown.until(start)).toBe(start + 500);
  });
});
