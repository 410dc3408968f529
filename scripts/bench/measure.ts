/**
 * Comparing two costs on a machine that does other things meanwhile: all samples are taken in turns, so that a busy
 * moment meets both sides, and medians are compared. A ratio above its limit is measured again, up to twice: noise
 * passes, a real cost stays.
 */
export interface Sampled {
  name: string;
  /** Does the thing once and says how many milliseconds it took. Cleans up after itself. */
  sample(): number | Promise<number>;
}

export interface Comparison {
  what: string;
  of: Sampled;
  /** What it is measured against. */
  to: Sampled;
  /** The highest allowed ratio; null: for information. */
  limit: number | null;
}

export interface Compared extends Comparison {
  ofMs: number;
  toMs: number;
  ratio: number;
  /** What came out before it was measured again. */
  earlier: number[];
}

const mostTries = 3;

export async function compare(
  comparisons: readonly Comparison[],
  rounds: number,
  { warmUp = 0 } = {},
): Promise<Compared[]> {
  let results = await measureAll(comparisons, rounds, warmUp);
  for (let tries = 2; tries <= mostTries; tries++) {
    const failed = results.filter((result) => !holds(result));
    if (failed.length === 0) break;
    say(`Above the limit, so measured once more: ${failed.map(({ what }) => what).join('; ')}`);
    const again = await measureAll(failed, rounds, warmUp);
    results = results.map((result) => {
      const newer = again.find(({ what }) => what === result.what);
      return newer ? { ...newer, earlier: [...result.earlier, result.ratio] } : result;
    });
  }
  return results;
}

export const holds = ({ ratio, limit }: Pick<Compared, 'ratio' | 'limit'>): boolean =>
  limit === null || ratio <= limit;

async function measureAll(
  comparisons: readonly Comparison[],
  rounds: number,
  warmUp: number,
): Promise<Compared[]> {
  const samples = new Map<Sampled, number[]>();
  for (const { of, to } of comparisons) samples.set(of, []).set(to, []);
  for (let round = 0; round < warmUp + rounds; round++) {
    for (const [sampled, taken] of samples) {
      const ms = await sampled.sample();
      if (round >= warmUp) taken.push(ms);
      progress(`round ${Math.max(0, round - warmUp) + 1} of ${rounds}: ${sampled.name}`);
    }
  }
  return comparisons.map(({ what, of, to, limit }) => {
    const ofMs = median(samples.get(of) ?? []);
    const toMs = median(samples.get(to) ?? []);
    return { what, of, to, limit, ofMs, toMs, ratio: ofMs / toMs, earlier: [] };
  });
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

export async function timeOf(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

/** A line for whoever waits. */
export function say(text: string): void {
  clearProgress();
  process.stderr.write(`${text}\n`);
}

let shownAt = 0;

/** How far it is; only on a terminal, in place, and not more often than an eye can follow. */
export function progress(text: string): void {
  const now = performance.now();
  if (!process.stderr.isTTY || now - shownAt < 100) return;
  shownAt = now;
  process.stderr.write(`\r\x1b[K  ${text}`);
}

function clearProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
}
