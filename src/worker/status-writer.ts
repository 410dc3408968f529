import { writeJson } from '../persist/atomic-file';
import { type Clock, iso } from '../shared/clock';
import type { Status } from '../shared/status';
import { version } from '../shared/version';

/** Writes `status.json`. */
export class StatusWriter {
  readonly #since: string;

  constructor(
    private readonly path: string,
    clock: Clock,
  ) {
    this.#since = iso(clock.now());
  }

  async write({ alive, ...rest }: Omit<Status, 'version' | 'worker'> & { alive: boolean }): Promise<void> {
    const worker = alive
      ? { alive, pid: process.pid, since: this.#since }
      : { alive, pid: null, since: null };
    const { paused, ...others } = rest;
    await writeJson(this.path, { version, paused, worker, ...others } satisfies Status);
  }
}
