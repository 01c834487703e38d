import { expect } from 'vitest';
import { Subscriber } from '../../tools/support/subscriber.ts';
import { ownKeyspace, startServer, testEnvironment, type TestServer } from './app.ts';
import { PASSWORD, type Client } from './client.ts';

/** Servers of subscribers, and what holds for every subscription to the viewer's own data. */

/** Starts two servers that share a keyspace. */
export async function startTwoServers(): Promise<[TestServer, TestServer]> {
  const config = await ownKeyspace(testEnvironment({ CLOCK_SKEW_MAX_MS: '4000', SHOWN_AGE_MAX_MS: '1000' }));
  const start = () => startServer(config, { workers: true });
  return [await start(), await start()];
}

/**
 * Expects that a subscription is refused to somebody signed out, and ends with the session.
 * @param of the server of the subscription, and the one at which the reader acts
 */
export async function expectToNeedSession(query: string, of: { one: TestServer; other: TestServer }): Promise<void> {
  const response = await Subscriber.ask(of.one.client(), query);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });

  const ended = { errors: [{ extensions: { code: 'UNAUTHENTICATED', reason: 'SESSION_ENDED' } }] };
  for (const end of [
    (client: Client) => client.mutate('logout', {}, ''),
    (client: Client) => client.mutate('deleteAccount', { password: PASSWORD }, ''),
  ]) {
    const reader = await of.other.client().registerSomebody();
    const subscriber = await Subscriber.begin(Object.assign(of.one.client(), { token: reader.token }), query);
    await subscriber.next();
    await end(reader);
    expect(await subscriber.next()).toMatchObject(ended);
  }
}
