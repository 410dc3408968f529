import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { describeNetworkError, makeFetch } from '../../../src/shared/fetch';
import { registerSecret } from '../../../src/shared/secrets';
import { certificate, key } from '../../sim/stash/certificate';

const running: Server[] = [];

async function serve(scheme: 'http' | 'https', listener: RequestListener): Promise<string> {
  const server =
    scheme === 'https' ? createHttpsServer({ key, cert: certificate }, listener) : createHttpServer(listener);
  running.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterEach(async () => {
  for (const server of running.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

const failureOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => expect.unreachable('it should have failed'),
    (error: unknown) => error,
  );

const trusting = makeFetch({ trustAnyCertificate: true });
const verifying = makeFetch({ trustAnyCertificate: false });

describe('a fetch that trusts any certificate', () => {
  it('reaches a server with a self-signed certificate, where the normal one refuses', async () => {
    const url = await serve('https', (_, res) => res.end('hello'));
    expect(await (await trusting(url)).text()).toBe('hello');
    expect(describeNetworkError(await failureOf(verifying(url)))).toBe('the certificate is not trusted');
    // The exception is for that one fetch, never for the process.
    expect(process.env.NODE_TLS_REJECT_UNAUTHORIZED).toBeUndefined();
    expect(describeNetworkError(await failureOf(fetch(url)))).toBe('the certificate is not trusted');
  });

  it('speaks plain http too', async () => {
    const url = await serve('http', (_, res) => res.end('plain'));
    expect(await (await trusting(url)).text()).toBe('plain');
  });

  it('sends method, headers and body, text and bytes alike', async () => {
    const url = await serve('https', (req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => {
        const { method, headers } = req;
        res.setHeader('content-type', 'application/json');
        res.end(
          JSON.stringify({
            method,
            mark: headers['x-mark'],
            length: headers['content-length'],
            body: Buffer.concat(chunks).toString('hex'),
          }),
        );
      });
    });
    for (const body of ['grün', Buffer.from('grün')]) {
      const response = await trusting(url, {
        method: 'put',
        headers: new Headers({ 'X-Mark': 'yes' }),
        body,
      });
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(await response.json()).toEqual({
        method: 'PUT',
        mark: 'yes',
        length: '5',
        body: Buffer.from('grün').toString('hex'),
      });
    }
  });

  it('keeps the connection for the next request', async () => {
    const ports = new Set<number | undefined>();
    const url = await serve('https', (req, res) => {
      ports.add(req.socket.remotePort);
      res.end('x'.repeat(300_000));
    });
    for (let i = 0; i < 3; i++) expect((await (await trusting(url)).text()).length).toBe(300_000);
    expect(ports.size).toBe(1);
  });

  it('gives every Set-Cookie line on its own', async () => {
    const url = await serve('https', (_, res) => {
      res.setHeader('set-cookie', ['session=a; Expires=Mon, 01 Jan 2029 00:00:00 GMT', 'other=b']);
      res.end();
    });
    expect((await trusting(url)).headers.getSetCookie()).toEqual([
      'session=a; Expires=Mon, 01 Jan 2029 00:00:00 GMT',
      'other=b',
    ]);
  });

  it('does not follow a redirect', async () => {
    const seen: (string | undefined)[] = [];
    const url = await serve('https', (req, res) => {
      seen.push(req.url);
      res.writeHead(302, { location: '/login' }).end();
    });
    const response = await trusting(url, { redirect: 'manual' });
    expect([response.status, response.headers.get('location'), seen]).toEqual([302, '/login', ['/']]);
  });

  it('takes answers that have no body', async () => {
    const url = await serve('https', (_, res) => res.writeHead(204).end());
    const response = await trusting(url, { method: 'DELETE' });
    expect([response.status, await response.text()]).toEqual([204, '']);
  });

  for (const scheme of ['http', 'https'] as const) {
    it(`rejects a body that ends before its content-length (${scheme})`, async () => {
      const url = await serve(scheme, (_, res) => {
        res.writeHead(200, { 'content-length': '100' });
        res.write('only this', () => res.destroy());
      });
      const response = await trusting(url);
      const error = await failureOf(response.text());
      expect(error).toBeInstanceOf(TypeError);
      expect(describeNetworkError(error)).toBe('connection lost');
    });

    it(`ends with the signal's reason before, during and after the headers (${scheme})`, async () => {
      const reason = new Error('enough');
      const waiting = new AbortController();
      const url = await serve(scheme, (req, res) => {
        if (req.url === '/silent') return waiting.abort(reason);
        res.writeHead(200, { 'content-length': '100' });
        res.write('only this');
      });
      expect(await failureOf(trusting(url, { signal: AbortSignal.abort(reason) }))).toBe(reason);
      expect(await failureOf(trusting(`${url}/silent`, { signal: waiting.signal }))).toBe(reason);

      const reading = new AbortController();
      const response = await trusting(url, { signal: reading.signal });
      const body = failureOf(response.text());
      reading.abort(reason);
      expect(await body).toBe(reason);
    });
  }

  it('leaves no listener on the signal after an answer', async () => {
    const url = await serve('https', (_, res) => res.end('done'));
    const { signal } = new AbortController();
    let listening = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listening++;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listening--;
      remove(...args);
    };
    await (await trusting(url, { signal })).text();
    await vi.waitFor(() => expect(listening).toBe(0));
  });
});

describe('a network error in plain words', () => {
  it('tells a refused connection, whichever fetch met it', async () => {
    const server = createTcpServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    for (const url of [`http://127.0.0.1:${port}`, `http://localhost:${port}`, `https://127.0.0.1:${port}`]) {
      expect(describeNetworkError(await failureOf(trusting(url)))).toBe('connection refused');
      expect(describeNetworkError(await failureOf(verifying(url)))).toBe('connection refused');
    }
  });

  it('tells a connection that broke off', async () => {
    for (const scheme of ['http', 'https'] as const) {
      const url = await serve(scheme, (req) => req.socket.destroy());
      expect(describeNetworkError(await failureOf(trusting(url)))).toBe('connection lost');
    }
  });

  it('tells a server that does not speak TLS, or speaks something else', async () => {
    const url = await serve('http', (_, res) => res.end());
    const asTls = url.replace('http:', 'https:');
    for (const one of [trusting, verifying]) {
      expect(describeNetworkError(await failureOf(one(asTls)))).toBe('no TLS there; http instead of https?');
    }
    const talker = createTcpServer((socket) => {
      socket.write('220 mail ready\r\n');
      socket.once('data', () => socket.destroySoon());
    });
    await new Promise<void>((resolve) => talker.listen(0, '127.0.0.1', resolve));
    const { port } = talker.address() as AddressInfo;
    const error = await failureOf(verifying(`http://127.0.0.1:${port}`));
    await new Promise((resolve) => talker.close(resolve));
    expect(describeNetworkError(error)).toBe('the answer is not HTTP');
  });

  it.each([
    ['ENOTFOUND', 'name not found'],
    ['ETIMEDOUT', 'no connection in time'],
    ['UND_ERR_HEADERS_TIMEOUT', 'no answer in time'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'the certificate is not trusted'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'the certificate is for another name'],
  ])('says for %s: %s', (code, words) => {
    const cause = Object.assign(new Error('inner'), { code });
    expect(describeNetworkError(new TypeError('fetch failed', { cause }))).toBe(words);
  });

  it('says how long it waited, and that somebody cancelled', () => {
    expect(describeNetworkError(new DOMException('no answer within 30 s', 'TimeoutError'))).toBe(
      'no answer within 30 s',
    );
    expect(describeNetworkError(AbortSignal.abort().reason)).toBe('cancelled');
    expect(describeNetworkError(new DOMException('whatever', 'TimeoutError'))).toBe('no answer in time');
  });

  it('falls back to the innermost message, without secrets', () => {
    registerSecret('hush-hush-token');
    const cause = new Error('odd thing with hush-hush-token');
    expect(describeNetworkError(new TypeError('fetch failed', { cause }))).toBe('odd thing with ***');
    expect(describeNetworkError('thrown text')).toBe('thrown text');
  });
});
