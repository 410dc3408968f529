/**
 * What a Plex server was seen to do with lists of names, where sources disagree: learned by looking once and
 * believed from then on, so that an edit costs one request and not two. In memory, one for each target.
 *
 * Holds: only what was seen is believed, and only for what it was seen with; whatever a later look contradicts is
 * forgotten. A belief that is wrong all the same is found by the next pass that compares.
 *
 * Removals are seen to work apart for lists that are named in the same request (there a Plex that replaces lists
 * does the work) and for lists that are not; and one at a time says nothing about several.
 */
export type Removal = 'beside-names' | 'alone';

export class Habits {
  /** How many removals in one request were all seen to be honoured: 2 stands for any number above one. */
  readonly #removed: Record<Removal, 0 | 1 | 2> = { 'beside-names': 0, alone: 0 };

  /** Whether a list is shown in the order in which it was sent (true), or names keep the places they had. */
  ordersAsSent: boolean | null = null;

  /** Whether a list can be emptied in one request. */
  empties: boolean | null = null;

  /** Whether a list that is named in several requests is whole in the end. */
  takesParts: boolean | null = null;

  /** Whether removals of this kind need not be looked at when there are `count` of any kind in the request. */
  removes(how: Removal, count: number): boolean {
    return this.#removed[how] >= Math.min(count, 2);
  }

  /** All removals of one request were seen to be honoured; `count` of them were of this kind. */
  sawRemoved(how: Removal, count: number): void {
    if (count > this.#removed[how]) this.#removed[how] = count > 1 ? 2 : 1;
  }

  sawNotRemoved(): void {
    this.#removed['beside-names'] = 0;
    this.#removed.alone = 0;
  }
}
