/** The recovery second by second: how many scenes came to Plex, in front of how many the ramp allowed. */
import { bars, columnsOf, shade, shaded } from './chart';
import type { Recovery, Sample } from './moment';
import { type Second, secondsOf } from './ramp';
import { cut, type Paint, padded } from './text';
import { axis, axisWidth, band } from './timeline';

/** The second before it, for the trial, and those after it, in which nothing limits any more. */
const secondsBefore = 1;
const secondsAfter = 2;
const widestCell = 8;
const narrowestCell = 2;
const height = 7;
/** On a bar that is higher than the chart. */
const beyond = '▲';

export function rampChart(
  recovery: Recovery,
  samples: readonly Sample[],
  width: number,
  paint: Paint,
): string[] {
  const seconds = secondsOf(recovery, secondsBefore, secondsAfter);
  const cell = Math.min(widestCell, Math.floor((width - axisWidth) / seconds.length));
  if (cell < narrowestCell) return [];
  const nowMs = samples.at(-1)?.atMs ?? 0;
  const { targetRate } = recovery;
  const shown = (value: (second: Second, n: number) => string) =>
    seconds.map((second, n) => padded(cut(value(second, n), cell - 1), cell)).join('');
  const words = ['scenes', 'to Plex', 'per second'];
  const scaleOf = (row: number) => (row === 0 ? String(targetRate) : row === height - 1 ? '0' : '');
  const paintBars = (row: string) => row.replace(/[^ ░]+/g, paint.cyan).replace(/░+/g, paint.yellow);
  return [
    `${paint.bold('The recovery')}  ${paint.cyan('█')} scenes sent, ${paint.yellow(shade)} what the ramp allowed`,
    ...rowsOf(seconds, cell, targetRate).map(
      (row, i) => axis(words[i] ?? '', scaleOf(i), paint) + paintBars(row),
    ),
    axis('second', '', paint) + paint.dim(shown((_, n) => String(n - secondsBefore))),
    axis('sent', '', paint) + shown(({ fromMs, sent }) => (fromMs <= nowMs ? String(sent) : '')),
    axis('allowed', '', paint) + shown(({ allowed }, n) => allowedInWords(allowed, n, cell)),
    axis('worker', '', paint) + workerBand(seconds, samples, cell, paint),
  ];
}

/** A bar for each second, with a gap after it. Not scaled to what comes when nothing limits any more. */
function rowsOf(seconds: readonly Second[], cell: number, top: number): string[] {
  const wide = (value: (second: Second) => number) =>
    seconds.flatMap((second) => [...Array<number>(cell - 1).fill(value(second)), 0]);
  const sent = wide((second) => second.sent);
  const [first = '', ...rest] = bars(sent, height, top);
  const upper = [...first].map((block, n) => ((sent[n] ?? 0) > top ? beyond : block)).join('');
  return shaded(
    [upper, ...rest],
    wide(({ allowed }) => allowed ?? 0),
    top,
  );
}

function allowedInWords(allowed: number | null, n: number, cell: number): string {
  if (allowed !== null) return cell >= '10.5 '.length ? allowed.toFixed(1) : String(Math.round(allowed));
  if (n >= secondsBefore) return '∞';
  return cell > 'trial'.length ? 'trial' : '1';
}

/** Who was at work, on the same axis. */
function workerBand(
  seconds: readonly Second[],
  samples: readonly Sample[],
  cell: number,
  paint: Paint,
): string {
  const fromMs = seconds[0]?.fromMs ?? 0;
  const width = seconds.length * cell;
  const inside = samples
    .map((sample) => ({ ...sample, atMs: sample.atMs - fromMs }))
    .filter(({ atMs }) => atMs >= 0 && atMs < seconds.length * 1_000);
  return band(columnsOf(inside, 1_000 / cell, width), ({ workerLives }) => workerLives, paint);
}
