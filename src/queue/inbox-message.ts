/**
 * What a short-lived process leaves in the inbox, parsed and judged: a hook's input exactly as Stash sent it, or a
 * command of one of our tasks. Part of the hook's bundle: node: modules only.
 *
 * Which objects an event stands for: a bulk edit is committed before its first hook runs, its hooks run in the order
 * of the ids, and closing the browser tab stops the rest. But every hook's input names all ids. So the event whose
 * own id is the first that its input names stands for all of them, and every other event for its own id alone:
 * nothing is lost with the later hooks, and nothing is counted a thousand times.
 */
import { type OwnFolders, parseServerConnection, type StashConnection } from '../stash/connection';

export type ObjectKind = 'Scene' | 'Performer' | 'Studio' | 'Tag' | 'Group';
export type Action = 'Create' | 'Update' | 'Destroy' | 'Merge';

export interface StashEvent {
  object: ObjectKind;
  action: Action;
  ids: number[];
  /** Not the edit of one object by a person: several objects, or a scan. */
  bulk: boolean;
  /** Which fields were touched; null: unknown. */
  fields: string[] | null;
  /** Objects that were merged into this one, and are gone. */
  merged: number[];
  /** Caused by a write of our own. */
  ours: boolean;
}

export interface Command {
  name: string;
  /** The task waits for an answer under this name. */
  id: string;
  args: Record<string, unknown>;
}

export type InboxMessage =
  | { type: 'event'; connection: StashConnection; event: StashEvent }
  | { type: 'command'; connection: StashConnection; command: Command };

/** An input that no worker could use, with the sentence that says why. */
export class BadInput extends Error {}

/** What we send as `clientMutationId` with our own writes. */
export const ownMutationId = 'sluice';

const known: Record<ObjectKind, Action[]> = {
  Scene: ['Create', 'Update', 'Destroy'],
  Performer: ['Update', 'Destroy'],
  Studio: ['Update', 'Destroy'],
  Tag: ['Update', 'Destroy', 'Merge'],
  Group: ['Update', 'Destroy'],
};

/** Every hook that plugin.yml must subscribe to. */
export const hookTypes: string[] = Object.entries(known).flatMap(([object, actions]) =>
  actions.map((action) => `${object}.${action}.Post`),
);

type Json = Record<string, unknown>;

/** `own`: what relative folders stand for; without it, they are relative to our working folder. */
export function parseInboxMessage(text: string, own?: OwnFolders): InboxMessage {
  const input = parseStashInput(text);
  const connection = connectionOf(input, own);
  const { sluice } = input;
  if (isObject(sluice)) return { type: 'command', connection, command: parseCommand(sluice) };
  return { type: 'event', connection, event: parseEvent(input) };
}

/** Stash's input of any kind: a hook's, a task's or an operation's. */
export function parseStashInput(text: string): Json {
  if (text.trim() === '') throw new BadInput('the input is empty: Stash sent nothing');
  let input: unknown;
  try {
    input = JSON.parse(text);
  } catch {
    throw new BadInput('the input is not JSON');
  }
  if (!isObject(input)) throw new BadInput('the input is not a JSON object');
  return input;
}

export function connectionOf(input: Json, own?: OwnFolders): StashConnection {
  try {
    return parseServerConnection(input.server_connection, own);
  } catch (error) {
    throw new BadInput(error instanceof Error ? error.message : String(error));
  }
}

function parseEvent(input: Json): StashEvent {
  const args = isObject(input.args) ? input.args : {};
  const context = args.hookContext;
  if (!isObject(context)) throw new BadInput('the input has no hookContext: it does not come from a hook');
  const { type } = context;
  if (typeof type !== 'string' || hookTypes.indexOf(type) < 0) {
    throw new BadInput(`the hook type ${JSON.stringify(type)} is unknown`);
  }
  const [object, action] = type.split('.') as [ObjectKind, Action];
  const id = idOf(context.id);
  if (id === null)
    throw new BadInput(`the hook's id is ${JSON.stringify(context.id)}, which is not a number`);
  const named = namedIds(context.input);
  const fields = context.inputFields;
  return {
    object,
    action,
    ids: named[0] === id ? Array.from(new Set(named)) : [id],
    bulk: named.length !== 1,
    fields: Array.isArray(fields) ? fields.filter((field) => typeof field === 'string') : null,
    merged: action === 'Merge' ? mergedIds(context.input) : [],
    ours: isObject(context.input) && context.input.clientMutationId === ownMutationId,
  };
}

/** The forms: `{id}`, `{ids}`, an array of `{id}`, an array of ids. None: a scan. */
function namedIds(input: unknown): number[] {
  let named: unknown[] = [];
  if (Array.isArray(input)) named = input.map((one) => (isObject(one) ? one.id : one));
  else if (isObject(input) && Array.isArray(input.ids)) named = input.ids;
  else if (isObject(input)) named = [input.id];
  return named.map(idOf).filter((id) => id !== null);
}

function mergedIds(input: unknown): number[] {
  const sources = isObject(input) && Array.isArray(input.source) ? input.source : [];
  return sources.map(idOf).filter((id) => id !== null);
}

function idOf(value: unknown): number | null {
  if (typeof value === 'string' && /^\d{1,15}$/.test(value)) return Number(value);
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

function parseCommand({ command, id, args }: Json): Command {
  if (typeof command !== 'string' || typeof id !== 'string' || !/^[\w-]{1,64}$/.test(id)) {
    throw new BadInput('the command has no name or no id');
  }
  return { name: command, id, args: isObject(args) ? args : {} };
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
