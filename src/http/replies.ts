import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequestError, type mutation } from '../graphql/errors.ts';
import { answerOf } from './errors.ts';
import { logFailure } from './request-log.ts';

/** The answers of the endpoints other than GraphQL, with the errors of the API. */

/** The HTTP statuses of client errors by code. All other errors are the server's. */
const STATUSES: Readonly<Record<string, number>> = {
  BAD_USER_INPUT: 400,
  UNAUTHENTICATED: 401,
  INVALID_CREDENTIALS: 403,
  TWO_FACTOR_REQUIRED: 403,
  EMAIL_NOT_VERIFIED: 403,
  RATE_LIMITED: 429,
};

type UserErrors = Awaited<ReturnType<typeof mutation>>['userErrors'];

/** Answers with the reasons why nothing was done. There is at least one. */
export function replyWithReasons(reply: FastifyReply, userErrors: UserErrors): FastifyReply {
  const [{ code, retryAfterSeconds } = { code: '', retryAfterSeconds: null }] = userErrors;
  if (retryAfterSeconds != null) reply.header('retry-after', retryAfterSeconds);
  return reply.code(STATUSES[code] ?? 400).send({ userErrors });
}

/** Answers with an error in the format of GraphQL's `errors`. */
export function replyWithError(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const answer = answerOf(error, (cause) => logFailure(request, cause));
  const [formatted] = answer.errors;
  if (error instanceof RequestError) reply.headers(Object.fromEntries(error.headers));
  return reply.code(STATUSES[String(formatted?.extensions?.['code'])] ?? 503).send(answer);
}
