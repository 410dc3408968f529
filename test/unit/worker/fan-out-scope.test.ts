import { expect, it } from 'vitest';
import { concernsPlex } from '../../../src/worker/fan-out-scope';

it.each([
  ['Performer', ['id', 'name'], true],
  ['Performer', ['id', 'alias_list', 'favorite', 'image'], false],
  ['Studio', ['id', 'name'], true],
  ['Studio', ['id', 'parent_id'], true],
  ['Studio', ['id', 'aliases', 'url'], false],
  ['Tag', ['name'], true],
  ['Tag', ['id', 'parent_ids', 'child_ids', 'description'], false],
  ['Group', ['id', 'name'], true],
  ['Group', ['id', 'synopsis', 'front_image'], false],
  ['Tag', [], false],
] as const)('of a %s with %j touched, Plex shows something: %s', (object, fields, shown) => {
  expect(concernsPlex(object, fields)).toBe(shown);
});

it('a change of which nobody knows what it touched may have touched anything', () => {
  for (const object of ['Performer', 'Studio', 'Tag', 'Group'] as const)
    expect(concernsPlex(object, null)).toBe(true);
});
