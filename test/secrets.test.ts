import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ServerProcess } from '../tools/support/process.ts';
import { sharedKeyspace, startServerProcess, testEnvironment } from './support/app.ts';
import { Client } from './support/client.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'secrets-'));
});
afterAll(() => rm(folder, { recursive: true }));

const FIRST = 'the secret of the first day, 6fK2mQx9';
const SECOND = 'the secret of another day, Vb83nTz1';

const viewerOf = async (reader: Client): Promise<string> =>
  (await reader.send('{ viewer { id } }')).data?.viewer.id ?? 'refused';

let file: string;
let server: ServerProcess;
let reader: Client;

/** A server in production whose token secrets are in a file. */
beforeAll(async () => {
  file = join(folder, 'token-secrets');
  await writeFile(file, FIRST);
  const { cassandra } = await sharedKeyspace();
  const environment = testEnvironment({
    CASSANDRA_KEYSPACE: cassandra.keyspace,
    NODE_ENV: 'production',
    LOG_LEVEL: 'info',
    ACCESS_TOKEN_SECRET: undefined,
    ACCESS_TOKEN_SECRET_FILE: file,
  });
  server = await startServerProcess(environment);
  reader = await new Client(server.url).registerSomebody();
});

/** Writes other secrets, has them read, and waits for what the server says. */
async function renew(lines: readonly string[], said: string) {
  await writeFile(file, lines.join('\n'));
  server.process.kill('SIGHUP');
  await expect.poll(server.printed).toContain(said);
}

test('a file that cannot be used at SIGHUP changes nothing, and the log has the reason', async () => {
  await renew([SECOND, 'short'], 'the former ones remain in use');
  expect(server.printed()).toContain('a file with a secret in each line, of at least 32 characters');
  expect(server.printed()).not.toContain(SECOND);
  expect(await viewerOf(reader)).toBe(reader.viewerId);
});

test('SIGHUP reads secrets again: sessions of a removed secret end, and later ones continue', async () => {
  expect(await viewerOf(reader)).toBe(reader.viewerId);

  await renew([SECOND], 'secrets and certificates were read again');
  expect(await viewerOf(reader)).toBe('refused');
  const { refreshToken } = reader;
  const refreshed = await new Client(server.url).mutate('refreshTokens', { refreshToken }, 'accessToken');
  expect(refreshed).toMatchObject({ accessToken: null, userErrors: [{ code: 'INVALID_TOKEN' }] });
  const again = await new Client(server.url).login(reader.email);
  expect(await viewerOf(again)).toBe(reader.viewerId);
});
