import { applied, batch, bind, first, rows, write, type Bound } from '../cassandra/statement.ts';
import type { PushConfig } from '../config/config.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import { UserError } from '../graphql/errors.ts';
import type { NotificationKind } from '../graphql/generated/schema-types.ts';
import { requireViewer } from '../identity/operations.ts';
import { subscriptionInput, type PushSubscription } from './inputs.ts';
import { publicKeyOf } from './messages.ts';
import {
  deleteSubscription,
  insertPush,
  insertSubscription,
  selectSubscription,
  selectSubscriptions,
} from './tables.ts';

/**
 * Push subscriptions: the browsers that get a message when there is news for their reader. A
 * subscription belongs to the session that made it, and ends with it.
 */

/** The maximum number of subscriptions of a reader. */
const SUBSCRIPTIONS_MAX = 10;
/** The number of rows that are read. Sessions that subscribe at once may exceed the maximum. */
const ROWS_MAX = 10 * SUBSCRIPTIONS_MAX;
/** The time in which a reader is sent one message about a kind of news. */
const PUSHED_ONCE_SECONDS = 600;

/** A stored subscription. */
export interface StoredSubscription extends PushSubscription {
  readonly sessionId: string;
  readonly addedAt: Date;
}

/** Returns the server's public key, in base64url; null if nothing is pushed. */
export const pushPublicKey = ({ config }: AppContext): string | null => config.push && publicKeyOf(config.push);

/** @throws {UserError} `PUSH_NOT_SET_UP` if nothing is pushed */
function requirePush({ config }: AppContext): PushConfig {
  if (config.push) return config.push;
  const message = 'This library pushes no news, because that is not set up. Ask the people who run it.';
  throw new UserError('PUSH_NOT_SET_UP', message, ['input']);
}

/**
 * Adds a push subscription for the caller's session, in place of a former one. The oldest ones
 * beyond {@link SUBSCRIPTIONS_MAX} end, and so does one of another session of the same browser.
 * @throws {UserError} `PUSH_NOT_SET_UP`; `INVALID_INPUT` about each wrong field
 */
export async function addPushSubscription(context: RequestContext, input: PushSubscription) {
  const { viewer, sessionId } = await requireSession(context);
  const subscription = subscriptionInput(requirePush(context), input);

  const others = (await subscriptionsOf(context, viewer.id)).filter((each) => each.sessionId !== sessionId);
  const ended = others.filter(
    ({ endpoint }, index) => endpoint === subscription.endpoint || index >= SUBSCRIPTIONS_MAX - 1,
  );
  const row = { user_id: viewer.id, session_id: sessionId, ...subscription, added_at: context.clock() };
  await batch(context.cassandra, [
    bind(insertSubscription, { ...row, ttl_seconds: context.config.sessions.seconds }),
    ...ended.map((each) => endOfSubscription(viewer.id, each.sessionId)),
  ]);
  return { viewer };
}

/** Removes the push subscription of the caller's session, if there is one. */
export async function removePushSubscription(context: RequestContext) {
  const { viewer, sessionId } = await requireSession(context);
  await removeSubscription(context, viewer.id, sessionId);
  return { viewer };
}

async function requireSession(context: RequestContext) {
  const viewer = await requireViewer(context);
  if (context.sessionId === null) throw new Error('A reader acts in a session');
  return { viewer, sessionId: context.sessionId };
}

/** Returns whether the caller's session has a push subscription. */
export async function isPushed({ cassandra, sessionId, viewerId }: RequestContext): Promise<boolean> {
  if (sessionId === null || viewerId === null) return false;
  return (await first(cassandra, selectSubscription, { user_id: viewerId, session_id: sessionId })) !== undefined;
}

/** Reads the push subscriptions of a reader, newest first. */
export async function subscriptionsOf({ cassandra }: AppContext, userId: string): Promise<StoredSubscription[]> {
  const found = await rows(cassandra, selectSubscriptions, { user_id: userId, rows_max: ROWS_MAX });
  return found
    .map(({ session_id: sessionId, added_at: addedAt, ...of }) => ({ sessionId, addedAt, ...of }))
    .toSorted((one, other) => other.addedAt.getTime() - one.addedAt.getTime());
}

/** Removes the push subscription of a session. It can be repeated. */
export async function removeSubscription({ cassandra }: AppContext, userId: string, sessionId: string): Promise<void> {
  await write(cassandra, deleteSubscription, { user_id: userId, session_id: sessionId });
}

/** Returns the write that removes the push subscription of a session, together with its end. */
export const endOfSubscription = (userId: string, sessionId: string): Bound =>
  bind(deleteSubscription, { user_id: userId, session_id: sessionId });

/**
 * Takes the right to send a reader a message about a kind of news.
 * @returns false if a server has taken it within {@link PUSHED_ONCE_SECONDS}
 */
export async function claimPush({ cassandra, clock }: AppContext, userId: string, kind: NotificationKind) {
  const claim = { user_id: userId, kind, pushed_at: clock(), ttl_seconds: PUSHED_ONCE_SECONDS };
  return (await applied(cassandra, insertPush, claim)).applied;
}
