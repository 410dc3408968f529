/** The live picture: from Stash through Sluice to Plex on top, time in the middle, the story below. */
import { flow } from './flow';
import type { Line, Moment } from './moment';
import { apart, cut, type Paint, padded, seconds, widthOf } from './text';
import { timeline } from './timeline';

export interface Size {
  columns: number;
  rows: number;
}

/** Below this a picture helps nobody. */
export const smallestSize: Size = { columns: 80, rows: 24 };

const widest = 112;

/** At most as many lines as fit above the cursor, none wider than the terminal. */
export function frame(moment: Moment, { columns, rows }: Size, paint: Paint): string[] {
  const width = Math.min(columns, widest) - 1;
  const chartHeight = rows >= 34 ? 6 : rows >= 28 ? 4 : 3;
  const title = `${paint.bold('Sluice')}  real plugin and worker; Stash and Plex are simulated`;
  const top = [
    apart(title, seconds(moment.atMs), width),
    '',
    ...flow(moment, width, paint),
    '',
    ...breaker(moment, width, paint),
    '',
    ...timeline(moment.samples, width, chartHeight, paint),
    '',
  ];
  const room = rows - 1 - top.length;
  const story = (room > 0 ? moment.lines.slice(-room) : []).map((line) => storyLine(line, width, paint));
  return [...top, ...story].map((line) => ` ${line}`.trimEnd());
}

/** One line of the story; with `width` Infinity it is never cut. */
export function storyLine({ atMs, kind, text, tookMs }: Line, width: number, paint: Paint): string {
  const signs = {
    save: paint.cyan('✎'),
    good: paint.green('✓'),
    bad: paint.red('✗'),
    note: paint.dim('·'),
  };
  const took = tookMs === undefined ? '' : `${Math.round(tookMs)} ms`;
  const start = `${paint.dim(seconds(atMs).padStart(6))}  ${signs[kind]} ${paint.bold(took.padStart(6))}  `;
  return start + cut(text, width - widthOf(start));
}

const label = 'breaker  ';
const stateWidth = 'HALF-OPEN'.length;

/** The state with its cause, and when Plex is tried next. */
function breaker({ breaker: gate, workerPid, inbox, saves }: Moment, width: number, paint: Paint): string[] {
  const indent = ' '.repeat(label.length);
  const state = padded(gate.state.replace('_', '-'), stateWidth);
  const isMissed = workerPid === null && saves.length > 0;
  const help = inbox > 0 ? 'a worker is being started' : 'nobody is at work: the next save starts a worker';
  const nobody = isMissed ? paint.yellow(help) : '';
  if (gate.state === 'CLOSED') {
    const what = paint.dim('edits go to Plex as they come');
    return [`${label}${paint.green(state)}  ${what}`, indent + nobody];
  }
  const cause = cut(gate.cause ?? '', width - label.length - stateWidth - 2);
  return [`${label}${paint.red(state)}  ${cause}`, indent + (nobody || nextTry(gate, paint))];
}

const barWidth = 30;

function nextTry(gate: Moment['breaker'], paint: Paint): string {
  const tries = gate.failuresInARow === 1 ? '1 try' : `${gate.failuresInARow} tries`;
  const leftMs = gate.state === 'OPEN' ? Math.max(0, gate.nextTryMs ?? 0) : 0;
  const left = Math.min(barWidth, Math.ceil((leftMs / gate.openMs) * barWidth));
  const bar = paint.yellow('━'.repeat(left)) + paint.dim('─'.repeat(barWidth - left));
  const when = leftMs > 0 ? `next try in ${seconds(leftMs)}` : 'trying Plex now';
  return `${padded(when, 'next try in 0.0 s'.length)}  ${bar}  ${paint.dim(`${tries} failed`)}`;
}
