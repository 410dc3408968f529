/**
 * Which scenes are on their way to a target, so that the next process knows what the last one died of
 * (`targets/<name>/in-flight.json`).
 *
 * A job that kills the worker (memory, a defect) must not do so for ever. Each start counts a death for every job that
 * was in flight: it is a suspect until it finishes. When another job finishes, the count begins anew: the worker gets
 * on. Only a job that was in flight at several deaths in a row with nothing finished in between is to blame.
 *
 * It is written in place and without a sync: what was handed to the system survives the process, and a power cut may
 * leave a torn file, which blames nobody.
 */
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import * as v from 'valibot';
import { privateFile } from '../persist/paths';

const schema = v.object({
  inFlight: v.array(v.number()),
  /** How many deaths in a row each scene was in flight at. */
  deaths: v.record(v.string(), v.number()),
});

export class FlightLog {
  readonly #fd: number;
  readonly #inFlight = new Set<number>();
  readonly #deaths = new Map<number, number>();
  #length = 0;

  constructor(path: string) {
    const { inFlight, deaths } = read(path);
    for (const [scene, count] of Object.entries(deaths)) this.#deaths.set(Number(scene), count);
    for (const scene of inFlight) this.#deaths.set(scene, this.deaths(scene) + 1);
    this.#fd = openSync(path, 'w', privateFile);
    this.#write();
  }

  /** Whether a process died with this scene in flight, and it has not finished since. */
  isSuspect(scene: number): boolean {
    return this.#deaths.has(scene);
  }

  /** How many processes in a row died with this scene in flight. */
  deaths(scene: number): number {
    return this.#deaths.get(scene) ?? 0;
  }

  /** The scenes that a process died with and that have not finished since. */
  get suspects(): number[] {
    return [...this.#deaths.keys()];
  }

  took(scene: number): void {
    this.#inFlight.add(scene);
    this.#write();
  }

  /** `finished`: it came to an end of its own, so that the worker gets on. */
  landed(scene: number, finished: boolean): void {
    this.#inFlight.delete(scene);
    if (finished) {
      this.#deaths.delete(scene);
      for (const other of this.#deaths.keys()) this.#deaths.set(other, 0);
    }
    this.#write();
  }

  close(): void {
    closeSync(this.#fd);
  }

  #write(): void {
    const text = JSON.stringify({
      inFlight: [...this.#inFlight],
      deaths: Object.fromEntries(this.#deaths),
    } satisfies v.InferInput<typeof schema>);
    const bytes = Buffer.from(text.padEnd(this.#length));
    try {
      writeSync(this.#fd, bytes, 0, bytes.length, 0);
      if (text.length < this.#length) ftruncateSync(this.#fd, text.length);
      this.#length = text.length;
    } catch {
      // A full disk: nobody is blamed for the next death.
    }
  }
}

function read(path: string): v.InferOutput<typeof schema> {
  try {
    return v.parse(schema, JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return { inFlight: [], deaths: {} };
  }
}
