import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  announcement,
  longOutageMs,
  type Situation,
  type Told,
  toldKinds,
} from '../../../src/resilience/announcements';

const minute = 60_000;
/** In local time, as the texts are. */
const t0 = new Date(2026, 10, 16, 14, 2).getTime();
const away: Situation = {
  outage: { since: t0, cause: 'Plex is not answering (connection refused).' },
  recoveryEndsAt: null,
  waiting: 128,
};
const recovering = (endsAt: number): Situation => ({ outage: null, recoveryEndsAt: endsAt, waiting: 128 });
const well: Situation = { outage: null, recoveryEndsAt: null, waiting: 0 };

/** What is said over these looks, each with the minute at which it happens; a restart in between changes nothing. */
function said(looks: [minutes: number, Situation][], told: Told = 'nothing'): [Told, string][] {
  let last = told;
  return looks.flatMap(([minutes, situation]): [Told, string][] => {
    const next = announcement('Plex', situation, last, t0 + minutes * minute);
    if (next === null) return [];
    last = next.told;
    return [[next.told, next.text]];
  });
}
const steps = (looks: [number, Situation][], told?: Told) => said(looks, told).map(([step]) => step);

describe('an outage', () => {
  it('is told of step by step, each step once, in words that stand for themselves', () => {
    const looks: [number, Situation][] = [
      [-1, well],
      [0, away],
      [1, away],
      [14.9, away],
      [15, away],
      [40, away],
      [41, recovering(t0 + 46 * minute)],
      [45, recovering(t0 + 46 * minute)],
      [46, { ...well, waiting: 1 }],
      [47, well],
    ];
    expect(said(looks)).toEqual([
      [
        'opened',
        'Sluice has sent nothing to Plex since 14:02: Plex is not answering (connection refused). 128 scenes wait. ' +
          'Nothing is lost: it goes on by itself when Plex is well.',
      ],
      [
        'long',
        'Sluice has sent nothing to Plex for 15 min, since 14:02: Plex is not answering (connection refused). ' +
          '128 scenes wait. Nothing is lost, but somebody should look after Plex. The task "Check health" in Stash ' +
          'says more.',
      ],
      [
        'recovery',
        'Plex is well again. 128 scenes wait. Sluice goes on slowly at first, and at full speed from 14:48.',
      ],
      ['nothing', 'The recovery of Plex is over: Sluice works at full speed. 1 scene waits.'],
    ]);
  });

  it('that was short is not called long', () => {
    expect(
      steps([
        [0, away],
        [5, recovering(t0 + 10 * minute)],
        [10, well],
      ]),
    ).toEqual(['opened', 'recovery', 'nothing']);
  });

  it('that begins again during the recovery is told of again', () => {
    const again: Situation = { ...away, outage: { since: t0 + 7 * minute, cause: 'Plex is overloaded.' } };
    expect(
      steps([
        [0, away],
        [5, recovering(t0 + 10 * minute)],
        [7, again],
        [21, again],
        [22, again],
        [23, recovering(t0 + 28 * minute)],
        [28, well],
      ]),
    ).toEqual(['opened', 'recovery', 'opened', 'long', 'recovery', 'nothing']);
  });

  it('that has already lasted for long when it is first told of is told of once', () => {
    expect(
      steps([
        [60, away],
        [61, away],
      ]),
    ).toEqual(['long']);
    expect(
      steps(
        [
          [60, away],
          [61, away],
        ],
        'recovery',
      ),
    ).toEqual(['long']);
  });

  it('that ended while nobody looked is told of as what is true then', () => {
    expect(said([[300, well]], 'long')).toEqual([
      ['nothing', 'Plex is well again: Sluice works at full speed. No scene waits.'],
    ]);
    expect(steps([[300, recovering(t0 + 304 * minute)]], 'opened')).toEqual(['recovery']);
    expect(steps([[300, recovering(t0 + 299 * minute)]], 'recovery')).toEqual(['nothing']);
  });

  it('of another day is told of with its day, and under the name that the person gave it', () => {
    const next = announcement('Plex server "attic"', away, 'opened', t0 + 24 * 60 * minute);
    expect(next?.text).toContain(
      'Sluice has sent nothing to Plex server "attic" for 24 h, since 16 Nov 14:02: ',
    );
  });
});

describe('a recovery', () => {
  it('whose outage nobody heard of is not told of', () => {
    expect(
      said([
        [0, recovering(t0 + 5 * minute)],
        [5, well],
      ]),
    ).toEqual([]);
  });
});

describe('a clock that was set back', () => {
  it('makes nothing be told twice', () => {
    expect(
      steps(
        [
          [-600, away],
          [-600, away],
        ],
        'opened',
      ),
    ).toEqual([]);
    expect(
      steps(
        [
          [-600, away],
          [0, away],
          [16, away],
        ],
        'long',
      ),
    ).toEqual([]);
  });
});

describe('whatever happened', () => {
  it('the same situation never speaks twice', () => {
    const situation = fc.record({
      outage: fc.option(
        fc.record({ since: fc.integer({ min: 0, max: 2 * longOutageMs }), cause: fc.string() }),
      ),
      recoveryEndsAt: fc.option(fc.integer({ min: 0, max: 2 * longOutageMs })),
      waiting: fc.nat(),
    });
    fc.assert(
      fc.property(
        situation,
        fc.constantFrom(...toldKinds),
        fc.nat({ max: 2 * longOutageMs }),
        (seen, told, now) => {
          const next = announcement('Plex', seen, told, now);
          if (next === null) return;
          expect(next.told).not.toBe(told);
          expect(announcement('Plex', seen, next.told, now)).toBeNull();
        },
      ),
    );
  });
});
