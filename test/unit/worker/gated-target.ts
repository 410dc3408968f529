import { MemoryStore } from '../../../src/persist/keyed-store';
import { Gate, type Pass, type Ticket } from '../../../src/resilience/gate';
import type { Clock } from '../../../src/shared/clock';
import { type FlowSettings, flowDefaults } from '../../../src/shared/flow-settings';
import type { Outcome } from '../../../src/shared/outcome';
import { StoredLedger } from '../../../src/sync/ledger';
import type { SyncJob } from '../../../src/sync/plan';
import type { DrainTarget } from '../../../src/worker/drain';

export const ok: Outcome = { kind: 'ok', message: 'Written.' };
export const unchanged: Outcome = { kind: 'unchanged', looked: true };

/** A target with the real gate, whose server answers as the test says. */
export class GatedTarget implements DrainTarget {
  readonly name = 'plex';
  readonly ledger = new StoredLedger(new MemoryStore());
  readonly gate: Gate;
  readonly synced: number[] = [];
  /** Most jobs that were under way at the same time. */
  mostAtOnce = 0;
  probes = 0;
  missing: string | null = null;
  become: (job: SyncJob, signal: AbortSignal) => Outcome | Promise<Outcome> = () => unchanged;
  onProbe: () => Outcome = () => ok;
  /** Holds up whoever waits for the gate to be on disk. */
  keep: () => Promise<void> = async () => {};
  #now = 0;

  constructor(
    private readonly clock: Clock,
    flow: Partial<FlowSettings> = {},
  ) {
    this.gate = new Gate({
      flow: { ...flowDefaults, ...flow },
      random: () => 0,
      now: clock.now(),
      state: null,
    });
  }

  get flow(): FlowSettings {
    return this.gate.flow;
  }

  get isClosed(): boolean {
    return this.gate.isClosed;
  }

  get wantsProbe(): boolean {
    return !this.gate.isClosed && !this.gate.wantsTrial;
  }

  get wantsTrial(): boolean {
    return this.gate.wantsTrial;
  }

  ask(now: number): Pass {
    return this.gate.ask(now);
  }

  async probe(hasDueJob: boolean): Promise<'well' | 'not well'> {
    this.probes++;
    const outcome = this.onProbe();
    this.gate.probed(outcome, hasDueJob, this.clock.now());
    return outcome.kind === 'ok' ? 'well' : 'not well';
  }

  nothingToTry(): void {
    this.gate.nothingToTry(this.clock.now());
  }

  async sync(job: SyncJob, ticket: Ticket, _: unknown, signal: AbortSignal): Promise<Outcome> {
    this.synced.push(job.scene);
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#now);
    let outcome: Outcome | null = null;
    try {
      outcome = await this.become(job, signal);
      return outcome;
    } finally {
      this.#now--;
      this.gate.learn(ticket, outcome, this.clock.now());
    }
  }

  giveBack(ticket: Ticket): void {
    this.gate.learn(ticket, null, this.clock.now());
  }

  kept(): Promise<void> {
    return this.keep();
  }
}
