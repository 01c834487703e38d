import type { FastifyInstance, FastifyRequest } from 'fastify';
import { defaultFieldResolver, OperationTypeNode, type GraphQLSchema } from 'graphql';
import { Counter } from 'prom-client';
import { Budget, type BudgetError, type SpentLimit } from '../cassandra/budget.ts';
import { sharedOf, withinBudget } from '../cassandra/statement.ts';
import type { Config } from '../config/config.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import { badUserInput, overloaded, RequestError } from '../graphql/errors.ts';
import { noRoomError } from './bytes-in-flight.ts';
import { answerOf } from './errors.ts';
import type { Answer, RequestStep } from './steps.ts';
import { nextTurnOf } from './turns.ts';

/**
 * The budget of one request: rows, bytes and time of the database, and bytes of the answer. A
 * mutation's change has no budget, because recovery would have to finish a transaction that was cut
 * in the middle. Its payload has one.
 */

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The budget of a GraphQL request, set once the caller is known. It has begun if the request is
     * a query.
     */
    budget: Budget | null;
  }
}

const givenUp = new Counter({
  name: 'graphql_queries_given_up_total',
  help:
    'Queries that were stopped, by the limit that they reached: rows, bytes, time, ' +
    'the size of an answer, the memory that all requests hold, or because their client ' +
    'disconnected',
  labelNames: ['spent'],
});

/**
 * The HTTP statuses of a query that was stopped, by reason. The status for `CLIENT` is never
 * received, because that client has disconnected.
 */
const STATUSES = {
  ROWS: 400,
  BYTES: 400,
  ANSWER: 400,
  MEMORY: 503,
  TIME: 503,
  CLIENT: 503,
} as const satisfies Readonly<Record<SpentLimit | 'ANSWER', number>>;

const shownTooMuch = new RequestError(
  'TIMEOUT',
  'The change may have been made, but its payload asks for more than one request may read. ' +
    'Repeating the mutation is safe; ask for less in it, and for the rest in a query.',
);
/** The HTTP status of an answer that leaves the outcome of the change unknown. */
const UNKNOWN_STATUS = 503;

/**
 * The step that gives each request its budget, and that answers a request over its budget with only
 * that error.
 */
export const requestBudget: RequestStep = {
  beforeExecution: ({ operation, context }) => {
    const { budget } = context;
    if (operation?.operation === OperationTypeNode.QUERY) readWithinBudget(context, false);
    // A mutation can still be refused before it begins.
    else budget?.check();
  },
  beforeAnswer: ({ response, contextValue: { budget, config } }) => {
    if (!budget) return;
    const { error } = budget;
    // A document that names the same fields many times makes a long text, and a long turn, of few
    // rows.
    if (!error && !isTooLong(response.body, config)) return;

    const spent = error?.spent ?? 'ANSWER';
    givenUp.inc({ spent });
    const refusal = budget.isAfterChange ? shownTooMuch : error ? refusalOf(error) : tooLarge(config);
    if (refusal instanceof RequestError)
      for (const [name, value] of refusal.headers) response.http.headers.set(name, value);
    response.http.status = budget.isAfterChange ? UNKNOWN_STATUS : STATUSES[spent];
    response.body = { kind: 'single', singleResult: answerOf(refusal) };
  },
};

/** The time after which a query that took too long may be quicker. */
const RETRY_AFTER_SECONDS = 5;

function refusalOf(error: BudgetError): Error {
  if (error.spent === 'MEMORY') return noRoomError();
  return error.spent === 'TIME' ? overloaded(error.message, RETRY_AFTER_SECONDS) : error;
}

/** Makes the error for an answer that is too large. */
export const tooLarge = ({ queries: { answerBytesMax } }: Config): RequestError =>
  badUserInput(
    `The answer is larger than ${answerBytesMax / 1_024} KiB, the maximum for one answer. ` +
      'Ask for smaller pages or fewer fields, or in several queries.',
  );

/** Returns true if the texts and names of an answer are longer than it may be. */
function isTooLong(body: Answer['response']['body'], { queries: { answerBytesMax } }: Config): boolean {
  let length = 0;
  const add = (part: unknown): boolean => {
    if (typeof part === 'string') length += part.length;
    else if (Array.isArray(part)) return part.some(add);
    else if (typeof part === 'object' && part !== null)
      for (const name of Object.keys(part)) {
        length += name.length;
        if (add((part as Record<string, unknown>)[name])) return true;
      }
    return length > answerBytesMax;
  };
  return body.kind === 'single' && add(body.singleResult);
}

/** Counts all further reads of a request against its budget. */
export function readWithinBudget(context: RequestContext, isAfterChange: boolean): void {
  const { cassandra, budget } = context;
  if (!budget) return;
  budget.begin(isAfterChange);
  context.cassandra = withinBudget(cassandra, budget);
}

/**
 * Runs every mutation of a schema without a budget and resolves its payload within the budget of
 * the request.
 */
export function budgetPayloads(schema: GraphQLSchema): void {
  const begun = new WeakSet<RequestContext>();
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const { resolve = defaultFieldResolver } = field;
    // Mutations of one request run one after the other, and each resolves its payload before the
    // next one begins. Each mutation after the first waits for its own turn, even if all are
    // refused immediately.
    field.resolve = async (source, args: unknown, context: RequestContext, info) => {
      if (begun.has(context)) await nextTurnOf(context.config, context.address);
      begun.add(context);
      context.cassandra = sharedOf(context.cassandra);
      const payload: unknown = await resolve(source, args, context, info);
      readWithinBudget(context, true);
      return payload;
    };
  }
}

/** Makes the budget of a request, which ends when its client closes the connection. */
export const budgetOf = ({ config, clock }: AppContext, { raw: { socket }, held }: FastifyRequest): Budget =>
  new Budget({
    ...config.queries,
    clock,
    isClientGone: () => socket.destroyed,
    hold: (bytes) => held?.take(bytes) ?? true,
  });

/**
 * Replaces a query's answer by an error if it is larger than `answerBytesMax`, or if there is no
 * room for it. A mutation's answer is sent, so that the client learns the outcome.
 */
export function boundAnswers(server: FastifyInstance, { config }: AppContext): void {
  server.addHook('onSend', ({ budget, held }, reply, payload, done) => {
    const bytes = typeof payload === 'string' && budget?.isOfQuery ? Buffer.byteLength(payload) : 0;
    if (bytes > config.queries.answerBytesMax) {
      givenUp.inc({ spent: 'ANSWER' });
      reply.code(STATUSES.ANSWER);
      done(null, JSON.stringify(answerOf(tooLarge(config))));
    } else if (held?.canBecome(bytes) === false) {
      givenUp.inc({ spent: 'MEMORY' });
      const refusal = noRoomError();
      reply.code(STATUSES.MEMORY).headers(Object.fromEntries(refusal.headers));
      done(null, JSON.stringify(answerOf(refusal)));
    } else {
      done(null, payload);
    }
  });
}
