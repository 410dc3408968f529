/** The real gate, as the worker uses it. */
import { Gate, type Ticket } from '../../../src/resilience/gate';
import type { FlowSettings } from '../../../src/shared/flow-settings';
import type { Outcome } from '../../../src/shared/outcome';
import type { NamedPolicy, Policy, Start } from './policy';

export const ours: NamedPolicy = { name: 'ours', begin: gateAfterOutage };

/** What the adaptive cap is worth: the same gate with a cap that latency never sets and that an overload hardly does. */
const capless: Partial<FlowSettings> = {
  distressFactor: 1e9,
  overloadCut: 0.99,
  growthPercent: 1e9,
  inUsePercent: 0,
  reliefPercent: 100,
};

export const oursWithoutCap: NamedPolicy = {
  name: 'ours without the cap',
  begin: (start) => gateAfterOutage({ ...start, flow: { ...start.flow, ...capless } }),
};

const down: Outcome = { kind: 'server-down', message: 'Plex is not answering.' };
const well: Outcome = { kind: 'ok', message: '' };

/** Longer than the breaker waits after its first opening. */
const outageMs = 600_000;

/** Opened by failures, then closed by a probe and a trial that end now: the recovery period begins. */
function gateAfterOutage({ flow, random, now }: Start): Policy<Ticket> {
  const before = now - outageMs;
  const gate = new Gate({ flow, random, now: before, state: null });
  for (let failures = 0; gate.isClosed; failures++) {
    const pass = gate.ask(before + failures * 1_000);
    if (pass.admit === 'job') gate.learn(pass.ticket, down, before + failures * 1_000);
  }
  expect(gate.ask(now).admit === 'probe');
  gate.probed(well, true, now);
  const trial = gate.ask(now);
  expect(trial.admit === 'job');
  gate.learn(trial.ticket, well, now);
  expect(gate.isClosed && gate.recoveryEndsAt(now) !== null);
  return gate;
}

function expect(holds: boolean): asserts holds {
  if (!holds) throw new Error('The gate did not come back from the outage as it should.');
}
