import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import * as v from 'valibot';

const script = 'test/contract/plexapi_client.py';

const text = v.string();
const texts = v.array(text);
const nothing = v.null();
const listed = v.object({ item: v.number(), title: text, files: texts });
const described = v.object({
  title: text,
  titleSort: text,
  summary: text,
  tagline: text,
  studio: text,
  contentRating: text,
  originallyAvailableAt: text,
  userRating: v.nullable(v.number()),
  actors: texts,
  directors: texts,
  genres: texts,
  labels: texts,
  collections: texts,
  locked: texts,
  thumb: text,
  art: text,
  updatedAt: v.number(),
});

/** An item as plexapi reads it. */
export type Described = v.InferOutput<typeof described>;

/** A method of plexapi with its arguments, such as `['addGenre', [['Nature']], { locked: true }]`. */
export type EditCall = readonly [name: string, args: readonly unknown[], options?: Record<string, unknown>];

export type Kind = 'poster' | 'art';

const answer = v.union([v.object({ ok: v.unknown() }), v.object({ failed: v.string() })]);

/** How long plexapi may take for one request; it gives up by itself long before. */
const limitMs = 60_000;

/** python-plexapi, driven through `plexapi_client.py`: one request at a time, each with its answer. */
export class PlexApi {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;
  #complaints = '';

  constructor(python: string) {
    const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PYTHONIOENCODING: 'utf-8' };
    this.#process = spawn(python, [script], { env });
    this.#process.stderr.on('data', (chunk) => {
      this.#complaints += chunk;
    });
    this.#process.on('error', (error) => {
      this.#complaints += error.message;
    });
    this.#process.stdin.on('error', () => {});
    this.#lines = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();
  }

  connect(url: string, token: string) {
    const server = v.object({ name: text, version: text, machine: text, plexapi: text });
    return this.#ask('connect', { url, token }, server);
  }

  libraries() {
    const library = v.object({ key: v.number(), title: text, type: text, locations: texts });
    return this.#ask('libraries', {}, v.array(library));
  }

  all(library: string, pageSize: number) {
    return this.#ask('all', { library, pageSize }, v.array(listed));
  }

  page(library: string, start: number, size: number) {
    return this.#ask('page', { library, start, size }, v.object({ titles: texts, total: v.number() }));
  }

  /** Titles of what changed after this moment, in seconds. */
  changed(library: string, since: number) {
    return this.#ask('changed', { library, since }, texts);
  }

  /** By the server's own filter. */
  find(library: string, fragment: string) {
    return this.#ask('find', { library, fragment }, v.array(listed));
  }

  /** By fetching everything and comparing here. */
  findHere(library: string, ending: string) {
    return this.#ask('find_here', { library, ending }, v.array(listed));
  }

  item(item: number): Promise<Described> {
    return this.#ask('item', { item }, described);
  }

  several(items: readonly number[]): Promise<Described[]> {
    return this.#ask('several', { items }, v.array(described));
  }

  /** `batch`: all in one request. */
  async edit(item: number, calls: readonly EditCall[], batch = false): Promise<void> {
    await this.#ask('edit', { item, batch, calls: withOptions(calls) }, nothing);
  }

  /** The same edit of several items in one request. */
  async editAll(items: readonly number[], calls: readonly EditCall[]): Promise<void> {
    await this.#ask('edit_all', { items, calls: withOptions(calls) }, nothing);
  }

  /** Null takes the rating away. */
  async rate(item: number, rating: number | null): Promise<void> {
    await this.#ask('rate', { item, rating }, nothing);
  }

  async uploadFile(item: number, kind: Kind, path: string): Promise<void> {
    await this.#ask('upload', { item, kind, path }, nothing);
  }

  async uploadBytes(item: number, kind: Kind, bytes: Buffer): Promise<void> {
    await this.#ask('upload', { item, kind, bytes: bytes.toString('base64') }, nothing);
  }

  images(item: number, kind: Kind) {
    return this.#ask('images', { item, kind }, v.array(v.object({ key: text, selected: v.boolean() })));
  }

  async select(item: number, kind: Kind, key: string): Promise<void> {
    await this.#ask('select', { item, kind, key }, nothing);
  }

  async scan(library: string, folder: string): Promise<void> {
    await this.#ask('scan', { library, folder }, nothing);
  }

  stop(): void {
    this.#process.kill('SIGKILL');
  }

  async #ask<Schema extends v.GenericSchema>(
    request: string,
    args: Record<string, unknown>,
    schema: Schema,
  ): Promise<v.InferOutput<Schema>> {
    this.#process.stdin.write(`${JSON.stringify({ do: request, with: args })}\n`);
    const tooLate = setTimeout(() => this.stop(), limitMs);
    const { value, done } = await this.#lines.next();
    clearTimeout(tooLate);
    if (done) throw new Error(`plexapi ended during "${request}": ${this.#complaints.trim()}`);
    const said = v.parse(answer, JSON.parse(value));
    if ('failed' in said) throw new Error(`plexapi could not do "${request}": ${said.failed}`);
    return v.parse(schema, said.ok);
  }
}

function withOptions(calls: readonly EditCall[]) {
  return calls.map(([name, args, options = {}]) => [name, args, options]);
}
