import { onTestFinished } from 'vitest';
import { startServer, type TestServer } from './app.ts';
import type { Client } from './client.ts';

/**
 * Begins a call that is held up at a point of its transaction.
 * @returns a function that lets the call go on and gives its answer
 */
export async function heldUpAt<Answer>(
  server: TestServer,
  point: string,
  reader: Client,
  call: (client: Client) => Promise<Answer>,
): Promise<() => Promise<Answer>> {
  const [reached, released] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  // The call also goes on if the test fails earlier.
  onTestFinished(() => {
    released.resolve(undefined);
  });
  const slow = await startServer(server.app.config, {
    atCrashPoint: async (name) => {
      if (name !== point) return;
      reached.resolve(undefined);
      await released.promise;
    },
  });
  const client = slow.client();
  client.token = reader.token;
  const answer = call(client);
  await reached.promise;
  return async () => {
    released.resolve(undefined);
    return answer;
  };
}
