/**
 * `servers.json` on disk. It is looked at as often as the settings, and read only when it has changed.
 *
 * Holds: only its owner can read it, as far as the file system lets us see to that; without it there are no further
 * servers; one that cannot be read or parsed changes nothing (a person may be in the middle of editing it): the
 * servers stay what they were, and the one problem says so.
 */
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { privateFile } from '../persist/paths';
import { codeOf, describeFileError, isFileError, messageOf } from '../shared/errors';
import type { Log } from '../shared/log';
import { type NamedServer, readServers, type Servers, serversFileName } from '../stash/servers';

export type FoundServers = ReadonlyMap<string, NamedServer>;

const none = (): Servers => ({ servers: new Map(), problems: [] });

export class ServersFile {
  #current = none();
  /** Which file `#current` was made of: its number, size and time. */
  #stamp: string | null = null;
  #hasSpokenOfMode = false;

  constructor(
    private readonly path: string,
    private readonly log: Log,
  ) {}

  /** The servers as they are to be used now. Never throws. */
  read(): Servers {
    try {
      const { ino, size, mtimeMs, mode } = statSync(this.path);
      this.#makePrivate(mode);
      const stamp = `${ino} ${size} ${mtimeMs}`;
      if (stamp === this.#stamp) return this.#current;
      this.#current = this.#parsed(readFileSync(this.path, 'utf8'));
      this.#stamp = stamp;
    } catch (error) {
      // What could not be read is tried again, though it has not changed: permissions may have.
      this.#stamp = null;
      const isGone = codeOf(error) === 'ENOENT';
      this.#current = isGone
        ? none()
        : this.#asBefore(`${serversFileName} cannot be read (${describeFileError(error)}).`);
    }
    return this.#current;
  }

  #parsed(text: string): Servers {
    try {
      return readServers(text);
    } catch (error) {
      return this.#asBefore(messageOf(error));
    }
  }

  #asBefore(problem: string): Servers {
    const { servers } = this.#current;
    const meanwhile =
      servers.size === 0 ? 'it counts as empty' : 'the servers that it named before stay in use';
    return { servers, problems: [`${problem} Until this is mended, ${meanwhile}.`] };
  }

  /** It holds tokens. Windows has no such modes, and says that everybody may. */
  #makePrivate(mode: number): void {
    if (process.platform === 'win32' || (mode & 0o077) === 0) return;
    try {
      chmodSync(this.path, privateFile);
      this.#sayOnce(
        'info',
        `${serversFileName} holds tokens and could be read by other users; now only its owner can.`,
      );
    } catch (error) {
      if (!isFileError(error)) throw error;
      this.#sayOnce(
        'warn',
        `${serversFileName} holds tokens and can be read by other users, which cannot be changed from here ` +
          `(${describeFileError(error)}). Run: chmod 600 '${this.path}'.`,
      );
    }
  }

  #sayOnce(level: 'info' | 'warn', sentence: string): void {
    if (this.#hasSpokenOfMode) return;
    this.#hasSpokenOfMode = true;
    this.log[level](sentence);
  }
}
