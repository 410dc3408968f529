/** The way of an edit as three boxes with arrows: Stash, Sluice, Plex. */
import type { Moment } from './moment';
import { apart, count, median, type Paint, padded, widthOf } from './text';

const stashWidth = 17;
const plexWidth = 20;
/** Of a box: its edges and the space inside them. */
const edges = 4;
/** From here on Sluice's box has room for a bar. */
const roomyWidth = 40;

export function flow(moment: Moment, width: number, paint: Paint): string[] {
  const arrowWidth = width >= 100 ? 8 : 4;
  const sluiceWidth = width - stashWidth - plexWidth - 2 * arrowWidth - 3 * edges;
  const { inStep } = moment;
  const done = `${inStep.filter((is) => is).length}/${inStep.length} in step`;
  const stash = box('Stash', '', stashLines(moment), stashWidth, paint);
  const sluice = box('Sluice', '', sluiceLines(moment, sluiceWidth, paint), sluiceWidth, paint);
  const plex = box('Plex', done, plexLines(moment, paint), plexWidth, paint);
  const [toSluice, toPlex] = arrows(moment, arrowWidth, paint);
  const space = ' '.repeat(arrowWidth);
  const middle = stash.length >> 1;
  return stash.map((line, i) => {
    const [first, second] = i === middle ? [toSluice, toPlex] : [space, space];
    return line + first + sluice[i] + second + plex[i];
  });
}

/** `aside`: at the right end of the upper edge. */
function box(title: string, aside: string, lines: readonly string[], width: number, paint: Paint): string[] {
  const edge = paint.dim('│');
  const right = aside === '' ? '' : ` ${aside} `;
  const line = '─'.repeat(Math.max(0, width - title.length - right.length));
  return [
    `${paint.dim('╭')} ${paint.bold(title)} ${paint.dim(line)}${right}${paint.dim('╮')}`,
    ...lines.map((line) => `${edge} ${padded(line, width)} ${edge}`),
    paint.dim(`╰${'─'.repeat(width + 2)}╯`),
  ];
}

/** How it stands between the boxes: flowing, slowed by the ramp, held back by the breaker, or nobody there. */
function arrows({ workerPid, waiting, gate }: Moment, width: number, paint: Paint): [string, string] {
  const arrow = (head: string) => `${'─'.repeat(width - 3)}${head}`;
  const around = (text: string) => padded(` ${text}`, width);
  const colour = waiting === 0 ? 'dim' : gate.is === 'recovery' ? 'yellow' : 'green';
  const toPlex = gate.is === 'open' ? paint.red(arrow('✗')) : paint[colour](arrow('▶'));
  const isNobodyThere = workerPid === null && gate.is !== 'open';
  return [around(paint.dim(arrow('▶'))), around(isNobodyThere ? '' : toPlex)];
}

function stashLines({ saves }: Moment): string[] {
  const last = saves.at(-1);
  const single = saves.filter(({ scenes }) => scenes === 1).map(({ tookMs }) => tookMs);
  const ms = (value: number | null) => (value === null ? '-' : `${Math.round(value)} ms`);
  const each = last && last.scenes > 1 ? ' each' : '';
  return [
    count(saves.length, 'save'),
    `last   ${ms(last ? last.tookMs / last.scenes : null)}${each}`,
    `median ${ms(median(single))}`,
  ];
}

function sluiceLines(moment: Moment, width: number, paint: Paint): string[] {
  const { waiting, retrying, inbox, workerPid, saves } = moment;
  const nobody = saves.length === 0 ? paint.dim('○ none yet') : paint.red('✗ none');
  const queue = `waiting ${padded(String(waiting), 2)}  retrying ${retrying}`;
  const room = width < roomyWidth ? 0 : width - widthOf(queue) - 2;
  const bar = paint.yellow('▪'.repeat(Math.min(waiting, room)));
  return [
    bar === '' ? queue : `${queue}  ${bar}`,
    `inbox   ${inbox}`,
    `worker  ${workerPid === null ? nobody : `${paint.green('●')} pid ${workerPid}`}`,
  ];
}

/** Up or down, and a square for each scene in two rows. */
function plexLines({ plexIsUp, requests, inStep }: Moment, paint: Paint): string[] {
  const half = Math.ceil(inStep.length / 2);
  const squares = (scenes: readonly boolean[]) =>
    scenes.map((is) => (is ? paint.green('■') : paint.yellow('□'))).join('');
  return [
    apart(plexIsUp ? `${paint.green('●')} up` : paint.red('✗ down'), `${requests} requests`, plexWidth),
    squares(inStep.slice(0, half)),
    squares(inStep.slice(half)),
  ];
}
