/**
 * What tasks ask of the worker. Each leaves its answer in `answers/<id>.json`, where the task waits for it; a sweep's
 * answer is written again with every page. Answers that nobody fetched go after ten minutes.
 */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeJson } from '../persist/atomic-file';
import { privateFolder } from '../persist/paths';
import type { Sweep } from '../queue/entries';
import type { Command } from '../queue/inbox-message';
import type { Queue, SweepName } from '../queue/queue';
import type { Answer } from '../shared/answer';
import type { Clock } from '../shared/clock';
import { describeFileError } from '../shared/errors';
import type { Log } from '../shared/log';
import { redact } from '../shared/secrets';
import { counted } from '../shared/words';

const keptMs = 10 * 60_000;
const defaultHours = 24;
const longestHours = 24 * 366 * 10;

export class Commands {
  /** Who waits for which sweep. */
  readonly #asked = new Map<SweepName, string>();

  constructor(
    private readonly folder: string,
    private readonly queue: Queue,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly ring: () => void,
  ) {
    mkdirSync(folder, { recursive: true, mode: privateFolder });
  }

  async carryOut(command: Command): Promise<void> {
    this.log.info(`Asked for: ${command.name}.`);
    this.#removeOldAnswers();
    const answer = this.#act(command);
    this.ring();
    if (answer) await this.#answer(command.id, answer);
    if (command.name !== 'clear_queue') return;
    for (const [sweep, id] of this.#asked) {
      this.#asked.delete(sweep);
      await this.#answer(id, { done: true, message: 'The queue was cleared meanwhile.', failed: true });
    }
  }

  async tellSweep(name: SweepName, sweep: Sweep, done: boolean): Promise<void> {
    const id = this.#asked.get(name);
    if (!id) return;
    if (done) this.#asked.delete(name);
    const of = sweep.total ? ` of ${sweep.total}` : '';
    await this.#answer(id, {
      done,
      message: done
        ? `${counted(sweep.queued, 'scene is', 'scenes are')} queued.`
        : `${sweep.queued}${of} scenes are queued so far.`,
      progress: sweep.total ? Math.min(1, sweep.queued / sweep.total) : 1,
    });
  }

  #act({ name, id, args }: Command): Answer | null {
    switch (name) {
      case 'process':
        return { done: true, message: 'The worker is awake.' };
      case 'sync_all':
        this.queue.setMemo('synced-all', this.clock.now());
        return this.#sweep('all', null, id);
      case 'sync_recent': {
        const hours = args.hours === undefined || args.hours === '' ? defaultHours : Number(args.hours);
        if (!(hours > 0 && hours <= longestHours)) {
          const message =
            `"hours" is ${JSON.stringify(args.hours)}, but must be a number above 0 and ` +
            `at most ${longestHours} (ten years).`;
          return { done: true, message, failed: true };
        }
        return this.#sweep('recent', this.clock.now() - hours * 3_600_000, id);
      }
      case 'pause':
        this.queue.setMemo('paused', this.queue.memo('paused') ?? this.clock.now());
        return {
          done: true,
          message: 'Paused: edits are recorded, nothing is sent to Plex until you resume.',
        };
      case 'resume':
        this.queue.setMemo('paused', null);
        return { done: true, message: 'Going on.' };
      case 'clear_queue': {
        const cleared = counted(this.queue.clear(), 'waiting job was', 'waiting jobs were');
        return { done: true, message: `${cleared} forgotten. What is on its way to Plex now still arrives.` };
      }
      default:
        return { done: true, message: `The command "${name}" is unknown to this worker.`, failed: true };
    }
  }

  #sweep(name: SweepName, since: number | null, id: string): null {
    this.queue.beginSweep(name, since);
    this.#asked.set(name, id);
    return null;
  }

  async #answer(id: string, answer: Answer): Promise<void> {
    try {
      await writeJson(join(this.folder, `${id}.json`), { ...answer, message: redact(answer.message) });
    } catch (error) {
      this.log.warn(`The answer to a task could not be written: ${describeFileError(error)}.`);
    }
  }

  #removeOldAnswers(): void {
    try {
      for (const name of readdirSync(this.folder)) {
        const path = join(this.folder, name);
        if (Math.abs(this.clock.now() - statSync(path).mtimeMs) > keptMs) rmSync(path, { force: true });
      }
    } catch {
      // A task has just fetched its answer. The next command looks again.
    }
  }
}
