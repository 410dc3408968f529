import type { SessionValues } from './session';

/** What a resolver knows about the request it works for. */
export interface RequestContext {
  /** Of addresses in answers: the host that the request named. */
  baseUrl: string;
  session: SessionValues;
  /** Aborted when the client goes away: Stash ends hooks and operations then. */
  signal: AbortSignal;
}
