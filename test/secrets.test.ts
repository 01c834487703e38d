import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownKeyspace, startServerProcess, testEnvironment } from './support/app.ts';
import { Client } from './support/client.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'secrets-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Starts a server in production whose token secrets are in a file. */
async function serverWithSecrets(...secrets: string[]) {
  const file = join(folder, 'token-secrets');
  const write = (...lines: string[]) => writeFile(file, lines.join('\n'));
  await write(...secrets);
  const environment = testEnvironment({
    NODE_ENV: 'production',
    LOG_LEVEL: 'info',
    ACCESS_TOKEN_SECRET: undefined,
    ACCESS_TOKEN_SECRET_FILE: file,
  });
  await ownKeyspace(environment);
  const { url, process, printed } = await startServerProcess(environment);

  /** Writes other secrets, makes the server read them, and waits for its log message. */
  const renew = async (lines: readonly string[], said: string) => {
    await write(...lines);
    process.kill('SIGHUP');
    await expect.poll(printed).toContain(said);
  };
  return { url, printed, renew };
}

const FIRST = 'the secret of the first day, 6fK2mQx9';
const SECOND = 'the secret of another day, Vb83nTz1';

const viewerOf = async (reader: Client): Promise<string> =>
  (await reader.send('{ viewer { id } }')).data?.viewer.id ?? 'refused';

test('SIGHUP reads secrets again: sessions of a removed secret end, and later ones continue', async () => {
  const { url, renew } = await serverWithSecrets(FIRST);
  const reader = await new Client(url).registerSomebody();
  expect(await viewerOf(reader)).toBe(reader.viewerId);

  await renew([SECOND], 'secrets and certificates were read again');
  expect(await viewerOf(reader)).toBe('refused');
  const { refreshToken } = reader;
  const refreshed = await new Client(url).mutate('refreshTokens', { refreshToken }, 'accessToken');
  expect(refreshed).toMatchObject({ accessToken: null, userErrors: [{ code: 'INVALID_TOKEN' }] });
  const again = await new Client(url).login(reader.email);
  expect(await viewerOf(again)).toBe(reader.viewerId);
});

test('a file that cannot be used at SIGHUP changes nothing, and the log has the reason', async () => {
  const { url, renew, printed } = await serverWithSecrets(FIRST);
  const reader = await new Client(url).registerSomebody();

  await renew([SECOND, 'short'], 'the former ones remain in use');
  expect(printed()).toContain('a file with a secret in each line, of at least 32 characters');
  expect(printed()).not.toContain(SECOND);
  expect(await viewerOf(reader)).toBe(reader.viewerId);
});
