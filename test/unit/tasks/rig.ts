/** A task without Stash and with a worker that does what the test says. */
import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type StatePaths, statePaths } from '../../../src/persist/paths';
import type { Answer } from '../../../src/shared/answer';
import type { Status, TargetStatus } from '../../../src/shared/status';
import type { TaskContext } from '../../../src/tasks/ask-worker';
import { MemoryLog } from '../../support/memory-log';
import { livingProcess } from '../../support/processes';
import { quietTarget } from '../../support/target-status';
import { tempDir } from '../../support/temp-dir';
import { settle, VirtualClock } from '../../support/virtual-clock';

class TaskLog extends MemoryLog {
  readonly fractions: number[] = [];
  progress = (fraction: number) => void this.fractions.push(fraction);
}

export class TaskRig {
  readonly clock = new VirtualClock();
  readonly log = new TaskLog();
  readonly paths: StatePaths;
  readonly context: TaskContext;
  pid = 0;
  readonly #asked = new Set<string>();

  constructor() {
    const dir = tempDir();
    this.paths = statePaths(join(dir, 'sluice-data'));
    for (const folder of [this.paths.inbox, this.paths.answers]) mkdirSync(folder, { recursive: true });
    this.context = {
      paths: this.paths,
      pluginDir: dir,
      distDir: join(dir, 'dist'),
      serverConnection: { Host: '0.0.0.0' },
      clock: this.clock,
      log: this.log,
    };
  }

  /** A process that counts as the worker, so that none is started. */
  workerLives(): void {
    const { pid, ticks } = livingProcess();
    writeFileSync(this.paths.alive, `${pid} ${ticks}\n`);
    const later = new Date(Date.now() + 3_600_000);
    utimesSync(this.paths.alive, later, later);
    this.pid = pid;
  }

  /** What lies in the inbox. */
  commands(): { command: string; id: string; args?: object }[] {
    return readdirSync(this.paths.inbox).map(
      (name) => JSON.parse(readFileSync(join(this.paths.inbox, name), 'utf8')).sluice,
    );
  }

  /** As the worker does: what was asked for is taken out of the inbox before it is answered. */
  async answer(answer: Answer): Promise<void> {
    await settle();
    for (const { id } of this.commands()) this.#asked.add(id);
    for (const name of readdirSync(this.paths.inbox)) rmSync(join(this.paths.inbox, name));
    for (const id of this.#asked)
      writeFileSync(join(this.paths.answers, `${id}.json`), JSON.stringify(answer));
  }

  says(change: StatusChange = {}): void {
    writeFileSync(this.paths.status, JSON.stringify(this.status(change)));
  }

  status({ queue, plex, others, breaker, stash, ...rest }: StatusChange = {}): Status {
    return {
      version: '1.2.3',
      paused: false,
      worker: { alive: true, pid: this.pid, since: '2026-01-02T03:00:00.000Z' },
      inbox: 0,
      deadLetters: 0,
      passes: [],
      stash: { reachable: true, since: null, error: null, ...stash },
      queue: { waiting: 0, due: 0, inFlight: 0, parked: 0, retrying: 0, fanOuts: 0, ...queue },
      targets: {
        plex: {
          ...quietTarget,
          queue: { ...quietTarget.queue, ...queue },
          breaker: { ...quietTarget.breaker, ...breaker },
          ...plex,
        },
        ...others,
      },
      ...rest,
    };
  }
}

export interface StatusChange extends Partial<Omit<Status, 'queue' | 'targets' | 'stash'>> {
  queue?: Partial<Status['queue']>;
  stash?: Partial<Status['stash']>;
  plex?: Partial<Omit<TargetStatus, 'breaker'>>;
  breaker?: Partial<TargetStatus['breaker']>;
  /** Further targets. */
  others?: Record<string, TargetStatus>;
}
