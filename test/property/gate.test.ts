import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Gate, type Pass } from '../../src/resilience/gate';
import type { FlowSettings } from '../../src/shared/flow-settings';
import type { Outcome } from '../../src/shared/outcome';
import { admissions, call, gateWith, outcomes, recovering, start, stored } from '../unit/resilience/rig';
import { anyFlow, anyStep, chances, cycle, outcome, type Rule, rules, World } from '../unit/resilience/world';

const history = fc.array(anyStep, { maxLength: 60, size: 'max' });

describe('a gate, whatever happens to it,', () => {
  it.each(Object.entries(rules) as [Rule, string][])('(%s) %s', (rule, _) => {
    fc.assert(
      fc.property(anyFlow, chances, history, (flow, numbers, steps) => {
        const world = new World(flow, cycle(numbers));
        for (const step of steps) world.step(step);
        expect(world.broken.filter((each) => each.rule === rule)).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});

/** From now on the server is well and there is always a job. How long it takes until that is so. */
function driveUntil(world: World, isSo: () => boolean, most: { asks: number; ms: number }): void {
  const from = world.now;
  for (let asks = 0; !isSo(); asks++) {
    if (asks > most.asks || world.now - from > most.ms) {
      throw new Error(
        `not within ${asks} questions and ${world.now - from} ms: ${JSON.stringify(world.gate.state)}`,
      );
    }
    const { gate, now } = world;
    const pass = gate.ask(now);
    if (pass.admit === 'probe') gate.probed(outcomes.ok, true, now);
    if (pass.admit === 'job') {
      gate.called(call({ startedAt: now, ms: 20 }), now);
      gate.learn(pass.ticket, outcomes.ok, now);
    }
    if (pass.admit === 'nothing') world.now = Math.max(now + 1, pass.nextAt);
  }
}

describe('a gate whose server is well from now on', () => {
  it.each(['a restart', 'the end of every job'])(
    'closes soon and knows no limit in the end, after %s',
    (how) => {
      fc.assert(
        fc.property(anyFlow, chances, history, (settings, numbers, steps) => {
          const flow = {
            ...settings,
            recoverySeconds: Math.min(20, settings.recoverySeconds),
            growthPercent: 50,
          };
          const world = new World(flow, cycle(numbers));
          for (const step of steps) world.step(step);
          if (how === 'a restart') world.restart();
          else world.giveAllBack();

          // Wait, probe, trial; Retry-After may be longer than the breaker's own wait.
          driveUntil(world, () => world.gate.isClosed, { asks: 4, ms: 370_000 });
          const isFree = () => {
            world.gate.tick(world.now);
            return world.gate.view(world.now).rate.limitedBy === 'none';
          };
          driveUntil(world, isFree, { asks: 20_000, ms: 3_600_000 });
          expect(stored(world.gate)).toMatchObject({ breaker: { state: 'CLOSED' }, recoveryStartedAt: 0 });
        }),
        { numRuns: 40 },
      );
    },
  );
});

describe('a gate that was saved and loaded', () => {
  const withoutPace = (gate: Gate) => ({ ...gate.state, pace: null });
  const load = (gate: Gate, random: () => number, now: number) =>
    new Gate({ flow: gate.flow, random, now, state: stored(gate) });

  it('is in the state that it was in, but that what was half open is open and due', () => {
    fc.assert(
      fc.property(anyFlow, chances, history, (flow, numbers, steps) => {
        const world = new World(flow, cycle(numbers));
        for (const step of steps) world.step(step);
        world.gate.tick(world.now);
        const before = stored(world.gate);
        world.restart();
        const { breaker } = before;
        const state = breaker.state === 'HALF_OPEN' ? 'OPEN' : breaker.state;
        expect(stored(world.gate)).toEqual({ ...before, breaker: { ...breaker, state } });
      }),
      { numRuns: 100 },
    );
  });

  /** When the next job is admitted if nothing else happens, and what a token cost; null: not by time alone. */
  function nextJob(gate: Gate, from: number): { at: number; tokenMs: number } | null {
    let tokenMs = 0;
    for (let now = from; ; ) {
      const rate = gate.view(now).rate.perSecond ?? 0;
      const pass = gate.ask(now);
      if (pass.admit === 'job') return { at: now, tokenMs };
      if (pass.admit === 'probe' || !Number.isFinite(pass.nextAt)) return null;
      if (pass.limitedBy === 'ramp' || pass.limitedBy === 'cap')
        tokenMs = Math.max(tokenMs, 1_000 / rate + 1);
      now = pass.nextAt;
    }
  }

  it('admits the next job when it would have, or later by at most one token', () => {
    fc.assert(
      fc.property(anyFlow, chances, history, (flow, numbers, steps) => {
        const world = new World(flow, cycle(numbers));
        for (const step of steps) world.step(step);
        world.giveAllBack();
        const { gate, now } = world;
        gate.tick(now);
        if (stored(gate).breaker.state === 'HALF_OPEN') return;
        const loaded = nextJob(load(gate, cycle(numbers), now), now);
        const untouched = nextJob(gate, now);
        expect(loaded === null).toBe(untouched === null);
        if (loaded === null || untouched === null) return;
        expect(loaded.at).toBeGreaterThanOrEqual(untouched.at);
        expect(loaded.at - untouched.at).toBeLessThanOrEqual(loaded.tokenMs);
      }),
      { numRuns: 150 },
    );
  });

  /** Two gates that the same happens to, but that one is saved and loaded now and then. */
  class Twins {
    now = start;
    readonly #untouched: Gate;
    readonly #random: () => number;
    #restarted: Gate;
    #restarts = 0;
    #late = 0;

    constructor(flow: FlowSettings, numbers: readonly number[]) {
      this.#random = cycle(numbers);
      this.#untouched = gateWith({ flow, random: cycle(numbers) });
      this.#restarted = gateWith({ flow, random: this.#random });
    }

    restart(): void {
      this.#restarted = load(this.#restarted, this.#random, this.now);
      this.#restarts++;
    }

    setBack(ms: number): void {
      this.now -= ms;
      for (const gate of [this.#untouched, this.#restarted]) gate.tick(this.now);
    }

    /** A job of both, with the same result. One that has to wait for a token lets the other wait too. */
    job(result: Outcome | null): void {
      const one = this.#ask(this.#untouched);
      let other = this.#ask(this.#restarted);
      if (one.admit !== 'job') {
        expect(other).toMatchObject({ admit: 'nothing', limitedBy: one.limitedBy });
        if (one.limitedBy !== 'ramp') expect(other).toEqual(one);
        return;
      }
      while (other.admit !== 'job') {
        const rate = this.#untouched.view(this.now).rate.perSecond ?? 0;
        expect(other.limitedBy).toBe('ramp');
        expect(other.nextAt - this.now).toBeLessThanOrEqual(1_000 / rate + 1);
        expect(++this.#late).toBeLessThanOrEqual(this.#restarts);
        this.now = other.nextAt;
        other = this.#ask(this.#restarted);
      }
      const told = this.#untouched.learn(one.ticket, result, this.now);
      expect(this.#restarted.learn(other.ticket, result, this.now)).toBe(told);
      // What changes by time changes when somebody looks.
      for (const gate of [this.#untouched, this.#restarted]) gate.view(this.now);
      expect(withoutPace(this.#restarted)).toEqual(withoutPace(this.#untouched));
    }

    #ask(gate: Gate): Exclude<Pass, { admit: 'probe' }> {
      for (;;) {
        const pass = gate.ask(this.now);
        if (pass.admit !== 'probe') return pass;
        gate.probed(outcomes.ok, true, this.now);
      }
    }
  }

  const event = fc.record({
    passedMs: fc.oneof(fc.nat({ max: 400 }), fc.nat({ max: 100_000 })),
    backMs: fc.option(fc.nat({ max: 200_000 }), { freq: 12 }),
    restart: fc.boolean(),
    result: outcome,
  });

  it('decides and learns, however often that happens, like one that it never happened to', () => {
    fc.assert(
      fc.property(
        anyFlow,
        chances,
        fc.array(event, { maxLength: 120, size: 'max' }),
        (flow, numbers, events) => {
          const twins = new Twins(flow, numbers);
          for (const { passedMs, backMs, restart, result } of events) {
            twins.now += passedMs;
            if (backMs !== null) twins.setBack(backMs);
            if (restart) twins.restart();
            twins.job(result);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  /** How many jobs get through in a recovery period of 30 s, if the process is restarted at these instants. */
  function jobsWith(restarts: readonly number[]): number {
    let gate = recovering({ flow: { recoverySeconds: 30 } });
    let jobs = 0;
    let now = start;
    for (const instant of [...restarts, start + 30_000]) {
      jobs += admissions(gate, now, instant).length;
      now = instant;
      gate = load(gate, () => 0, now);
    }
    return jobs;
  }

  it('is behind by no more than a token for each restart over a whole recovery period', () => {
    const undisturbed = jobsWith([]);
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 30_000 }), { maxLength: 15, size: 'max' }), (instants) => {
        const jobs = jobsWith(instants.map((ms) => start + ms).sort((a, b) => a - b));
        // Who asks at another instant may find the last token on the other side of the end.
        expect(jobs).toBeLessThanOrEqual(undisturbed + 1);
        expect(jobs).toBeGreaterThanOrEqual(undisturbed - instants.length - 1);
      }),
      { numRuns: 40 },
    );
  });
});
