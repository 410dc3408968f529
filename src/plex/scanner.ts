/**
 * Asks Plex to scan the folder of a file that it does not have yet.
 *
 * Holds: a folder, never a file (Plex would scan another place) and never a whole library; only folders that lie in a
 * chosen library; each at most once a minute, however many of its files are missing; what it remembers is bounded.
 * A request that failed counts as not made.
 */
import type { Clock } from '../shared/clock';
import type { PlexLibrary } from './answers';
import type { PlexClient } from './client';
import { folderOf, isInside, pathKey } from './path-map';

export interface FolderScannerOptions {
  client: Pick<PlexClient, 'scan'>;
  clock: Clock;
}

const apartMs = 60_000;
const remembered = 1_000;

export class FolderScanner {
  readonly #options: FolderScannerOptions;
  /** When each folder was last asked for, by library and path; the oldest first. */
  readonly #askedAt = new Map<string, number>();

  constructor(options: FolderScannerOptions) {
    this.#options = options;
  }

  /**
   * Asks for a scan of this file's folder, as Plex sees it. False: it was asked for already, or the file is in no
   * folder of these libraries.
   */
  async request(file: string, libraries: readonly PlexLibrary[], signal: AbortSignal): Promise<boolean> {
    const folder = folderOf(file);
    if (folder === null) return false;
    const homes = libraries.filter(({ locations }) => locations.some((root) => isInside(folder, root)));
    let asked = false;
    for (const { key } of homes) asked = (await this.#scan(key, folder, signal)) || asked;
    return asked;
  }

  async #scan(sectionKey: string, folder: string, signal: AbortSignal): Promise<boolean> {
    const { client, clock } = this.#options;
    const id = `${sectionKey} ${pathKey(folder)}`;
    const before = this.#askedAt.get(id);
    const age = before === undefined ? Number.POSITIVE_INFINITY : clock.now() - before;
    if (age >= 0 && age < apartMs) return false;
    this.#remember(id, clock.now());
    try {
      await client.scan(sectionKey, folder, signal);
      return true;
    } catch (error) {
      this.#askedAt.delete(id);
      throw error;
    }
  }

  #remember(id: string, now: number): void {
    this.#askedAt.delete(id);
    this.#askedAt.set(id, now);
    const [oldest] = this.#askedAt.keys();
    if (this.#askedAt.size > remembered && oldest !== undefined) this.#askedAt.delete(oldest);
  }
}
