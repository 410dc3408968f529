/**
 * Everything that can go wrong with Stash, in three kinds that callers treat differently:
 * - away: no answer that could be used; the same call may work later;
 * - unauthorised: Stash wants a credential that we do not have (any more);
 * - incompatible: Stash does not know what we asked for, or answers in another shape; waiting does not help.
 *
 * Holds: the message is for a person, and neither it nor any property holds a request, a header or a secret.
 * graphql-request's ClientError holds all of them and stays in here.
 */
import { ClientError } from 'graphql-request';
import * as v from 'valibot';
import { describeNetworkError } from '../shared/fetch';
import { redact } from '../shared/secrets';

export type StashTroubleKind = 'away' | 'unauthorised' | 'incompatible';

export class StashTrouble extends Error {
  readonly kind: StashTroubleKind;

  constructor(kind: StashTroubleKind, message: string) {
    super(redact(message));
    this.name = 'StashTrouble';
    this.kind = kind;
  }
}

const neededVersion = 'Sluice needs Stash 0.27 or newer.';

/** What a failed call means. Never call this with an abort that the caller itself asked for. */
export function troubleOf(error: unknown): StashTrouble {
  if (error instanceof StashTrouble) return error;
  if (error instanceof ClientError) return troubleOfAnswer(error.response);
  // A 2xx that is no GraphQL answer: graphql-request throws a plain Error that quotes the whole page.
  if (
    error instanceof SyntaxError ||
    (error instanceof Error && /^Invalid execution result/.test(error.message))
  ) {
    return new StashTrouble(
      'away',
      'Stash gave an answer that is not JSON. Is something else at its address?',
    );
  }
  return new StashTrouble('away', `Stash is not answering (${describeNetworkError(error)}).`);
}

/** The same for an answer of which only the status says anything. */
export const troubleOfStatus = (status: number): StashTrouble => troubleOfAnswer({ status });

/** Tells what is not as expected without quoting the answer, which may hold the API key. */
export function troubleOfShape(issues: readonly v.BaseIssue<unknown>[]): StashTrouble {
  const [issue] = issues;
  const where = issue ? v.getDotPath(issue) : null;
  const what = issue
    ? `${issue.expected ?? 'something else'} expected, ${kindOf(issue.input)} found`
    : 'unknown';
  return new StashTrouble(
    'incompatible',
    `Stash's answer is not of the expected shape (${where ?? 'answer'}: ${what}). ${neededVersion}`,
  );
}

const errorSchema = v.array(v.object({ message: v.string(), path: v.nullish(v.array(v.unknown())) }));

function troubleOfAnswer(response: { status: number; errors?: unknown; data?: unknown }): StashTrouble {
  const { status } = response;
  const parsed = v.safeParse(errorSchema, response.errors);
  const [first] = parsed.success ? parsed.output : [];
  if (status === 401) return new StashTrouble('unauthorised', unauthorised);
  if (status >= 500) return new StashTrouble('away', `Stash answered with an error (HTTP ${status}).`);
  if (status >= 300 && status < 400) {
    return new StashTrouble(
      'away',
      `Stash sent us to another address (HTTP ${status}). Is something else at its address?`,
    );
  }
  if (first === undefined) return new StashTrouble('away', `Stash refused the request (HTTP ${status}).`);
  // What goes wrong while a query runs names the field it happened in; what is wrong with the query itself does not.
  const validation = [400, 422].includes(status) || (!first.path && !response.data);
  if (validation) {
    return new StashTrouble(
      'incompatible',
      `Stash does not understand Sluice: ${sentence(first.message)} ${neededVersion}`,
    );
  }
  return new StashTrouble('away', `Stash could not answer: ${sentence(first.message)}`);
}

const unauthorised =
  'Stash no longer lets Sluice in: the session has expired. Save something in Stash while you are logged in, or ' +
  'generate an API key in Stash under Settings > Security, so that Sluice can go on without a session.';

const kindOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value;

const longestQuote = 300;

function sentence(text: string): string {
  const quote = text.length > longestQuote ? `${text.slice(0, longestQuote)}…` : text.trim();
  return /[.?!…]$/.test(quote) ? quote : `${quote}.`;
}
