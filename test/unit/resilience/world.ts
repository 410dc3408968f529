/**
 * A gate in a world that does anything to it: results of every kind, restarts, a clock that jumps. The world watches
 * the gate and notes every broken rule. What the rate allows it computes by itself, from what can be seen of the gate
 * from outside: when it closed, and the cap.
 */
import fc from 'fast-check';
import { Gate, type Ticket } from '../../../src/resilience/gate';
import type { Call } from '../../../src/shared/call';
import { type FlowSettings, flowDefaults } from '../../../src/shared/flow-settings';
import type { Outcome } from '../../../src/shared/outcome';
import { outcomes, start, stored } from './rig';

export type Step =
  | { do: 'pass'; ms: number }
  | { do: 'set the clock back'; ms: number }
  /** There is always a job, and each ends at once, with one result after the other. */
  | { do: 'work'; ms: number; results: readonly (Outcome | null)[] }
  | { do: 'ask'; probe: Outcome | null; hasDueJob: boolean }
  | { do: 'end'; which: number; result: Outcome | null }
  | { do: 'call'; call: Omit<Call, 'startedAt'> }
  | { do: 'tick' | 'restart' | 'try now' };

export const rules = {
  rate: 'admits in no stretch of time more jobs than the rate allows in it, and one',
  wait: 'admits nothing before the wait of an open breaker is over',
  trial: 'tries one job at a time, and that one alone',
  recovery: 'begins a recovery period with every closing, and admits nothing in that instant',
  stale: 'learns nothing from jobs that were sent before it opened',
  lanes: 'never has more jobs under way than there are lanes',
  transition: 'tells of every opening and closing, so that it can be on disk before the next job',
} as const;

export type Rule = keyof typeof rules;

export const outcome: fc.Arbitrary<Outcome | null> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(outcomes.ok) },
  { weight: 5, arbitrary: fc.constantFrom(...Object.values(outcomes), null) },
  {
    weight: 1,
    arbitrary: fc.nat({ max: 200_000 }).map((retryAfterMs) => ({ ...outcomes.overloaded, retryAfterMs })),
  },
);

const span = fc.oneof(fc.nat({ max: 300 }), fc.nat({ max: 10_000 }), fc.nat({ max: 400_000 }));

const call: fc.Arbitrary<Omit<Call, 'startedAt'>> = fc.record({
  kind: fc.constantFrom('read', 'edit', 'upload', 'listing'),
  ms: fc.nat({ max: 5_000 }),
  end: fc.constantFrom('answered', 'answered', 'answered', 'overloaded', 'failed'),
  retryAfterMs: fc.option(fc.nat({ max: 20_000 }), { freq: 10 }),
});

export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: span }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('set the clock back' as const), ms: span }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('work' as const),
      ms: fc.nat({ max: 5_000 }),
      results: fc.array(outcome, { minLength: 1, maxLength: 8 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('ask' as const), probe: outcome, hasDueJob: fc.boolean() }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('end' as const), which: fc.nat(), result: outcome }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('call' as const), call }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('tick', 'restart', 'try now') }) },
);

/** A list of numbers, over and over. */
export function cycle(numbers: readonly number[]): () => number {
  let n = 0;
  return () => numbers[n++ % numbers.length] ?? 0;
}

export const chances = fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), {
  minLength: 1,
  maxLength: 5,
});

export const anyFlow: fc.Arbitrary<FlowSettings> = fc
  .record({
    initialRate: fc.double({ min: 0.5, max: 50, noNaN: true }),
    targetRate: fc.double({ min: 0.5, max: 100, noNaN: true }),
    recoverySeconds: fc.integer({ min: 5, max: 300 }),
    lowestRate: fc.constantFrom(0.05, 0.5, 5),
    lanes: fc.integer({ min: 1, max: 20 }),
    failuresInARow: fc.integer({ min: 1, max: 8 }),
    overloadsInARow: fc.integer({ min: 1, max: 4 }),
    openSeconds: fc.integer({ min: 1, max: 60 }),
    cooldownSeconds: fc.constantFrom(0.1, 1, 5),
  })
  .map((some) => ({
    ...flowDefaults,
    ...some,
    targetRate: Math.max(some.initialRate, some.targetRate),
  }));

