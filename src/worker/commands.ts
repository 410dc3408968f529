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
import { describeFileError, stackOf } from '../shared/errors';
import type { Log } from '../shared/log';
import { redact } from '../shared/secrets';
import { counted } from '../shared/words';

const keptMs = 10 * 60_000;
const defaultHours = 24;
const longestHours = 24 * 366 * 10;

export interface CommandsParts {
  /** Where the answers go. */
  folder: string;
  queue: Queue;
  targets: { readonly names: readonly string[]; all(): { target: AskedTarget }[] };
  clock: Clock;
  log: Log;
  /** There may be something to do for everybody. */
  ring(): void;
  /** Resolves when the settings were read anew, or could not be. */
  freshSettings(): Promise<void>;
  /** Aborts when the worker ends. */
  ending: AbortSignal;
}

interface AskedTarget {
  name: string;
  health(signal: AbortSignal): Promise<string[]>;
  tryNow(): boolean;
}

export class Commands {
  /** Who waits for which sweep. */
  readonly #asked = new Map<SweepName, string>();

  constructor(private readonly parts: CommandsParts) {
    mkdirSync(parts.folder, { recursive: true, mode: privateFolder });
  }

  async carryOut(command: Command): Promise<void> {
    this.parts.log.info(`Asked for: ${command.name}.`);
    this.#removeOldAnswers();
    const answer = this.#act(command);
    this.parts.ring();
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
    const { queue, clock, targets } = this.parts;
    switch (name) {
      case 'process':
        return { done: true, message: 'The worker is awake.' };
      case 'sync_all':
        for (const target of targets.names) queue.setMemo(`synced-all/${target}`, clock.now());
        return this.#sweep('all', null, id);
      case 'sync_recent': {
        const hours = args.hours === undefined || args.hours === '' ? defaultHours : Number(args.hours);
        if (!(hours > 0 && hours <= longestHours)) {
          const message =
            `"hours" is ${JSON.stringify(args.hours)}, but must be a number above 0 and ` +
            `at most ${longestHours} (ten years).`;
          return { done: true, message, failed: true };
        }
        return this.#sweep('recent', clock.now() - hours * 3_600_000, id);
      }
      case 'pause':
        queue.setMemo('paused', queue.memo('paused') ?? clock.now());
        return {
          done: true,
          message: 'Paused: edits are recorded, nothing is sent to Plex until you resume.',
        };
      case 'resume':
        queue.setMemo('paused', null);
        return { done: true, message: 'Going on.' };
      case 'health':
        void this.#checkHealth(id);
        return null;
      case 'reset_breaker':
        return { done: true, message: this.#tryNow() };
      case 'clear_queue': {
        const cleared = counted(queue.clear(), 'waiting job was', 'waiting jobs were');
        return { done: true, message: `${cleared} forgotten. What is on its way to Plex now still arrives.` };
      }
      default:
        return { done: true, message: `The command "${name}" is unknown to this worker.`, failed: true };
    }
  }

  /** Takes as long as Plex takes, so the inbox does not wait for it. */
  async #checkHealth(id: string): Promise<void> {
    const { targets, ending, log, ring, freshSettings } = this.parts;
    await this.#answer(id, { done: false, message: 'Asking Plex …' });
    try {
      // Whoever asks has often just changed them.
      await freshSettings();
      const found = await Promise.all(targets.all().map(({ target }) => target.health(ending)));
      await this.#answer(id, { done: true, message: found.flat().join('\n') });
      ring();
    } catch (error) {
      if (!ending.aborted) log.error(`The health could not be checked. ${stackOf(error)}`);
    }
  }

  #tryNow(): string {
    const tried = this.parts.targets.all().filter(({ target }) => target.tryNow());
    if (tried.length === 0) return 'There is nothing to hurry: Plex is not being waited for.';
    const names = tried.map(({ target }) => target.name).join(', ');
    return `The next try is now (${names}). If Plex is well, one scene goes first, and then the others, slowly at the start.`;
  }

  #sweep(name: SweepName, since: number | null, id: string): null {
    this.parts.queue.beginSweep(name, since);
    this.#asked.set(name, id);
    return null;
  }

  async #answer(id: string, answer: Answer): Promise<void> {
    try {
      await writeJson(join(this.parts.folder, `${id}.json`), { ...answer, message: redact(answer.message) });
    } catch (error) {
      this.parts.log.warn(`The answer to a task could not be written: ${describeFileError(error)}.`);
    }
  }

  #removeOldAnswers(): void {
    try {
      for (const name of readdirSync(this.parts.folder)) {
        const path = join(this.parts.folder, name);
        if (Math.abs(this.parts.clock.now() - statSync(path).mtimeMs) > keptMs) rmSync(path, { force: true });
      }
    } catch {
      // A task has just fetched its answer. The next command looks again.
    }
  }
}
