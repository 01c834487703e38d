import type {
  ApolloServerPlugin,
  GraphQLRequestContextWillSendResponse,
  GraphQLRequestListener,
  GraphQLResponse,
} from '@apollo/server';
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { RequestContext } from '../context/context.ts';

/** An operation that is asked for: of a document that was found valid. */
export interface AskedOperation {
  readonly document: DocumentNode;
  /** `undefined` where the document has none of the name that is asked for. */
  readonly operation: OperationDefinitionNode | undefined;
  readonly request: {
    readonly query?: string | undefined;
    readonly operationName?: string | undefined;
    readonly variables?: Record<string, unknown> | undefined;
  };
  readonly context: RequestContext;
}

/** An answer that is about to be sent. A step may change its status, headers and body. */
export interface Answer extends Pick<
  GraphQLRequestContextWillSendResponse<RequestContext>,
  'schema' | 'document' | 'operation' | 'errors' | 'contextValue'
> {
  readonly response: Pick<GraphQLResponse, 'body'> & {
    readonly http: { status?: number; readonly headers: Pick<Map<string, string>, 'set'> };
  };
}

/** What is done with every request beside answering it, at two moments, without waiting for anything. */
export interface RequestStep {
  /**
   * Before an operation is executed.
   * @throws what the request is refused with
   */
  readonly beforeExecution?: (asked: AskedOperation, schema: GraphQLSchema) => void;
  /**
   * Before the answer is sent.
   * @param seconds for how long the request was under way
   */
  readonly beforeAnswer?: (answer: Answer, seconds: number) => void;
}

/** Takes the steps before an answer is sent. */
export function beforeAnswer(steps: readonly RequestStep[], answer: Answer): void {
  const { steady, begunAt } = answer.contextValue;
  const seconds = (steady() - begunAt) / 1_000;
  for (const step of steps) step.beforeAnswer?.(answer, seconds);
}

/**
 * One plugin of Apollo that takes the steps before an answer. Apollo waits several times in each request for each of its plugins, which costs
 * more than what the steps do.
 */
export const answerSteps = (steps: readonly RequestStep[]): ApolloServerPlugin<RequestContext> => {
  const listener: GraphQLRequestListener<RequestContext> = {
    willSendResponse: (request) => {
      beforeAnswer(steps, request);
      return Promise.resolve();
    },
  };
  return { requestDidStart: () => Promise.resolve(listener) };
};
