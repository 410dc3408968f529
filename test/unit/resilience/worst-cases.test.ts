/** What happens when everything comes at once. The same with real lanes is in the tests of the drain. */
import { describe, expect, it } from 'vitest';
import { admitted, gateWith, outcomes, recovering, restarted, send, start, stored, take } from './rig';

const lanes = 10;

describe('ten lanes that meet an overload in the same instant', () => {
  const met = () => {
    const gate = gateWith({ flow: { lanes } });
    const tickets = take(gate, lanes, start);
    const transitions = tickets.map((ticket) => gate.learn(ticket, outcomes.overloaded, start + 100));
    return { gate, transitions };
  };

  it('start one cooldown of one generation, which all ten take part in', () => {
    const { gate, transitions } = met();
    expect(transitions.filter(Boolean)).toHaveLength(1);
    expect(stored(gate).cooldown).toEqual({
      span: { from: start + 100, until: start + 5_100 },
      inARow: 1,
      generations: 1,
      participants: lanes,
    });
    expect(gate.parked(start + 200)).toBe(lanes);
  });

  it('are one overload toward the breaker', () => {
    const { gate } = met();
    expect(gate.isClosed).toBe(true);
    expect(stored(gate).breaker).toMatchObject({ overloadsInARow: 1, failuresInARow: 1 });
  });

  it('are all held back until it is over, and then come one at a time until one has succeeded', () => {
    const { gate } = met();
    expect(gate.ask(start + 5_099)).toMatchObject({ limitedBy: 'cooldown', nextAt: start + 5_100 });
    const first = admitted(gate.ask(start + 5_100));
    expect(gate.ask(start + 5_100)).toMatchObject({ limitedBy: 'lanes' });
    gate.learn(first, outcomes.ok, start + 5_200);
    expect(take(gate, lanes, start + 5_200)).toHaveLength(lanes);
  });

  it('have all been released when it is over', () => {
    const { gate } = met();
    expect(gate.view(start + 5_100).cooldown).toMatchObject({ parked: 0, released: lanes });
  });

  it('meet one cooldown though their answers are spread over it', () => {
    const gate = gateWith({ flow: { lanes } });
    take(gate, lanes, start).forEach((ticket, n) => {
      gate.learn(ticket, outcomes.overloaded, start + n * 500);
    });
    expect(stored(gate).cooldown).toMatchObject({ generations: 1, participants: lanes });
    expect(gate.ask(start + 4_999)).toMatchObject({ nextAt: start + 5_000 });
  });

  it('do not start a second one by answers that come late', () => {
    const gate = gateWith({ flow: { lanes } });
    const [first, ...late] = take(gate, lanes, start);
    if (first) gate.learn(first, outcomes.overloaded, start);
    gate.view(start + 6_000);
    const before = stored(gate);
    for (const ticket of late) expect(gate.learn(ticket, outcomes.overloaded, start + 6_000)).toBe(false);
    expect(stored(gate)).toEqual(before);
    expect(gate.ask(start + 6_000)).toMatchObject({ admit: 'job' });
  });

  it('open the breaker once when they are refused, and the other nine change nothing', () => {
    const gate = gateWith({ flow: { lanes } });
    const tickets = take(gate, lanes, start);
    const transitions = tickets.map((ticket, n) => gate.learn(ticket, outcomes.notAuthorised, start + n));
    expect(transitions.filter(Boolean)).toHaveLength(1);
    expect(gate.ask(start + lanes)).toMatchObject({ limitedBy: 'breaker', nextAt: start + 60_000 });
  });
});

describe('cooldowns in a row', () => {
  it('double, and the third opens the breaker', () => {
    const gate = gateWith({ flow: { lanes } });
    expect(send(gate, outcomes.overloaded, start)).toBe(true);
    expect(gate.ask(start)).toMatchObject({ limitedBy: 'cooldown', nextAt: start + 5_000 });
    expect(send(gate, outcomes.overloaded, start + 5_000)).toBe(true);
    expect(gate.ask(start + 5_000)).toMatchObject({ limitedBy: 'cooldown', nextAt: start + 15_000 });
    expect(send(gate, outcomes.overloaded, start + 15_000)).toBe(true);
    expect(gate.ask(start + 15_000)).toMatchObject({ limitedBy: 'breaker', nextAt: start + 75_000 });
    expect(stored(gate).cooldown).toMatchObject({ generations: 3, participants: 3, span: null, inARow: 0 });
  });

  it('open the breaker also when the process is new each time', () => {
    let gate = gateWith();
    for (const ms of [0, 5_000, 15_000]) {
      gate = restarted(gate, start + ms);
      send(gate, outcomes.overloaded, start + ms);
    }
    expect(gate.isClosed).toBe(false);
  });

  it('are not in a row when a job succeeded in between', () => {
    const gate = gateWith();
    for (let n = 0; n < 10; n++) {
      const now = start + n * 60_000;
      send(gate, outcomes.overloaded, now);
      expect(gate.ask(now)).toMatchObject({ limitedBy: 'cooldown', nextAt: now + 5_000 });
      send(gate, outcomes.ok, now + 5_000);
    }
    expect(gate.isClosed).toBe(true);
  });

  it('go on in a recovery period, at its rate', () => {
    const gate = recovering();
    gate.ask(start);
    send(gate, outcomes.overloaded, start + 200);
    expect(gate.ask(start + 5_199)).toMatchObject({ limitedBy: 'cooldown' });
    expect(gate.ask(start + 5_200)).toMatchObject({ admit: 'job' });
    expect(gate.ask(start + 5_200)).toMatchObject({ admit: 'nothing' });
    expect(gate.recoveryEndsAt(start + 5_200)).toBe(start + 300_000);
  });
});

describe('a hundred jobs of which every second meets an overload', () => {
  it('all get through in the end, with never more than the lanes under way', () => {
    const gate = gateWith({ flow: { lanes: 20 } });
    let now = start;
    let waiting = 100;
    let sent = 0;
    let done = 0;
    while (done < 100) {
      const flying: ReturnType<typeof admitted>[] = [];
      let pass = gate.ask(now);
      for (; pass.admit === 'job' && waiting > 0; pass = gate.ask(now)) {
        flying.push(pass.ticket);
        waiting--;
      }
      if (pass.admit === 'job') gate.learn(pass.ticket, null, now);
      expect(flying.length).toBeLessThanOrEqual(20);
      for (const ticket of flying) {
        const isOverload = sent++ % 2 === 0;
        gate.learn(ticket, isOverload ? outcomes.overloaded : outcomes.ok, now);
        if (isOverload) waiting++;
        else done++;
      }
      if (pass.admit === 'probe') gate.probed(outcomes.ok, true, now);
      now = pass.admit === 'nothing' && Number.isFinite(pass.nextAt) ? pass.nextAt : now + 1;
      expect(now).toBeLessThan(start + 86_400_000);
    }
    expect(done + waiting).toBe(100);
  });
});
