/**
 * What a person may ask about scenes without changing anything: `explain` for one, `dry_run` for all or the recent ones.
 * They read from Stash and Plex, by the settings of now, and only while Plex is well; a question that cannot be answered
 * now says why.
 *
 * Holds: at most one dry run is under way. Nobody can tell whether its person is still there, but one who asks again
 * has no more use for the one before, which is broken off.
 */
import type { KeyedStore } from '../persist/keyed-store';
import { PlexError } from '../plex/errors';
import type { DeadLetter } from '../queue/entries';
import type { Queue } from '../queue/queue';
import type { Answer } from '../shared/answer';
import type { Clock } from '../shared/clock';
import type { ScenesPage } from '../stash/client';
import type { Scene } from '../stash/scene';
import { StashTrouble } from '../stash/trouble';
import { planScene } from '../sync/plan';
import { DryRun } from './dry-run';
import { explainPlan, explainQueue } from './explain';
import { hoursFrom } from './hours';
import type { StashLink } from './stash-link';
import type { Target } from './target';

/** Whole scenes, so fewer than of ids alone. */
const pageSize = 250;
/** How often the progress of a dry run is told. */
const tellEveryMs = 500;

export interface QuestionsParts {
  targets: { all(): { target: AskedTarget }[] };
  queue: Pick<Queue, 'job'>;
  deadLetters: Pick<KeyedStore<DeadLetter>, 'get'>;
  stash: StashLink;
  clock: Clock;
  /** Resolves when the settings were read anew, or could not be. */
  freshSettings(): Promise<void>;
  /** Aborts when the worker ends. */
  ending: AbortSignal;
}

type AskedTarget = Pick<Target, 'name' | 'missing' | 'outage' | 'reading'>;
type Tell = (answer: Answer) => Promise<void>;

export class Questions {
  #underWay = 0;
  #dryRun = new AbortController();

  constructor(private readonly parts: QuestionsParts) {}

  /** Somebody may be waiting for an answer. */
  get isBusy(): boolean {
    return this.#underWay > 0;
  }

  async explain(args: Record<string, unknown>, tell: Tell): Promise<void> {
    const text = String(args.scene ?? '').trim();
    if (!/^\d{1,15}$/.test(text)) {
      const given = text === '' ? 'is missing' : `is ${JSON.stringify(text)}`;
      const message = `"scene" ${given}, but must be the number of a scene, like in {"mode": "explain", "scene": 42}.`;
      return await tell({ done: true, message, failed: true });
    }
    const scene = Number(text);
    const { queue, deadLetters, clock } = this.parts;
    await this.#answer(tell, async (target) => {
      const { name } = target;
      const said = await this.#explainAt(target, scene);
      const waits = explainQueue(queue.job(name, scene), deadLetters.get(`${name}/${scene}`), clock.now());
      // Why it fails is often what has just been said.
      return [
        ...said,
        ...waits.map((line) => said.reduce((rest, known) => rest.replace(`: ${known}`, '.'), line)),
      ];
    });
  }

  async #explainAt(target: AskedTarget, scene: number): Promise<string[]> {
    const reading = target.reading(this.parts.stash, this.parts.ending);
    if (reading === null) return [whyNotNow(target)];
    try {
      const plan = await planScene({ scene, asked: true }, reading, async (one) => one);
      return explainPlan(scene, plan, reading.settings);
    } catch (error) {
      return [sentenceOf(error)];
    }
  }

  async dryRun(args: Record<string, unknown>, tell: Tell): Promise<void> {
    const hours = hoursFrom(args.hours, null);
    if (typeof hours === 'string') return await tell({ done: true, message: hours, failed: true });
    const since = hours === null ? null : new Date(this.parts.clock.now() - hours * 3_600_000);
    this.#dryRun.abort();
    this.#dryRun = new AbortController();
    const { signal: another } = this.#dryRun;
    await this.#answer(tell, (target) => this.#dryRunAt(target, since, another, tell));
  }

  /** What is to be said of each target, in one answer. */
  async #answer(tell: Tell, ask: (target: AskedTarget) => Promise<string[]>): Promise<void> {
    const { targets, freshSettings } = this.parts;
    this.#underWay++;
    try {
      // A worker that has just been woken has not read them yet, and whoever asks has often just changed them.
      await freshSettings();
      const lines: string[] = [];
      const all = targets.all();
      for (const { target } of all) {
        const said = await ask(target);
        lines.push(...(all.length > 1 ? said.map((line) => `${target.name}: ${line}`) : said));
      }
      await tell({ done: true, message: lines.join('\n') });
    } finally {
      this.#underWay--;
    }
  }

  /** `another`: aborts when another dry run was asked for. */
  async #dryRunAt(
    target: AskedTarget,
    updatedSince: Date | null,
    another: AbortSignal,
    tell: Tell,
  ): Promise<string[]> {
    const { stash, clock, ending } = this.parts;
    const signal = AbortSignal.any([ending, another]);
    const run = new DryRun();
    let toldAt = Number.NEGATIVE_INFINITY;
    const tellNowAndThen = async (message: string, progress: number) => {
      if (Math.abs(clock.now() - toldAt) < tellEveryMs) return;
      toldAt = clock.now();
      await tell({ done: false, message, progress });
    };
    const brokenOff = (why: string) => [...run.lines(), `It was broken off: ${why}`];

    target.reading(stash, signal)?.finder.index.expire();
    try {
      for await (const { scene, total } of this.#scenes(updatedSince, signal)) {
        for (let isLooked = false; !isLooked; ) {
          signal.throwIfAborted();
          const reading = target.reading(stash, signal);
          if (reading === null) return brokenOff(whyNotNow(target));
          const { index } = reading.finder;
          if (index.isReady()) {
            const { looked } = run;
            await tellNowAndThen(`${looked} of ${total} scenes were looked at.`, Math.min(1, looked / total));
            isLooked = await run.look(scene, reading);
          } else {
            const { pages, of } = index.progress();
            await tellNowAndThen(
              `Plex's libraries are listed: ${pages} of about ${of} pages.`,
              pages / Math.max(1, of),
            );
            await reading.finder.advance(signal);
          }
        }
      }
      return run.lines();
    } catch (error) {
      if (another.aborted && !ending.aborted) return brokenOff('another dry run was asked for.');
      return brokenOff(sentenceOf(error));
    }
  }

  /** By ascending id, one page in memory at a time; with each, how many there were at the beginning. */
  async *#scenes(
    updatedSince: Date | null,
    signal: AbortSignal,
  ): AsyncGenerator<{ scene: Scene; total: number }> {
    let total: number | null = null;
    for (let after: number | null = 0; after !== null; ) {
      const ask = { after, updatedSince, limit: pageSize };
      const page: ScenesPage = await this.parts.stash.scenes(ask, signal);
      total ??= page.total;
      for (const scene of page.scenes) yield { scene, total };
      after = page.last;
    }
  }
}

export function whyNotNow({ missing, outage }: Pick<Target, 'missing' | 'outage'>): string {
  return `Plex cannot be asked now: ${missing ?? outage?.cause ?? 'it is about to be tried again.'}`;
}

function sentenceOf(error: unknown): string {
  if (error instanceof PlexError || error instanceof StashTrouble) return error.message;
  throw error;
}
