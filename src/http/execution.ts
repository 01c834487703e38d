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
import { LRUCache } from 'lru-cache';
import { Counter } from 'prom-client';
import type { Config } from '../config/config.ts';
import type { RequestContext } from '../context/context.ts';
import type { AskedOperation, RequestStep } from './steps.ts';

/**
 * How operations are executed: those that are asked for again and again by JavaScript that graphql-jit makes of them, all others by
 * graphql-js. A page takes a fifth less of the processor's time so. Both give the same answers; decision 17 says what was looked at.
 */

type Gateway = NonNullable<ApolloServerOptionsWithGateway<RequestContext>['gateway']>;
type Executor = NonNullable<Awaited<ReturnType<Gateway['load']>>['executor']>;

/**
 * How often an operation is executed by graphql-js first. Compiling takes as long as executing some dozens of times, and anybody may send
 * documents that nobody sends again.
 */
const COMPILED_AFTER: Record<Config['queries']['compiled'], number> = { always: 0, often: 8, off: Infinity };
/** All letters of the texts whose compiled operations are found without parsing them: as many as fifty pages of a frontend ask by. */
const LETTERS_MAX = 100_000;

const operationsCompiled = new Counter({
  name: 'graphql_operations_compiled_total',
  help: 'Operations that were asked for so often that they were compiled',
});

/** Fields whose values may be functions, which compiled code would not call. */
const MADE_WHEN_ASKED_FOR = new Set(['cursor', 'startCursor', 'endCursor', 'hasNextPage', 'hasPreviousPage']);

interface Known {
  asked: number;
  /** `null` where it is not to be compiled; `undefined` where that was not tried yet. */
  compiled: CompiledQuery['query'] | null | undefined;
}

/** A compiled operation, with what it was made of. */
export type CompiledOperation = Pick<AskedOperation, 'document'> & { readonly operation: OperationDefinitionNode };

/** What executes the operations of a schema. */
export class Execution {
  readonly schema: GraphQLSchema;
  readonly #compiledAfter: number;
  readonly #steps: readonly RequestStep[];
  /** Kept as long as its document. */
  readonly #known = new WeakMap<OperationDefinitionNode, Known>();
  /** By their texts and names, '' where none was given. */
  readonly #texts = new LRUCache<string, Map<string, CompiledOperation>>({ maxSize: LETTERS_MAX });

  /**
   * @param schema its fields that may have functions as values get resolvers that call them
   * @param compiled which operations
   * @param steps are taken before each
   */
  constructor(schema: GraphQLSchema, compiled: Config['queries']['compiled'], steps: readonly RequestStep[]) {
    callFunctions(schema);
    this.schema = schema;
    this.#compiledAfter = COMPILED_AFTER[compiled];
    this.#steps = steps;
  }

  /** The operation that a request asks for, where it was compiled. */
  compiledOf(query: string, operationName = ''): CompiledOperation | undefined {
    return this.#texts.get(query)?.get(operationName);
  }

  /**
   * Executes an operation.
   * @throws what a step refuses it with
   */
  async execute(asked: AskedOperation): Promise<ExecutionResult> {
    for (const step of this.#steps) step.beforeExecution?.(asked, this.schema);

    const { document, context: contextValue } = asked;
    const { operationName, variables: variableValues = {} } = asked.request;
    const result = await this.#compiled(asked)?.(undefined, contextValue, variableValues);
    // Variables that do not fit are refused before anything is asked for, and graphql-js says better why.
    if (result?.data !== undefined) return result.errors ? { ...result, errors: result.errors.map(errorOf) } : result;
    return execute({ schema: this.schema, document, contextValue, variableValues, operationName });
  }

  /** As Apollo takes it. What has come of a request already is not executed once more. */
  get gateway(): Gateway {
    // Apollo's types are those of its own copies of graphql's results, and say that there always is an operation.
    const executor = ((asked: AskedOperation) => asked.context.outcome ?? this.execute(asked)) as unknown as Executor;
    return {
      load: () => Promise.resolve({ executor }),
      onSchemaLoadOrUpdate: (then) => {
        then({ apiSchema: this.schema, coreSupergraphSdl: '' });
        return () => undefined;
      },
      stop: () => Promise.resolve(),
    };
  }

  #compiled({ document, operation, request: { query = '', operationName = '' } }: AskedOperation): Known['compiled'] {
    if (!operation) return null;
    let found = this.#known.get(operation);
    if (!found) this.#known.set(operation, (found = { asked: 0, compiled: undefined }));
    if (found.compiled === undefined && found.asked++ >= this.#compiledAfter)
      found.compiled = compile(this.schema, document, operationName);
    if (found.compiled && !this.compiledOf(query, operationName)) {
      const operations = this.#texts.get(query) ?? new Map<string, CompiledOperation>();
      operations.set(operationName, { document, operation });
      this.#texts.set(query, operations, { size: query.length });
    }
    return found.compiled;
  }
}

function compile(schema: GraphQLSchema, document: DocumentNode, name: string): Known['compiled'] {
  if (!isSafe(document)) return null;
  const compiled = compileQuery(schema, document, name === '' ? undefined : name, {
    disablingCapturingStackErrors: true,
  });
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
