import { createHmac, timingSafeEqual } from 'node:crypto';

export interface SessionValues {
  /** Empty when Stash has no credentials. */
  user: string;
  /** Hooks that led to this session, as `pluginId hookType`: Stash stops at the tenth of a kind. */
  visited: string[];
}

/** Signed cookies with the second in which they were made, as Stash's cookie store: nothing is kept on the server. */
export class Sessions {
  constructor(
    private readonly key: string,
    private readonly now: () => number,
    /** Seconds a cookie is good for; may be changed at any time. */
    public maxAge: number,
  ) {}

  issue(values: SessionValues): string {
    const at = Math.floor(this.now() / 1000);
    const body = Buffer.from(JSON.stringify([at, values])).toString('base64url');
    return `${body}${separator}${this.#signature(body)}`;
  }

  read(cookie: string): SessionValues | null {
    const [body = '', signature = ''] = cookie.split(separator);
    const expected = Buffer.from(this.#signature(body));
    if (signature.length !== expected.length || !timingSafeEqual(Buffer.from(signature), expected))
      return null;
    const [at, values]: [number, SessionValues] = JSON.parse(Buffer.from(body, 'base64url').toString());
    const age = Math.floor(this.now() / 1000) - at;
    return age > this.maxAge ? null : values;
  }

  setCookie(values: SessionValues): string {
    const expires = new Date(this.now() + this.maxAge * 1000).toUTCString();
    return `${cookieName}=${this.issue(values)}; Path=/; Expires=${expires}; Max-Age=${this.maxAge}; SameSite=Lax`;
  }

  #signature(body: string): string {
    return createHmac('sha256', this.key).update(`${cookieName} ${body}`).digest('base64url');
  }
}

export const cookieName = 'session';
const separator = '.';
