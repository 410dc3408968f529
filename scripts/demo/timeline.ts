/** What happened over time: requests per second as bars; under them, on the same axis, what waited and who was there. */
import { bars, type Column, columnsOf, runs } from './chart';
import type { Sample } from './moment';
import { apart, type Paint } from './text';

/** This much time fits; what is older moves out on the left. */
const shownMs = 36_000;
const axisWidth = 14;
/** A scale that does not change with every request, and on which a single one does not look like a flood. */
const topStep = 10;

export function timeline(
  samples: readonly Sample[],
  width: number,
  chartHeight: number,
  paint: Paint,
): string[] {
  const room = width - axisWidth;
  const columns = columnsOf(samples, Math.ceil(shownMs / room), room);
  const rates = columns.map(({ requestsPerSecond }) => requestsPerSecond);
  const top = topStep * Math.max(1, Math.ceil(Math.max(0, ...rates) / topStep));
  const waiting = columns.map((column) => column.waiting);
  const most = Math.max(1, ...waiting);
  const words = ['requests', 'to Plex', 'per second'];
  const axis = (word: string, scale: string) => paint.dim(`${apart(word, scale, axisWidth - 2)} │`);
  const scaleOf = (row: number) => (row === 0 ? String(top) : row === chartHeight - 1 ? '0' : '');
  return [
    ...bars(rates, chartHeight, top).map((row, i) => axis(words[i] ?? '', scaleOf(i)) + paint.cyan(row)),
    axis('waiting', String(most)) + paint.yellow(bars(waiting, 1, most).join('')),
    axis('Plex', '') + band(columns, ({ plexIsUp }) => plexIsUp, paint),
    axis('worker', '') + band(columns, ({ workerLives }) => workerLives, paint),
  ];
}

/** Blank until it was there for the first time. */
function band(columns: readonly Column[], isThere: (column: Column) => boolean, paint: Paint): string {
  const cells = columns.map(isThere);
  const first = cells.indexOf(true);
  if (first < 0) return '';
  const parts = runs(cells.slice(first)).map(({ is, length }) =>
    is ? paint.green('━'.repeat(length)) : paint.red('░'.repeat(length)),
  );
  return ' '.repeat(first) + parts.join('');
}
