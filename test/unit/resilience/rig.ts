/** What the tests of the gate say again and again. Times are explicit: milliseconds after `start`. */
import * as v from 'valibot';
import {
  Gate,
  type GateState,
  gateSchema,
  type Pass,
  type Ticket,
  unknownGate,
} from '../../../src/resilience/gate';
import type { Call } from '../../../src/shared/call';
import { type FlowSettings, flowDefaults } from '../../../src/shared/flow-settings';
import type { Log } from '../../../src/shared/log';
import type { Outcome } from '../../../src/shared/outcome';

/** A whole second. */
export const start = Date.parse('2026-11-16T14:02:00Z');

export const flowWith = (more: Partial<FlowSettings> = {}): FlowSettings => ({ ...flowDefaults, ...more });

export const outcomes = {
  ok: { kind: 'ok', message: 'Written.' },
  unchanged: { kind: 'unchanged', looked: true },
  untouched: { kind: 'unchanged', looked: false },
  gone: { kind: 'gone' },
  filtered: { kind: 'filtered', rule: 'no-file', message: 'No file.' },
  listing: { kind: 'listing' },
  notInPlex: { kind: 'not-in-plex', message: 'No such item.' },
  badData: { kind: 'bad-data', message: 'Refused (HTTP 400).' },
  transient: { kind: 'transient', message: 'Failed (HTTP 500).' },
  down: { kind: 'server-down', message: 'Plex is not answering (connection refused).' },
  overloaded: { kind: 'overloaded', message: 'Overloaded (HTTP 503).', retryAfterMs: null },
  notAuthorised: { kind: 'not-authorised', message: 'The token is not accepted (HTTP 401).' },
  mayNotEdit: { kind: 'may-not-edit', message: 'The token may not edit (HTTP 403).' },
  misconfigured: { kind: 'misconfigured', message: 'No such library.' },
  stashAway: { kind: 'stash-away', message: 'Stash is not answering.' },
} as const satisfies Record<string, Outcome>;

export const overloadedFor = (retryAfterMs: number): Outcome => ({ ...outcomes.overloaded, retryAfterMs });

export interface Options {
  flow?: Partial<FlowSettings>;
  random?: () => number;
  now?: number;
  state?: GateState | null;
  log?: Log;
}

export const gateWith = ({
  flow = {},
  random = () => 0,
  now = start,
  state = null,
  log,
}: Options = {}): Gate => new Gate({ flow: flowWith(flow), random, now, state, ...(log && { log }) });

export const stored = (gate: Gate): GateState => v.parse(gateSchema, JSON.parse(JSON.stringify(gate.state)));

/** The next process: what was on disk, and nothing else. */
export const restarted = (gate: Gate, now: number, random: () => number = () => 0): Gate =>
  new Gate({ flow: gate.flow, random, now, state: stored(gate) });

export function admitted(pass: Pass): Ticket {
  if (pass.admit !== 'job') throw new Error(`no job was admitted: ${JSON.stringify(pass)}`);
  return pass.ticket;
}

/** A job that is sent and ends in the same instant. */
export const send = (gate: Gate, outcome: Outcome | null, now: number): boolean =>
  gate.learn(admitted(gate.ask(now)), outcome, now);

/** Opened by a refusal: at once, and without a cooldown. */
export function opened(options: Options = {}): Gate {
  const gate = gateWith(options);
  send(gate, outcomes.notAuthorised, options.now ?? start);
  return gate;
}

/** Probed well, and a job is wanted as the trial. */
export function halfOpen(options: Options = {}): Gate {
  const now = options.now ?? start;
  const gate = gateWith({ ...options, state: unknownGate('Not known.', now) });
  gate.ask(now);
  gate.probed(outcomes.ok, true, now);
  return gate;
}

/** Closed after an outage, at `now`. */
export function recovering(options: Options = {}): Gate {
  const now = options.now ?? start;
  const gate = gateWith({ ...options, state: unknownGate('Not known.', now) });
  gate.ask(now);
  gate.probed(outcomes.ok, false, now);
  return gate;
}

export const call = (more: Partial<Call> = {}): Call => ({
  kind: 'edit',
  startedAt: start,
  ms: 100,
  end: 'answered',
  retryAfterMs: null,
  ...more,
});

/** When jobs are admitted from `from` to before `until`, if there is always one and it ends well at once. */
export function admissions(
  gate: Gate,
  from: number,
  until: number,
  outcome: Outcome = outcomes.ok,
): number[] {
  const times: number[] = [];
  for (let now = from; now < until; ) {
    const pass = gate.ask(now);
    if (pass.admit === 'probe') throw new Error('a probe is due');
    if (pass.admit === 'nothing') {
      now = Math.max(now + 1, Math.min(until, pass.nextAt));
      continue;
    }
    times.push(now);
    gate.learn(pass.ticket, outcome, now);
    // Without a limit time would stand still.
    if (times.length > 100_000) throw new Error('there is no limit');
  }
  return times;
}

export const rateAt = (gate: Gate, now: number) => gate.view(now).rate;

/** Outcomes that come one after the other, each to a job of its own. */
export const sendAll = (gate: Gate, all: Outcome[], now: number): boolean[] =>
  all.map((outcome) => send(gate, outcome, now));

export const fail = (gate: Gate, times: number, now: number): boolean[] =>
  sendAll(gate, new Array<Outcome>(times).fill(outcomes.down), now);

/** Jobs that are under way at the same time. */
export const take = (gate: Gate, jobs: number, now: number): Ticket[] =>
  Array.from({ length: jobs }, () => admitted(gate.ask(now)));

/** Calls at a steady latency, so many that the smoothed one gets there. */
export function settleLatency(gate: Gate, ms: number, now: number): void {
  for (let n = 0; n < 100; n++) gate.called(call({ ms, startedAt: now - ms }), now);
}
