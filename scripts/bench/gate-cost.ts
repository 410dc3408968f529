/** What the gate costs for each job when nothing limits it: the way of every job outside a recovery period. */
import { Gate } from '../../src/resilience/gate';
import type { Call } from '../../src/shared/call';
import { flowDefaults } from '../../src/shared/flow-settings';
import type { Outcome } from '../../src/shared/outcome';
import { median, timeOf } from './measure';
import type { Row } from './table';

const decisions = 200_000;
const rounds = 7;
const limitMs = 0.002;

export async function gateCost(): Promise<Row[]> {
  const asked = await perDecision((gate, now) => {
    const pass = gate.ask(now);
    if (pass.admit !== 'job') throw new Error('A job was held back');
    gate.learn(pass.ticket, ok, now);
  });
  const withCalls = await perDecision((gate, now) => {
    const pass = gate.ask(now);
    if (pass.admit !== 'job') throw new Error('A job was held back');
    for (const kind of ['read', 'edit'] as const) gate.called({ ...call, kind, startedAt: now }, now);
    gate.learn(pass.ticket, ok, now);
  });
  return [
    row('one decision of the gate and its result, outside recovery', asked, true),
    row('the same with what two requests taught it', withCalls, false),
  ];
}

const ok: Outcome = { kind: 'ok', message: 'Written.' };
const call: Call = { kind: 'read', startedAt: 0, ms: 12, end: 'answered', retryAfterMs: null };

async function perDecision(decide: (gate: Gate, now: number) => void): Promise<number> {
  const taken: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = Date.now();
    const gate = new Gate({ flow: flowDefaults, random: Math.random, now: start, state: null });
    const ms = await timeOf(() => {
      // A hundred jobs a second.
      for (let n = 0; n < decisions; n++) decide(gate, start + n * 10);
    });
    taken.push(ms / decisions);
  }
  return median(taken);
}

function row(what: string, ms: number, limited: boolean): Row {
  const shown = (value: number) => `${(value * 1_000).toFixed(2)} µs`;
  return {
    what,
    measured: shown(ms),
    ...(limited && { limit: shown(limitMs), ok: ms < limitMs }),
  };
}
