import type { Household } from '../household';
import type { SceneRecord } from '../stash/records';
import type { Chance } from './chance';

/** What the steps of a random run share. */
export interface World {
  readonly household: Household;
  readonly chance: Chance;
  readonly keepsOwn: boolean;
  /** Grows with every value that is made up, so that no two are the same by accident. */
  count: number;
  /** Whether Plex is away. */
  isDown: boolean;
  /** Scenes that Stash changed without telling anybody; an edit of the scene itself brings everything along. */
  readonly untold: Set<number>;
  /** Scenes whose item a person or Plex has changed: Sluice need not notice before it looks. */
  readonly changedInPlex: Set<number>;
  /** Scenes whose second file has an item of its own in Plex: with two candidates neither need be touched. */
  readonly ambiguous: Set<number>;
}

/** One thing that happens. What it says is for a person who has to understand a failed run; null: not possible now. */
export interface Step {
  weight: number;
  take(world: World): Promise<string | null>;
}

export const scenesOf = ({ household }: World): SceneRecord[] => [...household.stash.store.scenes.all()];

/** A hook has named these scenes. */
export function told({ untold }: World, ids: number[]): void {
  for (const id of ids) untold.delete(id);
}

/** Something that runs no hook: the scenes that it changed are out of step until somebody looks. */
export async function silently(world: World, act: () => Promise<unknown>): Promise<void> {
  const now = () =>
    new Map(scenesOf(world).map((scene) => [scene.id, JSON.stringify([scene, filesOf(world, scene)])]));
  const before = now();
  await act();
  for (const [id, text] of now()) if (before.get(id) !== text) world.untold.add(id);
}

/** A file of Stash as Plex sees it. */
export const inPlex = (path: string): string => path.replace(/^\/data\//, '/media/');

const filesOf = ({ household }: World, { fileIds }: SceneRecord) =>
  fileIds.map((id) => household.stash.store.files.get(id)?.path);

export const fileOf = ({ household }: World, scene: SceneRecord): string =>
  inPlex(household.stash.store.primaryFile(scene)?.path ?? '');

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
