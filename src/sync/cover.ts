/**
 * The cover that Stash has for a scene.
 *
 * Data flow: the cover's address -> its bytes, only when the address is new -> their SHA-1, which is all that is needed
 * until somebody wants to upload them.
 *
 * Holds: a cover that cannot be used is none, with a sentence for the log; a cover that changes under the same address
 * is never taken for the one that was asked for.
 */
import { type Cover, UnusableCover } from '../stash/picture';
import type { Scene } from '../stash/scene';
import type { KnownPictures } from './ledger-entry';

export interface CoverSource {
  cover(path: string, signal: AbortSignal): Promise<Cover | null>;
}

/** A second, and a little for clocks that differ. */
const freshMs = 2_000;

/** The cover as Stash has it now. */
export interface StashCover {
  from: string | null;
  /** Null: there is none that Plex could show. */
  sha1: string | null;
  /** Why there is none, if that is for a person to know. */
  problem: string | null;
  bytes(): Promise<Buffer | null>;
}

export const noCover: StashCover = { from: null, sha1: null, problem: null, bytes: async () => null };

/** `again`: an address under which there was no cover is asked once more; some are generated within the same second. */
export async function coverOf(
  scene: Scene,
  known: KnownPictures | undefined,
  again: boolean,
  stash: CoverSource,
  signal: AbortSignal,
): Promise<StashCover> {
  const from = scene.cover;
  if (from === null) return noCover;
  const fetched = () => stash.cover(from, signal);
  if (known?.from === from && !known.fresh && (known.sha1 !== null || !again)) {
    const { sha1 } = known;
    return { from, sha1, problem: null, bytes: async () => await sameBytes(sha1, fetched) };
  }
  const none = { from, sha1: null, bytes: async () => null };
  try {
    const cover = await fetched();
    if (cover === null) return { ...none, problem: null };
    return { from, sha1: cover.sha1, problem: null, bytes: async () => cover.bytes };
  } catch (error) {
    if (!(error instanceof UnusableCover)) throw error;
    return { ...none, from: error.mayPass ? null : from, problem: unusable(scene, error.message) };
  }
}

/** Whether the cover may change once more without getting another address: that has whole seconds. */
export function isFresh(from: string | null, now: number): boolean {
  const seconds = /[?&]t=(\d+)/.exec(from ?? '')?.[1];
  return seconds !== undefined && now < Number(seconds) * 1_000 + freshMs;
}

/** Null: there is another by now, or none. */
async function sameBytes(sha1: string | null, fetched: () => Promise<Cover | null>): Promise<Buffer | null> {
  try {
    const cover = await fetched();
    return cover?.sha1 === sha1 ? cover.bytes : null;
  } catch (error) {
    if (!(error instanceof UnusableCover)) throw error;
    return null;
  }
}

const unusable = ({ id }: Scene, why: string): string =>
  `The cover of scene ${id} was not sent, and the picture in Plex stays as it is: ${why}`;
