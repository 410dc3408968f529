import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentOf, historyOf, outageFormat } from '../../src/resilience/outage-document';
import { noHistory, type OutageHistory, observe } from '../../src/resilience/outages';

/** As the gate's document says it. */
interface GateDocument {
  openSince: number | null;
  closedAt: number | null;
}

/** Which of the files a process that dies leaves one step behind, and when it dies. */
type Death =
  | 'after everything'
  | 'before the history is written'
  | 'history a copy back'
  | 'gate a copy back';

/** One target's gate and the history, in memory and on disk, with the clock that they share. */
class World {
  now = Date.parse('2026-11-16T14:02:00Z');
  /** Every outage that there ever was, with the end that the gate gave it; null: none, it was forgotten. */
  readonly real = new Map<string, number | null>();
  #history: OutageHistory = noHistory;
  #disk: [current: string, before: string] = [text(noHistory), text(noHistory)];
  readonly #gates = new Map<string, [current: GateDocument, before: GateDocument]>();

  gate(target: string): GateDocument {
    return this.#gates.get(target)?.[0] ?? { openSince: null, closedAt: null };
  }

  /** Opens if it is closed, closes if it is open; the gate's document is written. */
  turn(target: string): void {
    const gate = this.gate(target);
    if (gate.openSince !== null) {
      this.real.set(`${target} ${gate.openSince}`, this.now);
      this.#gates.set(target, [{ openSince: null, closedAt: this.now }, gate]);
      return;
    }
    while (this.real.has(`${target} ${this.now}`)) this.now++;
    this.real.set(`${target} ${this.now}`, null);
    this.#gates.set(target, [{ openSince: this.now, closedAt: null }, gate]);
  }

  look(waiting = 0): void {
    for (const target of this.#gates.keys()) {
      const { openSince, closedAt } = this.gate(target);
      const outage = openSince === null ? null : { since: openSince, cause: 'Plex is not answering.' };
      const next = observe(this.#history, target, { outage, closedAt, waiting }, this.now);
      if (next === this.#history) continue;
      this.#history = next;
      this.#disk = [text(next), this.#disk[0]];
    }
  }

  restart(target: string, death: Death): void {
    if (death === 'history a copy back') this.#disk = [this.#disk[1], this.#disk[1]];
    if (death === 'gate a copy back') {
      const before = this.#gates.get(target)?.[1];
      const gate = this.gate(target);
      if (before) this.#gates.set(target, [before, before]);
      // The gate has forgotten that it opened, so nobody can tell it when that outage ended.
      if (gate.openSince !== null && before?.openSince === null) {
        this.real.set(`${target} ${gate.openSince}`, null);
      }
    }
    this.#history = historyOf(outageFormat.parse(JSON.parse(this.#disk[0])));
    this.look();
  }

  get history(): OutageHistory {
    return this.#history;
  }
}

const text = (history: OutageHistory): string => JSON.stringify(documentOf(history));

const step = fc.record({
  target: fc.constantFrom('plex', 'attic'),
  passedMs: fc.oneof(fc.nat({ max: 5 }), fc.nat({ max: 3_600_000 })),
  waiting: fc.nat({ max: 3 }),
  turns: fc.boolean(),
  death: fc.option(
    fc.constantFrom<Death>(
      'after everything',
      'before the history is written',
      'history a copy back',
      'gate a copy back',
    ),
  ),
});

function live(steps: (typeof step extends fc.Arbitrary<infer T> ? T : never)[], jumps: number[] = []): World {
  const world = new World();
  steps.forEach(({ target, passedMs, waiting, turns, death }, index) => {
    world.now += passedMs + (jumps[index] ?? 0);
    if (turns) world.turn(target);
    if (death !== 'before the history is written') world.look(waiting);
    if (death !== null) world.restart(target, death);
  });
  for (const target of ['plex', 'attic']) {
    world.now += 1_000;
    if (world.gate(target).openSince !== null) world.turn(target);
    world.look();
  }
  return world;
}

const recorded = ({ history }: World) => history.outages.map(({ target, start }) => `${target} ${start}`);

describe('the history of outages', () => {
  it('has exactly one closed record per outage, whichever file a death left one step behind [lesson 22: an outage is closed once, however often its end is told]', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const world = live(steps);
        expect(recorded(world).sort()).toEqual([...world.real.keys()].sort());
        for (const { target, start, end, longestWaitMs } of world.history.outages) {
          const realEnd = world.real.get(`${target} ${start}`);
          if (realEnd === null) expect(end).toBeGreaterThanOrEqual(start);
          else expect(end).toBe(realEnd);
          expect(longestWaitMs).toBeLessThanOrEqual((end ?? start) - start + 500);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('stays so when the clock jumps, with no negative duration and no wait longer than its outage', () => {
    const jump = fc.oneof(
      { weight: 3, arbitrary: fc.constant(0) },
      fc.integer({ min: -86_400_000, max: 86_400_000 }),
    );
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 60 }),
        fc.array(jump, { minLength: 60, maxLength: 60 }),
        (steps, jumps) => {
          const world = live(steps, jumps);
          expect(recorded(world).sort()).toEqual([...world.real.keys()].sort());
          for (const { start, end, longestWaitMs } of world.history.outages) {
            expect(end).toBeGreaterThanOrEqual(start);
            expect(longestWaitMs).toBeGreaterThanOrEqual(0);
            expect(longestWaitMs).toBeLessThanOrEqual((end ?? start) - start + 500);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
