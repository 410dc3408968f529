import { readFileSync } from 'node:fs';
import { type GraphQLInputType, getNullableType, isInputObjectType, isListType } from 'graphql';
import { fixture } from './fixtures';
import { sortKeys } from './go-json';
import { stashSchema } from './schema';
import type { ServerConnection } from './server-connection';

export type Kind = 'Scene' | 'Performer' | 'Studio' | 'Tag' | 'Group' | 'Movie';
export type HookType = `${Kind}.${'Create' | 'Update' | 'Destroy' | 'Merge'}.Post`;

export interface HookContext {
  id: number;
  type: HookType;
  /** Null for scans. */
  input: unknown;
  /** The keys that the request named, in no order; absent where Stash does not say. */
  inputFields?: string[];
}

/** The document on a plugin's stdin. */
export interface PluginInput {
  server_connection: ServerConnection;
  args: Record<string, unknown>;
}

/**
 * What a hook gets on stdin, without a server: `given` is what the person's request said, in any of the forms that
 * the operations of this hook have (an update, a bulk edit with `ids`, an array of updates, a destroy), and left
 * out for scans. The input is spelled out as Stash does it.
 */
export function hookInput(
  connection: ServerConnection,
  type: HookType,
  id: number,
  given?: unknown,
): PluginInput {
  const input = given === undefined ? null : inputForm(inputTypeOf(type, given), given);
  const named = fieldsNamed(given, id);
  const context: HookContext = {
    id,
    type,
    input,
    ...(type.includes('.Update.') && named ? { inputFields: named } : {}),
  };
  return { server_connection: connection, args: { hookContext: context } };
}

/** What the request said of this object: in an array of updates, what its own one said. */
function fieldsNamed(given: unknown, id: number): string[] | null {
  const all: unknown[] = Array.isArray(given) ? given : [given];
  const objects = all.filter((one) => typeof one === 'object' && one !== null);
  const own = objects.find((one) => 'id' in one && String(one.id) === String(id)) ?? objects[0];
  return own ? Object.keys(own) : null;
}

function inputTypeOf(type: HookType, given: unknown): string {
  const [kind, operation] = type.split('.');
  const many = typeof given === 'object' && given !== null && 'ids' in given;
  const noun = kind === 'Movie' ? 'Group' : kind;
  if (operation === 'Merge') return 'TagsMergeInput';
  if (operation === 'Destroy') return many ? 'ScenesDestroyInput' : `${noun}DestroyInput`;
  return many ? `Bulk${noun}UpdateInput` : `${noun}${operation}Input`;
}

/**
 * An input as a hook sees it. Types that Stash wrote by hand show every key, null when it was not given; those that
 * its GraphQL library generated leave out what is null or an empty list.
 */
export function inputForm(typeName: string, given: unknown): unknown {
  if (Array.isArray(given)) return given.map((one) => inputForm(typeName, one));
  if (typeof given !== 'object' || given === null) return given;
  const values = new Map(Object.entries(given));
  const type = stashSchema().getType(typeName);
  const fields = isInputObjectType(type) ? type.getFields() : {};
  const form = (key: string): unknown => {
    const value = values.get(key) ?? null;
    const inner = fields[key] && objectName(fields[key].type);
    return inner ? inputForm(inner, value) : typeName === 'CustomFieldsInput' ? sortKeys(value) : value;
  };
  const handWritten = handWrittenKeys(typeName);
  if (handWritten) {
    const keys = [...handWritten, ...[...values.keys()].filter((key) => !handWritten.includes(key))];
    return Object.fromEntries(
      keys.map((key) => [key, values.has(key) ? form(key) : (fallbacks[key] ?? null)]),
    );
  }
  const keys = [...Object.keys(fields), ...[...values.keys()].filter((key) => !(key in fields))];
  const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(keys.map((key) => [key, form(key)]).filter(([, value]) => !isEmpty(value)));
}

/** The name of the input type inside lists and non-nulls, if it is an object. */
function objectName(type: GraphQLInputType): string | null {
  const bare = getNullableType(type);
  if (isListType(bare)) return objectName(bare.ofType);
  return isInputObjectType(bare) ? bare.name : null;
}

const fallbacks: Record<string, unknown> = { custom_fields: { full: null, partial: null, remove: null } };

/** Their keys in the order of Stash's structures; of the large ones as recorded from a real Stash. */
const handWritten: Record<string, string[] | (() => string[])> = {
  SceneUpdateInput: () => recordedKeys('hook-scene-update-nulls.json'),
  PerformerUpdateInput: () => recordedKeys('hook-performer-update.json'),
  StudioUpdateInput: () => recordedKeys('hook-studio-update.json'),
  SceneDestroyInput: ['id', 'delete_file', 'delete_generated', 'checksum', 'oshash', 'path'],
  ScenesDestroyInput: ['ids', 'delete_file', 'delete_generated', 'checksum', 'oshash', 'path'],
  SceneGroupInput: ['group_id', 'scene_index'],
  SceneMovieInput: ['movie_id', 'scene_index'],
  StashIDInput: ['stash_id', 'endpoint', 'updated_at'],
  CustomFieldsInput: ['full', 'partial', 'remove'],
};

function handWrittenKeys(typeName: string): string[] | undefined {
  const keys = handWritten[typeName];
  if (typeof keys !== 'function') return keys;
  const read = keys();
  handWritten[typeName] = read;
  return read;
}

function recordedKeys(name: string): string[] {
  const recorded: { args: { hookContext: { input: object } } } = JSON.parse(
    readFileSync(fixture(name), 'utf8'),
  );
  return Object.keys(recorded.args.hookContext.input);
}
