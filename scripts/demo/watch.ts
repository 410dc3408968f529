/**
 * Looks at the household ten times a second: at the files that Sluice keeps, at its processes, and at the simulated
 * Plex. What it sees changing becomes a line of the story, so that the story is what happened, not what was planned.
 */
import { readdirSync } from 'node:fs';
import type { TargetStatus } from '../../src/shared/status';
import type { Household } from '../../test/sim/household';
import { compare, isInStep } from './comparison';
import type { Line, Moment, Sample, Save } from './moment';
import { count } from './text';

type Breaker = TargetStatus['breaker'];

const lookEveryMs = 100;
const compareEveryMs = 400;
const closed: Breaker = { state: 'CLOSED', cause: null, since: null, retryAt: null, failuresInARow: 0 };

export interface WatchOptions {
  home: Household;
  /** How long the breaker stays open. */
  openMs: number;
  onLine(line: Line): void;
  onMoment(moment: Moment): void;
}

export class Watch {
  readonly saves: Save[] = [];
  readonly lines: Line[] = [];
  readonly #samples: Sample[] = [];
  readonly #startedAt = performance.now();
  #inStep: boolean[];
  #comparedAtMs = Number.NEGATIVE_INFINITY;
  #comparing = false;
  /** Nobody compares while a save is timed. */
  #saving = 0;
  #requests = 0;
  #worker: number | null = null;
  #breaker = closed;
  #plexIsUp = true;
  #timer: NodeJS.Timeout | null = null;

  constructor(private readonly options: WatchOptions) {
    this.#inStep = options.home.scenes.map(() => false);
  }

  start(): void {
    this.#timer = setInterval(() => this.#look(), lookEveryMs);
    this.#look();
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
  }

  get atMs(): number {
    return performance.now() - this.#startedAt;
  }

  get requests(): number {
    return Object.values(this.options.home.plex.counts).reduce((sum, one) => sum + one, 0);
  }

  get worker(): number | null {
    return this.#worker;
  }

  plexIs(up: boolean): void {
    this.#plexIsUp = up;
  }

  say(kind: Line['kind'], text: string, tookMs?: number): void {
    const line: Line = { atMs: this.atMs, kind, text, ...(tookMs === undefined ? {} : { tookMs }) };
    this.lines.push(line);
    this.options.onLine(line);
  }

  /** Times a save as the person feels it: until Stash answers, hooks and all. */
  async save(scenes: number, text: (tookMs: number) => string, edit: () => Promise<void>): Promise<void> {
    this.#saving++;
    const from = performance.now();
    try {
      await edit();
    } finally {
      this.#saving--;
    }
    const tookMs = performance.now() - from;
    this.saves.push({ scenes, tookMs });
    this.say('save', text(tookMs), tookMs);
  }

  moment(): Moment {
    const { home, openMs } = this.options;
    const status = home.status();
    const { state, cause, failuresInARow, retryAt } = this.#breaker;
    return {
      atMs: this.atMs,
      saves: this.saves,
      inbox: inboxOf(home),
      waiting: status?.queue.waiting ?? 0,
      retrying: status?.queue.retrying ?? 0,
      workerPid: this.#worker,
      breaker: {
        state,
        cause,
        failuresInARow,
        nextTryMs: retryAt === null ? null : Date.parse(retryAt) - Date.now(),
        openMs,
      },
      plexIsUp: this.#plexIsUp,
      requests: this.requests,
      inStep: this.#inStep,
      samples: this.#samples,
      lines: this.lines,
    };
  }

  #look(): void {
    this.#noticeWorker();
    this.#noticeBreaker();
    const moment = this.moment();
    const { atMs, requests, waiting, inbox, plexIsUp, workerPid } = moment;
    this.#samples.push({
      atMs,
      requests: requests - this.#requests,
      waiting: Math.max(waiting, inbox),
      plexIsUp,
      workerLives: workerPid !== null,
    });
    this.#requests = requests;
    this.options.onMoment(moment);
    if (this.#saving === 0 && atMs - this.#comparedAtMs >= compareEveryMs) void this.compare();
  }

  /** Looks at every field of every scene. */
  async compare(): Promise<void> {
    if (this.#comparing) return;
    this.#comparing = true;
    this.#comparedAtMs = this.atMs;
    try {
      this.#inStep = (await compare(this.options.home)).map(isInStep);
    } catch {
      // The household is being closed.
    } finally {
      this.#comparing = false;
    }
  }

  #noticeWorker(): void {
    const pid = this.options.home.worker();
    if (pid !== null && pid !== this.#worker) this.say('good', `a worker is at work (pid ${pid})`);
    this.#worker = pid;
  }

  #noticeBreaker(): void {
    const now = this.options.home.status()?.targets.plex?.breaker ?? closed;
    const before = this.#breaker;
    this.#breaker = now;
    const cause = now.cause?.replace(/\.$/, '') ?? '';
    if (now.state !== 'CLOSED' && before.state === 'CLOSED') {
      this.say('bad', `breaker opens: ${cause}`);
    } else if (now.state === 'CLOSED' && before.state !== 'CLOSED') {
      this.say(
        'good',
        `breaker closes after ${count(before.failuresInARow, 'failed attempt')}: the queue flows`,
      );
    } else if (now.failuresInARow > before.failuresInARow) {
      this.say('note', `attempt ${now.failuresInARow}: ${cause}`);
    }
  }
}

function inboxOf(home: Household): number {
  try {
    return readdirSync(home.state.inbox).filter((name) => name.endsWith('.json')).length;
  } catch {
    return 0;
  }
}
