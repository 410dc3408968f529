/** How many jobs a second one server got under each policy, drawn as a curve over time. */
import type { Profile } from './profile';
import { Server } from './server';
import type { Run } from './simulation';

const width = 72;
const height = 8;
const blocks = ' ▁▂▃▄▅▆▇█';

/** What the server could do, from the start until the last curve ends. */
function capacities(profile: Profile, columnMs: number): number[] {
  const server = new Server(profile, 0);
  return Array.from({ length: width }, (_, column) => server.capacity((column + 0.5) * columnMs));
}

function rates({ doneAtMs }: Run, columnMs: number): number[] {
  const counts = Array.from({ length: width }, () => 0);
  for (const at of doneAtMs) {
    const column = Math.min(width - 1, Math.floor(at / columnMs));
    counts[column] = (counts[column] ?? 0) + 1;
  }
  return counts.map((count) => (count * 1_000) / columnMs);
}

/** One picture per policy, all with the same axes. */
export function printCurves(
  title: string,
  profile: Profile,
  runs: readonly { name: string; run: Run }[],
): void {
  const columnMs = Math.max(...runs.map(({ run }) => run.drainedMs)) / width;
  const curves = [
    { name: 'what it could do', values: capacities(profile, columnMs), collapses: [] as number[] },
    ...runs.map(({ name, run }) => ({ name, values: rates(run, columnMs), collapses: run.collapsedAtMs })),
  ];
  const top = Math.max(...curves.flatMap(({ values }) => values));
  console.log(`\n${title}`);
  for (const { name, values, collapses } of curves) {
    console.log(`\n  ${name}${collapses.length > 0 ? ` (✗: it collapsed, ${collapses.length} times)` : ''}`);
    for (let row = height; row > 0; row--) {
      const line = values.map((value) => block((value / top) * height - (row - 1))).join('');
      console.log(`  ${row === height ? top.toFixed(1).padStart(5) : '     '} │${line.trimEnd()}`);
    }
    const marks = Array.from({ length: width }, (_, column) =>
      collapses.some((at) => Math.floor(at / columnMs) === column) ? '✗' : '─',
    );
    console.log(`      0 └${marks.join('')}`);
  }
  const minutes = (columnMs * width) / 60_000;
  console.log(`         0${`${minutes.toFixed(0)} min`.padStart(width - 1)}`);
}

const block = (eighths: number): string => blocks[Math.max(0, Math.min(8, Math.round(eighths * 8)))] ?? ' ';
