/** Time as a picture: columns of blocks, and bands that are there or not. */
import type { GateState, Sample } from './moment';

/** What happened during one column of the chart. */
export interface Column {
  requestsPerSecond: number;
  waiting: number;
  plexIsUp: boolean;
  workerLives: boolean;
  gate: GateState;
  ramp: number;
}

/** Of several in one column the last in this list is shown: the rarest. */
const byRarity: readonly GateState[] = ['closed', 'recovery', 'open', 'half-open'];

/**
 * Samples gathered into columns of `columnMs`; the newest `width` of them. A column without a sample looks like the
 * one before, but nothing was sent in it. Trouble that lasted only for a part of a column still shows.
 */
export function columnsOf(samples: readonly Sample[], columnMs: number, width: number): Column[] {
  const columns: Column[] = [];
  let last: Sample | null = null;
  for (const sample of samples) {
    const index = Math.floor(sample.atMs / columnMs);
    while (columns.length < index) columns.push(columnOf(last ?? sample, 0));
    const column = columns[index] ?? columnOf(sample, 0);
    columns[index] = {
      requestsPerSecond: column.requestsPerSecond + (sample.requests * 1_000) / columnMs,
      waiting: Math.max(column.waiting, sample.waiting),
      plexIsUp: column.plexIsUp && sample.plexIsUp,
      workerLives: column.workerLives && sample.workerLives,
      gate: rarer(column.gate, sample.gate),
      ramp: Math.max(column.ramp, sample.ramp),
    };
    last = sample;
  }
  return columns.slice(-width);
}

const columnOf = (
  { waiting, plexIsUp, workerLives, gate, ramp }: Sample,
  requestsPerSecond: number,
): Column => ({ requestsPerSecond, waiting, plexIsUp, workerLives, gate, ramp });

const rarer = (a: GateState, b: GateState): GateState => (byRarity.indexOf(a) > byRarity.indexOf(b) ? a : b);

const blocks = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const eighths = blocks.length - 1;

/** `height` rows, the top one first. Whatever is more than nothing can be seen. */
export function bars(values: readonly number[], height: number, top: number): string[] {
  const rows: string[] = [];
  for (let row = height - 1; row >= 0; row--) {
    const cells = values.map((value) => {
      const filled = value <= 0 ? 0 : Math.max(1, Math.round((value / top) * height * eighths));
      return blocks[Math.min(eighths, Math.max(0, filled - row * eighths))] ?? ' ';
    });
    rows.push(cells.join(''));
  }
  return rows;
}

/** `rows` with a shade up to `values` behind them, where they leave room for it. */
export function shaded(rows: readonly string[], values: readonly number[], top: number): string[] {
  const behind = bars(values, rows.length, top).map((row) => [...row]);
  return rows.map((row, r) =>
    [...row].map((cell, c) => (cell === ' ' && isHalfFull(behind[r]?.[c]) ? shade : cell)).join(''),
  );
}

export const shade = '░';

const isHalfFull = (block = ' '): boolean => blocks.indexOf(block) >= eighths / 2;

/** Runs of equal cells, for a band whose parts are painted differently. */
export function runs<T>(cells: readonly T[]): { is: T; length: number }[] {
  const found: { is: T; length: number }[] = [];
  for (const is of cells) {
    const last = found.at(-1);
    if (last?.is === is) last.length++;
    else found.push({ is, length: 1 });
  }
  return found;
}
