/** A scene as Stash tells it, already parsed: what `src/sync` computes from. Ids of related objects are text. */
export interface Scene {
  id: number;
  title: string;
  details: string;
  /** `YYYY-MM-DD`, or since Stash 0.30 also `YYYY` or `YYYY-MM`; null when unset. */
  date: string | null;
  /** Full paths as Stash sees them; the first is the primary file. May be empty: a scene without a file. */
  files: string[];
  studio: { id: string; name: string } | null;
  /** In Stash's order. */
  performers: { id: string; name: string }[];
  tags: { id: string; name: string }[];
  /** Groups the scene is part of (formerly "movies"). */
  groups: { id: string; name: string }[];
}