interface Flight {
  ticket: Ticket;
  isStale: boolean;
}

export class World {
  readonly broken: { rule: Rule; detail: string }[] = [];
  now = start;
  gate: Gate;
  flying: Flight[] = [];
  /** When the breaker last closed, as the world saw it; null: never, or it opened since. */
  #closedAt: number | null = null;
  /** The wait of an open breaker that holds, whoever runs. */
  #wait: { from: number; until: number } | null = null;
  /** Jobs that were admitted beyond what the rate allowed meanwhile, at worst, up to now. */
  #ahead = 0;

  constructor(
    readonly flow: FlowSettings,
    private readonly random: () => number,
  ) {
    this.gate = new Gate({ flow, random, now: this.now, state: null });
  }

  step(step: Step): void {
    if (step.do === 'pass') this.pass(step.ms);
    else if (step.do === 'set the clock back') this.#setBack(step.ms);
    else if (step.do === 'work') this.#work(step.ms, step.results);
    else if (step.do === 'ask') this.#ask(step.probe, step.hasDueJob);
    else if (step.do === 'end') this.#end(step.which, step.result);
    else if (step.do === 'call')
      this.gate.called({ ...step.call, startedAt: this.now - step.call.ms }, this.now);
    else if (step.do === 'tick') this.gate.tick(this.now);
    else if (step.do === 'restart') this.restart();
    else if (this.gate.tryNow()) this.#wait = null;
  }

