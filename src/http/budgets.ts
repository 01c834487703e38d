import type { FastifyInstance, FastifyRequest } from 'fastify';
import { OperationTypeNode } from 'graphql';
import { Counter } from 'prom-client';
import { Budget, type Spent } from '../cassandra/budget.ts';
import { withinBudget } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { badUserInput } from '../graphql/errors.ts';
import { answerOf } from './errors.ts';
import type { RequestStep } from './steps.ts';

/**
 * What one query may take: rows, bytes and time of the database, and bytes of its answer. Mutations have no budget: a
 * transaction that was cut in the middle would have to be finished by recovery.
 */

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a GraphQL request, once it is known who asks; begun if it is a query. */
    budget: Budget | null;
  }
}

const givenUp = new Counter({
  name: 'graphql_queries_given_up_total',
  help: 'Queries that were given up, by what they had used up: rows, bytes, time, the size of an answer, or their client',
  labelNames: ['spent'],
});

/** The HTTP statuses of a query that was given up; that of a client that has gone reaches nobody. */
const STATUSES: Readonly<Record<Spent, number>> = { ROWS: 400, BYTES: 400, TIME: 503, CLIENT: 503 };

/** Gives each query its budget, and says of one that spent it nothing but that. */
export const queryBudget: RequestStep = {
  beforeExecution: ({ operation, context }) => {
    const { cassandra, budget } = context;
    if (!budget) return;
    if (operation?.operation !== OperationTypeNode.QUERY) {
      // Before it begins it can be left alone.
      budget.check();
      return;
    }
    budget.begin();
    context.cassandra = withinBudget(cassandra, budget);
  },
  beforeAnswer: ({ response, contextValue }) => {
    const error = contextValue.budget?.error;
    if (!error) return;
    givenUp.inc({ spent: error.spent });
    response.http.status = STATUSES[error.spent];
    response.body = { kind: 'single', singleResult: answerOf(error) };
  },
};

/** The budget of a request, which ends when its client closes the connection. */
export const budgetOf = ({ config, clock }: AppContext, { raw: { socket } }: FastifyRequest): Budget =>
  new Budget({ ...config.queries, clock, isClientGone: () => socket.destroyed });

/** Sends no answer of a query that is larger than it may be. What a mutation has done is always answered. */
export function boundAnswers(server: FastifyInstance, { config }: AppContext): void {
  const { answerBytesMax } = config.queries;
  const tooLarge = badUserInput(
    `The answer is larger than ${answerBytesMax / 1_024} KiB, which is the most that one may be. Ask for smaller pages or fewer fields, or in several queries.`,
  );
  server.addHook('onSend', ({ budget }, reply, payload, done) => {
    const isWithin = typeof payload !== 'string' || Buffer.byteLength(payload) <= answerBytesMax;
    if (isWithin || !budget?.hasBegun) {
      done(null, payload);
      return;
    }
    givenUp.inc({ spent: 'ANSWER' });
    reply.code(400);
    done(null, JSON.stringify(answerOf(tooLarge)));
  });
}
