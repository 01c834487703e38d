import { request as httpRequest } from 'node:http';
import { register } from 'prom-client';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Subscriber, textsOf } from '../tools/support/subscriber.ts';
import {
  ownKeyspace,
  sharedKeyspace,
  startServer,
  startServerProcess,
  testEnvironment,
  type TestServer,
} from './support/app.ts';
import { ownBooks } from './support/books.ts';
import { Client } from './support/client.ts';

/** The streams that answer subscriptions: their forms, limits and ends. */

const TALLIES = 'subscription ($ids: [ID!]!) { likeTallies(ids: $ids) { changes { id likeTally { count } } } }';
const MULTIPART = 'multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json;q=0.9';

let server: TestServer;
let ids: string[];

beforeAll(async () => {
  server = await startServer(await sharedKeyspace());
  ids = await ownBooks(server.app, 1);
});

/** Subscribes, and closes the connection when the test ends. */
async function subscriber(client: Client): Promise<Subscriber> {
  const begun = await Subscriber.begin(client, TALLIES, { ids });
  onTestFinished(() => {
    begun.close();
  });
  return begun;
}

const endedFor = async (reason: string) =>
  (await register.getSingleMetric('subscription_streams_ended_total')?.get())?.values.find(
    ({ labels }) => labels['reason'] === reason,
  )?.value ?? 0;
const openNow = async () => (await register.getSingleMetric('subscription_streams_open')?.get())?.values[0]?.value ?? 0;

test('a stream is not cached, compressed or held back by proxies', async () => {
  const { headers } = (await subscriber(server.client())).response;
  expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-accel-buffering')).toBe('no');
  expect(headers.get('content-encoding')).toBe(null);
});

test('a client that accepts Apollo’s form gets it', async () => {
  const response = await Subscriber.ask(server.client(), TALLIES, { ids }, { accept: MULTIPART });
  expect(response.headers.get('content-type')).toBe('multipart/mixed; boundary="graphql"; subscriptionSpec="1.0"');
  let text = '';
  for await (const more of textsOf(response)) {
    text += more;
    if (text.endsWith('}\r\n--graphql')) break;
  }
  const tally = { data: { likeTallies: { changes: [{ id: ids[0], likeTally: { count: 0 } }] } } };
  const part = `content-type: application/json\r\n\r\n${JSON.stringify({ payload: tally })}\r\n--graphql`;
  expect(text).toBe(`\r\n--graphql\r\n${part}`);
});

test('a silent stream is shown to be alive', async () => {
  const brief = await startServer(await sharedKeyspace({ CONNECTION_IDLE_SECONDS: '3' }));
  const response = await Subscriber.ask(brief.client(), TALLIES, { ids });
  let text = '';
  for await (const more of textsOf(response)) {
    text += more;
    if (/\n\nevent: next\ndata: .*\n\n:\n\n$/.test(text)) break;
  }
});

describe('a subscription is refused', () => {
  test.each([
    ['without a form that can stream', 'application/json', TALLIES, 400, 'BAD_USER_INPUT', /text\/event-stream/],
    [
      'with a document that is not valid',
      'text/event-stream',
      'subscription { nothing }',
      400,
      'BAD_USER_INPUT',
      /nothing/,
    ],
    [
      'with two fields',
      'text/event-stream',
      'subscription { viewerChanged { kinds } again: viewerChanged { kinds } }',
      400,
      'BAD_USER_INPUT',
      /only one/,
    ],
    [
      'signed out, if it needs a reader',
      'text/event-stream',
      'subscription { viewerChanged { kinds } }',
      400,
      'UNAUTHENTICATED',
      /signed|access token/i,
    ],
  ])('%s', async (_what, accept, query, status, code, message) => {
    const response = await Subscriber.ask(server.client(), query, { ids }, { accept });
    const { errors } = (await response.json()) as { errors: { message: string; extensions: { code: string } }[] };
    expect([response.status, errors[0]?.extensions.code]).toEqual([status, code]);
    expect(errors[0]?.message).toMatch(message);
  });

  test('with a false token', async () => {
    const client = Object.assign(server.client(), { token: 'nonsense' });
    expect((await Subscriber.ask(client, TALLIES, { ids })).status).toBe(401);
  });

  test('by GET', async () => {
    const response = await fetch(`${server.url}/graphql?${new URLSearchParams({ query: TALLIES }).toString()}`, {
      headers: { accept: 'text/event-stream' },
    });
    const { errors } = (await response.json()) as { errors: { extensions: { code: string } }[] };
    expect([response.status, errors[0]?.extensions.code]).toEqual([405, 'BAD_USER_INPUT']);
  });
});

