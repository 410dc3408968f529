import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';

export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface RawRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  /** Aborting it is closing the browser's tab. */
  signal?: AbortSignal;
}

/** One request on a connection of its own, whatever certificate the server has; redirects are shown, not followed. */
export function ask(
  url: string,
  { method = 'GET', headers = {}, body, signal }: RawRequest = {},
): Promise<RawAnswer> {
  const begin = url.startsWith('https:') ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const options = {
      method,
      headers,
      agent: false,
      rejectUnauthorized: false,
      ...(signal ? { signal } : {}),
    };
    const request = begin(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => void chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    request.once('error', reject);
    request.end(body);
  });
}
