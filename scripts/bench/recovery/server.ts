/**
 * A Plex that has just come back.
 *
 * It accepts calls quickly. An edit or an upload leaves work behind that is done after the answer; what is not done
 * yet piles up. The fuller the pile, the slower the answers; some servers also refuse a part of the calls. When more
 * than the limit has piled up, it collapses: everything fails for a while, then it starts again, cold and with an
 * empty pile. Nothing but calls adds to the pile, so every collapse is the caller's doing.
 */
import { Chance } from './chance';
import type { Film, Profile } from './profile';

export type Sent = 'read' | 'edit' | 'upload';

export interface Answer {
  ms: number;
  end: 'answered' | 'overloaded' | 'failed';
  retryAfterMs: number | null;
}

/** The caller's patience. */
const timeoutMs = 30_000;
const refusedMs = 2;
/** How finely the pile is followed. */
const stepMs = 250;
/** The spread of the work of single edits. */
const workSpread = 0.4;
const meanOfSpread = Math.exp(workSpread ** 2 / 2);

export class Server {
  collapses = 0;
  #pile = 0;
  #at: number;
  #warmSince: number;
  /** Until then nothing answers, and then only 503 until `#readyAt`. */
  #upAt: number;
  #readyAt: number;
  #film = 0;
  readonly #chance: Chance;

  constructor(
    readonly profile: Profile,
    readonly cameBackAt: number,
  ) {
    this.#at = this.#warmSince = this.#upAt = this.#readyAt = cameBackAt;
    // Not the numbers that the profile was drawn from.
    this.#chance = new Chance(profile.seed ^ 0x5eed_5eed);
  }

  /** Work done per second at this instant, were nothing piled up; 0 while it is not there. */
  capacity(now: number): number {
    if (now < this.#readyAt) return 0;
    const { coldShare, fullPerSecond } = this.profile;
    const share = coldShare + (1 - coldShare) * this.#warmth(now);
    return fullPerSecond * share * (1 - (this.#filmAt(now)?.capacityShare ?? 0));
  }

  pile(now: number): number {
    this.#workUntil(now);
    return this.#pile;
  }

  isReady(now: number): boolean {
    return now >= this.#readyAt;
  }

  /** `beside`: how many other calls are under way. */
  call(kind: Sent, beside: number, now: number): Answer {
    this.#workUntil(now);
    const { refuses, shedding, pileLimit, uploadWork } = this.profile;
    if (now < this.#upAt) return failed(refuses ? refusedMs : timeoutMs);
    if (now < this.#readyAt) return overloaded(this.#idleMs('read'), null);
    if (shedding && this.#pressure >= shedding.fromPressure && this.#chance.happens(shedding.share)) {
      return overloaded(this.#idleMs('read'), shedding.retryAfterMs);
    }
    const ms = Math.round(this.#idleMs(kind) * this.#slowness(kind, beside, now));
    if (kind !== 'read') {
      const ordinary = this.#chance.logNormal(workSpread) / meanOfSpread;
      this.#pile += kind === 'upload' ? ordinary * uploadWork : ordinary;
    }
    if (this.#pile > pileLimit) this.#collapse(now);
    return ms > timeoutMs ? failed(timeoutMs) : { ms: Math.max(1, ms), end: 'answered', retryAfterMs: null };
  }

  /** When everything that has piled up is done, if nothing more comes. */
  doneAt(now: number): number {
    this.#workUntil(now);
    while (this.#pile > 0) this.#workUntil(this.#at + stepMs);
    return this.#at;
  }

  #collapse(now: number): void {
    const { downMs, startingMs } = this.profile;
    this.collapses++;
    this.#pile = 0;
    this.#upAt = now + downMs;
    this.#readyAt = this.#upAt + startingMs;
    this.#warmSince = this.#readyAt;
  }

  get #pressure(): number {
    return this.#pile / this.profile.pileLimit;
  }

  #warmth(now: number): number {
    return Math.min(1, Math.max(0, now - this.#warmSince) / this.profile.warmUpMs);
  }

  #idleMs(kind: Sent): number {
    const { readMs, editMs, uploadMs, noise } = this.profile;
    return { read: readMs, edit: editMs, upload: uploadMs }[kind] * this.#chance.logNormal(noise);
  }

  #slowness(kind: Sent, beside: number, now: number): number {
    const { coldSlower, piledSlower, piledShape, readsFeelIt, crowdSlower } = this.profile;
    const piled = piledSlower * this.#pressure ** piledShape;
    return (
      (1 + coldSlower * (1 - this.#warmth(now))) *
      (1 + (kind === 'read' ? piled * readsFeelIt : piled)) *
      (1 + crowdSlower * beside) *
      (1 + (this.#filmAt(now)?.slower ?? 0))
    );
  }

  #workUntil(now: number): void {
    while (this.#at < now) {
      const nextMs = this.#pile > 0 ? Math.min(now, this.#at + stepMs) : now;
      const perSecond = this.capacity(this.#at) * (1 - this.profile.thrash * this.#pressure);
      this.#pile = Math.max(0, this.#pile - (perSecond * (nextMs - this.#at)) / 1_000);
      this.#at = nextMs;
    }
  }

  /** Time only goes forward, so films that are over are never looked at again. */
  #filmAt(now: number): Film | undefined {
    const { films } = this.profile;
    const elapsedMs = now - this.cameBackAt;
    while ((films[this.#film]?.untilMs ?? Number.POSITIVE_INFINITY) <= elapsedMs) this.#film++;
    const film = films[this.#film];
    return film && film.fromMs <= elapsedMs ? film : undefined;
  }
}

const failed = (ms: number): Answer => ({ ms, end: 'failed', retryAfterMs: null });

const overloaded = (ms: number, retryAfterMs: number | null): Answer => ({
  ms: Math.max(1, Math.round(ms)),
  end: 'overloaded',
  retryAfterMs,
});
