/**
 * Whether a scene should be queued, judged by what is at hand: the scene as Stash tells it, the ledger, and a listing of
 * Plex's libraries. Nothing is asked; what Plex's listing says about our own last write is noted in the ledger. For
 * `reconcile`, which looks at every scene.
 *
 * Holds: a scene that is in step is not queued, and one that is not is, except where Plex shows something else by a
 * change within the seconds of our own write. A scene that was given up because Plex does not have it is queued only
 * when Plex has it now.
 */
import { pathKey } from '../plex/path-map';
import { shortHash } from '../shared/hash';
import type { Scene } from '../stash/scene';
import { whyFiltered } from './filters';
import type { LedgerEntry } from './ledger-entry';
import { noCover, pictureKinds } from './pictures';
import { type PlanPorts, saysAllIsWell } from './plan';
import { isAsWeLeftIt } from './sight';
import { formerLists, wantedState } from './wanted';

export const differences = {
  new: 'never synced',
  stash: 'changed in Stash',
  cover: 'perhaps with a new cover',
  plex: 'changed in Plex',
  lost: 'not where they were in Plex',
  unsure: 'interrupted before they were done',
} as const;

export type Difference = keyof typeof differences;

/** `isGivenUp`: there is a dead letter for it. */
export function whyDifferent(
  scene: Scene,
  isGivenUp: boolean,
  { finder, ledger, settings }: Pick<PlanPorts, 'finder' | 'ledger' | 'settings'>,
): Difference | null {
  if (whyFiltered(scene, settings)) return null;
  const files = scene.files.map((path) => finder.mapped(path));
  const listed = files.flatMap((file) => finder.index.find(file));
  const known = ledger.get(scene.id);
  if (!known) return listed.length === 0 && (isGivenUp || settings.plexMissing === 'drop') ? null : 'new';
  if (known.stale) return 'unsure';
  const kinds = pictureKinds(settings);
  const isSameCover = kinds.length === 0 || known.pictures?.from === scene.cover;
  if (!isSameCover) return 'cover';
  const aim = {
    scene,
    files,
    file: shortHash(files.map(pathKey).sort()),
    wanted: wantedState(scene, settings),
    former: formerLists(settings),
    kinds,
    cover: { ...noCover, sha1: known.pictures?.sha1 ?? null },
    known,
  };
  if (!saysAllIsWell(known, aim)) return 'stash';
  return whyElsewhere(scene.id, known, listed, { finder, ledger });
}

function whyElsewhere(
  scene: number,
  known: LedgerEntry,
  listed: readonly { ratingKey: string; updatedAt: number }[],
  { finder, ledger }: Pick<PlanPorts, 'finder' | 'ledger'>,
): Difference | null {
  const atPath = listed.find(({ ratingKey }) => ratingKey === known.ratingKey);
  const there = atPath ?? (known.byName ? finder.index.item(known.ratingKey) : null);
  if (!there) return 'lost';
  if (!isAsWeLeftIt(known, there.updatedAt)) return 'plex';
  // From now on any other time is somebody else's change.
  if (known.seen === undefined) ledger.put(scene, { ...known, seen: there.updatedAt });
  return null;
}
