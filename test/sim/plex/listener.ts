import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { certificate, key } from './certificate';

/** Edits travel in the URL, and Node would answer 431 above 16 KB. */
const maxHeaderSize = 128 * 1024;

/** A port on the loopback address that can be closed and opened again. */
export class Listener {
  readonly #handler: RequestListener;
  readonly #https: boolean;
  #server: Server | null = null;
  #port = 0;

  constructor(handler: RequestListener, https: boolean) {
    this.#handler = handler;
    this.#https = https;
  }

  get url(): string {
    return `${this.#https ? 'https' : 'http'}://127.0.0.1:${this.#port}`;
  }

  get port(): number {
    return this.#port;
  }

  /** The first time on `port` (0: any that is free), later always on the same. */
  async open(port = 0): Promise<void> {
    if (this.#server) return;
    const wanted = this.#port || port;
    for (let attempt = 1; ; attempt++) {
      try {
        this.#server = await this.#listen(wanted);
        break;
      } catch (error) {
        // While the server was away, an outgoing connection may have been given its port for a moment.
        if (this.#port === 0 || attempt === 50) throw error;
        await wait(20);
      }
    }
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Cuts every connection; from now on new ones are refused. */
  async close(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    this.#server = null;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }

  #listen(port: number): Promise<Server> {
    const server = this.#https
      ? createSecureServer({ key, cert: certificate, maxHeaderSize }, this.#handler)
      : createServer({ maxHeaderSize }, this.#handler);
    server.keepAliveTimeout = 20_000;
    server.requestTimeout = 0;
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', reject);
        resolve(server);
      });
    });
  }
}
