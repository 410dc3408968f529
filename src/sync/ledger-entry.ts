/**
 * What we last wrote for a scene and where, and what the scene was related to at that time (a deleted performer
 * cannot be asked for its scenes any more). Field values are kept as short hashes: a library has 100,000 scenes.
 */
export interface LedgerEntry {
  ratingKey: string;
  /** One hash per Plex field that we manage, of the value we last made sure Plex shows; `file` is where we did. */
  wrote: Record<string, string>;
  /** When we last made sure, in milliseconds since 1970. */
  at: number;
  studio: string | null;
  performers: string[];
  tags: string[];
  groups: string[];
}

/** The part of the ledger that `syncScene` needs. */
export interface Ledger {
  get(scene: number): LedgerEntry | undefined;
  put(scene: number, entry: LedgerEntry): void;
  remove(scene: number): void;
  /** The scene that we last synced to this item, if any. */
  sceneAt(ratingKey: string): number | undefined;
}
