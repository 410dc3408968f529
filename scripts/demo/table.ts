/** The table at the end: a row for a scene, a tick or a cross for each field. */
import { type ComparedField, type ComparedScene, type FieldName, isInStep } from './comparison';
import { count, cut, type Paint, padded } from './text';

/** The columns, and what part of the room each gets; a date is always shown whole. Of a cover it is the SHA-1. */
const columns: readonly { name: FieldName; heading: string; share: number }[] = [
  { name: 'title', heading: 'title', share: 17 },
  { name: 'summary', heading: 'summary', share: 8 },
  { name: 'studio', heading: 'studio', share: 8 },
  { name: 'date', heading: 'date', share: 0 },
  { name: 'actors', heading: 'people', share: 9 },
  { name: 'genres', heading: 'tags', share: 8 },
  { name: 'poster', heading: 'cover', share: 4 },
];
const dateWidth = '2024-01-31'.length;
const idWidth = 3;
const tickWidth = 2;
const gap = ' ';

/** Every scene that differs, but no more than this many that do not: the others are counted. */
const mostInStep = 12;

export function comparisonTable(scenes: readonly ComparedScene[], width: number, paint: Paint): string[] {
  const widths = columnWidths(width);
  const heads = columns.map(({ heading }, i) =>
    padded(`  ${cut(heading, widths[i] ?? 0)}`, tickWidth + (widths[i] ?? 0)),
  );
  const lines = [paint.bold(`${' '.repeat(idWidth)}${gap}${heads.join(gap)}`.trimEnd())];
  const inStep = scenes.filter(isInStep);
  const left = new Set(inStep.slice(mostInStep));
  for (const compared of scenes) {
    if (left.has(compared)) continue;
    const { scene, fields } = compared;
    const cells = columns.map(({ name }, i) => {
      const { isSame, inStash } = fields[name];
      const value = padded(shown(inStash, widths[i] ?? 0), widths[i] ?? 0);
      return isSame ? `${paint.green('✓')} ${value}` : paint.red(`✗ ${value}`);
    });
    lines.push(`${paint.dim(String(scene).padStart(idWidth))}${gap}${cells.join(gap)}`.trimEnd());
    if (!isInStep(compared)) lines.push(inPlexInstead(fields, widths, paint));
  }
  if (left.size > 0) {
    const more = `and ${count(left.size, 'more scene')} that ${left.size === 1 ? 'is' : 'are'} the same in every field`;
    lines.push(
      `${' '.repeat(idWidth)}${gap}${paint.green('✓')} ${cut(more, width - idWidth - gap.length - tickWidth)}`,
    );
  }
  return lines;
}

/** Under a row with a cross: what Plex shows there. */
function inPlexInstead(
  fields: Record<FieldName, ComparedField>,
  widths: readonly number[],
  paint: Paint,
): string {
  const cells = columns.map(({ name }, i) => {
    const width = widths[i] ?? 0;
    const { isSame, inPlex } = fields[name];
    const value = inPlex === null ? '(not there)' : shown(inPlex, width) || '(empty)';
    return ' '.repeat(tickWidth) + padded(isSame ? '' : cut(value, width), width);
  });
  return paint.red(`${' '.repeat(idWidth)}${gap}${cells.join(gap)}`.trimEnd());
}

function columnWidths(width: number): number[] {
  const taken = idWidth + columns.length * (tickWidth + gap.length) + dateWidth;
  const free = Math.max(0, width - taken);
  const shares = columns.reduce((sum, { share }) => sum + share, 0);
  return columns.map(({ name, share }) =>
    name === 'date' ? dateWidth : Math.floor((free * share) / shares),
  );
}

/** Of a list, as many names as there is room for, and how many more there are. */
function shown(value: string | string[], width: number): string {
  if (typeof value === 'string') return cut(value, width);
  for (let named = value.length; named > 0; named--) {
    const more = value.length - named;
    const rest = more > 0 ? ` +${more}` : '';
    const text = value.slice(0, named).join(', ');
    if (text.length + rest.length <= width) return text + rest;
    if (named === 1) return cut(text, width - rest.length) + rest;
  }
  return '';
}
