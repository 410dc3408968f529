/**
 * Tells a person by the address that they gave (`notifyUrl`): one POST per text, whose body Slack (`text`) and Discord
 * (`content`) both show as it is.
 *
 * Holds: nobody waits for it, and it never throws: a notification that fails disturbs nothing. Texts arrive in their
 * order, or not at all. The address is a secret, and so is where it would send us on to: no message names more than its
 * host, and no redirect is followed. What cannot be delivered is said once in the log, until something is delivered.
 */
import type { Clock } from '../shared/clock';
import { withDeadline } from '../shared/deadline';
import { describeNetworkError, type Fetch, makeFetch } from '../shared/fetch';
import type { Log } from '../shared/log';
import { redact, registerSecret } from '../shared/secrets';

const answerWithinMs = 10_000;
/** After the first try, and after the second. */
const pausesMs = [5_000, 30_000];
/** Of those that have not been sent; the oldest are given up for newer ones. */
const mostTexts = 20;
/** What Discord accepts. */
const longestContent = 2_000;

type Delivery = 'delivered' | { failure: string; tryAgain: boolean };

export class Notifier {
  readonly #closing = new AbortController();
  readonly #fetch: Fetch = makeFetch({ trustAnyCertificate: false });
  #url: string | null = null;
  #texts: string[] = [];
  #isSending = false;
  #hasWarned = false;

  constructor(
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** Null: nobody is told anything. */
  configure(url: string | null): void {
    if (url === this.#url) return;
    registerSecret(url);
    this.#url = url;
    this.#hasWarned = false;
    if (url === null) this.#texts = [];
  }

  tell(text: string): void {
    if (this.#url === null || this.#closing.signal.aborted) return;
    this.#texts = [...this.#texts, redact(text)].slice(-mostTexts);
    if (!this.#isSending) void this.#sendAll();
  }

  /** What was not delivered is given up. */
  close(): void {
    this.#texts = [];
    this.#closing.abort();
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true;
    for (let text = this.#texts.shift(); text !== undefined; text = this.#texts.shift())
      await this.#send(text);
    this.#isSending = false;
  }

  async #send(text: string): Promise<void> {
    const { signal } = this.#closing;
    for (const pauseMs of [...pausesMs, null]) {
      // It may have been changed, or taken away, since the last try.
      if (this.#url === null || signal.aborted) return;
      const url = this.#url;
      const delivery = await this.#post(url, text);
      if (delivery === 'delivered') {
        this.#hasWarned = false;
        return;
      }
      if (delivery.tryAgain && pauseMs !== null) {
        await this.clock.sleep(pauseMs, signal);
        continue;
      }
      if (!signal.aborted && !this.#hasWarned && url === this.#url) {
        this.#hasWarned = true;
        this.log.warn(
          `A notification could not be delivered${hostOf(url)}: ${delivery.failure}. Check "Notification address" in the settings.`,
        );
      }
      return;
    }
  }

  async #post(url: string, text: string): Promise<Delivery> {
    if (!URL.canParse(url)) return { failure: 'it is no address', tryAgain: false };
    try {
      const status = await withDeadline(answerWithinMs, this.clock, this.#closing.signal, async (signal) => {
        const answer = await this.#fetch(...request(new URL(url), text, signal));
        await answer.body?.cancel();
        return answer.status;
      });
      if (status >= 200 && status < 300) return 'delivered';
      return { failure: `HTTP ${status}`, tryAgain: status >= 500 || status === 429 };
    } catch (error) {
      return { failure: describeNetworkError(error), tryAgain: true };
    }
  }
}

/** A name and a password in the address go into a header: fetch refuses such addresses. */
function request(url: URL, text: string, signal: AbortSignal): [URL, RequestInit] {
  const headers = new Headers({ 'content-type': 'application/json' });
  const { username, password } = url;
  if (username + password !== '') {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`);
    url.username = '';
    url.password = '';
  }
  const body = JSON.stringify({ text, content: text.slice(0, longestContent).toWellFormed() });
  return [url, { method: 'POST', headers, body, signal, redirect: 'manual' }];
}

const hostOf = (url: string): string => (URL.canParse(url) ? ` to ${new URL(url).host}` : '');
