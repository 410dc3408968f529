import { describe, expect, it } from 'vitest';
import { flowDefaults } from '../../../src/shared/flow-settings';
import { MemoryLog } from '../../support/memory-log';
import {
  admitted,
  call,
  gateWith,
  outcomes,
  overloadedFor,
  rateAt,
  restarted,
  send,
  start,
  stored,
  take,
} from './rig';

const messages = (log: MemoryLog, level: string) =>
  log.lines.filter((line) => line.level === level).map(({ message }) => message);

describe('Retry-After', () => {
  it('is a floor for the next job, however well it goes otherwise', () => {
    const gate = gateWith();
    gate.called(call({ retryAfterMs: 30_000 }), start);
    expect(gate.ask(start + 29_999)).toEqual({
      admit: 'nothing',
      limitedBy: 'retry-after',
      reason: 'Plex asked us to wait.',
      nextAt: start + 30_000,
    });
    expect(gate.view(start + 1).cooldown.retryAfter).toBe('2026-11-16T14:02:30.000Z');
    gate.ask(start + 30_000);
    expect(gate.ask(start + 40_000)).toMatchObject({ admit: 'job' });
  });

  it('is kept to for an hour at most', () => {
    const gate = gateWith();
    gate.called(call({ retryAfterMs: 86_400_000 }), start);
    expect(gate.ask(start)).toMatchObject({ nextAt: start + 3_600_000 });
  });

  it('does not open the breaker by itself', () => {
    const gate = gateWith();
    for (let n = 0; n < 20; n++) gate.called(call({ retryAfterMs: 1_000, startedAt: start + n }), start + n);
    expect(gate.isClosed).toBe(true);
    expect(stored(gate).breaker).toMatchObject({ failuresInARow: 0, overloadsInARow: 0 });
  });

  it('is distress once, not once per answer', () => {
    const gate = gateWith();
    for (let n = 0; n < 10; n++) send(gate, outcomes.ok, start + n * 100);
    const { achieved } = rateAt(gate, start + 1_000);
    for (let n = 0; n < 5; n++)
      gate.called(call({ startedAt: start + 1_000, retryAfterMs: 100 }), start + 1_000);
    expect(rateAt(gate, start + 1_000).cap).toBe(achieved * flowDefaults.distressCut);
  });

  it('is not made shorter by a later, shorter one', () => {
    const gate = gateWith();
    gate.called(call({ retryAfterMs: 60_000 }), start);
    gate.called(call({ retryAfterMs: 1_000 }), start + 1);
    expect(gate.ask(start + 2_000)).toMatchObject({ nextAt: start + 60_000 });
  });

  it('is made longer by a later, longer one', () => {
    const gate = gateWith();
    gate.called(call({ retryAfterMs: 1_000 }), start);
    gate.called(call({ retryAfterMs: 60_000 }), start + 1);
    expect(gate.ask(start + 2_000)).toMatchObject({ nextAt: start + 60_001 });
  });

  it('is kept over a restart', () => {
    const gate = gateWith();
    gate.called(call({ retryAfterMs: 30_000 }), start);
    expect(restarted(gate, start + 1_000).ask(start + 1_000)).toMatchObject({ nextAt: start + 30_000 });
  });

  it('is forgotten when the clock was set back: nobody knows what is left of it', () => {
    const gate = gateWith();
    gate.called(call({ retryAfterMs: 30_000 }), start);
    gate.ask(start - 60_000);
    expect(gate.ask(start - 50_000)).toMatchObject({ admit: 'job' });
  });

  it('does not come again when a clock that was set back comes to that time again', () => {
    const gate = gateWith();
    gate.called(call({ retryAfterMs: 3_600_000 }), start);
    gate.ask(start - 7_200_000);
    expect(gate.ask(start + 1)).toMatchObject({ admit: 'job' });
  });

  it('is part of the wait of a breaker that opens, and over with it', () => {
    const gate = gateWith({ flow: { overloadsInARow: 1 } });
    send(gate, overloadedFor(600_000), start);
    gate.tryNow();
    gate.ask(start + 1_000);
    gate.probed(outcomes.ok, false, start + 1_000);
    expect(gate.ask(start + 1_000)).toMatchObject({ limitedBy: 'ramp' });
  });

  it('is the floor of a cooldown, which has its jobs parked as long', () => {
    const log = new MemoryLog();
    const gate = gateWith({ log });
    send(gate, overloadedFor(90_000), start);
    expect(gate.ask(start + 5_000)).toMatchObject({ admit: 'nothing', nextAt: start + 90_000 });
    expect(gate.parked(start + 89_999)).toBe(1);
    expect(gate.parked(start + 90_000)).toBe(0);
    expect(messages(log, 'info').join()).toContain('90 s');
    expect(gate.ask(start + 90_000)).toMatchObject({ admit: 'job' });
  });

  it('leaves a cooldown that is longer as it is', () => {
    const gate = gateWith();
    send(gate, overloadedFor(1_000), start);
    expect(gate.ask(start + 1_000)).toMatchObject({ limitedBy: 'cooldown', nextAt: start + 5_000 });
  });
});

