/**
 * What became of one attempt to sync one scene: the only vocabulary between sync, queue and gate.
 *
 * Three groups, and each caller needs only the group:
 * - settled: the job is done (`ok`, `unchanged`, `gone`, `filtered`); with `lookAgain` the scene had no cover yet, and
 *   one more look is worth it later;
 * - `listing`: the attempt fetched a page of Plex's library, which the job needs first, and nothing else happened;
 * - the item's fault: the job alone is retried or given up (`not-in-plex`, `transient`, `bad-data`);
 * - a server's fault: the job waits without being charged, and the gate or Stash's back-off decides when
 *   (`overloaded`, `server-down`, `not-authorised`, `may-not-edit`, `misconfigured` are Plex; `stash-away` is Stash).
 *   `misconfigured` is a setting with which no scene could be synced: only the person can end it.
 */
export type Outcome =
  /** `displaced`: another scene that had the item until now, and has to find out that it has none. */
  | { kind: 'ok'; message: string; lookAgain?: true; displaced?: number }
  /** `looked`: Plex was asked; otherwise the ledger knew. */
  | { kind: 'unchanged'; looked: boolean; lookAgain?: true; displaced?: number }
  | { kind: 'gone' }
  /** `rule`: the setting that left it out, or why else nothing is to be sent; counted by it. */
  | { kind: 'filtered'; rule: string; message: string }
  | { kind: 'listing' }
  | { kind: 'not-in-plex'; message: string }
  | { kind: 'transient'; message: string }
  | { kind: 'bad-data'; message: string }
  | { kind: 'overloaded'; message: string; retryAfterMs: number | null }
  | { kind: 'server-down'; message: string }
  | { kind: 'not-authorised'; message: string }
  | { kind: 'may-not-edit'; message: string }
  | { kind: 'misconfigured'; message: string }
  | { kind: 'stash-away'; message: string };

export type OutcomeKind = Outcome['kind'];

const serverFaults = [
  'overloaded',
  'server-down',
  'not-authorised',
  'may-not-edit',
  'misconfigured',
  'stash-away',
] as const satisfies OutcomeKind[];

export function isServerFault(
  outcome: Outcome,
): outcome is Extract<Outcome, { kind: (typeof serverFaults)[number] }> {
  return (serverFaults as readonly OutcomeKind[]).includes(outcome.kind);
}
