/**
 * A worker, a policy and a server in virtual time: from the instant at which the breaker has closed until no job is
 * left and the server has done what they left behind. A job is a read, an edit and sometimes an upload; one that
 * fails goes back and is done again from its beginning.
 */
import TinyQueue from 'tinyqueue';
import type { FlowSettings } from '../../../src/shared/flow-settings';
import type { Outcome } from '../../../src/shared/outcome';
import { Chance } from './chance';
import type { NamedPolicy, Policy } from './policy';
import type { Profile } from './profile';
import { type Answer, type Sent, Server } from './server';

export interface Run {
  /** From the start until everything was done. */
  drainedMs: number;
  collapses: number;
  failedCalls: number;
  /** When jobs were done, and when the server collapsed, from the start. */
  doneAtMs: number[];
  collapsedAtMs: number[];
}

/** Any instant will do, but not 0: that means "never" in the state of a gate. */
const begin = Date.UTC(2026, 0, 1);
/** A run that is not done by then counts as if it were. */
const longestMs = 24 * 3_600_000;
/** Asking Stash for the scene. */
const prepareMs = 5;
const tickMs = 1_000;

interface Lane {
  ticket: unknown;
  steps: Sent[];
  /** The call under way; changes when it is cut off, so that its answer is nobody's. */
  call: number;
  sent: { kind: Sent; at: number; answer: Answer } | null;
}

type Event = { at: number; order: number } & (
  | { what: 'send'; lane: Lane }
  | { what: 'answer'; lane: Lane; call: number }
  | { what: 'probe'; outcome: Outcome }
  | { what: 'ask' }
  | { what: 'tick' }
);

type Planned<E> = E extends Event ? Omit<E, 'at' | 'order'> : never;

export function simulate(profile: Profile, policy: NamedPolicy, flow: FlowSettings): Run {
  return new Simulation(profile, policy, flow).run();
}

class Simulation {
  readonly #server: Server;
  readonly #policy: Policy;
  readonly #chance: Chance;
  readonly #events = new TinyQueue<Event>([], (a, b) => a.at - b.at || a.order - b.order);
  readonly #lanes = new Set<Lane>();
  readonly #run: Run = { drainedMs: 0, collapses: 0, failedCalls: 0, doneAtMs: [], collapsedAtMs: [] };
  #order = 0;
  #calls = 0;
  #now = begin;
  #askAt = Number.POSITIVE_INFINITY;

  constructor(
    private readonly profile: Profile,
    policy: NamedPolicy,
    private readonly flow: FlowSettings,
  ) {
    this.#server = new Server(profile, begin);
    this.#chance = new Chance(profile.seed ^ 0x10b5);
    const random = new Chance(profile.seed ^ 0x9a7e).next;
    this.#policy = policy.begin({ flow, random, server: this.#server, now: begin });
  }

  run(): Run {
    this.#plan(begin, { what: 'tick' });
    while (this.#left > 0 && this.#now - begin < longestMs) {
      const event = this.#events.pop();
      if (!event) throw new Error('Jobs wait, and nobody will ever ask for them.');
      this.#now = event.at;
      if (!this.#isOutdated(event)) this.#happens(event);
    }
    this.#run.drainedMs = this.#server.doneAt(this.#now) - begin;
    this.#run.collapses = this.#server.collapses;
    return this.#run;
  }

  get #left(): number {
    return this.profile.jobs - this.#run.doneAtMs.length;
  }

  /** The answer to a call that was cut off, or a question that was asked sooner. */
  #isOutdated(event: Event): boolean {
    return (
      (event.what === 'answer' && event.lane.call !== event.call) ||
      (event.what === 'ask' && event.at !== this.#askAt)
    );
  }