  pass(ms: number): void {
    const from = this.now;
    const capBefore = this.gate.state.cap.perSecond;
    this.now += ms;
    // Whoever looks lets the cap grow.
    this.gate.view(this.now);
    const caps = [capBefore, this.gate.state.cap.perSecond].map((cap) => cap ?? Number.POSITIVE_INFINITY);
    const allowed = Math.min(this.#byRamp(from, this.now), ms === 0 ? 0 : (ms / 1_000) * Math.max(...caps));
    this.#ahead = Math.max(0, this.#ahead - allowed);
    // What is over is over, also if the clock is set back afterwards.
    if (this.#byRamp(this.now, this.now) !== 0) this.#closedAt = null;
    if (this.#wait && this.now >= this.#wait.until) this.#wait = null;
  }

  restart(): void {
    this.flying = [];
    this.gate = new Gate({ flow: this.flow, random: this.random, now: this.now, state: stored(this.gate) });
  }

  giveAllBack(): void {
    while (this.flying.length > 0) this.#end(0, null);
  }

  #break(rule: Rule, detail: string): void {
    this.broken.push({ rule, detail: `${detail} (${this.now - start} ms after the start)` });
  }

  #setBack(ms: number): void {
    this.now -= ms;
    if (this.#closedAt !== null) this.#closedAt = Math.min(this.#closedAt, this.now);
    if (this.#wait && this.now < this.#wait.from) this.#wait = null;
  }

  /** The integral of the ramp: infinite outside a recovery period. */
  #byRamp(from: number, to: number): number {
    const { initialRate, targetRate, recoverySeconds } = this.flow;
    if (!this.gate.isClosed) return 0;
    if (this.#closedAt === null || to - this.#closedAt >= recoverySeconds * 1_000)
      return Number.POSITIVE_INFINITY;
    const middle = ((from + to) / 2 - this.#closedAt) / 1_000;
    const rate = initialRate + ((targetRate - initialRate) * middle) / recoverySeconds;
    return (rate * (to - from)) / 1_000;
  }

  get #isUnlimited(): boolean {
    return this.gate.state.cap.perSecond === null && this.#byRamp(this.now, this.now) !== 0;
  }

  #work(ms: number, results: readonly (Outcome | null)[]): void {
    const until = this.now + ms;
    const { now } = this;
    let n = 0;
    for (let jobs = 0; jobs < 60 && this.now <= until; ) {
      const result = results[n++ % results.length] ?? null;
      const before = this.flying.length;
      const nextAt = this.#ask(result, true);
      if (this.flying.length > before) {
        this.#end(before, result);
        jobs++;
      } else if (nextAt !== null) {
        if (nextAt > until) break;
        this.pass(nextAt - this.now);
      }
      // A server that breaks off every probe would be asked for ever.
      if (n > 200) break;
    }
    if (this.now === now) this.pass(ms);
  }

  /** When to ask again; null: something was sent. */
  #ask(probe: Outcome | null, hasDueJob: boolean): number | null {
    if (this.gate.wantsTrial && !hasDueJob) {
      this.#watched(() => this.gate.nothingToTry(this.now));
      return null;
    }
    const pass = this.gate.ask(this.now);
    const isTrying = this.flying.some(({ ticket, isStale }) => ticket.isTrial && !isStale);
    if (pass.admit !== 'nothing') {
      if (this.#wait && this.now < this.#wait.until) this.#break('wait', `${pass.admit} admitted`);
      if (isTrying) this.#break('trial', `${pass.admit} admitted while a trial is under way`);
    }
    if (pass.admit === 'nothing') {
      if (this.#wait && this.now < this.#wait.until && pass.nextAt !== this.#wait.until) {
        this.#break('wait', 'the instant of the next try has changed');
      }
      return pass.nextAt;
    }
    if (pass.admit === 'probe') {
      this.#watched(() => this.gate.probed(probe, hasDueJob, this.now));
      return null;
    }
    if (pass.ticket.isTrial && this.flying.length > 0) this.#break('trial', 'a trial beside other jobs');
    this.flying.push({ ticket: pass.ticket, isStale: false });
    if (this.flying.length > this.flow.lanes) this.#break('lanes', `${this.flying.length} jobs`);
    // One trial may follow another at once, if that said nothing; with what comes after it the last one counts.
    if (pass.ticket.isTrial) this.#ahead = 0;
    this.#ahead = this.#isUnlimited ? 0 : this.#ahead + 1;
    if (this.#ahead > 1 + 1e-6) this.#break('rate', `${this.#ahead} jobs ahead`);
    return null;
  }

  #end(which: number, result: Outcome | null): void {
    const [flight] = this.flying.splice(which % Math.max(1, this.flying.length), 1);
    if (!flight) return;
    if (!flight.isStale) {
      this.#watched(() => this.gate.learn(flight.ticket, result, this.now));
      return;
    }
    const before = JSON.stringify(this.gate.state);
    const told = this.gate.learn(flight.ticket, result, this.now);
    if (told || JSON.stringify(this.gate.state) !== before) this.#break('stale', 'it did');
  }

  /** Sees whether the breaker opened or closed. */
  #watched(act: () => boolean): void {
    const wasClosed = this.gate.isClosed;
    const waited = this.gate.state.breaker.wait;
    const told = act();
    const { breaker, recoveryStartedAt } = this.gate.state;
    if (wasClosed !== this.gate.isClosed && !told) this.#break('transition', breaker.state);
    if (breaker.state === 'OPEN' && breaker.wait !== waited) this.#hasOpened(breaker.wait);
    if (wasClosed || !this.gate.isClosed) return;
    this.#closedAt = this.now;
    this.#wait = null;
    if (recoveryStartedAt !== this.now) this.#break('recovery', `it started at ${recoveryStartedAt}`);
    const pass = this.gate.ask(this.now);
    if (pass.admit !== 'nothing') this.#break('recovery', `${pass.admit} admitted at once`);
  }

  #hasOpened(wait: { from: number; until: number } | null): void {
    const { openSeconds, openMaxSeconds } = this.flow;
    const least = this.now + Math.min(openSeconds, openMaxSeconds) * 1_000;
    if (!wait || wait.until < least) this.#break('wait', `only until ${wait?.until}`);
    this.#wait = wait;
    this.#closedAt = null;
    this.#ahead = 0;
    for (const flight of this.flying) flight.isStale = true;
  }
}