test('each server, address and reader has a limit, and a stream that ends makes room', async () => {
  const limits = { SUBSCRIPTIONS_MAX: '4', SUBSCRIPTIONS_PER_ADDRESS: '3', SUBSCRIPTIONS_PER_READER: '2' };
  const limited = await startServer(await sharedKeyspace({ ...limits, TRUST_PROXY: '1' }));
  const reader = (await limited.client().registerSomebody()).from('192.0.2.1');
  const refusal = async (client: Client) => {
    const response = await Subscriber.ask(client, TALLIES, { ids });
    const { errors } = (await response.json()) as { errors: { extensions: object }[] };
    return [response.status, errors[0]?.extensions];
  };

  const first = await subscriber(reader);
  await subscriber(reader);
  expect(await refusal(reader)).toEqual([429, { code: 'RATE_LIMITED', retryAfterSeconds: 5 }]);
  await subscriber(limited.client().from('192.0.2.1'));
  expect(await refusal(limited.client().from('192.0.2.1'))).toEqual([
    429,
    { code: 'RATE_LIMITED', retryAfterSeconds: 5 },
  ]);
  await subscriber(limited.client().from('192.0.2.2'));
  expect(await refusal(limited.client().from('192.0.2.3'))).toEqual([
    503,
    { code: 'OVERLOADED', retryAfterSeconds: 5 },
  ]);

  const open = await openNow();
  first.close();
  await expect.poll(openNow).toBe(open - 1);
  await subscriber(reader);
  expect(await endedFor('CLIENT')).toBeGreaterThan(0);
});

test('a stream ends when its access token expires, with an error that says so', async () => {
  const brief = await startServer(await sharedKeyspace({ ACCESS_TOKEN_SECONDS: '2' }));
  const stream = await subscriber(await brief.client().registerSomebody());
  await stream.next();
  expect(await stream.next()).toMatchObject({
    errors: [{ extensions: { code: 'UNAUTHENTICATED', reason: 'TOKEN_EXPIRED' } }],
  });
  expect(await stream.next()).toBe(undefined);
});

test('a server that is about to end sends its subscribers away, and does not wait for them', async () => {
  const environment = testEnvironment({ DRAIN_SECONDS: '2' });
  await ownKeyspace(environment);
  const { url, process, ended } = await startServerProcess(environment);
  const books = ids.slice(0, 1);
  const stream = await Subscriber.begin(new Client(url), TALLIES, { ids: books });
  await stream.next();
  process.kill('SIGTERM');
  expect(await stream.next()).toMatchObject({ errors: [{ extensions: { code: 'OVERLOADED' } }] });
  expect(await stream.next()).toBe(undefined);
  const again = await Subscriber.ask(new Client(url), TALLIES, { ids: books }).catch(() => undefined);
  if (again) expect(again.status).toBe(503);
  expect(await ended).toBe(0);
});

describe('a large event', () => {
  /** A subscription whose first event has some megabytes: names of fields are repeated in it. */
  const name = (index: number) => `${'a'.repeat(1_000)}${index}`;
  const fields = Array.from(
    { length: 18 },
    (_, index) => `${name(index)}: likeTally { ${name(0)}: count ${name(1)}: count }`,
  );
  const LARGE = `subscription ($ids: [ID!]!) { likeTallies(ids: $ids) { changes { ${fields.join(' ')} } } }`;

  test('ends its stream if an answer may not be as large', async () => {
    const books = await ownBooks(server.app, 100);
    const stream = await Subscriber.begin(server.client(), LARGE, { ids: books });
    expect(await stream.next()).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] });
    expect(await stream.next()).toBe(undefined);
  });

  test('that its client does not read is dropped, with the connection', async () => {
    const large = await startServer(await sharedKeyspace({ ANSWER_KIB_MAX: '20480' }));
    const books = await ownBooks(large.app, 100);
    const before = await endedFor('SLOW');
    const sent = httpRequest(`${large.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    });
    const closed = new Promise((resolve) => sent.once('close', resolve));
    sent.on('response', (response) => {
      response.on('error', () => undefined).pause();
    });
    sent.on('error', () => undefined);
    sent.end(JSON.stringify({ query: LARGE, variables: { ids: books } }));
    await expect.poll(() => endedFor('SLOW')).toBe(before + 1);
    sent.destroy();
    await closed;
  });
});
