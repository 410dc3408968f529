/**
 * What tasks ask of the worker. Each leaves its answer in `answers/<id>.json`, where the task waits for it; that of
 * something that takes its time is written again as it gets on. Answers that nobody fetched go after ten minutes.
 */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeJson } from '../persist/atomic-file';
import type { KeyedStore } from '../persist/keyed-store';
import { privateFolder } from '../persist/paths';
import type { DeadLetter, Sweep } from '../queue/entries';
import type { Command } from '../queue/inbox-message';
import type { Queue, SweepName } from '../queue/queue';
import type { Answer } from '../shared/answer';
import type { Clock } from '../shared/clock';
import { codeOf, describeFileError, stackOf } from '../shared/errors';
import type { Log } from '../shared/log';
import { redact } from '../shared/secrets';
import { counted } from '../shared/words';
import { choiceOf, chosenLetters, lettersInWords, nothingMeant } from './dead-letters';
import { hoursFrom } from './hours';
import { reconciledInWords } from './reconcile';

const keptMs = 10 * 60_000;
const defaultHours = 24;

/**
 * Carries out a command that takes its time, beside the inbox. What it must not forget if the worker dies it puts into
 * the queue before it first waits. The last answer is `done`.
 */
export type Handler = (
  args: Record<string, unknown>,
  answer: (answer: Answer) => Promise<void>,
) => Promise<void>;

export interface CommandsParts {
  /** Where the answers go. */
  folder: string;
  queue: Queue;
  deadLetters: KeyedStore<DeadLetter>;
  targets: { readonly names: readonly string[]; all(): { target: AskedTarget }[] };
  clock: Clock;
  log: Log;
  /** Further commands, by their names. */
  more?: Record<string, Handler>;
  /** Resolves when all changes are on disk. */
  flush(): Promise<void>;
  /** All scenes are about to be queued, by the settings of now. */
  onSyncAll(): void;
  /** Dead letters of this target went. */
  onLettersChanged(target: string): void;
  /** There may be something to do for everybody. */
  ring(): void;
  /** Resolves when the settings were read anew, or could not be. */
  freshSettings(): Promise<void>;
  /** Aborts when the worker ends. */
  ending: AbortSignal;
}

// Whoever asks for these has often just changed a setting.
const goesBySettings = new Set(['health', 'retry_dead_letters']);

