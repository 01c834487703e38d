import type { AppContext } from '../context/context.ts';
import type { NotificationKind } from '../graphql/generated/schema-types.ts';
import { readEndpoint } from './endpoints.ts';
import type { PushSubscription } from './inputs.ts';
import { pushRequest } from './messages.ts';

/** The maximum time for an answer of a push service. */
const ANSWERED_WITHIN_MS = 10_000;
/** The answers by which a push service says that a subscription has ended (RFC 8030, 7.3). */
const ENDED = [404, 410];

/** The result of sending: `ENDED` if the subscription has ended, or may not be used any longer. */
export type Sent = 'SENT' | 'ENDED';

/**
 * Sends a browser the message that there is news of a kind.
 * @param ending aborts the request
 * @throws if the push service cannot be reached, refuses the message, or redirects
 */
export async function sendPush(
  { config, clock }: AppContext,
  subscription: PushSubscription,
  kind: NotificationKind,
  ending: AbortSignal,
): Promise<Sent> {
  const { push } = config;
  if (!push) return 'ENDED';
  // The hosts may have changed since the subscription was added.
  const endpoint = readEndpoint(subscription.endpoint, push.hosts);
  if (endpoint === undefined) return 'ENDED';

  const request = await pushRequest(push, subscription, kind, clock());
  const signal = AbortSignal.any([ending, AbortSignal.timeout(ANSWERED_WITHIN_MS)]);
  // A redirect is an error, because it may lead to a host that is no push service.
  const response = await fetch(endpoint, { method: 'POST', ...request, signal, redirect: 'error' });
  await response.body?.cancel();
  if (ENDED.includes(response.status)) return 'ENDED';
  if (!response.ok) throw new Error('refused', { cause: { code: `HTTP ${String(response.status)}` } });
  return 'SENT';
}
