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
  /** `genre[].tag=` empties a list. Otherwise it is ignored, and only removals by name count. */
  clearsLists: boolean;
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
  /**
   * What a scan calls a film in a library without an agent: `file-name` the name without its extension, `cleaned`
   * what the scanner of 2011 makes of it (dots and underscores are spaces, words begin with a capital, no brackets
   * and nothing after a year: `My.Film_2020.mp4` is `My Film 2020`).
   */
  scannedTitle: 'file-name' | 'cleaned';
  /** The sort title that Plex makes itself drops a leading article: `The Lake` is sorted, and shown, as `Lake`. */
  sortArticles: boolean;
  /**
   * The number at the end of the address of a picture: `item` moves with every change of the item (as seen in
   * answers of real servers, where it is `updatedAt`), `picture` only when another picture is chosen.
   */
  pictureNumber: 'item' | 'picture';
  /** Addresses (path and query) with more bytes are answered with 414, as by a proxy; null for no limit. */
  addressLimitBytes: number | null;
}

export const usualBehaviour: Behaviour = {
  tags: 'merge',
  oneRemovalPerPut: false,
  clearsLists: true,
  capitaliseTags: false,
  uploadLocks: false,
  refreshOnGet: false,
  pageCap: null,
  scanMs: 0,
  scannedTitle: 'file-name',
  sortArticles: true,
  pictureNumber: 'item',
  addressLimitBytes: null,
};
