/** What happened over time: requests per second as bars; under them, on the same axis, what waited and who was there. */
import { bars, type Column, columnsOf, runs } from './chart';
import type { GateState, Sample } from './moment';
import { apart, type Paint } from './text';

/** This much time fits; what is older moves out on the left. */
const shownMs = 40_000;
export const axisWidth = 14;
/** A scale that does not change with every request, and on which a single one does not look like a flood. */
const topStep = 10;

export const axis = (word: string, scale: string, paint: Paint): string =>
  paint.dim(`${apart(word, scale, axisWidth - 2)} │`);

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
  const scaleOf = (row: number) => (row === 0 ? String(top) : row === chartHeight - 1 ? '0' : '');
  return [
    ...bars(rates, chartHeight, top).map(
      (row, i) => axis(words[i] ?? '', scaleOf(i), paint) + paint.cyan(row),
    ),
    axis('waiting', String(most), paint) + paint.yellow(bars(waiting, 1, most).join('')),
    axis('Plex', '', paint) + band(columns, ({ plexIsUp }) => plexIsUp, paint),
    axis('breaker', '', paint) + gateBand(columns, paint),
    axis('worker', '', paint) + band(columns, ({ workerLives }) => workerLives, paint),
  ];
}

/** Blank until it was there for the first time. */
export function band(columns: readonly Column[], isThere: (column: Column) => boolean, paint: Paint): string {
  const cells = columns.map(isThere);
  const first = cells.indexOf(true);
  if (first < 0) return '';
  const parts = runs(cells.slice(first)).map(({ is, length }) =>
    is ? paint.green('━'.repeat(length)) : paint.red('░'.repeat(length)),
  );
  return ' '.repeat(first) + parts.join('');
}

/** How the states of the gate look; a recovery is as high as the rate that it allows. */
export const gateMarks: Record<GateState, { mark: string; colour: keyof Paint }> = {
  closed: { mark: '━', colour: 'green' },
  open: { mark: '░', colour: 'red' },
  'half-open': { mark: '◆', colour: 'cyan' },
  recovery: { mark: '▁▃▅▇', colour: 'yellow' },
};

export function legend(paint: Paint): string {
  const states: readonly GateState[] = ['closed', 'open', 'half-open', 'recovery'];
  const shown = states.map((is) => {
    const { mark, colour } = gateMarks[is];
    return `${paint[colour](mark)} ${paint.dim(is.replace('-', ' '))}`;
  });
  return ' '.repeat(axisWidth) + shown.join('   ');
}

function gateBand(columns: readonly Column[], paint: Paint): string {
  let from = 0;
  const parts = runs(columns.map(({ gate }) => gate)).map(({ is, length }) => {
    const heights = columns.slice(from, from + length).map(({ ramp }) => ramp);
    from += length;
    const { mark, colour } = gateMarks[is];
    return paint[colour](is === 'recovery' ? bars(heights, 1, 1).join('') : mark.repeat(length));
  });
  return parts.join('');
}
