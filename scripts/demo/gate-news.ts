/** What happens at the gate, in words: made of nothing but what one status.json after the other says. */
import type { Status } from '../../src/shared/status';
import type { GateState, Line } from './moment';
import { count, perSecond, seconds } from './text';

/** What one status.json says about the way to Plex. */
export interface GateView {
  is: GateState;
  /** The worker that wrote it. */
  pid: number | null;
  cause: string | null;
  retryAt: number | null;
  failuresInARow: number;
  /** Half open, and a scene is on its way. */
  isTrial: boolean;
  recoveryStartedAt: number | null;
  /** Scenes per second that may be sent; null: no limit, or nothing may. */
  rate: number | null;
  achieved: number;
}

export const calmGate: GateView = {
  is: 'closed',
  pid: null,
  cause: null,
  retryAt: null,
  failuresInARow: 0,
  isTrial: false,
  recoveryStartedAt: null,
  rate: null,
  achieved: 0,
};

/** Null: it says nothing. */
export function gateOf(status: Status | null): GateView | null {
  const plex = status?.targets.plex;
  if (!plex) return null;
  const { breaker, recovery, rate, queue } = plex;
  const closed = recovery.active ? 'recovery' : 'closed';
  const states = { CLOSED: closed, OPEN: 'open', HALF_OPEN: 'half-open' } as const;
  const isSlowed = rate.limitedBy === 'ramp' || rate.limitedBy === 'cap';
  return {
    is: states[breaker.state],
    pid: status.worker.pid,
    cause: breaker.cause,
    retryAt: timeOf(breaker.retryAt),
    failuresInARow: breaker.failuresInARow,
    isTrial: breaker.state === 'HALF_OPEN' && queue.inFlight > 0,
    recoveryStartedAt: timeOf(recovery.startedAt),
    rate: isSlowed ? rate.perSecond : null,
    achieved: rate.achieved,
  };
}

const timeOf = (iso: string | null): number | null => (iso === null ? null : Date.parse(iso));

/** A worker that went on with the recovery of another one. */
export interface Handover {
  rateBefore: number;
  rateAfter: number;
  /** For both of them the recovery began at the same instant. */
  isSameRamp: boolean;
}

type News = Pick<Line, 'kind' | 'text'>;

const isShut = ({ is }: GateView): boolean => is === 'open' || is === 'half-open';

export class GateNews {
  readonly handovers: Handover[] = [];
  #last = calmGate;
  /** Failures until it opened: those after them are tries. */
  #failuresToOpen = 0;
  /** The last one that told a rate in a recovery. */
  #onRamp: GateView | null = null;

  /** `targetRate` and `recoverySeconds` as they are set: the status tells only how fast it goes now. */
  constructor(private readonly flow: { targetRate: number; recoverySeconds: number }) {}

  get gate(): GateView {
    return this.#last;
  }

  /** Tries in vain since it opened. */
  get failedTries(): number {
    return isShut(this.#last) ? Math.max(0, this.#last.failuresInARow - this.#failuresToOpen) : 0;
  }

  /** What is new in a status that was read at `now`. */
  see(view: GateView, now: number): News[] {
    const before = this.#last;
    const triesBefore = this.failedTries;
    this.#last = view;
    const news = isShut(view) ? this.#shut(before, triesBefore, now) : this.#flows(before, triesBefore);
    return [...news, ...this.#handover()];
  }

  #shut(before: GateView, triesBefore: number, now: number): News[] {
    const { is, isTrial, failuresInARow, cause, retryAt } = this.#last;
    const why = cause?.replace(/\.$/, '') ?? 'nobody knows why';
    const next = retryAt === null ? '' : `; next try in ${seconds(retryAt - now)}`;
    const news: News[] = [];
    if (!isShut(before)) {
      this.#failuresToOpen = failuresInARow;
      news.push({ kind: 'bad', text: `breaker opens: ${why}${next}` });
    }
    if (this.failedTries > triesBefore) {
      news.push({ kind: 'note', text: `try ${this.failedTries} failed: ${why}${next}` });
    }
    if (isTrial && !before.isTrial) {
      news.push({ kind: 'note', text: 'half open: Plex answers, one scene is sent as a trial' });
    } else if (is === 'half-open' && before.is !== 'half-open') {
      news.push({ kind: 'note', text: 'half open: Plex is asked whether it is well' });
    }
    return news;
  }

  #flows(before: GateView, triesBefore: number): News[] {
    const { is, rate } = this.#last;
    if (isShut(before)) {
      const { targetRate, recoverySeconds } = this.flow;
      const tries = count(triesBefore, 'failed try', 'failed tries');
      const speed = rate === null ? '' : `: ${perSecond(rate)} now, ${targetRate} in ${recoverySeconds} s`;
      const closes: News = { kind: 'good', text: `breaker closes after ${tries}` };
      return is === 'recovery' ? [closes, { kind: 'good', text: `recovery begins${speed}` }] : [closes];
    }
    if (is === 'closed' && before.is === 'recovery') {
      return [{ kind: 'good', text: 'recovery is over: no limit any more' }];
    }
    return [];
  }

  #handover(): News[] {
    const now = this.#last;
    const before = this.#onRamp;
    if (now.is !== 'recovery') this.#onRamp = null;
    // A worker that has just started does not know the settings yet, and tells no rate.
    if (now.is !== 'recovery' || now.rate === null) return [];
    this.#onRamp = now;
    if (before === null || before.rate === null || before.pid === now.pid) return [];
    const isSameRamp = before.recoveryStartedAt === now.recoveryStartedAt;
    this.handovers.push({ rateBefore: before.rate, rateAfter: now.rate, isSameRamp });
    const rates = `${perSecond(before.rate)} before, ${now.rate.toFixed(1)} now`;
    return isSameRamp
      ? [{ kind: 'good', text: `the ramp goes on: ${rates}` }]
      : [{ kind: 'bad', text: `the ramp begins anew: ${rates}` }];
  }
}
