import { onTestFinished } from 'vitest';
import { startServer, type TestServer } from './app.ts';
import type { Client } from './client.ts';

/**
 * Begins a call that is paused at a point of its transaction.
 * @returns a function that resumes the call and returns its answer
 */
export async function heldUpAt<Answer>(
  server: TestServer,
  point: string,
  reader: Client,
  call: (client: Client) => Promise<Answer>,
): Promise<() => Promise<Answer>> {
  const [reached, released] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  // The call is also resumed if the test fails earlier.
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