  #happens(event: Event): void {
    if (event.what === 'send') this.#send(event.lane);
    if (event.what === 'answer') this.#answered(event.lane);
    if (event.what === 'probe') {
      this.#policy.probed(event.outcome, this.#left > this.#lanes.size, this.#now);
    }
    if (event.what === 'tick') {
      this.#policy.tick(this.#now);
      this.#plan(this.#now + tickMs, { what: 'tick' });
    }
    this.#askForJobs();
  }

  #askForJobs(): void {
    this.#askAt = Number.POSITIVE_INFINITY;
    while (this.#lanes.size < this.flow.lanes && this.#left > this.#lanes.size) {
      const pass = this.#policy.ask(this.#now);
      if (pass.admit === 'nothing') {
        this.#askAgainAt(pass.nextAt);
        return;
      }
      if (pass.admit === 'probe') this.#probe();
      else this.#startJob(pass.ticket);
    }
  }

  #askAgainAt(nextAt: number): void {
    const at = Math.max(this.#now + 1, Math.ceil(nextAt));
    if (!Number.isFinite(at)) return;
    this.#askAt = at;
    this.#plan(at, { what: 'ask' });
  }

  #startJob(ticket: unknown): void {
    const steps: Sent[] = ['read', 'edit'];
    if (this.#chance.happens(this.profile.uploadShare)) steps.push('upload');
    const lane: Lane = { ticket, steps, call: 0, sent: null };
    this.#lanes.add(lane);
    this.#plan(this.#now + prepareMs, { what: 'send', lane });
  }

  #send(lane: Lane): void {
    const kind = lane.steps.shift();
    if (!kind) {
      this.#jobEnded(lane, { kind: 'ok', message: '' });
      return;
    }
    const collapsesBefore = this.#server.collapses;
    const answer = this.#server.call(kind, this.#lanes.size - 1, this.#now);
    lane.sent = { kind, at: this.#now, answer };
    this.#expect(lane, this.#now + answer.ms);
    if (this.#server.collapses > collapsesBefore) this.#cutOff();
  }

  #expect(lane: Lane, at: number): void {
    lane.call = ++this.#calls;
    this.#plan(at, { what: 'answer', lane, call: lane.call });
  }

  /** A collapse takes every call with it that is under way. */
  #cutOff(): void {
    this.#run.collapsedAtMs.push(this.#now - begin);
    for (const lane of this.#lanes) {
      if (!lane.sent) continue;
      lane.sent.answer = { ms: this.#now - lane.sent.at, end: 'failed', retryAfterMs: null };
      this.#expect(lane, this.#now);
    }
  }

  #answered(lane: Lane): void {
    if (!lane.sent) return;
    const { kind, at, answer } = lane.sent;
    lane.sent = null;
    this.#policy.called({ kind, startedAt: at, ...answer }, this.#now);
    if (answer.end === 'answered') {
      this.#send(lane);
      return;
    }
    this.#run.failedCalls++;
    this.#jobEnded(lane, failure(answer));
  }

  #jobEnded(lane: Lane, outcome: Outcome): void {
    this.#lanes.delete(lane);
    if (outcome.kind === 'ok') this.#run.doneAtMs.push(this.#now - begin);
    this.#policy.learn(lane.ticket, outcome, this.#now);
  }

  #probe(): void {
    const answer = this.#server.call('read', this.#lanes.size, this.#now);
    if (answer.end !== 'answered') this.#run.failedCalls++;
    const outcome: Outcome = answer.end === 'answered' ? { kind: 'ok', message: '' } : failure(answer);
    this.#plan(this.#now + answer.ms, { what: 'probe', outcome });
  }

  #plan(at: number, event: Planned<Event>): void {
    this.#events.push({ at, order: ++this.#order, ...event } as Event);
  }
}

function failure({ end, retryAfterMs }: Answer): Outcome {
  return end === 'overloaded'
    ? { kind: 'overloaded', message: 'Plex is overloaded.', retryAfterMs }
    : { kind: 'server-down', message: 'Plex is not answering.' };
}
