/**
 * A library of any size that nobody has to keep: every scene is made up from its id, and from how often it was edited
 * (its take). For measurements with servers inside this process, which answer at once.
 */
import { createHash } from 'node:crypto';
import type { Cover } from '../../src/stash/picture';
import type { Scene } from '../../src/stash/scene';
import { StashLink } from '../../src/worker/stash-link';

export const folder = '/data/library';
export const fileOf = (id: number | string): string => `${folder}/Scene ${id}.mp4`;

const titleOf = (id: number, take: number): string => `A film about river ${id}, take ${take}`;

/** The take that a title names; null: it is none of ours. */
export function takeIn(title: string): number | null {
  const take = /, take (\d+)$/.exec(title)?.[1];
  return take === undefined ? null : Number(take);
}

const named = (kind: string, count: number, first: number) =>
  Array.from({ length: count }, (_, n) => ({ id: String(first + n), name: `${kind} ${first + n}` }));

/** Takes differ in their title only. */
export function sceneOf(id: number, take = 1): Scene {
  return {
    id,
    title: titleOf(id, take),
    code: `NSF-${id}`,
    details: 'What the river does in summer, and who lives on its banks. '.repeat(3),
    date: '2024-05-06',
    director: 'Ines Marlow',
    rating100: 75,
    organized: true,
    cover: `/scene/${id}/screenshot?t=1`,
    files: [fileOf(id)],
    studio: { id: '3', name: 'North Shore Films', parent: null },
    performers: named('Person', 3, id % 500),
    tags: named('Tag', 6, id % 200),
    groups: [],
  };
}

/** Small, and another one for every text. */
export function coverFrom(text: string): Cover {
  const bytes = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(2_000, text)]);
  return { bytes, sha1: createHash('sha1').update(bytes).digest('hex'), type: 'image/jpeg' };
}

/** The worker's way to a Stash that answers at once and has every scene. */
export class InstantStash extends StashLink {
  /** Of all scenes. */
  take = 1;

  override scene(id: number): Promise<Scene> {
    return Promise.resolve(sceneOf(id, this.take));
  }

  override cover(path: string): Promise<Cover> {
    return Promise.resolve(coverFrom(path));
  }
}
