/**
 * Where public sources disagree about Plex, or nobody has tried, the simulator can do either.
 * A client is right when it is right under every setting. All of them can be changed while the server runs.
 */
export interface Behaviour {
  /**
   * What sending `genre[0].tag.tag=…` does to the tags that are there:
   * `merge` keeps them in their order and appends the new ones, `merge-front` puts the sent ones first in their
   * order, `replace` leaves only the sent ones.
   */
  tags: 'merge' | 'merge-front' | 'replace';
  /** Of all removals in one PUT only the first is honoured. */
  oneRemovalPerPut: boolean;
  /** Stored tags begin with an upper-case letter, whatever was sent. */
  capitaliseTags: boolean;
  /** Uploading or selecting a picture locks its field. */
  uploadLocks: boolean;
  /** A GET of an item without `skipRefresh=1` first runs its agent: unlocked edits are gone. */
  refreshOnGet: boolean;
  /** The most items of one page, whatever size was asked for; null for no limit. */
  pageCap: number | null;
  /** How long a scan takes. */
  scanMs: number;
}

export const usualBehaviour: Behaviour = {
  tags: 'merge',
  oneRemovalPerPut: false,
  capitaliseTags: false,
  uploadLocks: false,
  refreshOnGet: false,
  pageCap: null,
  scanMs: 0,
};
