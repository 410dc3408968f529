/**
 * What we last wrote for a scene and where, and what the scene was related to at that time (a deleted performer
 * cannot be asked for its scenes any more). Values are kept as short hashes: a library has 100,000 scenes.
 */
import type { PictureKind } from '../plex/client';
import type { Ours } from './own-values';

export interface LedgerEntry extends Ours, Relations {
  ratingKey: string;
  /** Where we found it: a hash of the scene's files as Plex sees them. */
  file: string;
  /** Only the name of the file agreed, not its path. */
  byName?: true;
  /** When we last made sure that Plex shows all of this, in milliseconds since 1970. */
  at: number;
  /** Plex's own time of the item's last change, as of then; absent: not known since our last write. */
  seen?: number;
  /** Something of Plex's own was left in place, because the settings said so. */
  keptOwn?: true;
  /** A write was begun since, or Plex may have changed: nothing of this is believed without a look. */
  stale?: true;
  /** Absent: nothing is known about pictures. */
  pictures?: KnownPictures;
}

/** Ids in Stash. */
export interface Relations {
  studio: string | null;
  /** The studio that the scene's studio belongs to. */
  studioParent?: string;
  performers: string[];
  tags: string[];
  groups: string[];
}

export interface KnownPictures {
  /** The cover's address in Stash when it was last fetched: it changes whenever the cover may have changed. */
  from: string | null;
  /** It was fetched in the second of its address: there may be another by now under the same. */
  fresh?: true;
  /** The SHA-1 of the cover there; null: there was none that could be used. */
  sha1: string | null;
  /** Since when there is none, in milliseconds since 1970. */
  missingSince?: number;
  /** For which SHA-1 nothing is to be done any more, '' for none: also when a picture of the person's own stayed. */
  settled: Partial<Record<PictureKind, string>>;
  /** SHA-1 of what we made Plex show. */
  set: Partial<Record<PictureKind, string>>;
  /** Plex's address of what it showed when we last looked after that. */
  shown: Partial<Record<PictureKind, string>>;
  /** SHA-1s that Plex has from us, oldest first. */
  uploaded: Partial<Record<PictureKind, string[]>>;
}

/** What is behind `Relations`, one by one: where scenes of a deleted object are looked for. */
export type RelationKind = 'studio' | 'performers' | 'tags' | 'groups';

/** The part of the ledger that `syncScene` needs. */
export interface Ledger {
  get(scene: number): LedgerEntry | undefined;
  put(scene: number, entry: LedgerEntry): void;
  remove(scene: number): void;
  /** The scene that we last synced to this item, if any. */
  sceneAt(ratingKey: string): number | undefined;
}
