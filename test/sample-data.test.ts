import fastify from 'fastify';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { importProgress, isImported, checksumOf } from '../src/imports/operations.ts';
import { SAMPLE, SAMPLE_LIBRARIES } from '../src/app/places.ts';
import { yieldingTo } from '../src/app/sample-data.ts';
import { startServer, testEnvironment, ownKeyspace } from './support/app.ts';
import { Client } from './support/client.ts';
import { startProcess, type ServerProcess } from './support/process.ts';

describe('the sample data', () => {
  const servers: ServerProcess[] = [];
  afterAll(() => Promise.all(servers.map(({ stop }) => stop())));

  test('is imported by one of the servers, answering meanwhile; by another one when that one is killed', async () => {
    const environment = testEnvironment({ SAMPLE_DATA: 'on' });
    const { app } = await startServer(await ownKeyspace(environment));
    const checksum = await checksumOf(SAMPLE);
    const rowsDone = async () => (await importProgress(app, checksum)).rowsDone;
    const start = async () => {
      const server = await startProcess(environment);
      servers.push(server);
      return server;
    };
    const started = await Promise.all([start(), start()]);
    for (const { url } of started) {
      const { book } = await new Client(url).data('{ book(isbn: "0439023483") { title } }');
      expect(book.title).toBe('The Hunger Games (The Hunger Games, #1)');
    }
    const hasSaid = (server: ServerProcess, text: string) => server.printed().includes(text);
    const waiting = () => started.find((server) => hasSaid(server, 'another server imports the sample data'));
    const importing = () => started.find((server) => hasSaid(server, 'importing the sample'));
    while (!waiting() || !importing()) await sleep(20);
    while ((await rowsDone()) < 500) await sleep(20);
    const [killed, other] = [importing()!, waiting()!];
    expect(other).not.toBe(killed);
    killed.process.kill('SIGKILL');
    expect(await killed.ended).toBe('SIGKILL');
    expect(await rowsDone()).toBeLessThan(10_000);
    expect(hasSaid(other, 'importing the sample')).toBe(false);

    while (!hasSaid(other, 'imported 9977 of 10000 books; 23 refused')) await sleep(100);
    expect(await isImported(app, SAMPLE)).toBe(true);
    expect(await isImported(app, SAMPLE_LIBRARIES)).toBe(true);
    const { rows } = await app.cassandra.client.execute('SELECT book_id FROM books', [], { fetchSize: 20_000 });
    expect(rows).toHaveLength(9_977);
    expect(rows.filter((row) => String(row['book_id']).startsWith('goodreads-'))).toHaveLength(700);

    // Ten thousand books, behind everything else.
  }, 300_000);
});

test('what yields to requests does one write at a time while any is under way, answered or given up', async () => {
  const server = fastify();
  afterAll(() => server.close());
  const limit = yieldingTo(server);
  const asked = Promise.withResolvers<undefined>();
  const answer = Promise.withResolvers<string>();
  server.get('/', () => {
    asked.resolve(undefined);
    return answer.promise;
  });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  const alone = limit.concurrency;
  expect(alone).toBeGreaterThan(1);

  const givenUp = new AbortController();
  const requests = [fetch(url), fetch(url, { signal: givenUp.signal })];
  await asked.promise;
  expect(limit.concurrency).toBe(1);
  givenUp.abort();
  await expect(requests[1]).rejects.toThrow(/abort/);
  expect(limit.concurrency).toBe(1);

  answer.resolve('answered');
  expect(await (await requests[0]!).text()).toBe('answered');
  while (limit.concurrency !== alone) await sleep(10);
});
