import { describe, expect, it } from 'vitest';
import { closedGate, Gate } from '../../../src/resilience/gate';
import type { Outcome } from '../../../src/shared/outcome';

const openMs = 60_000;
const down: Outcome = { kind: 'server-down', message: 'Plex is not answering (connection refused).' };

describe('the gate', () => {
  it.each<Outcome>([
    down,
    { kind: 'overloaded', message: 'busy', retryAfterMs: null },
    { kind: 'not-authorised', message: 'token' },
    { kind: 'may-not-edit', message: 'token' },
    { kind: 'misconfigured', message: 'no such library' },
  ])('stops everything after $kind, and says why and until when', (outcome) => {
    const gate = new Gate(closedGate, openMs);
    expect(gate.ask(0)).toEqual({ admit: 'job' });
    expect(gate.learn(outcome, 1_000)).toBe(true);
    const message = 'message' in outcome ? outcome.message : '';
    expect(gate.ask(1_001)).toEqual({ admit: 'nothing', reason: message, nextAt: 61_000 });
    expect(gate.state).toMatchObject({ state: 'OPEN', since: 1_000, failuresInARow: 1 });
  });

  it.each<Outcome>([
    { kind: 'ok', message: 'written' },
    { kind: 'unchanged' },
    { kind: 'gone' },
    { kind: 'not-in-plex', message: 'x' },
    { kind: 'bad-data', message: 'x' },
    { kind: 'transient', message: 'x' },
    { kind: 'stash-away', message: 'x' },
    { kind: 'filtered', message: 'x' },
  ])('stays closed after $kind', (outcome) => {
    const gate = new Gate(closedGate, openMs);
    expect(gate.learn(outcome, 0)).toBe(false);
    expect(gate.ask(1)).toEqual({ admit: 'job' });
  });

  it('asks for a probe when the time has come, and closes when it is well', () => {
    const gate = new Gate(closedGate, openMs);
    gate.learn(down, 0);
    expect(gate.ask(60_000)).toEqual({ admit: 'probe' });
    expect(gate.state.state).toBe('HALF_OPEN');
    gate.probed(null, 60_100);
    expect(gate.ask(60_101)).toEqual({ admit: 'job' });
    expect(gate.state).toMatchObject({ state: 'CLOSED', cause: null, failuresInARow: 0 });
  });

  it('opens again when the probe fails, and still knows since when', () => {
    const gate = new Gate(closedGate, openMs);
    gate.learn(down, 0);
    gate.ask(60_000);
    gate.probed('Plex is overloaded or still starting (HTTP 503).', 60_100);
    expect(gate.state).toMatchObject({ state: 'OPEN', since: 0, retryAt: 120_100, failuresInARow: 2 });
    expect(gate.ask(120_000)).toMatchObject({ admit: 'nothing', nextAt: 120_100 });
  });

  it('goes on where the last process was killed', () => {
    const gate = new Gate(closedGate, openMs);
    gate.learn(down, 0);
    const next = new Gate(gate.state, openMs);
    expect(next.ask(30_000)).toMatchObject({ admit: 'nothing', nextAt: 60_000 });
    expect(next.ask(60_000)).toEqual({ admit: 'probe' });
    const killedDuringProbe = new Gate(next.state, openMs);
    expect(killedDuringProbe.ask(60_001)).toEqual({ admit: 'probe' });
  });

  it('does not wait longer than it ever would because the clock was set back', () => {
    const gate = new Gate(closedGate, openMs);
    gate.learn(down, 10_000_000);
    expect(gate.ask(10_000_000 - 3_600_000)).toEqual({ admit: 'probe' });
  });

  it('waits as long as the server asks for, but not longer than an hour', () => {
    const gate = new Gate(closedGate, openMs);
    gate.learn({ kind: 'overloaded', message: 'busy', retryAfterMs: 600_000 }, 0);
    expect(gate.state.retryAt).toBe(600_000);
    expect(gate.ask(599_999)).toMatchObject({ admit: 'nothing' });
    gate.learn({ kind: 'overloaded', message: 'busy', retryAfterMs: 1_000 }, 0);
    expect(gate.state.retryAt).toBe(openMs);
    gate.learn({ kind: 'overloaded', message: 'busy', retryAfterMs: 10_000_000 }, 0);
    expect(gate.state.retryAt).toBe(3_600_000);
  });

  it('tries at once when the person changed something', () => {
    const gate = new Gate(closedGate, openMs);
    gate.learn(down, 0);
    expect(gate.tryNow()).toBe(true);
    expect(gate.ask(1)).toEqual({ admit: 'probe' });
  });
});