type Chosen = ReturnType<typeof chosenLetters>;

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
    if (goesBySettings.has(command.name)) await this.parts.freshSettings();
    const answer = await this.#act(command);
    this.parts.ring();
    if (answer) await this.#answer(command.id, answer);
    if (command.name !== 'clear_queue') return;
    for (const [sweep, id] of this.#asked) {
      this.#asked.delete(sweep);
      await this.#answer(id, { done: true, message: 'The queue was cleared meanwhile.', failed: true });
    }
  }

  /** `note`: why it does not get on. */
  async tellSweep(name: SweepName, sweep: Sweep, done: boolean, note: string | null = null): Promise<void> {
    const id = this.#asked.get(name);
    if (!id) return;
    if (done) this.#asked.delete(name);
    await this.#answer(id, {
      done,
      message: [sweepInWords(name, sweep, done), note ?? []].flat().join(' '),
      progress: done ? 1 : sweep.total ? Math.min(1, sweep.looked / sweep.total) : 0,
    });
  }

  #act({ name, id, args }: Command): Answer | null | Promise<Answer> {
    const { queue, clock, targets, deadLetters, more = {} } = this.parts;
    switch (name) {
      case 'process':
        return { done: true, message: 'The worker is awake.' };
      case 'sync_all':
        for (const target of targets.names) queue.setMemo(`synced-all/${target}`, clock.now());
        this.parts.onSyncAll();
        return this.#sweep('all', null, id);
      case 'sync_recent': {
        const hours = hoursFrom(args.hours, defaultHours);
        if (typeof hours === 'string') return { done: true, message: hours, failed: true };
        return this.#sweep('recent', clock.now() - hours * 3_600_000, id);
      }
      case 'reconcile':
        return this.#sweep('reconcile', null, id);
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
        void this.#runBeside(name, id, (_, answer) => this.#checkHealth(answer), args);
        return null;
      case 'reset_breaker':
        return { done: true, message: this.#tryNow() };
      case 'clear_queue': {
        const cleared = counted(queue.clear(), 'waiting job was', 'waiting jobs were');
        return { done: true, message: `${cleared} forgotten. What is on its way to Plex now still arrives.` };
      }
      case 'dead_letters':
        return { done: true, message: lettersInWords(deadLetters, clock.now()) };
      case 'retry_dead_letters':
        return this.#withLetters(args, (chosen) => this.#retryLetters(chosen));
      case 'discard_dead_letters':
        return this.#withLetters(args, (chosen) => this.#discardLetters(chosen));
      default: {
        const handler = Object.hasOwn(more, name) ? more[name] : undefined;
        if (!handler)
          return { done: true, message: `The command "${name}" is unknown to this worker.`, failed: true };
        void this.#runBeside(name, id, handler, args);
        return null;
      }
    }
  }

  /** Takes as long as it takes, so the inbox does not wait for it. */
  async #runBeside(name: string, id: string, handler: Handler, args: Command['args']): Promise<void> {
    const { ending, log, ring } = this.parts;
    try {
      await handler(args, (answer) => this.#answer(id, answer));
      ring();
    } catch (error) {
      if (ending.aborted) return;
      log.error(`"${name}" could not be finished. ${stackOf(error)}`);
      const message = `"${name}" could not be finished: ${describeFileError(error)}. worker.log may say more.`;
      await this.#answer(id, { done: true, message, failed: true });
    }
  }

  async #checkHealth(answer: (answer: Answer) => Promise<void>): Promise<void> {
    const { targets, ending } = this.parts;
    await answer({ done: false, message: 'Asking Plex …' });
    const found = await Promise.all(targets.all().map(({ target }) => target.health(ending)));
    await answer({ done: true, message: found.flat().join('\n') });
  }

  async #withLetters(
    args: Command['args'],
    act: (chosen: Chosen) => string | Promise<string>,
  ): Promise<Answer> {
    const choice = choiceOf(args);
    if (typeof choice === 'string') return { done: true, message: choice, failed: true };
    const chosen = chosenLetters(this.parts.deadLetters, choice);
    if (chosen.length > 0) return { done: true, message: await act(chosen) };
    return { done: true, message: nothingMeant(choice), ...(!('all' in choice) && { failed: true }) };
  }

  /** The jobs are on disk before the letters go: a letter beside its job does no harm, a scene without both is lost. */
  async #retryLetters(chosen: Chosen): Promise<string> {
    const { queue, flush } = this.parts;
    const bulk = chosen.length > 1;
    for (const [, { target, scene }] of chosen) queue.add(target, scene, { bulk, asked: true });
    await flush();
    this.#removeLetters(chosen);
    return `${counted(chosen.length, 'scene is', 'scenes are')} queued again.`;
  }

  #discardLetters(chosen: Chosen): string {
    this.#removeLetters(chosen);
    const scenes = counted(chosen.length, 'dead letter was', 'dead letters were');
    return `${scenes} discarded. An edit in Stash, "Sync all scenes", or "Reconcile" once Plex lists it, tries such a scene again.`;
  }

  #removeLetters(chosen: Chosen): void {
    const { deadLetters, onLettersChanged } = this.parts;
    for (const [key, letter] of chosen) {
      // Tried meanwhile and given up once more: that is another letter.
      if (deadLetters.get(key) === letter) deadLetters.delete(key);
    }
    for (const target of new Set(chosen.map(([, letter]) => letter.target))) onLettersChanged(target);
  }

  #tryNow(): string {
    const tried = this.parts.targets.all().filter(({ target }) => target.tryNow());
    if (tried.length === 0) return 'There is nothing to hurry: Plex is not being waited for.';
    const names = tried.map(({ target }) => target.name).join(', ');
    return `The next try is now (${names}). If Plex is well, one scene goes first, and then the others, slowly at the start.`;
  }

  #sweep(name: SweepName, since: number | null, id: string): null {
    this.parts.queue.beginSweep(name, since, true);
    const before = this.#asked.get(name);
    if (before) void this.#answer(before, { done: true, message: 'It was begun anew by somebody else.' });
    this.#asked.set(name, id);
    return null;
  }

  async #answer(id: string, answer: Answer): Promise<void> {
    try {
      await writeJson(join(this.parts.folder, `${id}.json`), { ...answer, message: redact(answer.message) });
    } catch (error) {
      // The task took it away before we had looked whether it is whole.
      if (codeOf(error) === 'ENOENT') return;
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

function sweepInWords(name: SweepName, sweep: Sweep, done: boolean): string {
  const { looked, queued, total } = sweep;
  const of = total ? ` of ${total}` : '';
  if (name === 'reconcile') {
    return done ? reconciledInWords(sweep) : `${looked}${of} scenes are compared so far, ${queued} queued.`;
  }
  return done
    ? `${counted(queued, 'scene is', 'scenes are')} queued.`
    : `${queued}${of} scenes are queued so far.`;
}
