import type { ApolloServerOptionsWithGateway } from '@apollo/server';
import { execute, type ExecutionResult, type GraphQLSchema, type OperationDefinitionNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { RequestContext } from '../context/context.ts';
import type { AskedOperation, RequestStep } from './steps.ts';

/**
 * How operations are executed: by graphql-js, and by nothing else, so that one interpreter decides what an answer is.
 * Decision 17 says what that costs.
 */

type Gateway = NonNullable<ApolloServerOptionsWithGateway<RequestContext>['gateway']>;
type Executor = NonNullable<Awaited<ReturnType<Gateway['load']>>['executor']>;

/** Characters of all texts that are known: as many as fifty pages of a frontend. An operation takes 116 bytes a character at most. */
const CHARACTERS_MAX = 100_000;

/** An operation of a document that was parsed and found valid. */
export type KnownOperation = Pick<AskedOperation, 'document'> & { readonly operation: OperationDefinitionNode };

/** Executes the operations of a schema, and knows the texts that were executed lately. */
export class Execution {
  readonly schema: GraphQLSchema;
  readonly #steps: readonly RequestStep[];
  /** By their texts and names, '' where none was given. */
  readonly #known = new LRUCache<string, Map<string, KnownOperation>>({ maxSize: CHARACTERS_MAX });

  /** @param steps are taken before each operation */
  constructor(schema: GraphQLSchema, steps: readonly RequestStep[]) {
    this.schema = schema;
    this.#steps = steps;
  }

  /** The operation that a text asks for, if it was executed lately. */
  known(query: string, operationName = ''): KnownOperation | undefined {
    return this.#known.get(query)?.get(operationName);
  }

  /**
   * Executes an operation.
   * @throws the error with which a step refuses it
   */
  async execute(asked: AskedOperation): Promise<ExecutionResult> {
    for (const step of this.#steps) step.beforeExecution?.(asked, this.schema);

    this.#remember(asked);
    const { document, context: contextValue } = asked;
    const { operationName, variables: variableValues = {} } = asked.request;
    return execute({ schema: this.schema, document, contextValue, variableValues, operationName });
  }

  /** The same for Apollo, which does not execute what the route has executed already. */
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

  #remember({ document, operation, request: { query = '', operationName = '' } }: AskedOperation): void {
    if (!operation || query === '' || this.known(query, operationName)) return;
    const operations = this.#known.get(query) ?? new Map<string, KnownOperation>();
    operations.set(operationName, { document, operation });
    this.#known.set(query, operations, { size: query.length });
  }
}
