import { readFileSync, writeFileSync } from 'node:fs';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer, type TlsOptions } from 'node:tls';
import { expect, inject, test } from 'vitest';
import { connectCassandra, isAnswering } from '../src/cassandra/client.ts';
import { readConfig, renewSecrets } from '../src/config/config.ts';
import { endWithFile, sharedKeyspace, testEnvironment } from './support/app.ts';

/**
 * The certificates that a server accepts from Cassandra. They are used only by these tests, and
 * expire in 2126.
 */

const FOLDER = join(import.meta.dirname, 'tls');
const pem = (name: string) => readFileSync(join(FOLDER, `${name}.pem`));

/**
 * Puts TLS in front of the run's Cassandra.
 * @returns its port, and the number of bytes that it received
 */
async function startTls(certificate: string, options: TlsOptions = {}) {
  const [host = '', port = '9042'] = (inject('contactPoints').split(',')[0] ?? '').split(':');
  let received = 0;
  const sockets = new Set<Socket>();
  const server = createServer({ cert: pem(certificate), key: pem(`${certificate}.key`), ...options }, (socket) => {
    const cassandra = connect(Number(port), host);
    sockets.add(socket);
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
  /** Uses another certificate from now on, and ends all connections. */
  const renew = (name: string) => {
    server.setSecureContext({ cert: pem(name), key: pem(`${name}.key`) });
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return { port: (server.address() as AddressInfo).port, received: () => received, renew };
}

async function environmentOf(port: number, more: Record<string, string>) {
  const { cassandra } = await sharedKeyspace();
  const { keyspace } = cassandra;
  return testEnvironment({
    CASSANDRA_CONTACT_POINTS: `127.0.0.1:${port}`,
    CASSANDRA_KEYSPACE: keyspace,
    CASSANDRA_TLS: 'on',
    CASSANDRA_TLS_CA: join(FOLDER, 'ours-ca.pem'),
    ...more,
  });
}

const connectTo = async (port: number, more: Record<string, string> = {}) =>
  connectCassandra(readConfig(await environmentOf(port, more)).cassandra);

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

test('a node that asks for a certificate of the client gets the configured one, and refuses a server without one one', async () => {
  const { port, received } = await startTls('right', { requestCert: true, ca: pem('ours-ca') });
  await expect(connectTo(port)).rejects.toThrow();
  expect(received()).toBe(0);

  const own = { CASSANDRA_TLS_CERT: join(FOLDER, 'right.pem'), CASSANDRA_TLS_KEY: join(FOLDER, 'right.key.pem') };
  const cassandra = await connectTo(port, own);
  expect(await isAnswering(cassandra)).toBe(true);
  await cassandra.client.shutdown();
});

test.each([
  ['authorities that are none', { CASSANDRA_TLS_CA: 'package.json' }],
  ['a key of another certificate', { CASSANDRA_TLS_CERT: 'right.pem', CASSANDRA_TLS_KEY: 'renewed.key.pem' }],
  ['a certificate that is none', { CASSANDRA_TLS_CERT: 'package.json', CASSANDRA_TLS_KEY: 'right.key.pem' }],
])('%s: the server does not start', async (_which, files) => {
  const paths = Object.entries(files).map(([name, file]) => [name, file.endsWith('pem') ? join(FOLDER, file) : file]);
  await expect(connectTo(9042, Object.fromEntries(paths) as Record<string, string>)).rejects.toThrow(
    /cannot be used \(/,
  );
});

test('authorities that are read again while the server runs are used for its next connections', async () => {
  const { port, renew } = await startTls('right');
  const file = join(inject('folder'), 'authorities.pem');
  writeFileSync(file, pem('ours-ca'));
  const environment = await environmentOf(port, { CASSANDRA_TLS_CA: file });
  const config = readConfig(environment);
  const cassandra = await connectCassandra(config.cassandra);
  renew('renewed');
  await expect.poll(() => isAnswering(cassandra)).toBe(false);

  writeFileSync(file, 'not a certificate');
  expect(() => {
    renewSecrets(config, environment);
  }).toThrow(/CASSANDRA_TLS_CA, CASSANDRA_TLS_CERT or CASSANDRA_TLS_KEY cannot be used \(/);
  expect(config.cassandra.tls?.ca).toBe(pem('ours-ca').toString());
  writeFileSync(file, pem('next-ca'));
  renewSecrets(config, environment);
  await expect.poll(() => isAnswering(cassandra)).toBe(true);
  await cassandra.client.shutdown();
});
