import { readFileSync } from 'node:fs';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer, type TlsOptions } from 'node:tls';
import { expect, inject, test } from 'vitest';
import { connectCassandra, isAnswering } from '../src/cassandra/client.ts';
import { readConfig } from '../src/config/config.ts';
import { endWithFile, sharedKeyspace, testEnvironment } from './support/app.ts';

/**
 * The certificates that a server accepts from Cassandra. They are of these tests alone, and expire
 * in 2126.
 */

const FOLDER = join(import.meta.dirname, 'tls');
const pem = (name: string) => readFileSync(join(FOLDER, `${name}.pem`));

/**
 * Puts TLS in front of the run's Cassandra.
 * @returns its port, and the number of bytes that came through to it
 */
async function startTls(certificate: string, options: TlsOptions = {}) {
  const [host = '', port = '9042'] = (inject('contactPoints').split(',')[0] ?? '').split(':');
  let received = 0;
  const server = createServer({ cert: pem(certificate), key: pem(`${certificate}.key`), ...options }, (socket) => {
    const cassandra = connect(Number(port), host);
    socket.on('data', (chunk: Buffer) => (received += chunk.length));
    socket.pipe(cassandra).pipe(socket);
    for (const each of [socket, cassandra]) {
      each.on('error', () => undefined);
      endWithFile(() => each.destroy());
    }
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  endWithFile(() => server.close());
  return { port: (server.address() as AddressInfo).port, received: () => received };
}

async function connectTo(port: number, more: Record<string, string> = {}) {
  const { cassandra } = await sharedKeyspace();
  const { keyspace } = cassandra;
  const environment = testEnvironment({
    CASSANDRA_CONTACT_POINTS: `127.0.0.1:${port}`,
    CASSANDRA_KEYSPACE: keyspace,
    CASSANDRA_TLS: 'on',
    CASSANDRA_TLS_CA: join(FOLDER, 'ours-ca.pem'),
    ...more,
  });
  return connectCassandra(readConfig(environment).cassandra);
}

test('a certificate of the trusted authority for the right host is accepted', async () => {
  const { port } = await startTls('right');
  const cassandra = await connectTo(port);
  expect(await isAnswering(cassandra)).toBe(true);
  await cassandra.client.shutdown();
});

test.each([
  ['of another authority', 'impostor', /certificate/],
  ['for another host', 'elsewhere', /altnames/],
])('a certificate %s is refused, and nothing is sent to its owner', async (_which, certificate, reason) => {
  const { port, received } = await startTls(certificate);
  await expect(connectTo(port)).rejects.toThrow(reason);
  expect(received()).toBe(0);
});

test('a node that asks for a certificate of the client gets the configured one, and refuses a server without', async () => {
  const { port, received } = await startTls('right', { requestCert: true, ca: pem('ours-ca') });
  await expect(connectTo(port)).rejects.toThrow();
  expect(received()).toBe(0);

  const own = { CASSANDRA_TLS_CERT: join(FOLDER, 'right.pem'), CASSANDRA_TLS_KEY: join(FOLDER, 'right.key.pem') };
  const cassandra = await connectTo(port, own);
  expect(await isAnswering(cassandra)).toBe(true);
  await cassandra.client.shutdown();
});
