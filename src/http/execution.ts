import type { ApolloServerOptionsWithGateway } from '@apollo/server';
import {
  BREAK,
  defaultFieldResolver,
  execute,
  GraphQLError,
  isObjectType,
  visit,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { compileQuery, isCompiledQuery, type CompiledQuery } from 'graphql-jit';
import { Counter } from 'prom-client';
import type { Config } from '../config/config.ts';
import type { RequestContext } from '../context/context.ts';

/**
 * How operations are executed: those that are asked for again and again by JavaScript that graphql-jit makes of them, all others by
 * graphql-js. A page takes a fifth less of the processor's time so. Both give the same answers; decision 17 says what was looked at.
 */

type Gateway = NonNullable<ApolloServerOptionsWithGateway<RequestContext>['gateway']>;
type Executor = NonNullable<Awaited<ReturnType<Gateway['load']>>['executor']>;
type Asked = Parameters<Executor>[0];

/**
 * How often an operation is executed by graphql-js first. Compiling takes as long as executing some dozens of times, and anybody may send
 * documents that nobody sends again.
 */
const COMPILED_AFTER: Record<Config['queries']['compiled'], number> = { always: 0, often: 8, off: Infinity };

const operationsCompiled = new Counter({
  name: 'graphql_operations_compiled_total',
  help: 'Operations that were asked for so often that they were compiled',
});

/** Fields whose values may be functions, which compiled code would not call. */
const MADE_WHEN_ASKED_FOR = new Set(['cursor', 'startCursor', 'endCursor', 'hasNextPage', 'hasPreviousPage']);

/** Apollo's type says that there is an operation; there is none where the document has none of the name that is asked for. */
type AskedFor = Pick<Asked, 'document' | 'request'> & { readonly operation: OperationDefinitionNode | undefined };

interface Known {
  asked: number;
  /** `null` where it is not to be compiled; `undefined` where that was not tried yet. */
  compiled: CompiledQuery['query'] | null | undefined;
}

/**
 * What executes the operations of a schema, as Apollo takes it.
 * @param schema its fields that may have functions as values get resolvers that call them
 * @param compiled which operations
 */
export function executionOf(schema: GraphQLSchema, compiled: Config['queries']['compiled']): Gateway {
  callFunctions(schema);
  // Kept as long as its document.
  const known = new WeakMap<OperationDefinitionNode, Known>();

  const compiledOf = ({ document, operation, request }: AskedFor): Known['compiled'] => {
    if (!operation) return null;
    let found = known.get(operation);
    if (!found) known.set(operation, (found = { asked: 0, compiled: undefined }));
    if (found.compiled === undefined && found.asked++ >= COMPILED_AFTER[compiled])
      found.compiled = compile(schema, document, request.operationName);
    return found.compiled;
  };

  const executor = async (asked: Asked): Promise<ExecutionResult> => {
    const { document, context: contextValue } = asked;
    const { operationName, variables: variableValues = {} } = asked.request;
    const result = await compiledOf(asked)?.(undefined, contextValue, variableValues);
    // Variables that do not fit are refused before anything is asked for, and graphql-js says better why.
    if (result?.data !== undefined) return result.errors ? { ...result, errors: result.errors.map(errorOf) } : result;
    return execute({ schema, document, contextValue, variableValues, operationName });
  };

  return {
    // Apollo's type is that of its own copy of graphql's results.
    load: () => Promise.resolve({ executor: executor as Executor }),
    onSchemaLoadOrUpdate: (then) => {
      then({ apiSchema: schema, coreSupergraphSdl: '' });
      return () => undefined;
    },
    stop: () => Promise.resolve(),
  };
}

function compile(schema: GraphQLSchema, document: DocumentNode, name: string | undefined): Known['compiled'] {
  if (!isSafe(document)) return null;
  const compiled = compileQuery(schema, document, name, { disablingCapturingStackErrors: true });
  if (!isCompiledQuery(compiled)) return null;
  operationsCompiled.inc();
  return compiled.query;
}

/** An error of compiled code as graphql-js makes it: with extensions, if only empty ones. */
function errorOf({ message, path, locations, originalError, extensions }: GraphQLError): GraphQLError {
  const error = new GraphQLError(message, { path, originalError, extensions });
  return Object.defineProperty(error, 'locations', { value: locations, enumerable: true });
}

/**
 * Whether a caller's document may become code: it has names and numbers only. A text in it could be made to end the text that it is in the
 * code (graphql-jit 0.8.9 lets one with its mark for dates through as it is); and `__proto__` is no field of an object.
 */
function isSafe(document: DocumentNode): boolean {
  let found = true;
  const refuse = () => {
    found = false;
    return BREAK;
  };
  visit(document, {
    StringValue: refuse,
    Name: ({ value }) => (value === '__proto__' ? refuse() : undefined),
  });
  return found;
}

function callFunctions(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields()))
      if (MADE_WHEN_ASKED_FOR.has(field.name)) field.resolve ??= defaultFieldResolver;
  }
}
