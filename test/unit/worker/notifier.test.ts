import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Clock } from '../../../src/shared/clock';
import { redact } from '../../../src/shared/secrets';
import { Notifier } from '../../../src/worker/notifier';
import { MemoryLog } from '../../support/memory-log';
import { VirtualClock } from '../../support/virtual-clock';

interface Asked {
  url: string;
  method: string;
  headers: IncomingHttpHeaders;
  body: { text: string; content: string };
}

/** Answers each request with the next of `answers`, then with 200; null: not at all. */
class Webhook {
  readonly asked: Asked[] = [];
  /** Requests that the other side did not wait for. */
  brokenOff = 0;
  answers: (number | null)[] = [];
  headers: Record<string, string> = {};
  readonly #server: Server = createServer(async (req, res) => {
    let text = '';
    for await (const chunk of req) text += chunk;
    const { url = '', method = '', headers } = req;
    this.asked.push({ url, method, headers, body: JSON.parse(text) });
    const status = this.answers.length > 0 ? this.answers.shift() : 200;
    res.on('close', () => {
      if (!res.writableFinished) this.brokenOff++;
    });
    if (status) res.writeHead(status, this.headers).end('ok');
  });

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => this.stop());
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `http://${this.host}/services/very-secret-hook`;
  }

  get texts(): string[] {
    return this.asked.map(({ body }) => body.text);
  }
}

/** What comes over the network takes real time. */
const soon = (holds: () => void): Promise<void> => vi.waitFor(holds, { timeout: 10_000, interval: 5 });

