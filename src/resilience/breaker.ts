/**
 * The circuit breaker: whether the server is worth asking at all.
 *
 * CLOSED lets everything through and counts. So many failures in a row, so many overloads in a row, or so large a
 * share of failures among the results of the last seconds open it; what only a person can mend opens it at once.
 * OPEN sends nothing until `wait` is over. HALF_OPEN then sends one probe, and if the server answers that, one real
 * job alone, the trial: a server may answer its front page long before it can write. If both succeed it is CLOSED; if
 * either fails it is OPEN for longer, twice as long each time up to a limit.
 *
 * Half-open is a state of this process: the trial of a process that died has told nobody how it went, so whoever
 * loads a half-open state asks again. The worker's lease is the trial's lease, and no half-open state lasts.
 *
 * Holds: in OPEN nothing is admitted before `wait` is over; at most one trial at a time; the wait never shortens with
 * failed tries, but for its jitter; `since` is when the outage began, however often it was tried in vain.
 */
import * as v from 'valibot';
import type { Random } from '../shared/clock';
import type { FlowSettings } from '../shared/flow-settings';
import { Recent, recentSchema } from './recent';
import { lasts, spanSchema } from './span';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

export const breakerSchema = v.object({
  state: v.picklist(['CLOSED', 'OPEN', 'HALF_OPEN']),
  /** Why it is not closed, in words for a person. */
  cause: v.nullable(v.string()),
  /** When the outage began; after it, when it ended. */
  since: v.nullable(v.number()),
  /** OPEN: until when nothing is sent; null: the next try is due. */
  wait: v.nullable(spanSchema),
  /** How often it was tried in vain during this outage. */
  failedTries: count,
  failuresInARow: count,
  overloadsInARow: count,
  recent: recentSchema,
});

export type BreakerState = v.InferOutput<typeof breakerSchema>;

export const closedBreaker: BreakerState = {
  state: 'CLOSED',
  cause: null,
  since: null,
  wait: null,
  failedTries: 0,
  failuresInARow: 0,
  overloadsInARow: 0,
  recent: [],
};

/** What may be sent now. */
export type Step = 'jobs' | 'probe' | 'trial' | 'nothing';

export class Breaker {
  #state: BreakerState;
  #recent: Recent;
  /** In HALF_OPEN: what is to be done next, or under way. */
  #half: 'probe' | 'probing' | 'trial' | 'trying' = 'probe';

  constructor(
    state: BreakerState,
    private readonly random: Random,
  ) {
    this.#state = state.state === 'HALF_OPEN' ? { ...state, state: 'OPEN', wait: null } : state;
    this.#recent = new Recent(state.recent);
  }

  get state(): BreakerState {
    return { ...this.#state, recent: this.#recent.state };
  }

  get isClosed(): boolean {
    return this.#state.state === 'CLOSED';
  }

  get isOpen(): boolean {
    return this.#state.state === 'OPEN';
  }

  get retryAt(): number | null {
    return this.#state.wait?.until ?? null;
  }

  get cause(): string {
    return this.#state.cause ?? 'Plex is not answering.';
  }

  /** A probe or trial that it names is under way from then on. */
  step(now: number): Step {
    if (this.#state.state === 'CLOSED') return 'jobs';
    if (this.#state.state === 'OPEN') {
      if (lasts(this.#state.wait, now)) return 'nothing';
      this.#state = { ...this.#state, state: 'HALF_OPEN', wait: null };
      this.#half = 'probe';
    }
    if (this.#half === 'probe') {
      this.#half = 'probing';
      return 'probe';
    }
    if (this.#half === 'trial') {
      this.#half = 'trying';
      return 'trial';
    }
    return 'nothing';
  }

  get awaitsTrial(): boolean {
    return this.#state.state === 'HALF_OPEN' && this.#half === 'trial';
  }

  /** The probe was answered: a job is the trial. */
  probedWell(): void {
    if (this.#state.state === 'HALF_OPEN') this.#half = 'trial';
  }

  /** The probe or the trial ended without saying anything. */
  again(): void {
    if (this.#half === 'probing') this.#half = 'probe';
    if (this.#half === 'trying') this.#half = 'trial';
  }

  close(now: number): void {
    this.#state = { ...closedBreaker, since: now };
    this.#recent = new Recent();
  }

  succeeded(now: number): void {
    if (this.#state.failuresInARow + this.#state.overloadsInARow > 0) {
      this.#state = { ...this.#state, failuresInARow: 0, overloadsInARow: 0 };
    }
    this.#recent.add(false, now);
  }

  /** Whether that is one too many. `floorAt`: the earliest instant of the next try that the server asked for. */
  failed(isOverload: boolean, cause: string, floorAt: number, flow: FlowSettings, now: number): boolean {
    this.#state = {
      ...this.#state,
      failuresInARow: this.#state.failuresInARow + 1,
      overloadsInARow: isOverload ? this.#state.overloadsInARow + 1 : 0,
    };
    this.#recent.add(true, now);
    const { results, failures } = this.#recent.totals(flow.windowSeconds, now);
    const isTooMany =
      this.#state.failuresInARow >= flow.failuresInARow ||
      this.#state.overloadsInARow >= flow.overloadsInARow ||
      (results >= flow.windowResults && failures * 100 >= flow.windowErrorPercent * results);
    if (isTooMany) this.#open(cause, floorAt, flow, now);
    return isTooMany;
  }

  /** Opens at once, from whatever state; an outage that lasts already is waited out longer. */
  open(cause: string, floorAt: number, flow: FlowSettings, now: number): void {
    this.#state = { ...this.#state, failuresInARow: this.#state.failuresInARow + 1 };
    this.#recent.add(true, now);
    this.#open(cause, floorAt, flow, now);
  }

  #open(cause: string, floorAt: number, flow: FlowSettings, now: number): void {
    const isNew = this.#state.state === 'CLOSED';
    const failedTries = isNew ? 0 : this.#state.failedTries + 1;
    const seconds = Math.min(flow.openMaxSeconds, flow.openSeconds * 2 ** Math.min(failedTries, 30));
    const waitMs = seconds * 1_000 * (1 + (this.random() * flow.openJitterPercent) / 100);
    this.#state = {
      ...this.#state,
      state: 'OPEN',
      cause,
      since: isNew ? now : this.#state.since,
      wait: { from: now, until: Math.max(Math.round(now + waitMs), floorAt) },
      failedTries,
    };
  }

  /** The next try is due now, no more than that. */
  tryNow(): boolean {
    if (this.#state.state !== 'OPEN' || this.#state.wait === null) return false;
    this.#state = { ...this.#state, wait: null };
    return true;
  }

  /** 0 to 1; null: nothing happened in the window. */
  errorRate(flow: FlowSettings, now: number): number | null {
    const { results, failures } = this.#recent.totals(flow.windowSeconds, now);
    return results === 0 ? null : failures / results;
  }
}
