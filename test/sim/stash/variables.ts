import {
  type GraphQLInputType,
  type GraphQLSchema,
  getVariableValues,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql';

export interface VariableFault {
  message: string;
  path?: (string | number)[];
}

/** The first thing wrong with a request's variables, in the words of Stash's GraphQL library where it has its own. */
export function checkVariables(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
): VariableFault | null {
  for (const definition of operation.variableDefinitions ?? []) {
    const type = typeFromAST(schema, definition.type);
    if (!isInputType(type)) continue;
    const name = definition.variable.name.value;
    if (!(name in variables) && definition.defaultValue) continue;
    const fault = misfit(type, name in variables, variables[name], ['variable', name]);
    if (fault) return fault;
  }
  const { errors } = getVariableValues(schema, operation.variableDefinitions ?? [], variables);
  return errors?.[0] ? { message: errors[0].message } : null;
}

function misfit(
  type: GraphQLInputType,
  given: boolean,
  value: unknown,
  path: (string | number)[],
): VariableFault | null {
  if (isNonNullType(type)) {
    if (!given) return { message: 'must be defined', path };
    if (value === null) return { message: 'cannot be null', path };
    return misfit(type.ofType, given, value, path);
  }
  if (!given || value === null || value === undefined) return null;
  if (isListType(type)) {
    const items: unknown[] = Array.isArray(value) ? value : [value];
    return first(items, (item, index) => misfit(type.ofType, true, item, [...path, index]));
  }
  if (!isInputObjectType(type)) {
    const kind = unfit[type.name]?.(value);
    return kind ? { message: `cannot use ${kind} as ${type.name}`, path } : null;
  }
  if (typeof value !== 'object' || Array.isArray(value)) return { message: `must be a ${type.name}`, path };
  const object = new Map(Object.entries(value));
  const fields = type.getFields();
  return (
    first([...object.keys()], (key) =>
      key in fields ? null : { message: 'unknown field', path: [...path, key] },
    ) ??
    first(Object.values(fields), (field) =>
      misfit(field.type, object.has(field.name), object.get(field.name), [...path, field.name]),
    )
  );
}

/** Go's word for a value that does not fit the scalar. */
const kindOf = (value: unknown): string =>
  Array.isArray(value)
    ? 'slice'
    : typeof value === 'object'
      ? 'map'
      : typeof value === 'boolean'
        ? 'bool'
        : 'string';
const unless = (fits: (value: unknown) => boolean) => (value: unknown) =>
  fits(value) ? null : kindOf(value);
const isText = (value: unknown) => typeof value === 'string' || typeof value === 'number';

const unfit: Record<string, (value: unknown) => string | null> = {
  ID: unless(isText),
  String: unless(isText),
  Boolean: unless((value) => typeof value === 'boolean'),
  Int: unless((value) => isText(value) && /^-?\d+$/.test(String(value))),
  Float: unless((value) => isText(value) && Number.isFinite(Number(value))),
};

function first<T>(items: T[], look: (item: T, index: number) => VariableFault | null): VariableFault | null {
  for (const [index, item] of items.entries()) {
    const fault = look(item, index);
    if (fault) return fault;
  }
  return null;
}
