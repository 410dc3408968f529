/**
 * What a person should know now and can do something about, one sentence per topic. They look at Stash's log, which
 * the background worker cannot write to: so the sentences stand in the file `notice`, and the next hook passes them
 * on, once per change: so what the worker before said is not written again. The file is there only while there is
 * something to say.
 */
import { readFileSync, rmSync } from 'node:fs';
import { writeFileWhole } from '../persist/atomic-file';
import { describeFileError } from '../shared/errors';
import type { Log } from '../shared/log';
import { redact } from '../shared/secrets';

type TargetTopic = 'plex' | 'paths' | 'given-up' | 'welcome';
export type Topic = 'damage' | 'disk' | 'stash' | 'settings' | 'shown' | `${TargetTopic}/${string}`;

/** What is to be said about one target. */
export interface TargetNotices {
  say(topic: TargetTopic, sentence: string | null): void;
}

export class Notices {
  readonly #current = new Map<Topic, string>();
  #written: string;

  constructor(
    private readonly path: string,
    private readonly log: Log,
  ) {
    this.#written = textOf(path);
  }

  get sentences(): string[] {
    return [...this.#current.values()];
  }

  /** `null`: nothing (any more). Said in the log whenever it changes. */
  say(topic: Topic, sentence: string | null): void {
    const old = this.#current.get(topic) ?? null;
    if (old === sentence) return;
    if (sentence === null) this.#current.delete(topic);
    else {
      this.#current.set(topic, sentence);
      if (!this.#written.includes(lineOf(sentence))) this.log.warn(sentence);
    }
  }

  /** `prefix`: how the sentences about this target begin, where there is more than one. */
  about(target: string, prefix: string): TargetNotices {
    return {
      say: (topic, sentence) => this.say(`${topic}/${target}`, sentence && `${prefix}${sentence}`),
    };
  }

  /** Nothing is to be said about a target that is not in use any more. */
  forget(target: string): void {
    for (const topic of [...this.#current.keys()])
      if (topic.endsWith(`/${target}`)) this.#current.delete(topic);
  }

  async save(): Promise<void> {
    const text = this.sentences.map(lineOf).join('');
    if (text === this.#written) return;
    try {
      if (text === '') rmSync(this.path, { force: true });
      else await writeFileWhole(this.path, text);
      this.#written = text;
    } catch (error) {
      this.log.debug(`The notice could not be written: ${describeFileError(error)}.`);
    }
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

const lineOf = (sentence: string): string => `${redact(sentence).replace(/\s+/g, ' ')}\n`;
