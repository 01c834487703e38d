import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../src/config/config.ts';
import { bytesInFlight } from '../src/http/bytes-in-flight.ts';
import { createServer } from '../src/http/server.ts';
import { sharedKeyspace, startServer, testEnvironment, type TestServer } from './support/app.ts';
import { ownBooks } from './support/books.ts';
import { PASSWORD, type Client } from './support/client.ts';
import { runs } from './support/full.ts';
import { graphqlRequest, rawConnection, requestHead } from './support/raw.ts';

/**
 * Requests that hold memory, or would hold too much, and how other requests are served meanwhile.
 */

const MIB = 1_024 * 1_024;
const FILE = 'Title,Author,Bookshelves\nA Book That Nobody Knows,Ann Lee,read\n';
/** A file above 256 KiB with few lines, because the keyspace is shared with other tests. */
const LONG_FILE = Buffer.from(
  [
    'Title,Author,Bookshelves,My Review',
    ...Array.from({ length: 40 }, () => `A Book,Ann Lee,read,${'x'.repeat(9_000)}`),
  ].join('\n'),
);
/** The answer about 20 books has 3 MB. */
const ALIASES = Array.from({ length: 80 }, (_, index) => `${'a'.repeat(2_000)}${index}: id`).join(' ');
const LARGE = `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Book { ${ALIASES} } } }`;

let server: TestServer;
let books: string[];
/** The bytes held by requests to servers that other tests of this process let die. */
let heldByDead: number;

beforeAll(async () => {
  heldByDead = bytesInFlight.held;
  server = await startServer(await sharedKeyspace({ REQUEST_TIMEOUT_SECONDS: '3' }));
  books = await ownBooks(server.app, 20);
});

const untilNothingHeld = async () => {
  while (bytesInFlight.held !== heldByDead) await sleep(5);
};

/**
 * Sends a request again until no other request of its reader is in progress. The server may still
 * read a request from a connection that its client has closed.
 */
