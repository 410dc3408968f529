/** Another object of Stash as far as Plex shows it. The id is text, as Stash gives it. */
export interface Named {
  id: string;
  name: string;
}

/** A scene as Stash tells it, already parsed: what `src/sync` computes from. */
export interface Scene {
  id: number;
  title: string;
  /** The studio's own number for it; empty when unset. */
  code: string;
  details: string;
  /** `YYYY-MM-DD`, or since Stash 0.30 also `YYYY` or `YYYY-MM`; null when unset. */
  date: string | null;
  /** One text, also when it names several people; empty when unset. */
  director: string;
  /** 1 to 100; null when unset. */
  rating100: number | null;
  organized: boolean;
  /**
   * Path and query of the cover at Stash, for `StashClient.cover`; null when Stash names none. Stash names one for
   * every scene, also for one without a cover. Holds: it changes whenever the cover may have changed, because
   * `updated_at` is in it; so it also changes with everything else about the scene.
   */
  cover: string | null;
  /** Full paths as Stash sees them; the first is the primary file. May be empty: a scene without a file. */
  files: string[];
  studio: (Named & { parent: Named | null }) | null;
  /** In Stash's order. */
  performers: Named[];
  tags: Named[];
  /** Groups the scene is part of (formerly "movies"). */
  groups: Named[];
}
