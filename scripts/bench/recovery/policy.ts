/** What decides when the next job is sent: the part of the gate that a worker talks to. */

import type { Call } from '../../../src/shared/call';
import type { Random } from '../../../src/shared/clock';
import type { FlowSettings } from '../../../src/shared/flow-settings';
import type { Outcome } from '../../../src/shared/outcome';
import type { Server } from './server';

export type Pass<Ticket> =
  | { admit: 'job'; ticket: Ticket }
  | { admit: 'probe' }
  /** `nextAt`: when to ask again; Infinity: when something has ended. */
  | { admit: 'nothing'; nextAt: number };

export interface Policy<Ticket = unknown> {
  /** Asked only while a lane is free and a job waits. */
  ask(now: number): Pass<Ticket>;
  called(call: Call, now: number): void;
  learn(ticket: Ticket, outcome: Outcome, now: number): void;
  probed(outcome: Outcome, hasDueJob: boolean, now: number): void;
  tick(now: number): void;
}

/** Policies begin when the breaker has just closed. Only an oracle may look at the server. */
export interface Start {
  flow: FlowSettings;
  random: Random;
  server: Server;
  now: number;
}

export interface NamedPolicy {
  name: string;
  begin(start: Start): Policy;
}
