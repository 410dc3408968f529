/** Where the demo shows itself: a terminal that is redrawn in place, or plain lines for a pipe or a CI log. */
import { frame, type Size, showsRamp, smallestSize, storyLine } from './frame';
import type { Line, Moment } from './moment';
import { rampChart } from './ramp-chart';
import { type Paint, painter, perSecond, widthOf } from './text';
import { legend, timeline } from './timeline';

export interface Screen {
  /** Something happened. */
  tell(line: Line): void;
  /** How things stand now; called several times a second. */
  show(moment: Moment): void;
  /** Ends the picture, so that lines can be printed under it. */
  end(moment: Moment | null): void;
}

type Output = Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns' | 'rows'>;

const plainWidth = 100;
const plainChartHeight = 4;

/** Not wider than the eye can follow. */
const widest = 140;

export const widthFor = (out: Output): number => Math.min(widest, out.columns || plainWidth);

/** https://no-color.org: any value but an empty one counts. */
export const wantsColour = (out: Output, env: NodeJS.ProcessEnv): boolean =>
  Boolean(out.isTTY) && !env.NO_COLOR && env.TERM !== 'dumb';

export function openScreen(out: Output, env: NodeJS.ProcessEnv): Screen {
  const fits = out.columns >= smallestSize.columns && out.rows >= smallestSize.rows;
  return out.isTTY && env.TERM !== 'dumb' && fits
    ? new LiveScreen(out, wantsColour(out, env))
    : new PlainScreen(out);
}

const csi = '\u001b[';
const hideCursor = `${csi}?25l`;
const showCursor = `${csi}?25h`;
const noWrap = `${csi}?7l`;
const wrap = `${csi}?7h`;
const eraseRest = `${csi}K`;
const eraseBelow = `${csi}J`;
const clear = `${csi}2J${csi}H`;

class LiveScreen implements Screen {
  #drawn = 0;
  #size: Size = { columns: 0, rows: 0 };

  constructor(
    private readonly out: Output,
    private readonly coloured: boolean,
  ) {
    this.out.write(hideCursor + noWrap);
  }

  tell(): void {
    // The next picture has it.
  }

  show(moment: Moment): void {
    const size = { columns: this.out.columns, rows: this.out.rows };
    const resized = this.#drawn > 0 && (size.columns !== this.#size.columns || size.rows !== this.#size.rows);
    this.#size = size;
    const lines = frame(moment, size, painter(this.coloured)).slice(0, size.rows - 1);
    // After a resize the old lines may be anywhere.
    const start = resized ? clear : this.#drawn > 0 ? `${csi}${this.#drawn}A\r` : '';
    // At the right edge the cursor stands on the last character: erasing from there would take it away.
    const drawn = lines.map((line) => (widthOf(line) < size.columns ? line + eraseRest : line));
    this.out.write(`${start}${drawn.join('\n')}\n${eraseBelow}`);
    this.#drawn = lines.length;
  }

  end(moment: Moment | null): void {
    if (moment) this.show(moment);
    this.out.write(wrap + showCursor);
    if (moment && !showsRamp(this.#size)) printRamp(moment, this.out, painter(this.coloured));
  }
}

const quietMs = 2_000;

class PlainScreen implements Screen {
  readonly #paint = painter(false);
  #said = '';
  #saidAtMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly out: Output) {}

  tell(line: Line): void {
    this.out.write(`${storyLine(line, Number.POSITIVE_INFINITY, this.#paint)}\n`);
  }

  /** The queue, when it changed, but not more often than a person can read. */
  show(moment: Moment): void {
    const { atMs, waiting, retrying, inbox, inStep, saves, gate } = moment;
    const done = `${inStep.filter((is) => is).length}/${inStep.length} scenes in step`;
    const queue = `queue: ${waiting} waiting, ${retrying} retrying, ${inbox} in the inbox`;
    const limit = gate.rate === null ? '' : `; at most ${perSecond(gate.rate)}`;
    const text = `${queue}; ${done}${limit}`;
    if (saves.length === 0 || text === this.#said || atMs - this.#saidAtMs < quietMs) return;
    this.#said = text;
    this.#saidAtMs = atMs;
    this.tell({ atMs, kind: 'note', text });
  }

  end(moment: Moment | null): void {
    if (!moment) return;
    const lines = timeline(moment.samples, widthFor(this.out) - 1, plainChartHeight, this.#paint);
    print([...lines, legend(this.#paint)], this.out);
    printRamp(moment, this.out, this.#paint);
  }
}

function printRamp({ recovery, samples }: Moment, out: Output, paint: Paint): void {
  if (recovery) print(rampChart(recovery, samples, widthFor(out) - 1, paint), out);
}

const print = (lines: readonly string[], out: Output): boolean =>
  out.write(`\n${lines.map((line) => ` ${line}`.trimEnd()).join('\n')}\n`);
