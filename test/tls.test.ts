import { readFileSync } from 'node:fs';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { expect, inject, test } from 'vitest';
import { connectCassandra, isAnswering } from '../src/cassandra/client.ts';
import { readConfig } from '../src/config/config.ts';
import { endWithFile, sharedKeyspace, testEnvironment } from './support/app.ts';

/** What a server believes that calls itself Cassandra. The certificates are of these tests alone, and end in 2126. */

const FOLDER = join(import.meta.dirname, 'tls');
const pem = (name: string) => readFileSync(join(FOLDER, `${name}.pem`));

/**
 * Puts TLS before the run's Cassandra.
 * @returns its port, and how many bytes of what was said to it came through
 */
async function startTls(certificate: string) {
  const [host = '', port = '9042'] = (inject('contactPoints').split(',')[0] ?? '').split(':');
  let received = 0;
  const server = createServer({ cert: pem(certificate), key: pem(`${certificate}.key`) }, (socket) => {
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

async function connectTo(port: number) {
  const { cassandra } = await sharedKeyspace();
  const { keyspace } = cassandra;
  const environment = testEnvironment({
    CASSANDRA_CONTACT_POINTS: `127.0.0.1:${port}`,
    CASSANDRA_KEYSPACE: keyspace,
    CASSANDRA_TLS: 'on',
    CASSANDRA_TLS_CA: join(FOLDER, 'ours-ca.pem'),
  });
  return connectCassandra(readConfig(environment).cassandra);
}

test('a certificate of the authority that is trusted, for the host that is asked, is believed', async () => {
  const { port } = await startTls('right');
  const cassandra = await connectTo(port);
  expect(await isAnswering(cassandra)).toBe(true);
  await cassandra.client.shutdown();
});

test.each([
  ['of another authority', 'impostor', /certificate/],
  ['for another host', 'elsewhere', /altnames/],
])('a certificate %s is refused, and nothing is told to who has it', async (_which, certificate, reason) => {
  const { port, received } = await startTls(certificate);
  await expect(connectTo(port)).rejects.toThrow(reason);
  expect(received()).toBe(0);
});
