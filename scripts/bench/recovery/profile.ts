/**
 * What kind of server it is and how much waits for it. Drawn at random from wide ranges that were written down before
 * our own rules were run against them; nothing here is known to a policy but to the oracle.
 */
import { Chance } from './chance';

export interface Profile {
  seed: number;
  /** How many jobs wait when the server comes back. */
  jobs: number;

  /** Work that it gets done when warm and left alone; the unit is the work of one ordinary job. */
  fullPerSecond: number;
  /** The part of that which it has when it comes back, rising evenly until it is warm. */
  coldShare: number;
  warmUpMs: number;

  /** Latency of an idle, warm server. */
  readMs: number;
  editMs: number;
  uploadMs: number;
  /** Spread of the logarithm of the latency. */
  noise: number;
  /** How much slower it answers, all of these together: 1 is twice the time. While cold, at the limit, per call beside. */
  coldSlower: number;
  piledSlower: number;
  crowdSlower: number;
  /** Reads come from a cache in part: how much of that they notice, 0 to 1. */
  readsFeelIt: number;
  /** 1: latency rises evenly with what has piled up; more: late, and then steeply. */
  piledShape: number;

  /** It collapses when more work than this has piled up. */
  pileLimit: number;
  /** How much of its capacity piled-up work costs, at the limit. */
  thrash: number;
  /** Answers 503 or 429 to a part of the calls once this much of the limit has piled up; null: never says so. */
  shedding: { fromPressure: number; share: number; retryAfterMs: number | null } | null;
  /** After a collapse: nothing, then a start-up that answers 503. */
  downMs: number;
  startingMs: number;
  /** What a caller meets when it is down: refused at once, or no answer until the timeout. */
  refuses: boolean;

  /** Part of the jobs that also upload a picture, and the work of that. */
  uploadShare: number;
  uploadWork: number;

  /** When somebody watches a film: takes a part of the capacity and makes everything slower. */
  films: Film[];
}

export interface Film {
  fromMs: number;
  untilMs: number;
  capacityShare: number;
  slower: number;
}

const minute = 60_000;

export function profileOf(seed: number): Profile {
  const chance = new Chance(seed);
  const fullPerSecond = chance.magnitude(2, 60);
  const readMs = chance.magnitude(8, 100);
  return {
    seed,
    jobs: Math.round(chance.magnitude(500, 5_000)),
    fullPerSecond,
    coldShare: chance.magnitude(0.05, 0.5),
    warmUpMs: chance.magnitude(30_000, 400_000),
    readMs,
    editMs: readMs * chance.between(1, 2.5),
    uploadMs: readMs * chance.between(2, 4),
    noise: chance.between(0.1, 0.5),
    coldSlower: chance.between(0, 1),
    piledSlower: chance.magnitude(2, 10),
    readsFeelIt: chance.between(0, 1),
    crowdSlower: chance.between(0, 0.3),
    piledShape: chance.between(1, 2.5),
    pileLimit: Math.max(50, fullPerSecond * chance.magnitude(10, 60)),
    thrash: chance.happens(0.5) ? chance.between(0, 0.4) : 0,
    shedding: chance.happens(0.35)
      ? {
          fromPressure: chance.between(0.5, 0.95),
          share: chance.magnitude(0.05, 0.9),
          retryAfterMs: chance.happens(0.4) ? Math.round(chance.between(5, 30)) * 1_000 : null,
        }
      : null,
    downMs: chance.between(30_000, 180_000),
    startingMs: chance.between(5_000, 20_000),
    refuses: chance.happens(0.7),
    uploadShare: chance.happens(0.6) ? chance.between(0, 0.4) : 0,
    uploadWork: chance.between(0.3, 1.5),
    films: chance.happens(0.4) ? filmsOf(chance) : [],
  };
}

function filmsOf(chance: Chance): Film[] {
  const films: Film[] = [];
  let fromMs = chance.between(-5 * minute, 5 * minute);
  while (fromMs < 180 * minute) {
    const untilMs = fromMs + chance.between(1, 12) * minute;
    const capacityShare = chance.between(0.2, 0.6);
    films.push({ fromMs, untilMs, capacityShare, slower: chance.between(0.1, 0.6) });
    fromMs = untilMs + chance.between(0.5, 10) * minute;
  }
  return films;
}
