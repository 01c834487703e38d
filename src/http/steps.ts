import type {
  ApolloServerPlugin,
  GraphQLRequestContextWillSendResponse,
  GraphQLRequestListener,
  GraphQLResponse,
} from '@apollo/server';
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { RequestContext } from '../context/context.ts';

/** An operation of a valid document that a request asks for. */
export interface AskedOperation {
  readonly document: DocumentNode;
  /** `undefined` if the document has no operation of the name asked for. */
  readonly operation: OperationDefinitionNode | undefined;
  readonly request: {
    readonly query?: string | undefined;
    readonly operationName?: string | undefined;
    readonly variables?: Record<string, unknown> | undefined;
  };
  readonly context: RequestContext;
}

/** An answer about to be sent. A step may change its status, headers and body. */
export interface Answer extends Pick<
  GraphQLRequestContextWillSendResponse<RequestContext>,
  'schema' | 'document' | 'operation' | 'errors' | 'contextValue'
> {
  readonly response: Pick<GraphQLResponse, 'body'> & {
    readonly http: { status?: number; readonly headers: Pick<Map<string, string>, 'set'> };
  };
}

/**
 * A step that each request takes before its execution, before its answer, or both. Steps are
 * synchronous.
 */
export interface RequestStep {
  /**
   * Called before an operation is executed.
   * @throws the error that the request is refused with
   */
  readonly beforeExecution?: (asked: AskedOperation, schema: GraphQLSchema) => void;
  /**
   * Called before the answer is sent.
   * @param seconds the duration of the request
   */
  readonly beforeAnswer?: (answer: Answer, seconds: number) => void;
}

/** Takes all steps before an answer is sent. */
export function beforeAnswer(steps: readonly RequestStep[], answer: Answer): void {
  const { monotonicNow, begunAt } = answer.contextValue;
  const seconds = (monotonicNow() - begunAt) / 1_000;
  for (const step of steps) step.beforeAnswer?.(answer, seconds);
}

/**
 * Makes one Apollo plugin that takes all steps before an answer. Apollo awaits each of its plugins
 * several times per request, which costs more than the steps themselves.
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
