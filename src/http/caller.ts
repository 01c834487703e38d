import type { FastifyRequest } from 'fastify';
import { ANONYMOUS, type AppContext, type Caller, type RateLimit } from '../context/context.ts';
import { refusedToken, tooManyRequests, type UnauthenticatedReason } from '../graphql/errors.ts';
import { hashedAddress } from '../throttling/addresses.ts';
import { READERS_PER_ADDRESS, requestCosts } from '../throttling/request-costs.ts';
import { isSessionOpen } from '../sessions/liveness.ts';
import type { TokenOwner } from '../sessions/tokens.ts';
import { verifiedTokens } from '../sessions/verified-tokens.ts';
import { requireTrusted } from '../trust/operations.ts';
import type { RequestStep } from './steps.ts';

/**
 * Identifies the caller of a request, and charges the request to them.
 * @throws `UNAUTHENTICATED` (401) for a token that is not valid, `RATE_LIMITED` (429), or
 *   `OVERLOADED` (503) for any token while this server cannot be trusted to judge it
 */
export async function callerOf(
  app: AppContext,
  request: FastifyRequest,
): Promise<{ caller: Caller; rateLimit: RateLimit | undefined }> {
  const signedOut = { ...ANONYMOUS, address: request.ip };
  const token = tokenOf(request);
  if (token === undefined) return { caller: signedOut, rateLimit: charge(app, signedOut, 1) };
  // A server with a wrong clock or wrong settings would reject valid tokens, and frontends would
  // log their readers out.
  requireTrusted(app);
  const now = app.clock();
  const refuse = (reason: UnauthenticatedReason) => {
    charge(app, signedOut, 1);
    return refusedToken(reason);
  };
  const owner = token === null ? 'NO_TOKEN' : await ownerOf(app, token, now);
  if (typeof owner === 'string') throw refuse(owner);

  const caller = { viewerId: owner.userId, sessionId: owner.sessionId, address: request.ip };
  return { caller, rateLimit: charge(app, caller, 1) };
}

/** Returns the owner of an access token, or the reason why it does not sign anybody in. */
async function ownerOf(app: AppContext, token: string, now: Date): Promise<TokenOwner | UnauthenticatedReason> {
  const owner = await verifiedTokens(app).ownerOf(token, now);
  if (typeof owner === 'string') return owner;
  return (await isSessionOpen(app, owner, now)) ? owner : 'SESSION_ENDED';
}

/**
 * Returns a function that tells why the caller of an admitted request is not signed in any more;
 * it returns `undefined` while they are, and for a caller who was signed out.
 */
export function signedOutOf(
  app: AppContext,
  request: FastifyRequest,
): () => Promise<UnauthenticatedReason | undefined> {
  const token = tokenOf(request);
  return async () => {
    const owner = token == null ? undefined : await ownerOf(app, token, app.clock());
    return typeof owner === 'string' ? owner : undefined;
  };
}

/**
 * Returns the access token of a request, valid or not; `undefined` if there is no `authorization`
 * header, `null` if the header has no token.
 */
function tokenOf({ headers: { authorization } }: FastifyRequest): string | null | undefined {
  // GraphiQL's header editor starts with an empty header.
  if (authorization === undefined || authorization === '') return undefined;
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? null;
}

/**
 * Charges a cost to a caller.
 * @returns the remaining allowance, `undefined` if nothing is limited
 * @throws `RATE_LIMITED` (429) when the cost is above the remaining allowance
 */
export const charge = (app: AppContext, caller: Asking, cost: number): RateLimit | undefined =>
  chargeEach(app, caller, (take, now) => {
    const { isTooMuch, rateLimit } = take(cost);
    if (isTooMuch) throw tooManyRequests(Math.ceil((rateLimit.resetAt.getTime() - now.getTime()) / 1_000));
    return rateLimit;
  });

/**
 * Charges the cost that a request turned out to have when it was answered. A caller with less left
 * is charged all of it.
 * @returns the remaining allowance, `undefined` if nothing is limited
 */
export const chargeAnswered = (app: AppContext, caller: Asking, cost: number): RateLimit | undefined =>
  chargeEach(app, caller, (take) => {
    const { isTooMuch, rateLimit } = take(cost);
    return isTooMuch ? take(rateLimit.remaining).rateLimit : rateLimit;
  });

type Asking = Pick<Caller, 'viewerId' | 'address'>;
type Take = (cost: number) => { isTooMuch: boolean; rateLimit: RateLimit };

/** Charges an address, or a reader and the allowance that all readers of their address share. */
function chargeEach(
  app: AppContext,
  { viewerId, address }: Asking,
  count: (take: Take, now: Date) => RateLimit,
): RateLimit | undefined {
  const limit = app.config.rateLimitPerMinute;
  if (limit === 0) return undefined;
  const now = app.clock();
  const countFor = (caller: string, most: number) =>
    count((cost) => requestCosts(app).take(caller, cost, most, now), now);
  if (viewerId === null) return countFor(hashedAddress(app.config, address), limit);

  countFor(`${hashedAddress(app.config, address)} signed in`, limit * READERS_PER_ADDRESS);
  return countFor(viewerId, limit);
}

/** Adds headers with the caller's remaining allowance to an answer. */
export const rateLimitHeaders: RequestStep = {
  beforeAnswer: ({ response, contextValue: { rateLimit, clock } }) => {
    if (!rateLimit) return;
    const seconds = String(Math.max(0, Math.ceil((rateLimit.resetAt.getTime() - clock().getTime()) / 1_000)));
    response.http.headers.set('ratelimit-limit', String(rateLimit.limit));
    response.http.headers.set('ratelimit-remaining', String(rateLimit.remaining));
    response.http.headers.set('ratelimit-reset', seconds);
    response.http.headers.set('ratelimit-cost', String(rateLimit.cost));
  },
};
