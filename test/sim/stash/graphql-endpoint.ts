import {
  type DocumentNode,
  execute,
  GraphQLError,
  type GraphQLFieldResolver,
  getOperationAST,
  Kind,
  parse,
  validate,
} from 'graphql';
import { goJson } from './go-json';
import type { StashLog } from './log';
import { notSimulated } from './not-simulated';
import type { RequestContext } from './request-context';
import { stashSchema } from './schema';
import { checkVariables } from './variables';

export interface GraphqlRequest {
  query: string;
  variables: Record<string, unknown>;
  operationName: string | null;
}

export interface GraphqlAnswer {
  status: number;
  contentType?: string;
  body: string;
}

type Resolvers = Record<string, unknown>;

/** Answers POST /graphql in the manner of Stash's GraphQL library: its status codes, its wording, errors before data. */
export class GraphqlEndpoint {
  constructor(
    private readonly resolvers: Resolvers,
    private readonly log: StashLog,
  ) {}

  async answer(body: string, accept: string | undefined, context: RequestContext): Promise<GraphqlAnswer> {
    const contentType = negotiate(accept);
    const refuse = (status: number, ...errors: object[]): GraphqlAnswer => ({
      status,
      contentType,
      body: goJson({ errors, data: null }),
    });
    const request = parseRequest(body);
    if (!request)
      return refuse(400, { message: `json request body could not be decoded: invalid body:${body}` });
    const invalid = contentType === graphqlJson ? 400 : 422;

    let document: DocumentNode;
    try {
      document = parse(request.query);
    } catch (error) {
      return refuse(invalid, shown(error, 'GRAPHQL_PARSE_FAILED'));
    }
    if (!document.definitions.some(({ kind }) => kind === Kind.OPERATION_DEFINITION))
      return refuse(invalid, failed('no operation provided'));
    const problems = validate(stashSchema(), document).map((problem) =>
      shown(problem, 'GRAPHQL_VALIDATION_FAILED'),
    );
    if (problems.length > 0) return refuse(invalid, ...problems);
    const operation = getOperationAST(document, request.operationName);
    if (!operation) return refuse(invalid, failed(`operation ${request.operationName ?? ''} not found`));
    const fault = checkVariables(stashSchema(), operation, request.variables);
    if (fault) return refuse(invalid, failed(fault.message, fault.path));

    const result = await execute({
      schema: stashSchema(),
      document,
      rootValue: this.resolvers,
      contextValue: context,
      variableValues: request.variables,
      operationName: request.operationName,
      fieldResolver,
    });
    return { status: 200, contentType, body: goJson(this.#present(result)) };
  }

  /** Errors of resolvers have a message and a path, and go into the log. */
  #present({ errors, data = null }: { errors?: readonly GraphQLError[]; data?: unknown }): object {
    if (!errors) return { data };
    const presented = errors.map(({ message, path }) => {
      const where = path?.join('.') ?? '';
      this.log.write('error', `${where}: input: ${where} ${message}`);
      return { message, path };
    });
    return { errors: presented, data };
  }
}

export function parseRequest(body: string): GraphqlRequest | null {
  try {
    const { query, variables, operationName } = JSON.parse(body);
    return { query: query ?? '', variables: variables ?? {}, operationName: operationName || null };
  } catch {
    return null;
  }
}

const fieldResolver: GraphQLFieldResolver<unknown, RequestContext> = (source, args, context, info) => {
  const value = (source as Resolvers)[info.fieldName];
  if (value === undefined) notSimulated(`${info.parentType.name}.${info.fieldName}`);
  return typeof value === 'function' ? value.call(source, args, context) : value;
};

const graphqlJson = 'application/graphql-response+json';

/** Without a preference plain JSON; what accepts anything gets GraphQL's own type, and 400 where JSON gets 422. */
function negotiate(accept: string | undefined): string {
  if (!accept) return 'application/json';
  for (const part of accept.split(',')) {
    const type = part.split(';')[0]?.trim();
    if (type === 'application/json') return type;
    if (type === '*/*' || type === 'application/*' || type === graphqlJson) return graphqlJson;
  }
  return graphqlJson;
}

const failed = (message: string, path?: (string | number)[]): object => ({
  message,
  ...(path ? { path } : {}),
  extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
});

function shown(error: unknown, code: string): object {
  if (!(error instanceof GraphQLError)) throw error;
  const { message, locations } = error.toJSON();
  return { message, locations, extensions: { code } };
}