describe('the cooldown of a gate', () => {
  it('holds every lane back for 5 s after an overload, and says why', () => {
    const gate = gateWith();
    expect(send(gate, outcomes.overloaded, start)).toBe(true);
    expect(gate.ask(start + 4_999)).toMatchObject({
      limitedBy: 'cooldown',
      reason: expect.stringContaining('overloaded'),
      nextAt: start + 5_000,
    });
    expect(gate.isClosed).toBe(true);
  });

  it('starts the flow with one job at a time, until one has succeeded', () => {
    const gate = gateWith({ flow: { lanes: 4 } });
    send(gate, outcomes.overloaded, start);
    const first = admitted(gate.ask(start + 5_000));
    expect(gate.ask(start + 5_001)).toMatchObject({ limitedBy: 'lanes' });
    gate.learn(first, outcomes.ok, start + 5_100);
    expect(take(gate, 4, start + 5_100)).toHaveLength(4);
  });

  it('stays gentle after a job that said nothing', () => {
    const gate = gateWith();
    send(gate, outcomes.overloaded, start);
    send(gate, outcomes.filtered, start + 5_000);
    gate.ask(start + 5_001);
    expect(gate.ask(start + 5_002)).toMatchObject({ limitedBy: 'lanes' });
  });

  it('is a transition only when it starts: that has to be on disk before the next job', () => {
    const gate = gateWith();
    const [first, second] = take(gate, 2, start);
    expect(first && gate.learn(first, outcomes.overloaded, start)).toBe(true);
    expect(second && gate.learn(second, outcomes.overloaded, start)).toBe(false);
  });

  it('lasts as long after a restart', () => {
    const gate = gateWith();
    send(gate, outcomes.overloaded, start);
    const next = restarted(gate, start + 1_000);
    expect(next.ask(start + 1_000)).toMatchObject({ limitedBy: 'cooldown', nextAt: start + 5_000 });
    next.ask(start + 5_000);
    expect(next.ask(start + 5_000)).toMatchObject({ limitedBy: 'lanes' });
  });

  it('counts what was parked and released', () => {
    const gate = gateWith();
    const tickets = take(gate, 2, start);
    for (const ticket of tickets) gate.learn(ticket, outcomes.overloaded, start);
    const { generations, participants, parked, released, until } = gate.view(start + 1).cooldown;
    expect({ generations, participants, parked, released }).toEqual({
      generations: 1,
      participants: 2,
      parked: 2,
      released: 0,
    });
    expect(until).toBe('2026-11-16T14:02:05.000Z');
    expect(gate.view(start + 5_000).cooldown).toMatchObject({ parked: 0, released: 2, until: null });
  });

  it('ends when the breaker opens, and everybody is back', () => {
    const gate = gateWith();
    const [first, second] = take(gate, 2, start);
    if (first) gate.learn(first, outcomes.overloaded, start);
    if (second) gate.learn(second, outcomes.notAuthorised, start);
    expect(gate.view(start).cooldown).toMatchObject({ until: null, parked: 0, released: 1 });
    expect(gate.ask(start + 1)).toMatchObject({ limitedBy: 'breaker' });
  });

  it('does not last for hours because the clock was set back', () => {
    const gate = gateWith();
    send(gate, outcomes.overloaded, start);
    expect(gate.ask(start - 3_600_000)).toMatchObject({ admit: 'job' });
  });
});
