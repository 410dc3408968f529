import { type Answer, maintenance, refusal } from './answer';
import type { RequestKind, RequestRecord } from './records';

/** A number of seconds, or the moment itself; both forms of the header exist. */
export type RetryAfter = number | Date;

/** `applied`: the request takes effect all the same, only its answer is lost. Without it nothing was done. */
export type FaultKind =
  /** Starting: 503 with Plex's XML. */
  | { kind: 'maintenance'; retryAfter?: RetryAfter }
  /** 429, as from a proxy. */
  | { kind: 'too-many-requests'; retryAfter?: RetryAfter }
  /** 500, or another status, such as the 504 of a proxy that did not want to wait any longer. */
  | { kind: 'server-error'; status?: number; applied?: boolean }
  | { kind: 'unauthorised' }
  /** 414 for every URL longer than this (8 KB unless told), as from a proxy. */
  | { kind: 'uri-too-long'; limitBytes?: number }
  /** Answers later. The request takes effect even if the client has gone by then. */
  | { kind: 'delay'; ms: number }
  /** Never answers. */
  | { kind: 'hang'; applied?: boolean }
  /** Cuts the connection. */
  | { kind: 'reset'; applied?: boolean }
  /** Cuts the connection in the middle of the answer; the request took effect. */
  | { kind: 'truncate' };

export interface FaultScope {
  /** How often it strikes before it is over; for ever unless told. */
  times?: number;
  /** Only every so-manieth of the requests that it is about: 3 spares two of three. */
  every?: number;
  /** All requests unless told: one kind (`edit`, `upload`, `select-image`, `list`, `find`, ...), several, or a choice. */
  on?: RequestKind | readonly RequestKind[] | ((request: RequestRecord) => boolean);
}

export type Fault = FaultKind & FaultScope;

interface Armed {
  fault: Fault;
  seen: number;
  struck: number;
}

/** The faults in force. The first that is about a request strikes. */
export class Faults {
  #armed: Armed[] = [];

  set(faults: readonly Fault[]): void {
    this.#armed = faults.map((fault) => ({ fault, seen: 0, struck: 0 }));
  }

  strike(request: RequestRecord): Fault | null {
    for (const armed of this.#armed) {
      const { fault } = armed;
      if (armed.struck >= (fault.times ?? Number.POSITIVE_INFINITY) || !isAbout(fault, request)) continue;
      armed.seen += 1;
      if (armed.seen % (fault.every ?? 1) !== 0) continue;
      armed.struck += 1;
      return fault;
    }
    return null;
  }
}

/** The answer of a fault that is nothing but an answer; null for those that do something to the connection. */
export function faultAnswer(fault: FaultKind): Answer | null {
  switch (fault.kind) {
    case 'maintenance':
      return maintenance(retryAfterHeader(fault.retryAfter));
    case 'too-many-requests':
      return refusal(429, retryAfterHeader(fault.retryAfter));
    case 'server-error':
      return refusal(fault.status ?? 500);
    case 'unauthorised':
      return refusal(401);
    case 'uri-too-long':
      return refusal(414);
    default:
      return null;
  }
}

/** Whether the request is worked on although its answer is not what the client gets. */
export function takesEffect(fault: FaultKind): boolean {
  return 'applied' in fault && fault.applied === true;
}

function isAbout(fault: Fault, request: RequestRecord): boolean {
  if (fault.kind === 'uri-too-long' && request.url.length <= (fault.limitBytes ?? 8192)) return false;
  if (fault.on === undefined) return true;
  if (typeof fault.on === 'function') return fault.on(request);
  return typeof fault.on === 'string' ? fault.on === request.kind : fault.on.includes(request.kind);
}

function retryAfterHeader(retryAfter: RetryAfter | undefined): Record<string, string> {
  if (retryAfter === undefined) return {};
  return { 'retry-after': retryAfter instanceof Date ? retryAfter.toUTCString() : String(retryAfter) };
}
