/**
 * The gate of one target: whether the next job may go to it now. It composes what the other files of this folder
 * decide, in this order, and the first that says no gives the reason:
 *
 *   breaker       is the server worth asking at all?
 *   Retry-After   did the server ask us to wait?
 *   cooldown      has it just said that it is overloaded?
 *   lanes         are as many jobs under way as may be at a time?
 *   rate          min(ramp x multiplier, cap): recovery period, its halving, and the adaptive cap
 *
 * Results come in by two ways: `called` tells of every single request (how long it took), `learn` of every job (what
 * became of it). A job carries a ticket, which says when it was admitted: answers from before an opening settle their
 * job and teach the gate nothing.
 *
 * Pure: time, randomness and results go in; decisions and a serialisable state come out.
 *
 * Holds: closing the breaker and starting the recovery period is one change of one state; outside a recovery period
 * and without a cap there is no limit and hardly a cost; a loaded gate decides as the saved one would have, or later
 * by at most one token. `learn`, `probed`, `tryNow` and `tick` return true when a transition happened, which has to be
 * on disk before the next `ask`.
 */
import * as v from 'valibot';
import type { Call } from '../shared/call';
import type { Random } from '../shared/clock';
import { iso } from '../shared/clock';
import type { FlowSettings } from '../shared/flow-settings';
import type { Log } from '../shared/log';
import type { Outcome } from '../shared/outcome';
import type { Limit, TargetStatus } from '../shared/status';
import { AdaptiveCap, capSchema, noCap } from './adaptive-cap';
import { Breaker, breakerSchema, closedBreaker } from './breaker';
import { Cooldown, cooldownSchema, noCooldown } from './cooldown';
import { Halving, halvingSchema, unhalved } from './halving';
import { Latency, latencySchema } from './latency';
import { Pace, paceSchema } from './pace';
import { isOver, progress, rampRate } from './recovery';
import { signalOf } from './signal';
import { lasts, longer, type Span, spanSchema } from './span';
import { TokenBucket } from './token-bucket';

export const gateSchema = v.object({
  breaker: breakerSchema,
  /** 0: no recovery is under way. */
  recoveryStartedAt: v.pipe(v.number(), v.minValue(0)),
  halving: halvingSchema,
  /** What the server asked for with Retry-After. */
  retryAfter: v.nullable(spanSchema),
  cooldown: cooldownSchema,
  cap: capSchema,
  latency: latencySchema,
  pace: paceSchema,
});

export type GateState = v.InferOutput<typeof gateSchema>;

export const closedGate: GateState = {
  breaker: closedBreaker,
  recoveryStartedAt: 0,
  halving: unhalved,
  retryAfter: null,
  cooldown: noCooldown,
  cap: noCap,
  latency: {},
  pace: [],
};

/** Nothing is known of the server: a probe, a trial and a recovery period come first. */
export const unknownGate = (cause: string, now: number): GateState => ({
  ...closedGate,
  breaker: { ...closedBreaker, state: 'OPEN', cause, since: now },
});

/** When a job was admitted. It goes back by `learn`, once. */
export interface Ticket {
  readonly epoch: number;
  readonly generation: number;
  readonly isTrial: boolean;
}

export type Pass =
  | { admit: 'job'; ticket: Ticket }
  /** Ask the server whether it is well, and tell the gate by `probed`. */
  | { admit: 'probe' }
  /** `nextAt`: when to ask again; infinite: when a job has ended. */
  | { admit: 'nothing'; limitedBy: Limit; reason: string; nextAt: number };

export interface GateOptions {
  flow: FlowSettings;
  random: Random;
  now: number;
  state: GateState | null;
  /** Steps are told here at debug, changes of state at info or warning. */
  log?: Log;
}

export class Gate {
  /** Can be changed at any time. */
  flow: FlowSettings;
  readonly #log: Log | null;
  readonly #breaker: Breaker;
  readonly #cooldown: Cooldown;
  readonly #cap: AdaptiveCap;
  readonly #latency: Latency;
  readonly #pace: Pace;
  #halving: Halving;
  #recoveryStartedAt: number;
  #retryAfter: Span | null;
  #bucket: TokenBucket | null = null;
  /** Grows whenever the breaker opens or closes: what was admitted before teaches nothing any more. */
  #epoch = 0;
  #epochAt: number;
  /** Of whatever epoch: a job that outlives an opening is still on its way. */
  #inFlight = 0;

  constructor({ flow, random, now, state, log }: GateOptions) {
    const from = state ?? closedGate;
    this.flow = flow;
    this.#log = log ?? null;
    this.#breaker = new Breaker(from.breaker, random);
    this.#cooldown = new Cooldown(from.cooldown);
    this.#cap = new AdaptiveCap(from.cap);
    this.#latency = new Latency(from.latency);
    this.#pace = new Pace(from.pace);
    this.#halving = new Halving(from.halving);
    this.#retryAfter = from.retryAfter;
    this.#recoveryStartedAt = Math.min(from.recoveryStartedAt, now);
    this.#epochAt = now;
  }