const notKeptOut = (send: () => Promise<Response>) =>
  expect
    .poll(
      async () => {
        const answer = await send();
        return `${answer.status} ${await answer.text()}`;
      },
      { interval: 1_000 },
    )
    .toMatch(/^(200|429) (?![^]*"Another )/);

/** Counts all but some bytes as held by other callers until the test ends. */
function leave(bytes: number): { letGo: () => void } {
  const others = Array.from({ length: 4 }, (_, number) => bytesInFlight.begin(`another caller ${number}`));
  others.forEach((other, number) => other.become(bytesInFlight.callerMost - (number === 0 ? bytes : 0)));
  const letGo = () => {
    for (const other of others) other.end();
  };
  onTestFinished(letGo);
  return { letGo };
}

const fileHead = ({ token }: Client, ...headers: string[]) => requestHead('/import-my-library', token, headers);
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const exportRequest = ({ token }: Client) => {
  const body = JSON.stringify({ password: PASSWORD });
  return (
    requestHead('/export-my-data', token, ['content-type: application/json', `content-length: ${body.length}`]) + body
  );
};
const OVERLOADED = /^HTTP\/1.1 503 [^]*\r\nretry-after: 1\r\n[^]*"OVERLOADED"/i;

describe('a body for which there is no room', () => {
  test.each([
    ['GraphQL', () => requestHead('/graphql', undefined, ['content-type: application/json', 'content-length: 200000'])],
    ['an import', (reader: Client) => fileHead(reader, `content-length: ${8 * MIB}`)],
  ])('is refused before any of it has come: %s', async (_what, request) => {
    const reader = await server.client().registerSomebody();
    const { letGo } = leave(100_000);
    const { socket, answered } = rawConnection(server.url);
    socket.write(request(reader));
    expect(await answered()).toMatch(OVERLOADED);
    socket.destroy();

    letGo();
    expect((await reader.importMyLibrary(FILE)).status).toBe(200);
  });

  test.each(['/graphql', '/import-my-library'])(
    'is refused as soon as more has come, if its length is not known: %s',
    async (path) => {
      const reader = await server.client().registerSomebody();
      const { letGo } = leave(100_000);
      const headers = ['content-type: application/json', 'transfer-encoding: chunked'];
      const { socket, answered } = rawConnection(server.url);
      socket.write(requestHead(path, reader.token, headers));
      // The rest never arrives.
      for (let sent = 0; sent < 12; sent++) socket.write(chunk('x'.repeat(10_000)));
      expect(await answered()).toMatch(OVERLOADED);
      socket.destroy();

      letGo();
      expect((await reader.importMyLibrary(FILE)).status).toBe(200);
    },
  );

  test('that would never fit is too large', async () => {
    const reader = await server.client().registerSomebody();
    const { socket, answered } = rawConnection(server.url);
    socket.write(fileHead(reader, `content-length: ${2 * bytesInFlight.callerMost}`));
    expect(await answered()).toMatch(/^HTTP\/1.1 413 /);
    socket.destroy();
  });

  test('is not sent by a client that sends `expect` first', async () => {
    const ask = async (reader: Client, rest: string) => {
      const { socket, answered, closed, received } = rawConnection(server.url);
      socket.write(fileHead(reader, `content-length: ${FILE.length}`, 'expect: 100-continue'));
      const first = await answered();
      socket.write(rest);
      await closed;
      return [first, received()] as const;
    };
    const reader = await server.client().registerSomebody();
    const [wanted, imported] = await ask(reader, FILE);
    expect(wanted).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    expect(imported).toMatch(/\r\n\r\nHTTP\/1.1 200 /);

    const [refused] = await ask(server.client(), '');
    expect(refused).toMatch(/^HTTP\/1.1 401 /);
    leave(10);
    expect((await ask(reader, ''))[0]).toMatch(OVERLOADED);
  });
});

test('a query is refused if there is no room for its rows or its answer', async () => {
  const noRoom = { status: 503, errors: [{ extensions: { code: 'OVERLOADED', retryAfterSeconds: 1 } }] };
  const rows = leave(2_000);
  const client = server.client();
  const withoutRows = await client.send(
    'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Book { reviews { nodes { id } } title } } }',
    {
      ids: books,
    },
  );
  expect(withoutRows).toMatchObject(noRoom);
  expect(withoutRows.headers.get('retry-after')).toBe('1');
  rows.letGo();

  const answer = leave(300_000);
  expect(await client.send(LARGE, { ids: books })).toMatchObject(noRoom);
  answer.letGo();
  expect((await client.send(LARGE, { ids: books })).data.nodes).toHaveLength(20);
});

test('a caller cannot hold so many bytes that there is no room for others', async () => {
  const own = bytesInFlight.begin('a caller');
  onTestFinished(() => {
    own.end();
  });
  expect(own.take(bytesInFlight.callerMost)).toBe(true);
  expect(own.take(1)).toBe(false);
  const another = bytesInFlight.begin('another caller');
  expect(another.take(bytesInFlight.callerMost)).toBe(true);
  another.end();
});

test('a server whose memory is too small for one request does not start', async () => {
  const config = readConfig(
    testEnvironment({ CASSANDRA_KEYSPACE: server.app.config.cassandra.keyspace, QUERY_KIB_MAX: '1048576' }),
  );
  await expect(createServer({ ...server.app, config })).rejects.toThrow(/1024 MiB.*lower QUERY_KIB_MAX/);
});

describe('others are served', () => {
  test('while many imports are announced and never arrive', async () => {
    const slow = await Promise.all(Array.from({ length: 10 }, () => server.client().registerSomebody()));
    const connections = [...slow, ...slow].map((reader) => {
      const connection = rawConnection(server.url);
      connection.socket.write(fileHead(reader, `content-length: ${9 * MIB}`));
      return connection;
    });
    const answers = connections.map(({ answered }) => answered());
    const honest = await server.client().registerSomebody();
    expect((await honest.importMyLibrary(FILE)).status).toBe(200);
    // A file that does not arrive in time is dropped, and its reader may try again.
    const { late, refused } = Object.groupBy(await Promise.all(answers), (answer) =>
      answer.startsWith('HTTP/1.1 408 ') ? 'late' : 'refused',
    );
    expect([late?.length, refused?.length]).toEqual([10, 10]);
    expect(refused).toEqual(Array(10).fill(expect.stringMatching(/^HTTP\/1.1 429 [^]*RATE_LIMITED[^]*Another file/)));
    expect((await slow[0]!.importMyLibrary(FILE)).status).toBe(200);
  });

  test('while many clients do not read exports and pages, which are then ended', async () => {
    const slow = await Promise.all([1, 2].map(() => server.client().registerSomebody()));
    const page = graphqlRequest(LARGE, { ids: books });
    const connections = Array.from({ length: 20 }, (_, index) => {
      const connection = rawConnection(server.url);
      connection.socket.pause();
      connection.socket.write(page.repeat(2) + exportRequest(slow[index % 2]!));
      return connection;
    });
    const honest = await server.client().registerSomebody();
    const exported = await honest.exportMyData();
    expect(await exported.json()).toHaveProperty('exportedAt');
    expect((await honest.send(LARGE, { ids: books })).data.nodes).toHaveLength(20);

    await untilNothingHeld();
    for (const { socket } of connections) socket.destroy();
    for (const reader of slow) await notKeptOut(() => reader.exportMyData());
  });
});

/** Starts a server that delays its first changes until the test releases them. */
async function holdingUp(count: number) {
  const [reached, released] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  let begun = 0;
  const slow = await startServer(server.app.config, {
    atCrashPoint: async () => {
      if (++begun === count) reached.resolve(undefined);
      if (begun <= count) await released.promise;
    },
  });
  return { slow, reached: reached.promise, letGo: () => released.resolve(undefined) };
}

test('the bytes of a request are counted until its work is done, even if its client has disconnected', async () => {
  const reader = await server.client().registerSomebody();
  const { slow, reached, letGo } = await holdingUp(1);
  const { socket, closed } = rawConnection(slow.url);
  socket.write(fileHead(reader, `content-length: ${LONG_FILE.length}`));
  socket.write(LONG_FILE);
  await reached;
  socket.destroy();
  await closed;
  // The server learns of the closed connection before it answers this.
  await slow.client().data('{ __typename }');
  expect(bytesInFlight.held).toBeGreaterThanOrEqual(LONG_FILE.length);

  letGo();
  await untilNothingHeld();
});

test('a short file is imported while the maximum number of long ones is in progress', async () => {
  const LONG_AT_ONCE = 8;
  const readers = await Promise.all(Array.from({ length: LONG_AT_ONCE + 2 }, () => server.client().registerSomebody()));
  const { slow, reached, letGo } = await holdingUp(LONG_AT_ONCE);
  const send = ({ token }: Client, file: Buffer) => {
    const client = slow.client();
    client.token = token;
    return client.importMyLibrary(file);
  };
  const under = readers.slice(2).map((reader) => send(reader, LONG_FILE));
  await reached;

  expect((await send(readers[0]!, LONG_FILE)).status).toBe(503);
  expect((await send(readers[1]!, Buffer.from(FILE))).status).toBe(200);
  letGo();
  for (const answer of under) expect((await answer).status).toBe(200);
});

describe('however requests end', () => {
  /** A way of sending requests on one connection, and of ending it. */
  const client = fc.record({
    requests: fc.array(fc.constantFrom('page', 'large page', 'mutation', 'import', 'export', 'nonsense'), {
      minLength: 1,
      maxLength: 3,
    }),
    isChunked: fc.boolean(),
    /** The part of the requests that is sent. */
    sent: fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
    pieces: fc.integer({ min: 1, max: 50 }),
    reads: fc.boolean(),
    then: fc.constantFrom('waits', 'ends', 'resets', 'stays'),
    isCrowded: fc.boolean(),
  });

  test('none of their bytes are counted after they have ended, and their readers can send others', async () => {
    const reader = await server.client().registerSomebody();
    const bodies: Record<string, [path: string, body: string]> = {
      page: ['/graphql', JSON.stringify({ query: '{ books { nodes { title } } }' })],
      'large page': ['/graphql', JSON.stringify({ query: LARGE, variables: { ids: books } })],
      mutation: ['/graphql', JSON.stringify({ query: `mutation { like(input: { id: "${books[0]!}" }) { changed } }` })],
      import: ['/import-my-library', FILE + 'another,line,read\n'.repeat(4_000)],
      export: ['/export-my-data', JSON.stringify({ password: PASSWORD })],
      nonsense: ['/graphql', '{'],
    };
    const written = (name: string, isChunked: boolean) => {
      const [path, body] = bodies[name]!;
      const length = isChunked ? 'transfer-encoding: chunked' : `content-length: ${body.length}`;
      const parts = (body.match(/[^]{1,1000}/g) ?? []).map(chunk);
      return (
        requestHead(path, reader.token, ['content-type: application/json', length]) +
        (isChunked ? [...parts, '0\r\n\r\n'].join('') : body)
      );
    };

    await fc.assert(
      fc.asyncProperty(fc.array(client, { minLength: 1, maxLength: 6 }), async (clients) => {
        const connections = await Promise.all(
          clients.map(async ({ requests, isChunked, sent, pieces, reads, then, isCrowded }) => {
            const { socket, answered, closed } = rawConnection(server.url);
            if (!reads) socket.pause();
            const all = requests.map((name) => written(name, isChunked)).join('');
            const whole = all.slice(0, Math.ceil(all.length * sent));
            const size = Math.ceil(whole.length / pieces);
            const crowd = isCrowded ? leaveLittle() : undefined;
            for (let from = 0; from < whole.length; from += size) {
              socket.write(whole.slice(from, from + size));
              await sleep(0);
            }
            crowd?.();
            if (then === 'waits' && reads && sent === 1) await answered();
            if (then === 'ends') socket.end();
            if (then === 'resets') socket.resetAndDestroy();
            return { socket, closed };
          }),
        );
        for (const { socket } of connections) socket.destroy();
        await untilNothingHeld();
      }),
      { numRuns: runs(25, 4) },
    );
    await notKeptOut(() => reader.exportMyData());
    await notKeptOut(() => reader.importMyLibrary(FILE));
  });

  const leaveLittle = () => leave(50_000).letGo;
});
