import type {
  ApolloServerPlugin,
  GraphQLRequestContextDidResolveOperation,
  GraphQLRequestContextWillSendResponse,
  GraphQLRequestListener,
} from '@apollo/server';
import type { RequestContext } from '../context/context.ts';

/** What is done with every request beside answering it, at two moments, without waiting for anything. */
export interface RequestStep {
  /**
   * Once it is known what is asked for.
   * @throws what the request is refused with
   */
  readonly didResolveOperation?: (request: GraphQLRequestContextDidResolveOperation<RequestContext>) => void;
  /**
   * Before the answer is sent.
   * @param seconds for how long the request was under way
   */
  readonly willSendResponse?: (request: GraphQLRequestContextWillSendResponse<RequestContext>, seconds: number) => void;
}

/**
 * One plugin of Apollo that takes these steps, one after the other. Apollo waits several times in each request for each of its plugins, which
 * costs more than what the steps do.
 */
export const takeSteps = (steps: readonly RequestStep[]): ApolloServerPlugin<RequestContext> => ({
  requestDidStart: () => Promise.resolve(new Steps(steps)),
});

class Steps implements GraphQLRequestListener<RequestContext> {
  readonly #steps: readonly RequestStep[];
  readonly #begun = performance.now();

  constructor(steps: readonly RequestStep[]) {
    this.#steps = steps;
  }

  async didResolveOperation(request: GraphQLRequestContextDidResolveOperation<RequestContext>): Promise<void> {
    for (const step of this.#steps) step.didResolveOperation?.(request);
  }

  async willSendResponse(request: GraphQLRequestContextWillSendResponse<RequestContext>): Promise<void> {
    const seconds = (performance.now() - this.#begun) / 1_000;
    for (const step of this.#steps) step.willSendResponse?.(request, seconds);
  }
}
