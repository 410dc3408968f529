import type { PlexSim } from './plex-sim';

/** As much of Plex's JSON as tests look at. */
export interface Container {
  size: number;
  totalSize?: number;
  offset?: number;
  librarySectionID?: number;
  Metadata?: Line[];
  Directory?: Line[];
  Activity?: Line[];
  [key: string]: unknown;
}

export interface Line {
  ratingKey: string;
  title: string;
  Genre?: { tag: string; id?: number }[];
  Role?: { tag: string; id?: number; role?: string }[];
  Field?: { name: string; locked: boolean }[];
  Media?: { Part: { file: string }[] }[];
  [key: string]: unknown;
}

export interface AskOptions {
  method?: string;
  /** Null sends none. */
  token?: string | null;
  /** JSON unless told. */
  accept?: string;
  headers?: Record<string, string>;
  body?: Uint8Array;
  signal?: AbortSignal;
}

/** A bare client: sends what it is told, and judges nothing. */
export class Client {
  constructor(readonly plex: PlexSim) {}

  async ask(
    path: string,
    options: AskOptions = {},
  ): Promise<{ status: number; headers: Headers; text: string }> {
    const { method = 'GET', token = this.plex.token, accept = 'application/json', headers = {} } = options;
    const response = await fetch(this.plex.url + path, {
      method,
      headers: { accept, ...(token === null ? {} : { 'x-plex-token': token }), ...headers },
      ...(options.body ? { body: options.body } : {}),
      ...(options.signal ? { signal: options.signal } : {}),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  async get(path: string, options: AskOptions = {}): Promise<Container> {
    const { status, text } = await this.ask(path, options);
    if (status !== 200) throw new Error(`GET ${path} was answered with ${status}`);
    return JSON.parse(text).MediaContainer;
  }

  /** Encodes names and values as `URLSearchParams` does, and gives back the status. */
  async put(path: string, parameters: Record<string, string> = {}): Promise<number> {
    const { status } = await this.ask(`${path}?${new URLSearchParams(parameters)}`, { method: 'PUT' });
    return status;
  }

  async titles(path: string): Promise<string[]> {
    return ((await this.get(path)).Metadata ?? []).map(({ title }) => title);
  }
}

/** The code of what went wrong below HTTP, such as ECONNREFUSED. */
export async function failureCode(asking: Promise<unknown>): Promise<string> {
  try {
    await asking;
    return 'none';
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    return String((cause as { code?: unknown }).code ?? cause);
  }
}
