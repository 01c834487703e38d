import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { Budget } from '../src/cassandra/budget.ts';
import { rows, sharedOf, withinBudget } from '../src/cassandra/statement.ts';
import { perProcess } from '../src/context/context.ts';
import { selectUsers } from '../src/identity/tables.ts';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { ownBooks } from './support/books.ts';
import { PASSWORD, type Answer, type Client } from './support/client.ts';
import { graphqlRequest, rawConnection } from './support/raw.ts';

/** Requests that exceed the capacity of a server by their number or size. */

let books: string[];
const now = { moment: Date.now() };
const clock = () => new Date(now.moment);

beforeAll(async () => {
  books = await ownBooks((await startServer(await sharedKeyspace())).app, 100);
});

const startWith = async (settings: Record<string, string>, hooks: Parameters<typeof startServer>[1] = {}) =>
  startServer(await sharedKeyspace(settings), { clock, ...hooks });

/**
 * Statements of a server that wait until they are released, and all statements that it has sent.
 */
interface Held {
  /** All statements since, in their order. */
  readonly sent: string[];
  /** Waits until a number of statements wait. */
  readonly waiting: (count: number) => Promise<void>;
  /** Releases them, and all further ones. */
  readonly letGo: () => void;
}

/** Delays a server's reads of a table. */
function hold({ app }: TestServer, table: string): Held {
  const { client } = app.cassandra;
  const execute = client.execute.bind(client) as (...given: unknown[]) => Promise<unknown>;
  const sent: string[] = [];
  const arrivals = new EventTarget();
  let waiting = 0;
  const { promise: gate, resolve: letGo } = Promise.withResolvers<undefined>();
  Object.assign(client, {
    execute: async (cql: string, ...rest: unknown[]) => {
      sent.push(cql);
      if (cql.includes(` FROM ${table} `)) {
        waiting++;
        arrivals.dispatchEvent(new Event('arrival'));
        await gate;
      }
      return execute(cql, ...rest);
    },
  });
  return {
    sent,
    letGo: () => {
      letGo(undefined);
    },
    waiting: async (count) => {
      while (waiting < count) {
        await new Promise((resolve) => arrivals.addEventListener('arrival', resolve, { once: true }));
      }
    },
  };
}

const bookQuery = 'query ($id: ID!) { node(id: $id) { ... on Book { title } } }';
const titleOf = (client: Client, id = books[0]) => client.send(bookQuery, { id });
const NODES =
  'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Book { title likers(first: 1) { edges { cursor } } } } }';

const expectOverloaded = ({ status, headers, data, errors }: Answer) => {
  expect({ status, data }).toEqual({ status: 503, data: undefined });
  expect(headers.get('retry-after')).toBe('1');
  expect(errors).toEqual([
    { message: expect.stringContaining('Nothing was done'), extensions: { code: 'OVERLOADED', retryAfterSeconds: 1 } },
  ]);
};

/** Closes a connection from the client's side, and waits until its server has noticed. */
async function closeAndBeNoticed(server: TestServer, { socket, closed }: { socket: Socket; closed: Promise<void> }) {
  socket.destroy();
  await closed;
  // After these answers, the server has read from the other connection as well.
  for (let turn = 0; turn < 3; turn++) await fetch(`${server.url}/health/live`);
}

