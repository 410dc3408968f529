import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FileIndex } from '../../sim/plex/file-index';

const name = fc.string({ unit: fc.constantFrom('a', 'b', 'A', '-', '1'), minLength: 1, maxLength: 9 });
const path = fc
  .tuple(fc.array(name, { maxLength: 2 }), name)
  .map(([folders, file]) => `/${[...folders, file].join('/')}`);
/** Paths that come (when they are away) and go (when they are there). */
const comings = fc.array(fc.nat({ max: 7 }), { maxLength: 30 });

test('finds exactly the paths that contain the fragment, whatever came and went before and after', () => {
  fc.assert(
    fc.property(
      fc.array(path, { minLength: 1, maxLength: 8 }),
      comings,
      comings,
      fc.nat({ max: 12 }),
      fc.integer({ min: 1, max: 12 }),
      (paths, before, after, start, length) => {
        const fragment = (paths[0] ?? '').slice(start).slice(0, length) || 'nowhere';
        const index = new FileIndex<string>();
        const present = new Set<string>();
        for (const list of [before, after]) {
          for (const path of list.flatMap((number) => paths[number] ?? [])) {
            if (present.delete(path)) index.remove(path);
            else index.add(path, path);
            if (index.get(path)) present.add(path);
          }
          const wanted = [...present].filter((path) => path.toLowerCase().includes(fragment.toLowerCase()));
          expect([...index.containing(fragment)].sort()).toEqual(wanted.sort());
        }
      },
    ),
    { numRuns: 2000 },
  );
});

test('looks at few of 100,000 paths for a name, where a part of a path costs a scan', () => {
  const index = new FileIndex<number>();
  for (let i = 0; i < 100_000; i++) index.add(`/media/folder ${i % 300}/a film of some length ${i}.mp4`, i);
  expect([...index.containing('length 4711.mp4')]).toEqual([4711]);
  const time = (fragment: (i: number) => string) => {
    const started = performance.now();
    for (let i = 0; i < 20; i++) expect(index.containing(fragment(i * 97)).size).toBe(1);
    return performance.now() - started;
  };
  const scanned = time((i) => `${i % 300}/a film of some length ${i}.mp4`);
  expect(time((i) => `a film of some length ${i}.mp4`)).toBeLessThan(scanned / 5);
});
