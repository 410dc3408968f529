import { describe, expect, it } from 'vitest';
import { type Compared, compareScene, isInStep } from '../../../scripts/demo/comparison';
import { comparisonTable } from '../../../scripts/demo/table';
import { painter, widthOf } from '../../../scripts/demo/text';

const shown: Compared = {
  title: 'Choir in the Tunnel',
  summary: 'Nine seconds of echo,\nand then some.',
  studio: 'Lantern',
  date: '2023-12-16',
  actors: ['Chiara Lupo', 'Sam Okafor', 'Mina Sato'],
  genres: [],
  poster: '0beec7b5ea3f0fdbc95d0dd47f3c5bc275da8a33',
};
const plain = painter(false);

describe('the comparison', () => {
  it('ticks every field that is the same', () => {
    const scene = compareScene(14, shown, { ...shown });
    expect(isInStep(scene)).toBe(true);
    const lines = comparisonTable([scene], 80, plain);
    expect(lines).toHaveLength(2);
    expect(lines[1]?.match(/✓/g)).toHaveLength(7);
    expect(lines[1]).not.toContain('✗');
  });

  it('crosses what differs, also in the order of people, and says what Plex shows instead', () => {
    const inPlex = { ...shown, studio: '', date: '2020-01-01', actors: [...shown.actors].reverse() };
    const scene = compareScene(14, shown, inPlex);
    expect(isInStep(scene)).toBe(false);
    const [, row = '', instead = ''] = comparisonTable([scene], 120, plain);
    expect(row.match(/✗/g)).toHaveLength(3);
    expect(instead).toContain('2020-01-01');
    expect(instead).toContain('(empty)');
    expect(instead).toContain('Mina Sato');
    expect(instead).not.toContain('Choir');
    expect(instead.indexOf('2020-01-01')).toBe(row.indexOf('2023-12-16'));
  });

  it('counts a scene that Plex does not have as different in every field', () => {
    const scene = compareScene(14, shown, null);
    expect(Object.values(scene.fields).some(({ isSame }) => isSame)).toBe(false);
    expect(comparisonTable([scene], 120, plain)[2]).toContain('(not there)');
  });

  it.each([60, 79, 100, 160])('fits %i columns, coloured or not, and shows dates whole', (width) => {
    const scene = compareScene(14, shown, { ...shown, title: 'Choir' });
    for (const coloured of [true, false]) {
      const lines = comparisonTable([scene, scene], width, painter(coloured));
      for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
      expect(lines[1]).toContain('2023-12-16');
    }
  });

  it('leaves out scenes without a difference when there are many, and says how many', () => {
    const same = (count: number) =>
      Array.from({ length: count }, (_, n) => compareScene(n + 1, shown, { ...shown }));
    const differs = compareScene(99, shown, { ...shown, title: 'Choir' });
    expect(comparisonTable(same(12), 80, plain)).toHaveLength(1 + 12);
    const lines = comparisonTable([...same(40), differs], 80, plain);
    expect(lines).toHaveLength(1 + 12 + 2 + 1);
    expect(lines.join('\n')).toContain(' 99 ✗ Choir');
    expect(lines.at(-1)).toBe('    ✓ and 28 more scenes that are the same in every field');
    expect(comparisonTable(same(13), 80, plain).at(-1)).toContain('1 more scene that is the same');
  });

  it('names as many people as there is room for, and how many more there are', () => {
    const row = (width: number) => comparisonTable([compareScene(14, shown, shown)], width, plain)[1];
    expect(row(80)).toMatch(/Chi.*… \+2/);
    expect(row(120)).toContain('Chiara Lupo +2');
    expect(row(300)).toContain('Chiara Lupo, Sam Okafor, Mina Sato');
  });
});
