/**
 * Whether a scene should be queued, judged by what is at hand: the scene as Stash tells it, the ledger, and a listing of
 * Plex's libraries. Nothing is asked; what Plex's listing says about our own last write is noted in the ledger. For
 * `reconcile`, which looks at every scene.
 *
 * Holds: a scene that is in step is not queued, and one that is not is, except where Plex shows something else by a
 * change within the seconds of our own write. A scene that Plex does not list is left alone; one that was given up is
 * queued again only if Plex has one item for it, and no scene of a lower id has that item.
 */
import type { Scene } from '../stash/scene';
import { noCover } from './cover';
import { whyFiltered } from './filters';
import { aimFor, listedAs, type PlanPorts, saysAllIsWell } from './plan';
import { isAsWeLeftIt } from './sight';

export const differences = {
  new: 'never synced',
  stash: 'changed in Stash',
  cover: 'perhaps with a new cover',
  plex: 'changed in Plex',
  lost: 'not where they were in Plex',
  unsure: 'interrupted before they were done',
} as const;

export type Difference = keyof typeof differences;

/** `givenUp`: the kind of its dead letter, if there is one. */
export function whyDifferent(
  scene: Scene,
  givenUp: string | null,
  ports: Pick<PlanPorts, 'finder' | 'ledger' | 'settings'>,
): Difference | null {
  const { ledger, settings } = ports;
  if (whyFiltered(scene, settings)) return null;
  const known = ledger.get(scene.id);
  const aim = aimFor(scene, { ...noCover, sha1: known?.pictures?.sha1 ?? null }, known, ports);
  const { files, kinds } = aim;
  const isUnsynced = !known || known.stale === true;
  if ((isUnsynced || givenUp !== null) && isHopeless(scene.id, files, givenUp, ports)) return null;
  if (!known) return 'new';
  if (known.stale) return 'unsure';
  if (!saysAllIsWell(known, aim, settings)) return 'stash';
  const there = listedAs(known, files, ports);
  if (!there) return 'lost';
  if (!isAsWeLeftIt(known, there.updatedAt)) return 'plex';
  // Its address changes with everything, so that alone says least.
  if (kinds.length > 0 && known.pictures?.from !== scene.cover) return 'cover';
  // From now on any other time is somebody else's change.
  if (known.seen === undefined) ledger.put(scene.id, { ...known, seen: there.updatedAt });
  return null;
}

/** Whether what kept a scene from being synced would do so again. What Plex does not list, it does not have. */
function isHopeless(
  scene: number,
  files: readonly string[],
  givenUp: string | null,
  { finder, ledger, settings }: Pick<PlanPorts, 'finder' | 'ledger' | 'settings'>,
): boolean {
  if (givenUp === 'killed-worker') return true;
  const byPath = itemsOf(files, (file) => finder.index.find(file));
  const byName = settings.plexMatchByName ? (file: string) => finder.index.findByName(file) : () => [];
  const at = byPath.length > 0 ? byPath : itemsOf(files, byName);
  const [ratingKey] = at;
  if (ratingKey === undefined) return true;
  return givenUp !== null && (at.length > 1 || (ledger.sceneAt(ratingKey) ?? scene) < scene);
}

const itemsOf = (files: readonly string[], find: (file: string) => { ratingKey: string }[]): string[] => [
  ...new Set(files.flatMap(find).map(({ ratingKey }) => ratingKey)),
];
