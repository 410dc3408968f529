/**
 * What one outcome says about the server. An error of one item says that the server is well: it answered.
 *
 *   well      it answered: written, compared, listed, not found, or refused this one item
 *   failure   refused, reset, timed out, 5xx: counts toward opening the breaker
 *   overload  429, 503: a cooldown, and counts per generation
 *   refusal   nothing can be sent until a person changes something: opens the breaker at once
 *   nothing   Plex was not asked
 */
import type { Outcome, OutcomeKind } from '../shared/outcome';

export type Signal = 'well' | 'failure' | 'overload' | 'refusal' | 'nothing';

const signals: Record<Exclude<OutcomeKind, 'unchanged'>, Signal> = {
  ok: 'well',
  listing: 'well',
  'not-in-plex': 'well',
  'bad-data': 'well',
  transient: 'failure',
  'server-down': 'failure',
  overloaded: 'overload',
  'not-authorised': 'refusal',
  'may-not-edit': 'refusal',
  misconfigured: 'refusal',
  gone: 'nothing',
  filtered: 'nothing',
  'stash-away': 'nothing',
};

export function signalOf(outcome: Outcome): Signal {
  if (outcome.kind === 'unchanged') return outcome.looked ? 'well' : 'nothing';
  return signals[outcome.kind];
}
