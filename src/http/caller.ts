import type { FastifyRequest } from 'fastify';
import { ANONYMOUS, type AppContext, type Caller, type RateLimit } from '../context/context.ts';
import { RequestError, tooManyRequests, unauthenticated } from '../graphql/errors.ts';
import { readAccessToken } from '../sessions/tokens.ts';
import { hashedAddress } from '../throttling/addresses.ts';
import { requestCosts } from '../throttling/request-costs.ts';
import { liveSessions } from '../sessions/liveness.ts';

/**
 * Finds out who sends a request, and counts it.
 * @throws `UNAUTHENTICATED` (401) when a token came that is not good, `RATE_LIMITED` (429)
 */
export async function callerOf(
  app: AppContext,
  request: FastifyRequest,
): Promise<{ caller: Caller; rateLimit: RateLimit | undefined }> {
  const signedOut = { ...ANONYMOUS, address: request.ip };
  const token = tokenOf(request);
  if (token === undefined) return { caller: signedOut, rateLimit: charge(app, signedOut, 1) };
  const now = app.clock();
  const owner = await readAccessToken(app.config, token, now);
  if (!owner || !(await liveSessions(app).isLive(owner, now))) {
    charge(app, signedOut, 1);
    throw new RequestError('UNAUTHENTICATED', `The access token is not good (any more). ${unauthenticated().message}`, {
      http: { status: 401 },
    });
  }
  const caller = { viewerId: owner.userId, sessionId: owner.sessionId, address: request.ip };
  return { caller, rateLimit: charge(app, caller, 1) };
}

/** Readers who are signed in at one address may ask for as much as so many: who makes many accounts gets no more. */
const READERS_PER_ADDRESS = 10;

/** The access token of a request, whatever its worth; `undefined` when there is none. */
function tokenOf({ headers: { authorization } }: FastifyRequest): string | undefined {
  // GraphiQL's header editor starts with an empty one.
  if (authorization === undefined || authorization === '') return undefined;
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '';
}

/**
 * Counts what a caller asks for.
 * @returns what is left, `undefined` where nothing is limited
 * @throws `RATE_LIMITED` (429) when it is too much
 */
export function charge(
  app: AppContext,
  { viewerId, address }: Pick<Caller, 'viewerId' | 'address'>,
  cost: number,
): RateLimit | undefined {
  const limit = app.config.rateLimitPerMinute;
  if (limit === 0) return undefined;
  const now = app.clock();
  const take = (caller: string, most: number) => {
    const { isTooMuch, rateLimit } = requestCosts(app).take(caller, cost, most, now);
    if (isTooMuch) throw tooManyRequests(Math.ceil((rateLimit.resetAt.getTime() - now.getTime()) / 1_000));
    return rateLimit;
  };
  if (viewerId === null) return take(hashedAddress(address), limit);

  take(`${hashedAddress(address)} signed in`, limit * READERS_PER_ADDRESS);
  return take(viewerId, limit);
}
