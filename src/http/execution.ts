import type { ApolloServerOptionsWithGateway } from '@apollo/server';
import {
  execute,
  getOperationAST,
  OperationTypeNode,
  parse,
  subscribe,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { RequestContext } from '../context/context.ts';
import { RequestError } from '../graphql/errors.ts';
import { TOKENS_MAX } from './document-limits.ts';
import type { AskedOperation, RequestStep } from './steps.ts';
import { ERRORS_MAX, type Validation } from './validation.ts';

/**
 * The execution of operations by graphql-js alone, so that one interpreter decides what an answer
 * is. Decision 17 names the cost.
 */

type Gateway = NonNullable<ApolloServerOptionsWithGateway<RequestContext>['gateway']>;
type Executor = NonNullable<Awaited<ReturnType<Gateway['load']>>['executor']>;

/**
 * The maximum number of characters of all known texts together: those of about fifty pages of a
 * frontend. An operation takes 116 bytes per character at most.
 */
const CHARACTERS_MAX = 100_000;
const NOT_A_STREAM =
  'A subscription is answered with a stream. Send it by POST, with the header "accept: text/event-stream", ' +
  'or "accept: multipart/mixed" as Apollo Client does.';

/** An operation of a document that was parsed and validated. */
export type KnownOperation = Pick<AskedOperation, 'document'> & { readonly operation: OperationDefinitionNode };

/** Executes the operations of a schema, and remembers the texts that were executed recently. */
export class Execution {
  readonly schema: GraphQLSchema;
  readonly #validation: Validation;
  readonly #steps: readonly RequestStep[];
  /** The known operations by text and then by operation name, '' if the request has none. */
  readonly #known = new LRUCache<string, Map<string, KnownOperation>>({ maxSize: CHARACTERS_MAX });

  /** @param steps the steps taken before each operation */
  constructor(schema: GraphQLSchema, validation: Validation, steps: readonly RequestStep[]) {
    this.schema = schema;
    this.#validation = validation;
    this.#steps = steps;
  }

  /**
   * Returns the operation that a text asks for, if it was executed recently or is a subscription.
   */
  known(query: string, operationName = ''): KnownOperation | undefined {
    return this.#known.get(query)?.get(operationName) ?? this.#subscriptionIn(query, operationName);
  }

  /**
   * Executes an operation of a valid document.
   * @returns the result, or only errors if the document is not valid
   * @throws the error of a step that refuses it
   */
  async execute(asked: AskedOperation): Promise<ExecutionResult> {
    const errors = this.#validation.errorsOf(asked.document);
    if (errors.length > 0) return { errors };
    if (asked.operation?.operation === OperationTypeNode.SUBSCRIPTION)
      throw new RequestError('BAD_USER_INPUT', NOT_A_STREAM, { http: { status: 400 } });
    return execute(this.#begun(asked));
  }

  /**
   * Begins a subscription of a valid document.
   * @returns its results, or only errors if it is refused
   * @throws the error of a step that refuses it
   */
  async subscribe(asked: AskedOperation): Promise<AsyncGenerator<ExecutionResult> | ExecutionResult> {
    // The result of an event is the same kind of object; graphql-js declares less about generators.
    return subscribe(this.#begun(asked)) as Promise<AsyncGenerator<ExecutionResult> | ExecutionResult>;
  }

  /** Takes the steps before an operation, and returns the arguments of graphql-js. */
  #begun(asked: AskedOperation): ExecutionArgs {
    for (const step of this.#steps) step.beforeExecution?.(asked, this.schema);

    this.#remember(asked);
    const { document, context: contextValue } = asked;
    const { operationName, variables: variableValues = {} } = asked.request;
    const options = { maxCoercionErrors: ERRORS_MAX };
    return { schema: this.schema, document, contextValue, variableValues, operationName, options };
  }

  /** Reads a text that no request has sent lately, if it may be a subscription. */
  #subscriptionIn(query: string, operationName: string): KnownOperation | undefined {
    if (!query.includes(OperationTypeNode.SUBSCRIPTION)) return undefined;
    try {
      const document = parse(query, { maxLexicalTokens: TOKENS_MAX });
      const operation = getOperationAST(document, operationName || undefined);
      const isValid = this.#validation.errorsOf(document).length === 0;
      return operation?.operation === OperationTypeNode.SUBSCRIPTION && isValid ? { document, operation } : undefined;
    } catch {
      // Apollo answers with the error.
      return undefined;
    }
  }

  /**
   * The executor that Apollo calls. It does not execute an operation that the route has executed
   * already.
   */
  get gateway(): Gateway {
    // Apollo declares its own copies of graphql's result types, and requires an operation.
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
    if (!operation || query === '' || this.#known.get(query)?.has(operationName)) return;
    const operations = this.#known.get(query) ?? new Map<string, KnownOperation>();
    operations.set(operationName, { document, operation });
    this.#known.set(query, operations, { size: query.length });
  }
}