describe('requests beyond the limit of concurrent requests', () => {
  test('are refused immediately, before any of them is read, while other requests and health checks are answered', async () => {
    const server = await startWith({ QUERIES_MAX: '2', MUTATIONS_MAX: '1', RATE_LIMIT_PER_MINUTE: '1000' });
    const client = server.client();
    const allowance = async () => (await client.data('{ rateLimit { remaining } }')).rateLimit.remaining as number;
    const before = await allowance();
    const held = hold(server, 'books');
    // Two requests that begin together would share one statement.
    const one = titleOf(client);
    await held.waiting(1);
    const underWay = [one, titleOf(client, books[1])];
    await held.waiting(2);

    const sent = held.sent.length;
    expectOverloaded(await titleOf(client));
    const stranger = server.client();
    stranger.token = 'of no worth';
    expectOverloaded(await titleOf(stranger));
    const byGet = await fetch(`${server.url}/graphql?query=${encodeURIComponent('{ __typename }')}`);
    expect(byGet.status).toBe(503);
    expect(held.sent.length).toBe(sent);

    expect((await client.mutate('startSession', {}, 'session { id }')).userErrors).toEqual([]);
    for (const path of ['/health/live', '/health/ready']) expect((await fetch(server.url + path)).status).toBe(200);
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toMatch(/http_requests_refused_total\{kind="query"\} [3-9]/);
    expect(metrics).toMatch(/http_requests_under_way\{kind="query"\} 2/);

    held.letGo();
    for (const answer of await Promise.all(underWay)) expect(answer.errors).toBeUndefined();
    // The allowance was charged for two reads, two answered queries and a mutation, but for no
    // refused request.
    expect(await allowance()).toBe(before - 4);
  });

  test('that are mutations are counted separately, however the document is written', async () => {
    const { promise: gate, resolve: letGo } = Promise.withResolvers<undefined>();
    const { promise: reached, resolve: isHeld } = Promise.withResolvers<undefined>();
    const atCrashPoint = async (name: string) => {
      if (name !== 'like: before compare-and-set') return;
      isHeld(undefined);
      await gate;
    };
    const server = await startWith({ MUTATIONS_MAX: '1' }, { atCrashPoint });
    const reader = await server.client().registerSomebody();
    const liked = reader.like(books[0] ?? '');
    await reached;

    const like = `like(input: { id: "${String(books[1])}" }) { changed }`;
    for (const query of [`mutation { ${like} }`, `# a query\nfragment F on Book { id } mutation M { ${like} }`]) {
      expectOverloaded(await reader.send(query));
    }
    expect((await titleOf(reader)).errors).toBeUndefined();

    letGo(undefined);
    expect(await liked).toMatchObject({ changed: true, userErrors: [] });
    expect(await reader.like(books[1] ?? '')).toMatchObject({ changed: true, userErrors: [] });
  });

  test('that are exports are limited to one per reader', async () => {
    const server = await startWith({});
    const readers = await Promise.all(Array.from({ length: 12 }, () => server.client().registerSomebody()));
    const [reader] = readers as [Client];
    const held = hold(server, 'likes_by_user');
    const underWay = readers.map((each) => each.exportMyData());
    await held.waiting(12);
    const refused = await reader.exportMyData();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    const message = expect.stringMatching(/Another export of your data/);
    expect(await refused.json()).toMatchObject({ userErrors: [{ code: 'RATE_LIMITED', message }] });
    expect((await titleOf(reader)).errors).toBeUndefined();

    held.letGo();
    for (const answer of await Promise.all(underWay)) expect(await answer.json()).toHaveProperty('exportedAt');
    const after = await reader.exportMyData();
    expect(after.status).toBe(200);
    await after.text();
  });

  test('do not include those that are still arriving', async () => {
    const server = await startWith({ QUERIES_MAX: '1', MUTATIONS_MAX: '1' });
    const slow = rawConnection(server.url);
    slow.socket.write(graphqlRequest(bookQuery, { id: books[0] }).slice(0, -5));
    expect((await titleOf(server.client())).errors).toBeUndefined();
    await closeAndBeNoticed(server, slow);
    expect((await titleOf(server.client())).errors).toBeUndefined();
  });

  test('with an error as their answer also make room', async () => {
    const server = await startWith({ QUERIES_MAX: '1', MUTATIONS_MAX: '1' });
    const client = server.client();
    for (const query of ['{', '{ vewer { id } }', '{ node(id: "x") { id } }']) {
      expect((await client.send(query)).errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    }
    client.token = 'of no worth';
    expect((await titleOf(client)).status).toBe(401);
    client.token = undefined;
    expect((await titleOf(client)).errors).toBeUndefined();
  });
});

describe('a query that exceeds its budget', () => {
  test.each([
    ['rows', { QUERY_ROWS_MAX: '9' }, /more than 9 rows.*smaller pages/],
    ['bytes', { QUERY_KIB_MAX: '1' }, /more than 1 KiB.*smaller pages/],
  ])('of %s is refused, and sends no more statements', async (_what, settings, message) => {
    const server = await startWith(settings);
    const client = server.client();
    const { sent, letGo } = hold(server, 'books');
    letGo();
    const refused = await client.send(NODES, { ids: books.slice(0, 10) });
    expect(refused).toMatchObject({
      status: 400,
      errors: [{ message: expect.stringMatching(message), extensions: { code: 'BAD_USER_INPUT' } }],
    });
    expect(refused.errors).toHaveLength(1);
    expect(refused.data).toBeUndefined();
    expect(sent).toHaveLength(1);
    expect((await client.send(NODES, { ids: books.slice(0, 1) })).errors).toBeUndefined();
    expect(sent.length).toBeGreaterThan(2);
  });

  test('of time is abandoned, and sends no more statements', async () => {
    const server = await startWith({ QUERY_SECONDS_MAX: '3' });
    const held = hold(server, 'books');
    const answer = server.client().send(NODES, { ids: books.slice(0, 10) });
    await held.waiting(1);
    now.moment += 3_001;
    held.letGo();
    const given = await answer;
    expect(given).toMatchObject({
      status: 503,
      errors: [
        { message: expect.stringMatching(/longer than 3 s.*Nothing was done/), extensions: { code: 'OVERLOADED' } },
      ],
    });
    expect(given.errors).toHaveLength(1);
    expect(given.data).toBeUndefined();
    expect(held.sent).toHaveLength(1);
  });

  test('for the size of an answer is refused; a mutation that exceeds it may have been made', async () => {
    const server = await startWith({ ANSWER_KIB_MAX: '1' });
    const reader = await server.client().registerSomebody();
    const aliases = Array.from({ length: 100 }, (_, index) => `t${index}: title`).join(' ');
    const refused = await reader.send(`query ($id: ID!) { node(id: $id) { ... on Book { ${aliases} } } }`, {
      id: books[0],
    });
    expect(refused).toMatchObject({
      status: 400,
      errors: [{ message: expect.stringMatching(/larger than 1 KiB/), extensions: { code: 'BAD_USER_INPUT' } }],
    });
    expect(refused.data).toBeUndefined();
    const like = `mutation ($id: ID!) { like(input: { id: $id }) { changed likeable { ... on Book { ${aliases} } } } }`;
    expect(await reader.send(like, { id: books[0] })).toMatchObject({
      status: 503,
      errors: [{ message: expect.stringMatching(/may have been made/), extensions: { code: 'TIMEOUT' } }],
    });
    expect(await reader.like(books[0] ?? '')).toMatchObject({ changed: false, userErrors: [] });
  });

  test("counts the reads for a mutation's payload, not its changes", async () => {
    const server = await startWith({ QUERY_ROWS_MAX: '5' });
    const reader = await server.client().registerSomebody();
    const like = `mutation ($id: ID!) { like(input: { id: $id }) { changed viewer { ${Array.from({ length: 9 }, (_, n) => `l${n}: likes { nodes { id } }`).join(' ')} } } }`;
    for (const id of books.slice(10, 13)) await reader.like(id);
    const given = await reader.send(like, { id: books[13] });
    expect(given).toMatchObject({
      status: 503,
      errors: [{ message: expect.stringMatching(/may have been made.*safe/), extensions: { code: 'TIMEOUT' } }],
    });
    expect(await reader.like(books[13] ?? '')).toMatchObject({ changed: false, userErrors: [] });
  });

  test('does not share its budget with objects that live as long as the process, or with mutations', async () => {
    const server = await startWith({ QUERY_ROWS_MAX: '1', QUERY_KIB_MAX: '1', QUERY_SECONDS_MAX: '1' });
    const { app } = server;
    const allowance = { rowsMax: 1, bytesMax: 1, milliseconds: 1, clock, isClientGone: () => true, hold: () => true };
    const cassandra = withinBudget(app.cassandra, new Budget(allowance));
    const part = perProcess((given) => given.cassandra);
    expect(part({ ...app, cassandra })).toBe(app.cassandra);
    expect(part(app)).toBe(app.cassandra);
    expect(sharedOf(withinBudget(cassandra, new Budget(allowance)))).toBe(app.cassandra);

    const reader = await server.client().registerSomebody();
    const list = await reader.send(NODES, { ids: books.slice(0, 2) });
    expect(list.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    expect(await reader.like(books[0] ?? '')).toMatchObject({ changed: true, userErrors: [] });
    expect(
      (await reader.mutate('login', { email: reader.email, password: PASSWORD }, 'accessToken')).userErrors,
    ).toEqual([]);
  });
});

describe('a client that closes the connection', () => {
  test('ends the further statements of a query', async () => {
    const server = await startWith({});
    const underWay = async () => {
      const metrics = await (await fetch(`${server.url}/metrics`)).text();
      return /^http_requests_under_way\{kind="query"\} (\d+)$/m.exec(metrics)?.[1];
    };
    const held = hold(server, 'books');
    const client = rawConnection(server.url);
    client.socket.write(graphqlRequest(NODES, { ids: books.slice(0, 10) }));
    await held.waiting(1);
    await closeAndBeNoticed(server, client);
    held.letGo();
    while ((await underWay()) !== '0');
    expect(held.sent).toHaveLength(1);
  });

  test('prevents a mutation that has not begun from beginning', async () => {
    const server = await startWith({});
    const reader = await server.client().registerSomebody();
    const asked = await startWith({});
    const held = hold(asked, 'sessions_by_id');
    const client = rawConnection(asked.url);
    client.socket.write(
      graphqlRequest('mutation ($id: ID!) { like(input: { id: $id }) { changed } }', { id: books[3] }, reader.token),
    );
    await held.waiting(1);
    await closeAndBeNoticed(asked, client);
    held.letGo();
    const sameReader = asked.client();
    sameReader.token = reader.token;
    expect(await sameReader.like(books[3] ?? '')).toMatchObject({ changed: true, userErrors: [] });
    expect(held.sent.filter((cql) => cql.startsWith('INSERT INTO transaction_log '))).toHaveLength(1);
  });

  test('does not end a mutation, and neither does time', async () => {
    const { promise: gate, resolve: letGo } = Promise.withResolvers<undefined>();
    const points: string[] = [];
    const reached = new EventTarget();
    const atCrashPoint = async (name: string) => {
      points.push(name);
      reached.dispatchEvent(new Event(name));
      if (name === 'like: before compare-and-set') await gate;
    };
    const when = (name: string) =>
      points.includes(name) || new Promise((resolve) => reached.addEventListener(name, resolve, { once: true }));
    const server = await startWith({ QUERY_SECONDS_MAX: '1', QUERY_ROWS_MAX: '1' }, { atCrashPoint });
    const reader = await server.client().registerSomebody();
    const client = rawConnection(server.url);
    const like = 'mutation ($id: ID!) { like(input: { id: $id }) { changed } }';
    client.socket.write(graphqlRequest(like, { id: books[2] }, reader.token));
    await when('like: before compare-and-set');
    now.moment += 2_000;
    await closeAndBeNoticed(server, client);
    letGo(undefined);
    await when('like: after complete');
    const unbounded = await startWith({});
    const another = unbounded.client();
    another.token = reader.token;
    const { node } = await another.data(
      'query ($id: ID!) { node(id: $id) { ... on Book { viewerHasLiked likeCount } } }',
      { id: books[2] },
    );
    expect(node).toEqual({ viewerHasLiked: true, likeCount: 1 });
  });
});

describe('statements to Cassandra', () => {
  /** Counts the statements of a server that are in progress at the same time. */
  function counted({ app }: TestServer) {
    const { client } = app.cassandra;
    const execute = client.execute.bind(client) as (...given: unknown[]) => Promise<unknown>;
    const counts = { underWay: 0, most: 0, all: 0 };
    const counting = async (...given: unknown[]) => {
      counts.all++;
      counts.most = Math.max(counts.most, ++counts.underWay);
      try {
        return await execute(...given);
      } finally {
        counts.underWay--;
      }
    };
    Object.assign(client, { execute: counting });
    return counts;
  }

  /** Makes a query of several lists for each book, with one statement for each list. */
  const wide = (lists: number) => {
    const fields = Array.from({ length: lists }, (_, index) => `l${index}: copies(first: 1) { edges { cursor } }`);
    return `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Book { ${fields.join(' ')} } } }`;
  };

  test('of one query are limited to few at once, however wide it is', async () => {
    const server = await startWith({});
    const counts = counted(server);
    // The number exceeds the maximum of concurrent statements of a driver connection.
    const { nodes } = await server.client().data(wide(33), { ids: books });
    expect(nodes).toHaveLength(100);
    expect(counts.all).toBeGreaterThan(3_000);
    expect(counts.most).toBe(32);
  });

  test('of the process wait while a connection is full, and none is refused', async () => {
    const server = await startWith({});
    const counts = counted(server);
    const { cassandra } = server.app;
    const asked = Array.from({ length: 3_000 }, () => rows(cassandra, selectUsers, { user_ids: [randomUUID()] }));
    expect((await Promise.all(asked)).flat()).toEqual([]);
    expect(counts).toEqual({ underWay: 0, most: 1_024, all: 3_000 });
  });
});

describe('connections', () => {
  test('beyond the limit of open ones are closed immediately', async () => {
    const server = await startWith({ CONNECTIONS_MAX: '2' });
    const request = graphqlRequest(bookQuery, { id: books[0] });
    const open = [rawConnection(server.url), rawConnection(server.url)];
    for (const { socket, answered } of open) {
      socket.write(request);
      expect(await answered()).toMatch(/^HTTP\/1\.1 200 /);
    }
    const beyond = rawConnection(server.url);
    beyond.socket.write(request);
    await beyond.closed;
    expect(beyond.received()).toBe('');

    const [first] = open;
    first?.socket.end();
    await first?.closed;
    const another = rawConnection(server.url);
    another.socket.write(request);
    expect(await another.answered()).toMatch(/^HTTP\/1\.1 200 /);
    for (const { socket } of [...open, another]) socket.destroy();
  });

  test.each([
    ['after an answer', true],
    ['before a request', false],
  ])('on which nothing comes %s are closed', async (_when, asks) => {
    const server = await startWith({ CONNECTION_IDLE_SECONDS: '1', REQUEST_TIMEOUT_SECONDS: '1' });
    const { socket, answered, closed } = rawConnection(server.url);
    if (asks) {
      socket.write(graphqlRequest(bookQuery, { id: books[0] }));
      await answered();
    }
    await closed;
  });
});
