/**
 * The Plex servers that scenes go to: the one of the settings, `plex`, and those of `servers.json`. Each has its own
 * gate, lanes, waiting jobs, ledger and drain loop, so that one that is down or slow delays no other.
 *
 * A target is in use from the moment it is set until it leaves the settings. What belongs to one that left is kept for
 * 30 days, in case that it comes back, and then put into `targets/archived`. When it left is remembered in the queue,
 * so that events which come in before the settings are read go to the right ones. The settings' own target is in use
 * also while it is not set up, unless there are others: a person who has not set up anything yet loses no edit.
 */
import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { privateFolder, type StatePaths } from '../persist/paths';
import { Bell } from '../shared/bell';
import { type Clock, iso, type Random } from '../shared/clock';
import { describeFileError } from '../shared/errors';
import type { Log } from '../shared/log';
import type { Servers } from '../stash/servers';
import type { ServerSettings, Settings } from '../stash/settings';
import { missingSettings } from '../stash/settings';
import { Drain } from './drain';
import { FlightLog } from './flight-log';
import type { Notices, TargetNotices } from './notices';
import { inServersFile } from './server-words';
import type { StashLink } from './stash-link';
import type { State } from './state';
import { Target } from './target';

/** The target that the settings describe. */
export const ownTarget = 'plex';

const notSet: ServerSettings = {
  plexUrl: null,
  plexToken: null,
  plexLibraries: [],
  plexPathMap: [],
  plexTrustAnyCertificate: false,
};

const archivedFolder = 'archived';
const keptMs = 30 * 24 * 3_600_000;

export interface TargetsParts {
  paths: StatePaths;
  state: State;
  stash: StashLink;
  notices: Notices;
  clientIdentifier: string;
  clock: Clock;
  random: Random;
  log: Log;
  /** Runs a target's drain loop, again and again if it fails, until the signal. */
  keepUp(loop: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void>;
  onNews(): void;
}

export interface UsedTarget {
  target: Target;
  notices: TargetNotices;
}

interface Running extends UsedTarget {
  bell: Bell;
  stop: AbortController;
  ended: Promise<void>;
  flights: FlightLog;
}

export class Targets {
  readonly #running = new Map<string, Running>();
  #names: string[] = [];
  #left: string[] = [];

  constructor(private readonly parts: TargetsParts) {}

  /** What scenes are queued for. */
  get names(): readonly string[] {
    return this.#names;
  }

  /** Those that have left the settings since this was last asked. */
  takeLeft(): string[] {
    return this.#left.splice(0);
  }

