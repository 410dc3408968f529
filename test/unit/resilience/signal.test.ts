import { describe, expect, it } from 'vitest';
import { type Signal, signalOf } from '../../../src/resilience/signal';
import type { Outcome, OutcomeKind } from '../../../src/shared/outcome';
import { outcomes } from './rig';

const says: [Signal, Outcome[]][] = [
  ['well', [outcomes.ok, outcomes.unchanged, outcomes.listing, outcomes.notInPlex, outcomes.badData]],
  ['failure', [outcomes.transient, outcomes.down]],
  ['overload', [outcomes.overloaded]],
  ['refusal', [outcomes.notAuthorised, outcomes.mayNotEdit, outcomes.misconfigured]],
  ['nothing', [outcomes.untouched, outcomes.gone, outcomes.filtered, outcomes.stashAway]],
];
const cases = says.flatMap(([signal, all]) =>
  all.map((outcome) => ({ signal, outcome, kind: outcome.kind })),
);

describe('what an outcome says about the server', () => {
  it.each(cases)('$kind says: $signal', ({ signal, outcome }) => {
    expect(signalOf(outcome)).toBe(signal);
  });

  it('is decided for every kind of outcome', () => {
    const kinds: Record<OutcomeKind, true> = {
      ok: true,
      unchanged: true,
      gone: true,
      filtered: true,
      listing: true,
      'not-in-plex': true,
      'bad-data': true,
      transient: true,
      'server-down': true,
      overloaded: true,
      'not-authorised': true,
      'may-not-edit': true,
      misconfigured: true,
      'stash-away': true,
    };
    expect(new Set(cases.map(({ kind }) => kind))).toEqual(new Set(Object.keys(kinds)));
  });
});
