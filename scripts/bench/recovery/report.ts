/** The table over all servers, and whether the goals are met. */
import { printTable, type Row } from '../table';
import type { Run } from './simulation';
import { mean, percentile } from './statistics';

export interface Result {
  name: string;
  runs: Run[];
}

/** Of the policy that is ours. */
const goals = { unharmedPercent: 99, median: 1.15, p95: 1.6 };

const unharmed = (runs: readonly Run[]): number =>
  (100 * runs.filter(({ collapses }) => collapses === 0).length) / runs.length;

/** `reference`: what times are relative to. True: all goals are met. */
export function printReport(results: readonly Result[], ours: string, reference: Run[]): boolean {
  const relative = (runs: readonly Run[]) =>
    runs.map(({ drainedMs }, index) => drainedMs / (reference[index]?.drainedMs ?? Number.NaN));
  const cells = results.map(({ name, runs }) => {
    const times = relative(runs);
    return [
      name,
      `${unharmed(runs).toFixed(1)} %`,
      String(runs.reduce((sum, { collapses }) => sum + collapses, 0)),
      `${percentile(times, 50).toFixed(2)} x`,
      `${percentile(times, 95).toFixed(2)} x`,
      `${Math.max(...times).toFixed(1)} x`,
      mean(runs.map(({ failedCalls }) => failedCalls)).toFixed(1),
    ];
  });
  const titles = ['policy', 'no collapse', 'collapses', 'median', '95th', 'worst', 'failed calls'];
  const widths = titles.map((title, column) =>
    Math.max(title.length, ...cells.map((row) => (row[column] ?? '').length)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ');
  console.log(
    `\n${results[0]?.runs.length} random servers; times until all is done, relative to the oracle that keeps to the ramp\n`,
  );
  console.log(line(titles));
  console.log(widths.map((width) => '-'.repeat(width)).join('  '));
  for (const row of cells) console.log(line(row));

  const own = results.find(({ name }) => name === ours)?.runs ?? [];
  const times = relative(own);
  const atMost = (what: string, value: number, limit: number): Row => ({
    what,
    measured: `${value.toFixed(2)} x`,
    limit: `${limit.toFixed(2)} x`,
    ok: value <= limit,
  });
  return printTable('Goals', [
    {
      what: 'servers without a collapse',
      measured: `${unharmed(own).toFixed(1)} %`,
      limit: `${goals.unharmedPercent} %`,
      ok: unharmed(own) >= goals.unharmedPercent,
      otherwise: 'TOO MUCH',
    },
    atMost('time until all is done, median', percentile(times, 50), goals.median),
    atMost('the same, 95th percentile', percentile(times, 95), goals.p95),
  ]);
}
