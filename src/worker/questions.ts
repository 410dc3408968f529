/**
 * What a person may ask about scenes without changing anything: `explain` for one, `dry_run` for all or the recent ones.
 * They read from Stash and Plex, and only while Plex is well; a question that cannot be answered now says why.
 */
import type { KeyedStore } from '../persist/keyed-store';
import { PlexError } from '../plex/errors';
import type { DeadLetter } from '../queue/entries';
import type { Queue } from '../queue/queue';
import type { Answer } from '../shared/answer';
import type { Clock } from '../shared/clock';
import type { SceneIdsPage } from '../stash/client';
import { StashTrouble } from '../stash/trouble';
import { planScene } from '../sync/plan';
import { DryRun } from './dry-run';
import { explainPlan, explainQueue } from './explain';
import { hoursFrom } from './hours';
import type { StashLink } from './stash-link';
import type { Target } from './target';

const pageSize = 500;
/** How often the progress of a dry run is told. */
const tellEveryMs = 500;

export interface QuestionsParts {
  targets: { all(): { target: AskedTarget }[] };
  queue: Pick<Queue, 'job'>;
  deadLetters: Pick<KeyedStore<DeadLetter>, 'get'>;
  stash: StashLink;
  clock: Clock;
  /** Aborts when the worker ends. */
  ending: AbortSignal;
}

type AskedTarget = Pick<Target, 'name' | 'missing' | 'outage' | 'reading'>;
type Tell = (answer: Answer) => Promise<void>;

export class Questions {
  constructor(private readonly parts: QuestionsParts) {}

  async explain(args: Record<string, unknown>, tell: Tell): Promise<void> {
    const text = String(args.scene ?? '').trim();
    if (!/^\d{1,15}$/.test(text)) {
      const given = text === '' ? 'is missing' : `is ${JSON.stringify(text)}`;
      const message = `"scene" ${given}, but must be the number of a scene, like in {"mode": "explain", "scene": 42}.`;
      return await tell({ done: true, message, failed: true });
    }
    const scene = Number(text);
    const { targets, queue, deadLetters } = this.parts;
    const lines: string[] = [];
    const all = targets.all();
    for (const { target } of all) {
      const { name } = target;
      const said = [
        ...(await this.#explainAt(target, scene)),
        ...explainQueue(queue.job(name, scene), deadLetters.get(`${name}/${scene}`)),
      ];
      lines.push(...(all.length > 1 ? said.map((line) => `${name}: ${line}`) : said));
    }
    await tell({ done: true, message: lines.join('\n') });
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
    const lines: string[] = [];
    const all = this.parts.targets.all();
    for (const { target } of all) {
      const said = await this.#dryRunAt(target, since, tell);
      lines.push(...(all.length > 1 ? said.map((line) => `${target.name}: ${line}`) : said));
    }
    await tell({ done: true, message: lines.join('\n') });
  }

  async #dryRunAt(target: AskedTarget, updatedSince: Date | null, tell: Tell): Promise<string[]> {
    const { stash, clock, ending } = this.parts;
    const run = new DryRun();
    let looked = 0;
    let toldAt = Number.NEGATIVE_INFINITY;
    target.reading(stash, ending)?.finder.index.expire();
    try {
      let after: number | null = 0;
      let total = 0;
      while (after !== null) {
        const ask = { after, updatedSince, limit: pageSize };
        const page: SceneIdsPage = await stash.ask((client) => client.sceneIds(ask, ending));
        if (after === 0) total = page.total;
        for (const scene of page.ids) {
          if (clock.now() - toldAt >= tellEveryMs) {
            toldAt = clock.now();
            const progress = total === 0 ? 1 : Math.min(1, looked / total);
            await tell({ done: false, message: `${looked} of ${total} scenes were looked at.`, progress });
          }
          const reading = target.reading(stash, ending);
          if (reading === null) return [...run.lines(), `It was broken off: ${whyNotNow(target)}`];
          await run.look(scene, reading);
          looked++;
        }
        after = page.last;
      }
      return run.lines();
    } catch (error) {
      return [...run.lines(), `It was broken off: ${sentenceOf(error)}`];
    }
  }
}

function whyNotNow({ missing, outage }: AskedTarget): string {
  return `Plex cannot be asked now: ${missing ?? outage?.cause ?? 'it is about to be tried again.'}`;
}

function sentenceOf(error: unknown): string {
  if (error instanceof PlexError || error instanceof StashTrouble) return error.message;
  throw error;
}
