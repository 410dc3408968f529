/**
 * Keeps the history of outages in `outages.json`.
 *
 * What is told by `observe` counts at once, in memory; `save` writes it. A record that begins or ends, or a wait that
 * begins, is written at once; how many wait, and for how long, once a minute. A disk that refuses delays nothing: the
 * next `save` tries again, and what the process could not write before its end the next one finds out by itself.
 */
import { type DocumentFormat, loadDocument, saveDocument } from '../persist/json-document';
import { documentOf, historyOf, type OutageDocument, outageFormat } from '../resilience/outage-document';
import { noHistory, type OutageHistory, observe, type Seen } from '../resilience/outages';
import type { Clock } from '../shared/clock';
import { describeFileError } from '../shared/errors';
import type { Log } from '../shared/log';
import { redact } from '../shared/secrets';

const numbersEveryMs = 60_000;

export class OutageBook {
  readonly #format: DocumentFormat<OutageDocument>;
  #history: OutageHistory;
  #written: OutageHistory;
  #writtenAt = 0;
  #saving: Promise<void> = Promise.resolve();
  #hasFailed = false;

  constructor(
    path: string,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    this.#format = { ...outageFormat, path };
    const { value } = loadDocument(this.#format, clock.now(), log);
    this.#history = value === null ? noHistory : historyOf(value);
    this.#written = this.#history;
  }

  get history(): OutageHistory {
    return this.#history;
  }

  /** How a target stands: at the start, at every tick, and after every change of its gate. */
  observe(target: string, seen: Seen): void {
    const { outage } = seen;
    const clean = outage && { ...outage, cause: redact(outage.cause) };
    this.#history = observe(this.#history, target, { ...seen, outage: clean }, this.clock.now());
  }

  /** Never rejects. One at a time, in the order of the calls. */
  save(): Promise<void> {
    this.#saving = this.#saving.then(() => this.#save());
    return this.#saving;
  }

  async #save(): Promise<void> {
    const history = this.#history;
    const now = this.clock.now();
    if (history === this.#written) return;
    const isNews = outline(history) !== outline(this.#written);
    if (!isNews && Math.abs(now - this.#writtenAt) < numbersEveryMs) return;
    try {
      await saveDocument(this.#format, documentOf(history));
      this.#written = history;
      this.#writtenAt = now;
      this.#hasFailed = false;
    } catch (error) {
      if (!this.#hasFailed) {
        this.log.warn(`The list of outages could not be written: ${describeFileError(error)}. Trying again.`);
      }
      this.#hasFailed = true;
    }
  }
}

/** All but the numbers that change from second to second. */
const outline = ({ watchedSince, outages }: OutageHistory): string =>
  JSON.stringify([
    watchedSince,
    outages.map(({ target, start, end, waitingSince }) => [target, start, end, waitingSince]),
  ]);
