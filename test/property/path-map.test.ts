import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isInside, mapPath, pathKey, samePath } from '../../src/plex/path-map';
import type { PathRule } from '../../src/stash/path-rule';

/** Few letters, so that prefixes collide; some characters that mean something elsewhere. */
const name = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    'ab',
    'A',
    'data',
    'Vélo'.normalize('NFC'),
    'Vélo'.normalize('NFD'),
    'x, y',
    '100%',
  ),
  fc.string({ minLength: 1, maxLength: 6 }).filter((text) => !/[\\/:?]/.test(text)),
);
const names = fc.array(name, { minLength: 1, maxLength: 5 });
const posix = names.map((parts) => `/${parts.join('/')}`);
const windows = fc
  .tuple(fc.constantFrom('C:', 'd:', '\\\\nas'), names, fc.constantFrom('\\', '/'))
  .map(([root, parts, separator]) => `${root}\\${parts.join(separator)}`);
const path = fc.oneof(posix, windows);
const rule: fc.Arbitrary<PathRule> = fc.record({ from: path, to: path });
const rules = fc.array(rule, { maxLength: 4 });

describe('mapPath', () => {
  it('leaves a path alone that is inside no rule', () => {
    fc.assert(
      fc.property(path, rules, (one, map) => {
        fc.pre(!map.some(({ from }) => isInside(one, from)));
        expect(mapPath(one, map)).toBe(one);
      }),
    );
  });

  it('puts a path that is inside a rule inside the target of one of the longest that apply', () => {
    fc.assert(
      fc.property(names, fc.nat(), rules, (parts, cut, map) => {
        const from = `/${parts.slice(0, 1 + (cut % parts.length)).join('/')}`;
        const one = `/${parts.join('/')}`;
        const all = [...map, { from, to: '/target' }];
        const applying = all.filter((candidate) => isInside(one, candidate.from));
        const depth = (candidate: PathRule) => pathKey(candidate.from).length;
        const longest = Math.max(...applying.map(depth));
        const result = mapPath(one, all);
        expect(applying.some((best) => depth(best) === longest && isInside(result, best.to))).toBe(true);
      }),
    );
  });

  it('can be undone by the reversed rule', () => {
    fc.assert(
      fc.property(path, path, fc.array(name, { maxLength: 3 }), (from, to, below) => {
        const one = [from, ...below].join('/');
        fc.pre(!one.startsWith('/') || !below.some((part) => part.includes('\\')));
        const there = mapPath(one, [{ from, to }]);
        const back = mapPath(there, [{ from: to, to: from }]);
        expect(samePath(back, one)).toBe(true);
      }),
    );
  });

  it('does not depend on the order of rules with different prefixes', () => {
    fc.assert(
      fc.property(path, rules, (one, map) => {
        fc.pre(new Set(map.map(({ from }) => pathKey(from))).size === map.length);
        expect(mapPath(one, map.toReversed())).toBe(mapPath(one, map));
      }),
    );
  });
});

describe('samePath', () => {
  it('is true of a path and itself in every spelling', () => {
    fc.assert(
      fc.property(path, (one) => {
        expect(samePath(one, one.normalize('NFD'))).toBe(true);
        if (one.startsWith('/')) return;
        expect(samePath(one, one.replaceAll('/', '\\'))).toBe(true);
        expect(samePath(one, one.normalize('NFC').toLowerCase())).toBe(true);
        expect(samePath(one, one.startsWith('\\\\') ? `\\\\?\\UNC${one.slice(1)}` : `\\\\?\\${one}`)).toBe(
          true,
        );
      }),
    );
  });

  it('is an equivalence, and respects what is inside what', () => {
    fc.assert(
      fc.property(path, path, path, (a, b, folder) => {
        expect(samePath(a, b)).toBe(samePath(b, a));
        if (samePath(a, b)) expect(isInside(a, folder)).toBe(isInside(b, folder));
      }),
    );
  });
});