  all(): UsedTarget[] {
    return [...this.#running.values()];
  }

  /** A pass over everything begins. */
  relist(): void {
    for (const { target } of this.#running.values()) target.relist();
  }

  ring(): void {
    for (const { bell } of this.#running.values()) bell.ring();
  }

  /** At the start, before the settings are known: those that were in use before, and those of the file. */
  async begin({ servers }: Servers): Promise<void> {
    const hasLeft = (name: string) => this.parts.state.queue.memo(`left/${name}`) !== undefined;
    const before = foldersIn(this.parts.paths.targets).filter((name) => name !== archivedFolder);
    const names = new Set([ownTarget, ...before].filter((name) => !hasLeft(name)));
    for (const name of [...names, ...servers.keys()]) await this.#use(name);
    if (this.#names.length === 0) await this.#use(ownTarget);
  }

  async configure(settings: Settings, { servers, problems }: Servers): Promise<void> {
    const wanted = new Map<string, { settings: ServerSettings; missing: string | null }>();
    // A file that could not be read since the start does not say that its servers are gone.
    const [unreadable = null] = servers.size === 0 ? problems : [];
    if (unreadable !== null) {
      for (const name of this.#names) wanted.set(name, { settings: notSet, missing: unreadable });
      wanted.delete(ownTarget);
    }
    const isUnset = settings.plexUrl === null && settings.plexToken === null;
    if (!isUnset || servers.size + wanted.size === 0) {
      wanted.set(ownTarget, { settings, missing: missingSettings(settings) ?? settings.heldBecause });
    }
    for (const [name, { settings: own, problem }] of servers)
      wanted.set(name, { settings: own, missing: problem ?? settings.heldBecause });
    for (const name of this.#names) if (!wanted.has(name)) await this.#leave(name);
    for (const [name, { settings: own, missing }] of wanted)
      await this.#configure(name, own, settings, missing);
    this.#archiveOld();
  }

  async end(): Promise<void> {
    for (const { stop } of this.#running.values()) stop.abort();
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
    for (const { flights } of this.#running.values()) flights.close();
  }

  async #configure(
    name: string,
    server: ServerSettings,
    settings: Settings,
    missing: string | null,
  ): Promise<void> {
    const { target, bell } = await this.#use(name);
    const isChanged = target.configure(server, settings, settings.flow, missing);
    // A scene that was not found by the old path map may be found by the new one.
    if (isChanged) this.parts.state.queue.hurry(name);
    bell.ring();
  }

  async #use(name: string): Promise<Running> {
    const known = this.#running.get(name);
    if (known) return known;
    const { paths, state, stash, notices, clientIdentifier, clock, random, log, keepUp, onNews } = this.parts;
    state.queue.setMemo(`left/${name}`, null);
    const folder = join(paths.targets, name);
    const ledger = await state.ledger(name);
    const prefix = prefixOf(name);
    const ownLog = prefix === '' ? log : prefixed(log, prefix);
    const target = new Target({
      name,
      folder,
      ledger,
      clientIdentifier,
      clock,
      random,
      log: ownLog,
      due: () => state.queue.counts(name).due,
      keep: () => ledger.flush(),
      ...(name !== ownTarget && { inOwnWords: (sentence: string) => inServersFile(name, sentence) }),
    });
    const bell = new Bell();
    const flights = new FlightLog(join(folder, 'in-flight.json'));
    const said = notices.about(name, prefix);
    const drain = new Drain({
      target,
      queue: state.queue,
      deadLetters: state.deadLetters,
      stash,
      flights,
      bell,
      clock,
      random,
      log: ownLog,
      notices: said,
      flush: state.flush,
      onNews,
    });
    const stop = new AbortController();
    const ended = keepUp((signal) => drain.run(signal), stop.signal);
    const running: Running = { target, notices: said, bell, stop, ended, flights };
    this.#running.set(name, running);
    this.#names = [...this.#running.keys()];
    return running;
  }

  async #leave(name: string): Promise<void> {
    const running = this.#running.get(name);
    if (!running) return;
    const { state, notices, clock, log } = this.parts;
    log.info(`${labelOf(name)} is not in the settings any more. What waits for it is kept for 30 days.`);
    this.#running.delete(name);
    this.#names = [...this.#running.keys()];
    running.stop.abort();
    await running.ended;
    running.flights.close();
    await running.target.kept();
    await state.closeLedger(name);
    state.queue.setMemo(`left/${name}`, clock.now());
    notices.forget(name);
    this.#left.push(name);
  }

  #archiveOld(): void {
    const { paths, state, clock, log } = this.parts;
    const now = clock.now();
    for (const name of foldersIn(paths.targets)) {
      if (name === archivedFolder || this.#running.has(name)) continue;
      const left = Number(state.queue.memo(`left/${name}`) ?? now);
      if (state.queue.memo(`left/${name}`) === undefined || left > now)
        state.queue.setMemo(`left/${name}`, now);
      if (now - left < keptMs) continue;
      const to = join(paths.targets, archivedFolder, `${name}-${iso(now).slice(0, 10)}`);
      try {
        mkdirSync(join(paths.targets, archivedFolder), { recursive: true, mode: privateFolder });
        renameSync(join(paths.targets, name), existsSync(to) ? `${to}-${now}` : to);
        state.queue.dropTarget(name);
        for (const [key, letter] of [...state.deadLetters.entries()]) {
          if (letter.target === name) state.deadLetters.delete(key);
        }
        log.info(`${labelOf(name)} left the settings 30 days ago: what was kept of it is now in ${to}.`);
      } catch (error) {
        log.warn(`What was kept of ${labelOf(name)} could not be archived: ${describeFileError(error)}.`);
      }
    }
  }
}

/** How a person calls it. */
export const labelOf = (name: string): string => (name === ownTarget ? 'Plex' : `Plex server "${name}"`);

const prefixOf = (name: string): string => (name === ownTarget ? '' : `${name}: `);

const prefixed = (log: Log, prefix: string): Log => ({
  debug: (message) => log.debug(prefix + message),
  info: (message) => log.info(prefix + message),
  warn: (message) => log.warn(prefix + message),
  error: (message) => log.error(prefix + message),
});

function foldersIn(dir: string): string[] {
  try {
    return readdirSync(dir, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  } catch {
    return [];
  }
}
