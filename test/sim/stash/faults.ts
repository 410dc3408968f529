import type { RecordedRequest } from './http-server';

/** What goes wrong with a request. A request meets the oldest fault that is left and that it matches. */
export type Fault = FaultKind & {
  /** How often; every time until `clear` when left out. */
  times?: number;
  /** Which requests; all but the person's own when left out. */
  when?: (request: RecordedRequest) => boolean;
};

type FaultKind =
  /** Stash, or a proxy before it, fails. */
  | { kind: 'status'; status: number; body?: string }
  /** The answer is right, but takes a while. */
  | { kind: 'delay'; ms: number }
  /** No answer ever. */
  | { kind: 'hang' }
  /** The connection ends in the middle of the answer. */
  | { kind: 'cut' };

export class Faults {
  #pending: { fault: Fault; left: number }[] = [];

  inject(fault: Fault): void {
    this.#pending.push({ fault, left: fault.times ?? Number.POSITIVE_INFINITY });
  }

  clear(): void {
    this.#pending = [];
  }

  take(request: RecordedRequest): Fault | null {
    const byDefault = ({ byPerson }: RecordedRequest) => !byPerson;
    const met = this.#pending.find(({ fault }) => (fault.when ?? byDefault)(request));
    if (!met) return null;
    met.left -= 1;
    this.#pending = this.#pending.filter(({ left }) => left > 0);
    return met.fault;
  }
}
