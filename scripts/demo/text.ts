/** Text that fits its place, and colours for those who want them. */
import { stripVTControlCharacters } from 'node:util';

/** Colours as functions; all of them give the text back as it is when there shall be none. */
export type Paint = Record<keyof typeof codes, (text: string) => string>;

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

export function painter(coloured: boolean): Paint {
  const one = (code: number) => (text: string) =>
    coloured && text !== '' ? `\u001b[${code}m${text}\u001b[0m` : text;
  return {
    bold: one(codes.bold),
    dim: one(codes.dim),
    red: one(codes.red),
    green: one(codes.green),
    yellow: one(codes.yellow),
    cyan: one(codes.cyan),
  };
}

/** How many columns it takes; for text of ordinary width, coloured or not. */
export const widthOf = (text: string): number => [...stripVTControlCharacters(text)].length;

/** Not longer than `width`. For text without colours. */
export function cut(text: string, width: number): string {
  const flat = text.replace(/\s+/g, ' ');
  const characters = [...flat];
  if (characters.length <= width) return flat;
  return width < 1 ? '' : `${characters.slice(0, width - 1).join('')}…`;
}

/** Filled up with spaces; coloured text too. */
export const padded = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - widthOf(text)));

/** `left` and `right` at the two ends of a line. */
export const apart = (left: string, right: string, width: number): string =>
  padded(left, width - widthOf(right)) + right;

export const seconds = (ms: number): string => `${(Math.max(0, ms) / 1_000).toFixed(1)} s`;

export const count = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

export const perSecond = (rate: number): string => `${rate.toFixed(1)} scenes a second`;

export function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low, high] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}
