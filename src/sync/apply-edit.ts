/**
 * Writes an edit and, where Plex may have done only a part of it, looks and finishes the rest.
 *
 * Usually one PUT. Tags that had to go cost one GET to see that they went; if not, they are removed one by one.
 * People in another order than asked for are forgotten and named anew, once; then Plex's order is accepted: it
 * has the right people, and asking again would change nothing.
 */
import type { PlexItem } from '../plex/answers';
import type { PlexClient } from '../plex/client';
import { PlexError } from '../plex/errors';
import type { Params } from '../plex/query-string';
import { type Edit, reordering, surplus } from './difference';
import type { Wanted } from './wanted';

/** How often what remains is removed once more. */
const moreRounds = 3;

export type EditingPlex = Pick<PlexClient, 'item' | 'edit'>;

export async function applyEdit(
  edit: Edit,
  wanted: Wanted,
  item: PlexItem,
  plex: EditingPlex,
  signal: AbortSignal,
): Promise<void> {
  const put = async (params: Params) => {
    try {
      await plex.edit(item.sectionKey, item.ratingKey, params, signal);
    } catch (error) {
      throw error instanceof PlexError && error.status === 404 ? new ItemVanished() : error;
    }
  };
  const look = async () => {
    const seen = await plex.item(item.ratingKey, signal);
    if (seen === null) throw new ItemVanished();
    return seen;
  };

  await put(edit.params);
  if (!edit.verify) return;

  let seen = await look();
  for (let round = 0; round < moreRounds; round++) {
    const rest = surplus(wanted, seen);
    if (rest.length === 0) break;
    for (const { params } of rest) await put(params);
    seen = await look();
  }
  const kept = surplus(wanted, seen).map(({ tag }) => `"${tag}"`);
  if (kept.length > 0) {
    throw new PlexError(
      'bad-data',
      `Plex does not let go of ${kept.join(', ')}. Remove it there by hand, then retry.`,
    );
  }

  const anew = reordering(wanted, seen);
  if (anew === null) return;
  await put(anew.clear);
  await put(anew.name);
}

/** Plex gave up the item while we were at it: it was there, and may be back after Plex's scan. */
export class ItemVanished extends Error {
  constructor() {
    super('The item vanished from Plex while it was being written.');
    this.name = 'ItemVanished';
  }
}
