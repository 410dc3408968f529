import { availableParallelism, loadavg } from 'node:os';
import { type Compared, holds } from './measure';

export interface Row {
  what: string;
  measured: string;
  against?: string;
  ratio?: string;
  limit?: string;
  /** Left out: for information. */
  ok?: boolean;
  /** What to shout when it is not ok. */
  otherwise?: 'TOO SLOW' | 'TOO MUCH';
  note?: string;
}

const columns = ['what', 'measured', 'against', 'ratio', 'limit', ''] as const;

export function comparedRow({ what, ofMs, toMs, ratio, limit, earlier }: Compared): Row {
  return {
    what,
    measured: duration(ofMs),
    against: duration(toMs),
    ratio: `${ratio.toFixed(2)} x`,
    ...(limit === null ? {} : { limit: `${limit.toFixed(2)} x`, ok: holds({ ratio, limit }) }),
    ...(earlier.length > 0 ? { note: `before: ${earlier.map((one) => one.toFixed(2)).join(', ')}` } : {}),
  };
}

/** Prints the table and says whether everything is within its limit. */
export function printTable(title: string, rows: readonly Row[]): boolean {
  const lines = rows.map((row) => [
    row.what,
    row.measured,
    row.against ?? '',
    row.ratio ?? '',
    row.limit ?? '',
    [verdict(row), row.note && `(${row.note})`].filter(Boolean).join(' '),
  ]);
  const all = [[...columns], ...lines];
  const widths = columns.map((_, column) => Math.max(...all.map((line) => (line[column] ?? '').length)));
  const text = (line: string[]) =>
    line
      .map((cell, column) =>
        column === 0 || column === columns.length - 1
          ? cell.padEnd(widths[column] ?? 0)
          : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  console.log(`\n${title}\n`);
  console.log(text([...columns]));
  console.log(widths.map((width) => '-'.repeat(width)).join('  '));
  for (const line of lines) console.log(text(line));
  return rows.every(({ ok }) => ok !== false);
}

function verdict({ ok, otherwise = 'TOO SLOW' }: Row): string {
  if (ok === undefined) return 'for information';
  return ok ? 'ok' : otherwise;
}

export function duration(ms: number): string {
  if (ms < 1) return `${(ms * 1_000).toFixed(1)} µs`;
  return ms < 1_000 ? `${ms.toFixed(1)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/** What the reader of a table should know about how it came to be. */
export function printHowMeasured(): void {
  const [load = 0] = loadavg();
  console.log(
    '\nA ratio above its limit is measured up to three times; the last counts, the others are shown.',
  );
  console.log(`Load of the last minute: ${load.toFixed(1)} on ${availableParallelism()} cores.`);
}
