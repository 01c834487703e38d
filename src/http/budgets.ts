import type { FastifyInstance, FastifyRequest } from 'fastify';
import { defaultFieldResolver, OperationTypeNode, type GraphQLSchema } from 'graphql';
import { Counter } from 'prom-client';
import { Budget, type Spent } from '../cassandra/budget.ts';
import { sharedOf, withinBudget } from '../cassandra/statement.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import { badUserInput, RequestError } from '../graphql/errors.ts';
import { answerOf } from './errors.ts';
import type { RequestStep } from './steps.ts';

/**
 * How much one request may take: rows, bytes and time of the database, and bytes of its answer. A mutation's change has no
 * budget, because recovery would have to finish a transaction that was cut in the middle. What its payload shows has one.
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

const shownTooMuch = new RequestError(
  'TIMEOUT',
  'The change may have been made, but the payload asks for more than one request may read. Repeating the mutation is safe; ask it for less, and ask for the rest in a query.',
);
/** The HTTP status of an answer that does not tell what became of the request. */
const UNKNOWN_STATUS = 503;

/** Gives each request its budget, and answers one that has spent it with that error alone. */
export const requestBudget: RequestStep = {
  beforeExecution: ({ operation, context }) => {
    const { budget } = context;
    if (operation?.operation === OperationTypeNode.QUERY) readWithinBudget(context, false);
    // A mutation can be refused before it begins.
    else budget?.check();
  },
  beforeAnswer: ({ response, contextValue: { budget } }) => {
    const error = budget?.error;
    if (!error) return;
    givenUp.inc({ spent: error.spent });
    response.http.status = budget.isAfterChange ? UNKNOWN_STATUS : STATUSES[error.spent];
    response.body = { kind: 'single', singleResult: answerOf(budget.isAfterChange ? shownTooMuch : error) };
  },
};

/** Counts everything that a request reads from here on against its budget. */
function readWithinBudget(context: RequestContext, isAfterChange: boolean): void {
  const { cassandra, budget } = context;
  if (!budget) return;
  budget.begin(isAfterChange);
  context.cassandra = withinBudget(cassandra, budget);
}

/** Lets every mutation of a schema change what it changes without a budget, and show it within the budget of the request. */
export function budgetPayloads(schema: GraphQLSchema): void {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const { resolve = defaultFieldResolver } = field;
    // Mutations of one request are executed one after the other, each with what it shows.
    field.resolve = async (source, args: unknown, context: RequestContext, info) => {
      context.cassandra = sharedOf(context.cassandra);
      const payload: unknown = await resolve(source, args, context, info);
      readWithinBudget(context, true);
      return payload;
    };
  }
}

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
    if (isWithin || !budget?.hasBegun || budget.isAfterChange) {
      done(null, payload);
      return;
    }
    givenUp.inc({ spent: 'ANSWER' });
    reply.code(STATUSES.BYTES);
    done(null, JSON.stringify(answerOf(tooLarge)));
  });
}
