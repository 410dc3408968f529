import { readFileSync } from 'node:fs';
import {
  buildSchema,
  GraphQLError,
  type GraphQLScalarType,
  type GraphQLSchema,
  isScalarType,
  valueFromASTUntyped,
} from 'graphql';
import { toSchemaLanguage } from './api-types';
import { fixture } from './fixtures';
import { sortKeys } from './go-json';
import { moreTypes } from './more-types';

let built: GraphQLSchema | undefined;

/** The part of Stash's API that the simulator speaks, with the types a real Stash gave. */
export function stashSchema(): GraphQLSchema {
  built ??= build();
  return built;
}

function build(): GraphQLSchema {
  const described = [...moreTypes.matchAll(/^(?:scalar|type|input|enum) (\w+)/gm)].map(
    ([, name = '']) => name,
  );
  const list = readFileSync(fixture('api-types.txt'), 'utf8');
  const schema = buildSchema(`${moreTypes}\n${toSchemaLanguage(list, described)}`);
  for (const name of ['Map', 'Any', 'PluginConfigMap']) scalar(schema, name).serialize = sortKeys;
  readWith(scalar(schema, 'Map'), asMap);
  readWith(scalar(schema, 'BoolMap'), asBoolMap);
  for (const name of ['Time', 'Timestamp']) readWith(scalar(schema, name), asInstant);
  return schema;
}

/** Values come as variables and, written into the query, as a piece of its text. */
function readWith(type: GraphQLScalarType, read: (value: unknown) => unknown): void {
  type.parseValue = read;
  type.parseLiteral = (node, variables) => read(valueFromASTUntyped(node, variables));
}

function scalar(schema: GraphQLSchema, name: string) {
  const type = schema.getType(name);
  if (!isScalarType(type)) throw new Error(`${name} is not a scalar`);
  return type;
}

function asMap(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new GraphQLError(`${typeof value} is not a map`);
  return { ...value };
}

function asBoolMap(value: unknown): Record<string, unknown> {
  const map = asMap(value);
  for (const [key, inner] of Object.entries(map))
    if (typeof inner !== 'boolean') throw new GraphQLError(`key ${key} (${typeof inner}) is not a bool`);
  return map;
}

function asInstant(value: unknown): string {
  if (typeof value !== 'string' || Number.isNaN(Date.parse(value)))
    throw new GraphQLError('cannot parse Timestamp');
  return value;
}