  get state(): GateState {
    return {
      breaker: this.#breaker.state,
      recoveryStartedAt: this.#recoveryStartedAt,
      halving: this.#halving.state,
      retryAfter: this.#retryAfter,
      cooldown: this.#cooldown.state,
      cap: this.#cap.state,
      latency: this.#latency.state,
      pace: this.#pace.state,
    };
  }

  get isClosed(): boolean {
    return this.#breaker.isClosed;
  }

  ask(now: number): Pass {
    if (this.wantsTrial && this.#inFlight > 0) return lanesAreFull;
    const step = this.#breaker.step(now);
    if (step === 'probe') return { admit: 'probe' };
    if (step === 'trial') return { admit: 'job', ticket: this.#ticket(true) };
    const held = this.#held(step === 'jobs', now);
    if (held) return held;
    const rate = this.#rate(now);
    if (rate === null) this.#bucket = null;
    else {
      this.#bucket ??= new TokenBucket(rate.perSecond, now);
      const waitMs = this.#bucket.shouldWait(rate.perSecond, now);
      if (waitMs > 0) return nothing(rate.limitedBy, this.#whySlow(rate), now + waitMs);
    }
    this.#pace.admitted(now);
    return { admit: 'job', ticket: this.#ticket(false) };
  }

  /** In HALF_OPEN a job is wanted as the trial: one whose last result was no failure, if there is one. */
  get wantsTrial(): boolean {
    return this.#breaker.awaitsTrial;
  }

  /** What became of a job; null: nothing that could be told (it was broken off). */
  learn(ticket: Ticket, outcome: Outcome | null, now: number): boolean {
    this.#inFlight--;
    if (ticket.epoch !== this.#epoch) return false;
    const signal = outcome === null ? 'nothing' : signalOf(outcome);
    const cause = outcome === null ? '' : this.#heed(outcome, now);
    if (signal === 'nothing') {
      if (ticket.isTrial) this.#breaker.again();
      return false;
    }
    if (signal === 'refusal') return this.#open(cause, now);
    if (ticket.isTrial) return signal === 'well' ? this.#close(now) : this.#open(cause, now);
    if (this.#recoveryStartedAt !== 0) this.#halving.result(signal !== 'well', now);
    if (signal === 'well') {
      this.#breaker.succeeded(now);
      this.#cooldown.succeeded(ticket.generation);
      return false;
    }
    if (signal === 'overload') {
      const met = this.#cooldown.met(ticket.generation, this.#floorAt(now), this.flow, now);
      if (met !== 'started') return false;
      if (this.#fails(true, cause, now)) return true;
      const seconds = ((this.#cooldown.until(now) ?? now) - now) / 1_000;
      this.#log?.info(`Plex is overloaded: nothing is sent to it for ${Math.round(seconds)} s.`);
      return true;
    }
    return this.#fails(false, cause, now);
  }

  /** What became of the probe. `hasDueJob`: something waits that can be the trial. */
  probed(outcome: Outcome | null, hasDueJob: boolean, now: number): boolean {
    if (outcome === null || signalOf(outcome) === 'nothing') {
      this.#breaker.again();
      return false;
    }
    // It was sent while the gate was closed, which opened meanwhile: an answer from before the opening.
    if (this.#breaker.isOpen) return false;
    if (signalOf(outcome) !== 'well') return this.#open(this.#heed(outcome, now), now);
    if (this.isClosed) return false;
    if (!hasDueJob) return this.#close(now);
    this.#breaker.probedWell();
    this.#log?.debug('Plex answers again; one scene is sent as a trial.');
    return false;
  }

  /** Nothing is left that could be the trial. */
  nothingToTry(now: number): boolean {
    return this.wantsTrial && this.#close(now);
  }

  /** How a single request went. */
  called(call: Call, now: number): void {
    // An epoch that begins in the future tells that the clock was set back.
    this.#epochAt = Math.min(this.#epochAt, now);
    if (call.startedAt < this.#epochAt) return;
    if (call.retryAfterMs !== null) this.#waitAsAsked(call.retryAfterMs, now);
    if (!this.isClosed) return;
    const isOverload = call.end === 'overloaded';
    const strain = call.end === 'answered' ? this.#latency.add(call.kind, call.ms, this.flow, now) : 1;
    const isSlow = strain >= this.flow.distressFactor;
    const isDistress = isOverload || call.retryAfterMs !== null || isSlow;
    if (!isDistress || !this.#cap.distress(isOverload, this.#pace.perSecond(now), this.flow, now)) return;
    const rate = this.#rate(now);
    if (rate !== null) this.#bucket?.fill(rate.perSecond, now);
    const why = isSlow ? `is ${strain.toFixed(1)} times as slow as usual` : 'is overloaded';
    this.#log?.debug(`Plex ${why}: at most ${inWords(this.#cap.perSecond ?? 0)} for now.`);
  }

  /** The probe is due now. */
  tryNow(): boolean {
    return this.#breaker.tryNow();
  }

  /** What happens by time alone. */
  tick(now: number): boolean {
    // A start in the future tells that the clock was set back.
    this.#recoveryStartedAt = Math.min(this.#recoveryStartedAt, now);
    if (this.#recoveryStartedAt === 0 || !isOver(this.#recoveryStartedAt, now, this.flow)) return false;
    this.#endRecovery();
    this.#log?.info('The recovery period is over: scenes go to Plex without a limit again.');
    return true;
  }

  get outage(): { since: number; cause: string } | null {
    if (this.isClosed) return null;
    const { since } = this.#breaker.state;
    return { since: since ?? this.#epochAt, cause: this.#breaker.cause };
  }

  /** Since when the last outage is over; null: there was none, or it lasts. */
  get closedAt(): number | null {
    return this.isClosed ? this.#breaker.state.since : null;
  }

  /** Null: no recovery is under way. */
  recoveryEndsAt(now: number): number | null {
    const startedAt = this.#recoveryStartedAt;
    if (startedAt === 0 || isOver(startedAt, now, this.flow)) return null;
    return startedAt + this.flow.recoverySeconds * 1_000;
  }

  parked(now: number): number {
    return this.#cooldown.parked(now);
  }

  /** The same decision as `ask` would give, in words and numbers, and without taking anything. */
  view(now: number): Pick<TargetStatus, 'reason' | 'breaker' | 'recovery' | 'rate' | 'cooldown' | 'latency'> {
    const { state, cause, since, failuresInARow, overloadsInARow } = this.#breaker.state;
    const rate = this.isClosed ? this.#rate(now) : { perSecond: 0, limitedBy: 'breaker' as const };
    const held = this.#held(this.isClosed, now);
    const isHeld = held !== null && held.limitedBy !== 'lanes';
    const endsAt = this.recoveryEndsAt(now);
    const { generations, participants } = this.#cooldown.state;
    const parked = this.parked(now);
    const until = this.#cooldown.until(now);
    return {
      reason: isHeld ? held.reason : rate ? this.#whySlow(rate) : 'Scenes go to Plex without a limit.',
      breaker: {
        state,
        cause,
        since: isoOrNull(since),
        retryAt: isoOrNull(this.#breaker.retryAt),
        failuresInARow,
        overloadsInARow,
        errorRate: this.#breaker.errorRate(this.flow, now),
      },
      recovery: {
        active: endsAt !== null,
        startedAt: endsAt === null ? null : iso(this.#recoveryStartedAt),
        endsAt: isoOrNull(endsAt),
        progress: endsAt === null ? null : progress(this.#recoveryStartedAt, now, this.flow),
        multiplier: this.#halving.state.multiplier,
      },
      rate: {
        perSecond: isHeld ? 0 : (rate?.perSecond ?? null),
        limitedBy: isHeld ? held.limitedBy : (rate?.limitedBy ?? 'none'),
        achieved: this.#pace.perSecond(now),
        tokens: this.#bucket?.tokens ?? null,
        cap: this.#cap.perSecond,
      },
      cooldown: {
        until: isoOrNull(until),
        retryAfter: lasts(this.#retryAfter, now) ? iso(this.#retryAfter.until) : null,
        generations,
        participants,
        parked,
        released: participants - parked,
      },
      latency: this.#latency.figures,
    };
  }

  #ticket(isTrial: boolean): Ticket {
    this.#inFlight++;
    return { epoch: this.#epoch, generation: this.#cooldown.generation, isTrial };
  }

  /** Why nothing may be sent at all now. */
  #held(isClosed: boolean, now: number): Extract<Pass, { admit: 'nothing' }> | null {
    if (!isClosed) {
      return nothing('breaker', this.#breaker.cause, this.#breaker.retryAt ?? Number.POSITIVE_INFINITY);
    }
    const cooldownUntil = this.#cooldown.until(now);
    if (!lasts(this.#retryAfter, now)) this.#retryAfter = null;
    else if (this.#retryAfter.until >= (cooldownUntil ?? 0)) {
      return nothing('retry-after', 'Plex asked us to wait.', this.#retryAfter.until);
    }
    if (cooldownUntil !== null) {
      return nothing(
        'cooldown',
        'Plex said that it is overloaded, and is left alone for a moment.',
        cooldownUntil,
      );
    }
    const lanes = this.#cooldown.isGentle ? 1 : this.flow.lanes;
    return this.#inFlight < lanes ? null : lanesAreFull;
  }

  #rate(now: number): { perSecond: number; limitedBy: 'ramp' | 'cap' } | null {
    const ramp = this.#recoveryStartedAt === 0 ? null : rampRate(this.#recoveryStartedAt, now, this.flow);
    if (this.#cap.perSecond !== null) {
      this.#cap.grow(this.#latency.strain(this.flow, now), this.#pace.perSecond(now), this.flow, now);
    }
    const cap = this.#cap.perSecond;
    if (ramp === null) return cap === null ? null : { perSecond: cap, limitedBy: 'cap' };
    const halved = Math.max(this.flow.lowestRate, ramp * this.#halving.multiplier(ramp, this.flow, now));
    // A ramp that is below the lowest rate by itself is kept to.
    const slowed = Math.min(ramp, halved);
    return cap !== null && cap < slowed
      ? { perSecond: cap, limitedBy: 'cap' }
      : { perSecond: slowed, limitedBy: 'ramp' };
  }

  #whySlow({ perSecond, limitedBy }: { perSecond: number; limitedBy: 'ramp' | 'cap' | 'breaker' }): string {
    const most = `at most ${inWords(perSecond)} for now`;
    if (limitedBy === 'cap') return `Plex seems to have more to do than it can: ${most}.`;
    const errors = this.#halving.state.multiplier < 1 ? ' and still fails now and then' : '';
    return `Plex has just come back${errors}: ${most}.`;
  }

  /** Keeps to what the server asked for, and returns what is wrong in words. */
  #heed(outcome: Outcome, now: number): string {
    if (outcome.kind === 'overloaded' && outcome.retryAfterMs !== null) {
      this.#waitAsAsked(outcome.retryAfterMs, now);
    }
    return 'message' in outcome ? outcome.message : '';
  }

  #waitAsAsked(ms: number, now: number): void {
    const most = this.flow.retryAfterMaxSeconds * 1_000;
    const current = lasts(this.#retryAfter, now) ? this.#retryAfter : null;
    this.#retryAfter = longer(current, { from: now, until: now + Math.min(ms, most) });
  }

  #fails(isOverload: boolean, cause: string, now: number): boolean {
    const opened = this.#breaker.failed(isOverload, cause, this.#floorAt(now), this.flow, now);
    if (opened) this.#wasOpened(cause, now);
    else {
      const { failuresInARow } = this.#breaker.state;
      this.#log?.debug(`Plex failed (${failuresInARow} of ${this.flow.failuresInARow} in a row): ${cause}`);
    }
    return opened;
  }

  #open(cause: string, now: number): true {
    this.#breaker.open(cause, this.#floorAt(now), this.flow, now);
    this.#wasOpened(cause, now);
    return true;
  }

  #floorAt(now: number): number {
    return lasts(this.#retryAfter, now) ? this.#retryAfter.until : 0;
  }

  #wasOpened(cause: string, now: number): void {
    this.#nextEpoch(now);
    this.#endRecovery();
    // It is part of the breaker's wait now.
    this.#retryAfter = null;
    const seconds = Math.round(((this.#breaker.retryAt ?? now) - now) / 1_000);
    this.#log?.info(`The breaker is open: ${cause} The next try is in ${seconds} s.`);
  }

  #close(now: number): true {
    this.#breaker.close(now);
    this.#nextEpoch(now);
    this.#recoveryStartedAt = now;
    const { initialRate, targetRate, recoverySeconds } = this.flow;
    this.#log?.info(
      `Plex is well again. To spare it, scenes are sent slowly at first: ${shown(initialRate)} a second, ` +
        `rising to ${shown(targetRate)} over ${shown(recoverySeconds)} s.`,
    );
    return true;
  }

  #nextEpoch(now: number): void {
    this.#epoch++;
    this.#epochAt = now;
    this.#cooldown.cancel();
  }

  #endRecovery(): void {
    this.#recoveryStartedAt = 0;
    this.#halving = new Halving();
    this.#bucket = null;
  }
}

const nothing = (limitedBy: Limit, reason: string, nextAt: number) =>
  ({ admit: 'nothing', limitedBy, reason, nextAt }) as const;

const lanesAreFull = nothing(
  'lanes',
  'As many scenes are on the way as may be at a time.',
  Number.POSITIVE_INFINITY,
);

const isoOrNull = (time: number | null): string | null => (time === null ? null : iso(time));

const shown = (rate: number): string => String(Math.round(rate * 10) / 10);

const inWords = (rate: number): string =>
  `${shown(rate)} ${shown(rate) === '1' ? 'scene' : 'scenes'} a second`;
