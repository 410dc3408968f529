/**
 * Takes what hooks and tasks left in the inbox over into the queue, at all times, also while Plex is away or nothing
 * is configured.
 *
 * Data flow: read a file, judge it, tell the receiver; flush the receiver's stores; only then delete the file. A
 * crash anywhere in between means that the file is folded once more, which does no harm. Files are taken in the order
 * of their times, and a command is carried out by itself: what was recorded before `clear_queue` is cleared, what
 * came after is not.
 *
 * Nothing of a payload stays (it holds a session cookie, perhaps a picture). What cannot be parsed goes to
 * `inbox/rejected/` with a line in the log. A `.part` file belongs to a process that is still writing; a minute later
 * it belongs to one that died: taken if it is whole, set aside if not.
 */
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { privateFolder, type StatePaths } from '../persist/paths';
import type { Clock } from '../shared/clock';
import { crashPoint } from '../shared/crash-points';
import { codeOf, describeFileError, messageOf } from '../shared/errors';
import type { Log } from '../shared/log';
import type { StashConnection } from '../stash/connection';
import { finished, inboxNames, unfinished } from './inbox';
import {
  BadInput,
  type Command,
  type InboxMessage,
  parseInboxMessage,
  type StashEvent,
} from './inbox-message';

/** Whoever the inbox is for. */
export interface Receiver {
  /** How to reach Stash, as a hook or task knew it at that time. */
  connection(connection: StashConnection, at: number): void;
  event(event: StashEvent): void;
  command(command: Command): void | Promise<void>;
  /** Resolves when all that was told is on disk. */
  flush(): Promise<void>;
  /**
   * True: this message is for the Stash of another state folder, and has been passed on to it. Throws BadInput when
   * it could not be: it must never be taken for one of our own Stash.
   */
  passOn(connection: StashConnection, text: string): boolean;
}

interface InboxFile {
  name: string;
  at: number;
}

const abandonedAfterMs = 60_000;
const batchSize = 500;
const mostRejected = 100;
const rejectedKeptMs = 30 * 24 * 3_600_000;

export class InboxReader {
  readonly #firstSeen = new Map<string, number>();
  readonly #stuck = new Set<string>();

  constructor(
    private readonly paths: StatePaths,
    private readonly pluginDir: string,
    private readonly receiver: Receiver,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** How many files wait, finished or not. */
  count(): number {
    return this.#names().length;
  }

  /** Folds everything that is there. Returns how many files that were. */
  async fold(): Promise<number> {
    this.#lookAfterUnfinished();
    const files = this.#inOrder();
    for (let start = 0; start < files.length; start += batchSize) {
      await this.#foldBatch(files.slice(start, start + batchSize));
    }
    return files.length;
  }

  async #foldBatch(files: InboxFile[]): Promise<void> {
    let told: string[] = [];
    for (const { name, at } of files) {
      const message = this.#read(name);
      if (message === null) continue;
      if (message.type === 'event') {
        this.receiver.connection(message.connection, at);
        if (!message.event.ours) this.receiver.event(message.event);
        told.push(name);
        continue;
      }
      await this.#confirm(told);
      told = [];
      this.receiver.connection(message.connection, at);
      await this.receiver.command(message.command);
      await this.#confirm([name]);
    }
    await this.#confirm(told);
  }

  async #confirm(names: string[]): Promise<void> {
    if (names.length === 0) return;
    crashPoint('fold.told');
    await this.receiver.flush();
    crashPoint('fold.flushed');
    for (const name of names) {
      rmSync(join(this.paths.inbox, name), { force: true });
      crashPoint('fold.deleted');
    }
  }

  /** Null: there is nothing to fold in it, and it has been dealt with. */
  #read(name: string): InboxMessage | null {
    const path = join(this.paths.inbox, name);
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') this.#reject(name, `it cannot be read: ${describeFileError(error)}`);
      return null;
    }
    try {
      const message = parseInboxMessage(text, { dir: dirname(this.paths.root), pluginDir: this.pluginDir });
      if (!this.receiver.passOn(message.connection, text)) return message;
      rmSync(path, { force: true });
      return null;
    } catch (error) {
      if (!(error instanceof BadInput)) throw error;
      this.#reject(name, messageOf(error));
      return null;
    }
  }

  #lookAfterUnfinished(): void {
    const now = this.clock.now();
    const parts = new Set(this.#names().filter((name) => name.endsWith(unfinished)));
    for (const name of this.#firstSeen.keys()) if (!parts.has(name)) this.#firstSeen.delete(name);
    for (const name of parts) {
      const seen = this.#firstSeen.get(name) ?? now;
      this.#firstSeen.set(name, Math.min(seen, now));
      if (now - seen < abandonedAfterMs) continue;
      const path = join(this.paths.inbox, name);
      try {
        JSON.parse(readFileSync(path, 'utf8'));
        renameSync(path, join(this.paths.inbox, `${name.slice(0, -unfinished.length)}-late${finished}`));
        this.log.info(`Took over ${name}, which a hook had written but not finished.`);
      } catch (error) {
        if (codeOf(error) !== 'ENOENT')
          this.#reject(name, 'the hook that wrote it ended before it was whole');
      }
    }
  }

  #reject(name: string, why: string): void {
    const from = join(this.paths.inbox, name);
    try {
      mkdirSync(this.paths.rejected, { recursive: true, mode: privateFolder });
      renameSync(from, join(this.paths.rejected, name));
      this.#stampNow(join(this.paths.rejected, name));
      this.log.warn(
        `${from} cannot be used: ${why}. It was moved to ${this.paths.rejected}. If an edit of yours did not ` +
          'reach Plex, save that scene again or run "Sync recent scenes".',
      );
    } catch (error) {
      this.#stuck.add(name);
      this.log.warn(
        `${from} cannot be used: ${why}. It could not be moved away: ${describeFileError(error)}.`,
      );
      return;
    }
    this.#pruneRejected();
  }

  /** It is kept from now on, however old it is. */
  #stampNow(path: string): void {
    const now = new Date(this.clock.now());
    utimesSync(path, now, now);
  }

  #pruneRejected(): void {
    const now = this.clock.now();
    const oldestFirst = readdirSync(this.paths.rejected)
      .map((name) => ({ path: join(this.paths.rejected, name), at: timeOf(join(this.paths.rejected, name)) }))
      .sort((a, b) => a.at - b.at);
    const excess = oldestFirst.length - mostRejected;
    oldestFirst.forEach(({ path, at }, index) => {
      if (index >= excess && now - at < rejectedKeptMs) return;
      try {
        unlinkSync(path);
      } catch {
        // A folder that somebody put there stays.
      }
    });
  }

  #inOrder(): InboxFile[] {
    return this.#names()
      .filter((name) => name.endsWith(finished))
      .map((name) => ({ name, at: timeOf(join(this.paths.inbox, name)) }))
      .sort((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1));
  }

  #names(): string[] {
    return inboxNames(this.paths.inbox).filter((name) => !this.#stuck.has(name));
  }
}

function timeOf(path: string): number {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}
