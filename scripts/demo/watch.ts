/**
 * Looks at the household ten times a second: at the files that Sluice keeps, at its processes, and at the simulated
 * Plex. What it sees changing becomes a line of the story, so that the story is what happened, not what was planned.
 */
import { readdirSync } from 'node:fs';
import type { Household } from '../../test/sim/household';
import { compare, isInStep } from './comparison';
import { GateNews, gateOf, type Handover } from './gate-news';
import type { GateState, Line, Moment, Recovery, Sample, Save } from './moment';
import { rampAt } from './ramp';

const lookEveryMs = 100;
const compareEveryMs = 400;

/** The settings of the flow that make the demo short. */
export interface DemoFlow {
  openSeconds: number;
  initialRate: number;
  targetRate: number;
  recoverySeconds: number;
}

export interface WatchOptions {
  home: Household;
  flow: DemoFlow;
  onLine(line: Line): void;
  onMoment(moment: Moment): void;
}

export class Watch {
  readonly saves: Save[] = [];
  readonly lines: Line[] = [];
  readonly #samples: Sample[] = [];
  readonly #startedAt = performance.now();
  readonly #startedAtEpochMs = Date.now();
  readonly #news: GateNews;
  readonly #sentAtMs: number[] = [];
  /** Items that this worker has asked for. */
  #asked = new Set<string>();
  #recovery: Recovery | null = null;
  #inStep: boolean[];
  #comparedAtMs = Number.NEGATIVE_INFINITY;
  #comparing = false;
  /** Nobody compares while a save is timed. */
  #saving = 0;
  /** How many there were at the last look. */
  #requests = 0;
  #worker: number | null = null;
  #plexIsUp = true;
  #timer: NodeJS.Timeout | null = null;

  constructor(private readonly options: WatchOptions) {
    this.#inStep = options.home.scenes.map(() => false);
    this.#news = new GateNews(options.flow);
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

  get gate(): GateState {
    return this.#news.gate.is;
  }

  get recovery(): Recovery | null {
    return this.#recovery;
  }

  /** Of the recovery, 0 to 1. */
  get progress(): number {
    if (!this.#recovery) return 0;
    const { startedAtMs, endsAtMs } = this.#recovery;
    return Math.min(1, (this.atMs - startedAtMs) / (endsAtMs - startedAtMs));
  }

  get handovers(): readonly Handover[] {
    return this.#news.handovers;
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
    const { home, flow } = this.options;
    const status = home.status();
    const { is, cause, retryAt, rate, achieved } = this.#news.gate;
    return {
      atMs: this.atMs,
      saves: this.saves,
      inbox: inboxOf(home),
      waiting: status?.queue.waiting ?? 0,
      retrying: status?.queue.retrying ?? 0,
      workerPid: this.#worker,
      gate: {
        is,
        cause,
        failedTries: this.#news.failedTries,
        nextTryMs: retryAt === null ? null : retryAt - Date.now(),
        openMs: flow.openSeconds * 1_000,
        rate,
        achieved,
      },
      recovery: this.#recovery,
      plexIsUp: this.#plexIsUp,
      requests: this.requests,
      inStep: this.#inStep,
      samples: this.#samples,
      lines: this.lines,
    };
  }

  #look(): void {
    this.#noticeWorker();
    this.#noticeGate();
    this.#noticeScenes();
    const moment = this.moment();
    const { atMs, requests, waiting, inbox, plexIsUp, workerPid, gate, recovery } = moment;
    this.#samples.push({
      atMs,
      requests: requests - this.#requests,
      waiting: Math.max(waiting, inbox),
      plexIsUp,
      workerLives: workerPid !== null,
      gate: gate.is,
      ramp: recovery && gate.is === 'recovery' ? rampAt(recovery, atMs) : 0,
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
    if (pid !== null && pid !== this.#worker) {
      this.say('good', `a worker is at work (pid ${pid})`);
      this.#asked = new Set();
    }
    this.#worker = pid;
  }

  #noticeGate(): void {
    const { initialRate, targetRate, recoverySeconds } = this.options.flow;
    const view = gateOf(this.options.home.status());
    if (!view) return;
    for (const { kind, text } of this.#news.see(view, Date.now())) this.say(kind, text);
    if (view.is !== 'recovery' || view.recoveryStartedAt === null) return;
    const startedAtMs = this.#sinceStart(view.recoveryStartedAt);
    if (this.#recovery?.startedAtMs === startedAtMs) return;
    const endsAtMs = startedAtMs + recoverySeconds * 1_000;
    this.#recovery = { startedAtMs, endsAtMs, initialRate, targetRate, sentAtMs: this.#sentAtMs };
  }

  /**
   * A scene is sent when a worker asks for its item: the first request of a sync. The same worker may ask once more,
   * to see what became of its edit.
   */
  #noticeScenes(): void {
    const { requests } = this.options.home.plex;
    for (const { kind, path, at } of requests.slice(this.#requests)) {
      if (kind !== 'item' || this.#asked.has(path)) continue;
      this.#asked.add(path);
      this.#sentAtMs.push(this.#sinceStart(at));
    }
  }

  #sinceStart(epochMs: number): number {
    return epochMs - this.#startedAtEpochMs;
  }
}

function inboxOf(home: Household): number {
  try {
    return readdirSync(home.state.inbox).filter((name) => name.endsWith('.json')).length;
  } catch {
    return 0;
  }
}
