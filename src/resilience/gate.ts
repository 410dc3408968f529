/**
 * The gate of one target: whether something may be sent to it now. Pure: time and outcomes go in, decisions come
 * out, and the state is one document that the next process goes on with.
 *
 * CLOSED lets everything through. The first outcome that is the server's fault opens it: nothing is sent until
 * `retryAt`. Then one probe is asked for; if the server answers it, the gate is CLOSED again, if not, OPEN for the
 * same time once more. A job is never charged for any of this. What an item did wrong does not count: an answer
 * that refuses one item is a healthy answer.
 */
import type { Outcome } from '../shared/outcome';

export interface GateState {
  state: 'CLOSED' | 'OPEN' | 'HALF_OPEN';
  /** Why it is not closed, in words for a person. */
  cause: string | null;
  /** When the outage began; after it, when it ended. */
  since: number | null;
  /** When it last opened, and when the next try is. */
  openedAt: number | null;
  retryAt: number | null;
  failuresInARow: number;
}

export type Pass =
  | { admit: 'job' }
  /** Ask the server whether it is well, and tell the gate by `probed`. */
  | { admit: 'probe' }
  | { admit: 'nothing'; reason: string; nextAt: number };

/** No server may silence us for longer. */
const longestRetryAfterMs = 3_600_000;

export const closedGate: GateState = {
  state: 'CLOSED',
  cause: null,
  since: null,
  openedAt: null,
  retryAt: null,
  failuresInARow: 0,
};

export class Gate {
  #state: GateState;
  openMs: number;

  constructor(state: GateState, openMs: number) {
    // A process that died during its probe told nobody how it went: ask again.
    this.#state = state.state === 'HALF_OPEN' ? { ...state, state: 'OPEN', retryAt: 0 } : state;
    this.openMs = openMs;
  }

  get state(): GateState {
    return this.#state;
  }

  ask(now: number): Pass {
    const { state, cause, openedAt, retryAt } = this.#state;
    if (state === 'CLOSED') return { admit: 'job' };
    // An opening in the future tells that the clock was set back.
    if (retryAt !== null && retryAt > now && openedAt !== null && openedAt <= now) {
      return { admit: 'nothing', reason: cause ?? 'Plex is not answering', nextAt: retryAt };
    }
    if (state === 'OPEN') this.#state = { ...this.#state, state: 'HALF_OPEN', retryAt: null };
    return { admit: 'probe' };
  }

  /** True when the state changed, so that it has to be written down before anything else is sent. */
  learn(outcome: Outcome, now: number): boolean {
    if (!isServerFault(outcome)) return false;
    this.#open(outcome.message, now, outcome.kind === 'overloaded' ? outcome.retryAfterMs : null);
    return true;
  }

  /** `fault`: what went wrong with the probe, null when the server is well. */
  probed(fault: string | null, now: number): void {
    if (fault !== null) this.#open(fault, now, null);
    else if (this.#state.state !== 'CLOSED') this.#state = { ...closedGate, since: now };
  }

  /** The settings changed: the probe is due now. */
  tryNow(): boolean {
    if (this.#state.state !== 'OPEN') return false;
    this.#state = { ...this.#state, retryAt: 0 };
    return true;
  }

  /** `retryAfterMs`: what the server asked for; never sooner than that. */
  #open(cause: string, now: number, retryAfterMs: number | null): void {
    const { state, since, failuresInARow } = this.#state;
    this.#state = {
      state: 'OPEN',
      cause,
      since: state === 'CLOSED' ? now : since,
      openedAt: now,
      retryAt: now + Math.max(this.openMs, Math.min(retryAfterMs ?? 0, longestRetryAfterMs)),
      failuresInARow: failuresInARow + 1,
    };
  }
}

const serverFaults = [
  'overloaded',
  'server-down',
  'not-authorised',
  'may-not-edit',
  'misconfigured',
] as const;

export function isServerFault(
  outcome: Outcome,
): outcome is Extract<Outcome, { kind: (typeof serverFaults)[number] }> {
  return (serverFaults as readonly string[]).includes(outcome.kind);
}
