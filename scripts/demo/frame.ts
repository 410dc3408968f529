/** The live picture: from Stash through Sluice to Plex on top, time in the middle, the story below. */
import { flow } from './flow';
import type { Line, Moment } from './moment';
import { rampChart } from './ramp-chart';
import { apart, count, cut, type Paint, padded, perSecond, seconds, widthOf } from './text';
import { gateMarks, legend, timeline } from './timeline';

export interface Size {
  columns: number;
  rows: number;
}

/** Below this a picture helps nobody. */
export const smallestSize: Size = { columns: 80, rows: 24 };

const widest = 112;
/** From here on there is room for more than what is needed, and from there on for the chart of the recovery too. */
const tallRows = 28;
const tallestRows = 40;

/** Whether the picture has the chart of the recovery in it, once one began. */
export const showsRamp = ({ rows }: Size): boolean => rows >= tallestRows;

/** At most as many lines as fit above the cursor, none wider than the terminal. */
export function frame(moment: Moment, { columns, rows }: Size, paint: Paint): string[] {
  const width = Math.min(columns, widest) - 1;
  const isTall = rows >= tallRows;
  const title = `${paint.bold('Sluice')}  real plugin and worker; Stash and Plex are simulated`;
  const top = [
    apart(title, seconds(moment.atMs), width),
    '',
    ...flow(moment, width, paint),
    '',
    ...breaker(moment, width, paint),
    '',
    ...timeline(moment.samples, width, isTall ? 4 : 3, paint),
    ...(isTall ? [legend(paint)] : []),
    '',
  ];
  const { recovery, samples } = moment;
  if (recovery && showsRamp({ columns, rows })) top.push(...rampChart(recovery, samples, width, paint), '');
  const room = rows - 1 - top.length;
  const story = (room > 0 ? moment.lines.slice(-room) : []).map((line) => storyLine(line, width, paint));
  return [...top, ...story].map((line) => ` ${line}`.trimEnd());
}

const tookWidth = '1234 ms'.length;

/** One line of the story; with `width` Infinity it is never cut. */
export function storyLine({ atMs, kind, text, tookMs }: Line, width: number, paint: Paint): string {
  const signs = {
    save: paint.cyan('✎'),
    good: paint.green('✓'),
    bad: paint.red('✗'),
    note: paint.dim('·'),
  };
  const took = tookMs === undefined ? '' : `${Math.round(tookMs)} ms`;
  const start = `${paint.dim(seconds(atMs).padStart(6))}  ${signs[kind]} ${paint.bold(took.padStart(tookWidth))}  `;
  return start + cut(text, width - widthOf(start));
}

const label = 'breaker  ';
const stateWidth = '▁▃▅▇ RECOVERY'.length;

/** The state with its cause or its limit, and how long it lasts. */
function breaker(moment: Moment, width: number, paint: Paint): string[] {
  const { gate, workerPid, inbox, saves } = moment;
  const { mark, colour } = gateMarks[gate.is];
  const state = paint[colour](padded(`${mark} ${gate.is.toUpperCase()}`, stateWidth));
  const what = cut(inWords(gate), width - label.length - stateWidth - 2);
  const isMissed = workerPid === null && saves.length > 0;
  const help = inbox > 0 ? 'a worker is being started' : 'nobody is at work: the next save starts a worker';
  const below = isMissed
    ? paint.yellow(help)
    : gate.is === 'recovery'
      ? rampLeft(moment, paint)
      : nextTry(gate, paint);
  return [`${label}${state}  ${what}`, ' '.repeat(label.length) + below];
}

function inWords({ is, cause, rate }: Moment['gate']): string {
  if (is === 'closed') return 'edits go to Plex as they come';
  if (is !== 'recovery') return cause ?? '';
  return rate === null ? 'Plex has just come back' : `at most ${perSecond(rate)}, to spare Plex`;
}

const barWidth = 30;
const whenWidth = 'no limit in 10.0 s'.length;

/** `part`: 0 to 1. */
function bar(part: number, paint: Paint): string {
  const left = Math.min(barWidth, Math.max(0, Math.ceil(part * barWidth)));
  return paint.yellow('━'.repeat(left)) + paint.dim('─'.repeat(barWidth - left));
}

function nextTry(gate: Moment['gate'], paint: Paint): string {
  if (gate.is === 'closed') return '';
  const leftMs = gate.is === 'open' ? Math.max(0, gate.nextTryMs ?? 0) : 0;
  const when = leftMs > 0 ? `next try in ${seconds(leftMs)}` : 'trying Plex now';
  const tries = gate.failedTries === 0 ? '' : `${count(gate.failedTries, 'try', 'tries')} failed`;
  return `${padded(when, whenWidth)}  ${bar(leftMs / gate.openMs, paint)}  ${paint.dim(tries)}`;
}

function rampLeft({ atMs, gate, recovery }: Moment, paint: Paint): string {
  if (!recovery) return '';
  const { startedAtMs, endsAtMs } = recovery;
  const leftMs = Math.max(0, endsAtMs - atMs);
  const part = 1 - leftMs / (endsAtMs - startedAtMs);
  const sent = paint.dim(`${gate.achieved.toFixed(1)} a second sent`);
  return `${padded(`no limit in ${seconds(leftMs)}`, whenWidth)}  ${bar(part, paint)}  ${sent}`;
}