describe('the notifier', () => {
  let webhook: Webhook;
  let clock: VirtualClock;
  /** What was slept: 10 s is the time limit of a try, everything else a pause between two. */
  let sleeps: number[];
  let asleep: number;
  let log: MemoryLog;
  let notifier: Notifier;

  beforeEach(async () => {
    webhook = new Webhook();
    await webhook.start();
    clock = new VirtualClock();
    sleeps = [];
    asleep = 0;
    log = new MemoryLog();
    const sleep: Clock['sleep'] = (ms, signal) => {
      sleeps.push(ms);
      asleep++;
      return clock.sleep(ms, signal).then(() => void asleep--);
    };
    notifier = new Notifier({ now: clock.now, sleep }, log);
    notifier.configure(webhook.url);
    onTestFinished(() => notifier.close());
  });

  const arrived = (...texts: string[]) => soon(() => expect(webhook.texts).toEqual(texts));
  const warned = (times: number) => soon(() => expect(log.warnings).toHaveLength(times));
  /** Waits until the last try has failed and the pause after it has begun, and lets it pass. */
  const pause = async (ms: number) => {
    await soon(() => expect(sleeps.at(-1)).toBe(ms));
    await clock.advance(ms);
  };
  /** All three tries fail. */
  const failThrice = async () => {
    await pause(5_000);
    await pause(30_000);
  };

  it('posts one body that Slack and Discord both understand', async () => {
    notifier.tell('Plex is well again.');
    await arrived('Plex is well again.');
    expect(webhook.asked).toMatchObject([
      { method: 'POST', url: '/services/very-secret-hook', headers: { 'content-type': 'application/json' } },
    ]);
    expect(webhook.asked[0]?.body).toEqual({ text: 'Plex is well again.', content: 'Plex is well again.' });
  });

  it('cuts only what Discord would refuse', async () => {
    const text = `${'x'.repeat(1_999)}🎬 and more`;
    notifier.tell(text);
    await arrived(text);
    expect(webhook.asked[0]?.body.content).toBe(`${'x'.repeat(1_999)}\ufffd`);
  });

  it('sends one text after another, in their order', async () => {
    webhook.answers = [null];
    for (const text of ['a', 'b', 'c']) notifier.tell(text);
    await arrived('a');
    await clock.advance(10_000);
    await pause(5_000);
    await arrived('a', 'a', 'b', 'c');
  });

  it.each([500, 503, 429])('tries twice more after HTTP %i, 5 s and 30 s later', async (status) => {
    webhook.answers = [status, status];
    notifier.tell('a');
    await arrived('a');
    await failThrice();
    await arrived('a', 'a', 'a');
    expect(sleeps).toEqual([10_000, 5_000, 10_000, 30_000, 10_000]);
    expect(log.warnings).toEqual([]);
  });

  it('waits 10 s for an answer', async () => {
    webhook.answers = [null, null, null];
    notifier.tell('a');
    await arrived('a');
    await clock.advance(9_999);
    expect(sleeps).toEqual([10_000]);
    await clock.advance(1);
    await pause(5_000);
    await arrived('a', 'a');
    await clock.advance(10_000);
    await pause(30_000);
    await arrived('a', 'a', 'a');
    await clock.advance(10_000);
    await warned(1);
    expect(log.warnings).toEqual([
      `A notification could not be delivered to ${webhook.host}: no answer within 10 s. Check "Notification address" in the settings.`,
    ]);
  });

  it.each([400, 401, 404, 301, 302, 307])(
    'gives up at once after HTTP %i, and follows nothing',
    async (status) => {
      webhook.answers = [status];
      webhook.headers = { location: `http://${webhook.host}/elsewhere-secret` };
      notifier.tell('a');
      await warned(1);
      expect(webhook.asked).toHaveLength(1);
      expect(log.warnings[0]).toContain(`delivered to ${webhook.host}: HTTP ${status}.`);
      expect(log.warnings[0]).not.toContain('secret');
    },
  );

  it('says once that nothing can be delivered, until something is', async () => {
    webhook.answers = [404, 404, 200, 404];
    for (const text of ['a', 'b', 'c']) notifier.tell(text);
    await arrived('a', 'b', 'c');
    expect(log.warnings).toHaveLength(1);
    notifier.tell('d');
    await warned(2);
  });

  it('tells with nobody there nothing but its host, and goes on with the next text', async () => {
    const { host } = webhook;
    webhook.stop();
    for (const text of ['a', 'b']) notifier.tell(text);
    await failThrice();
    await warned(1);
    expect(log.warnings[0]).toContain(`delivered to ${host}: connection refused.`);
    expect(log.warnings[0]).not.toContain('very-secret-hook');
    await failThrice();
    await soon(() => expect(sleeps).toHaveLength(10));
    expect(log.warnings).toHaveLength(1);
  });

  it('keeps the 20 newest', async () => {
    webhook.answers = [null];
    notifier.tell('first');
    await arrived('first');
    const texts = Array.from({ length: 25 }, (_, n) => `text ${n}`);
    for (const text of texts) notifier.tell(text);
    await clock.advance(10_000);
    await pause(5_000);
    await arrived('first', 'first', ...texts.slice(5));
  });

  it('tells nobody when there is no address, or not any more', async () => {
    const silent = new Notifier(clock, log);
    silent.tell('never');
    webhook.answers = [500];
    for (const text of ['a', 'b']) notifier.tell(text);
    await arrived('a');
    notifier.configure(null);
    notifier.tell('c');
    await pause(5_000);
    notifier.configure(webhook.url);
    notifier.tell('d');
    await arrived('a', 'd');
  });

  it('forgets what was waiting when the address is taken away, even if it comes back at once', async () => {
    webhook.answers = [500];
    for (const text of ['a', 'b']) notifier.tell(text);
    await arrived('a');
    notifier.configure(null);
    notifier.configure(webhook.url);
    notifier.tell('c');
    await pause(5_000);
    await arrived('a', 'a', 'c');
  });

  it('uses a changed address from the next try on, and complains about that one anew', async () => {
    webhook.answers = [404, 500, 404];
    notifier.tell('a');
    await warned(1);
    notifier.tell('b');
    await arrived('a', 'b');
    notifier.configure(`http://${webhook.host}/another-secret`);
    await pause(5_000);
    await warned(2);
    expect(webhook.asked.map(({ url }) => url)).toEqual([
      '/services/very-secret-hook',
      '/services/very-secret-hook',
      '/another-secret',
    ]);
  });

  it('sends a name and a password of the address in a header', async () => {
    notifier.configure(`http://jo%40home:pass%20word@${webhook.host}/topic`);
    notifier.tell('a');
    await arrived('a');
    const { authorization = '' } = webhook.asked[0]?.headers ?? {};
    expect(Buffer.from(authorization.replace('Basic ', ''), 'base64').toString()).toBe('jo@home:pass word');
  });

  it('leaves the template of an address as it is', async () => {
    notifier.configure(`http://${webhook.host}/topic?tpl=1&m={{.text}}`);
    notifier.tell('a');
    await arrived('a');
    expect(webhook.asked[0]?.url).toBe('/topic?tpl=1&m={{.text}}');
  });

  it.each(['', 'no address', 'ftp://127.0.0.1/secret-file', 'http://127.0.0.1:1/secret-port'])(
    'survives the address %j',
    async (url) => {
      notifier.configure(url);
      notifier.tell('a');
      if (url.includes('://')) await failThrice();
      await warned(1);
      expect(log.warnings[0]).not.toContain('secret');
    },
  );

  it('sends no secret, and makes its address one', async () => {
    expect(redact(`It is ${webhook.url}.`)).toBe('It is ***.');
    notifier.tell(`It is ${webhook.url}.`);
    await arrived('It is ***.');
  });

  describe('that is closed', () => {
    it('breaks off what is under way at once, and says nothing', async () => {
      webhook.answers = [null];
      for (const text of ['a', 'b']) notifier.tell(text);
      await arrived('a');
      notifier.close();
      await soon(() => expect(webhook.brokenOff).toBe(1));
      await clock.advance(60_000);
      expect(webhook.texts).toEqual(['a']);
      expect(log.lines).toEqual([]);
    });

    it('does not wait for the next try', async () => {
      webhook.answers = [500];
      notifier.tell('a');
      await soon(() => expect(sleeps.at(-1)).toBe(5_000));
      notifier.close();
      notifier.tell('b');
      await soon(() => expect(asleep).toBe(0));
      expect(webhook.texts).toEqual(['a']);
      expect(log.lines).toEqual([]);
    });

    it('does not complain about the last try', async () => {
      webhook.answers = [500, 500, null];
      notifier.tell('a');
      await failThrice();
      await arrived('a', 'a', 'a');
      notifier.close();
      await soon(() => expect(webhook.brokenOff).toBe(1));
      await soon(() => expect(asleep).toBe(0));
      expect(log.lines).toEqual([]);
    });
  });
});
