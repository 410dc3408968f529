/**
 * What Sluice shows Stash to be let in: the session cookie that a hook brought, or the API key.
 *
 * The cookie is valid for an hour (Stash's default) and every answer to it brings a renewed one; the key lasts, but
 * exists only when the person made one. So the key, read with the cookie, is used when there is one, and the cookie
 * is kept fresh beside it for the day the key is replaced. Holds: the key is in memory only; a renewed cookie never
 * replaces one that a hook brought meanwhile; both are registered as secrets.
 */
import { registerCookie, registerSecret } from '../shared/secrets';
import { baseUrl, type StashConnection } from './connection';

/** What one request carries. */
export interface Pass {
  headers: Record<string, string>;
  apiKey: string | null;
  cookie: string | null;
}

/** Stash renews with every answer; a new cookie a minute is enough, and keeps connection.json from being rewritten. */
const renewEveryMs = 60_000;

/** Beside an API key nothing else uses the cookie: after this long it is time to renew it. */
const idleCookieMs = 600_000;

export class Credentials {
  #connection: StashConnection;
  #apiKey: string | null = null;
  #keyKnown = false;
  #renewedAt: number | null = null;
  #idleRenewalAt: number | null = null;

  constructor(connection: StashConnection) {
    this.#connection = connection;
    registerCookie(connection.cookie?.value);
  }

  /** With the newest cookie. */
  get connection(): StashConnection {
    return this.#connection;
  }

  /** Whether Stash has been asked for its API key (it may have none). */
  get keyKnown(): boolean {
    return this.#keyKnown;
  }

  use(newer: StashConnection): void {
    const same = newer.dir === this.#connection.dir && baseUrl(newer) === baseUrl(this.#connection);
    // A key is shown only to the Stash that gave it.
    if (!same) this.forgetKey();
    if (same && newer.cookie === null) return;
    this.#connection = newer;
    this.#renewedAt = null;
    registerCookie(newer.cookie?.value);
  }

  learnKey(apiKey: string | null): void {
    this.#apiKey = apiKey;
    this.#keyKnown = true;
    registerSecret(apiKey);
  }

  forgetKey(): void {
    this.#apiKey = null;
    this.#keyKnown = false;
  }

  /** The API key if there is one, else the cookie, else nothing: a Stash without a password lets everybody in. */
  best(): Pass {
    const apiKey = this.#apiKey;
    return apiKey === null ? this.session() : { headers: { ApiKey: apiKey }, apiKey, cookie: null };
  }

  session(): Pass {
    const { cookie } = this.#connection;
    if (!cookie) return { headers: {}, apiKey: null, cookie: null };
    return { headers: { Cookie: `${cookie.name}=${cookie.value}` }, apiKey: null, cookie: cookie.value };
  }

  /** Takes the renewed cookie out of the `Set-Cookie` lines of an answer that `pass` was let in for. */
  renew(pass: Pass, setCookies: string[], now: number): void {
    const { cookie } = this.#connection;
    if (!cookie || pass.cookie !== cookie.value) return;
    for (const line of setCookies) {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
      const value = pair.slice(cookie.name.length + 1);
      if (value === '' || pair !== `${cookie.name}=${value}`) continue;
      if (passed(this.#renewedAt, now) < Math.min(renewEveryMs, lifeMs(attributes) / 4)) return;
      this.#connection = { ...this.#connection, cookie: { name: cookie.name, value } };
      this.#renewedAt = now;
      registerCookie(value);
      return;
    }
  }

  /** True once in a while when only the API key is used, so that the cookie would expire unnoticed. */
  shouldRenewIdleCookie(now: number): boolean {
    if (this.#apiKey === null || !this.#connection.cookie) return false;
    if (passed(this.#renewedAt, now) < idleCookieMs || passed(this.#idleRenewalAt, now) < idleCookieMs)
      return false;
    this.#idleRenewalAt = now;
    return true;
  }
}

/** Clocks jump: an hour back is as good a reason to renew as an hour ahead. */
const passed = (since: number | null, now: number): number =>
  since === null ? Number.POSITIVE_INFINITY : Math.abs(now - since);

/** How long Stash says the cookie is valid; unknown counts as 0. */
function lifeMs(attributes: string[]): number {
  const seconds = attributes
    .map((one) => /^max-age=(\d+)$/i.exec(one)?.[1])
    .find((found) => found !== undefined);
  return Number(seconds ?? 0) * 1000;
}
