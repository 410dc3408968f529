import { expect, it } from 'vitest';
import { films } from '../../../scripts/demo/library';
import { count, cut, median, padded, painter, widthOf } from '../../../scripts/demo/text';

it('the median is the one in the middle, or between the two', () => {
  expect(median([])).toBeNull();
  expect(median([9, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 100])).toBe(3);
});

it('a text is cut by characters and told in one line', () => {
  expect(cut('two\nlines', 20)).toBe('two lines');
  expect(cut('Runa Ødegård', 8)).toBe('Runa Ød…');
  expect(cut('Moss', 0)).toBe('');
});

it('things are counted in the right number', () => {
  expect([count(1, 'save'), count(2, 'save')]).toEqual(['1 save', '2 saves']);
  expect([count(1, 'try', 'tries'), count(0, 'try', 'tries')]).toEqual(['1 try', '0 tries']);
});

it("the films have different names, which are their files' names", () => {
  expect(new Set(films.map(({ title }) => title)).size).toBe(films.length);
  for (const { title } of films) expect(title).not.toMatch(/[/\\]/);
});

it('coloured text takes no more room than plain text', () => {
  const { red } = painter(true);
  expect(widthOf(red('down'))).toBe(4);
  expect(widthOf(padded(red('down'), 9))).toBe(9);
});
