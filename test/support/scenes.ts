import type { Scene } from '../../src/stash/scene';

/** A scene with one file and nothing else; what a test cares for it says itself. */
export function aScene(over: Partial<Scene> = {}): Scene {
  const { id = 1 } = over;
  return {
    id,
    title: '',
    code: '',
    details: '',
    date: null,
    director: '',
    rating100: null,
    organized: false,
    cover: null,
    files: [`/data/library/Scene ${id}.mp4`],
    studio: null,
    performers: [],
    tags: [],
    groups: [],
    ...over,
  };
}
