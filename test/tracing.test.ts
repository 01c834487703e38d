import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { RELEASE } from '../src/config/release.ts';
import { PASSWORD } from './support/client.ts';

/** Traces, as a collector receives them. */

interface Span {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly { key: string; value: Record<string, string | number> }[];
  readonly events: readonly { name: string }[];
  readonly status: { code?: number };
}
interface Received {
  readonly resourceSpans: readonly {
    readonly resource: Pick<Span, 'attributes'>;
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}

const [SERVER, CLIENT, FAILED] = [2, 3, 2];
const PARENT = 'b7ad6b7169203331';
/** Spans are sent every few seconds. */
const ARRIVES_WITHIN_MS = 300_000;

const received: Received[] = [];
let collector: Server;
let url: string;
let server: TestServer;

beforeAll(async () => {
  collector = createServer((request, response) => {
    void json(request).then((body) => {
      received.push(body as Received);
      response.end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  url = `http://127.0.0.1:${String((collector.address() as AddressInfo).port)}/v1/traces`;
  server = await startServer(await sharedKeyspace({ TRACES_URL: url, TRACES_PERCENT: '100' }));
});
afterAll(() => collector.close());

/** Returns the attributes of a span by their names. */
const attributesOf = ({ attributes }: Pick<Span, 'attributes'>) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

/** Returns the spans of a trace, once a collector has received the span of its request. */
const spansOf = (traceId: string): Promise<Span[]> =>
  vi.waitFor(() => {
    const spans = received
      .flatMap(({ resourceSpans }) => resourceSpans)
      .flatMap(({ scopeSpans }) => scopeSpans)
      .flatMap((scope) => scope.spans.filter((span) => span.traceId === traceId));
    expect(spans.filter(isOfRequest)).toHaveLength(1);
    return spans;
  }, ARRIVES_WITHIN_MS);

const isOfRequest = ({ kind }: Span) => kind === SERVER;

const ask = ({ url: to }: TestServer, query: string, headers: Record<string, string> = {}) =>
  fetch(`${to}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  });

const BOOK = 'query Novel { book(isbn: "9780439023481") { title } }';

const idOf = ({ headers }: Response) => headers.get('x-request-id')!;

describe.concurrent('a request', () => {
  test('has a span that is named by its fields, and a span for each of its statements', async () => {
    const requestId = idOf(await ask(server, BOOK));
    const spans = await spansOf(requestId);

    const request = spans.find(isOfRequest)!;
    expect(request.name).toBe('Query.book');
    expect(request.parentSpanId ?? '').toBe('');
    expect(attributesOf(request)).toEqual({
      'http.request.method': 'POST',
      'http.route': '/graphql',
      'http.response.status_code': 200,
      'graphql.operation.type': 'query',
      'graphql.operation.name': 'Novel',
    });
    const statements = spans.filter(({ kind }) => kind === CLIENT);
    expect(statements.map(({ name }) => name)).toContain('SELECT books');
    for (const statement of statements) {
      expect(statement.parentSpanId).toBe(request.spanId);
      expect(statement.events.map(({ name }) => name)).toEqual(['sent']);
      expect(attributesOf(statement)).toEqual({ 'db.system.name': 'cassandra', 'db.query.summary': statement.name });
    }
    for (const { resource } of received.flatMap(({ resourceSpans }) => resourceSpans))
      expect(attributesOf(resource)).toMatchObject({ 'service.name': 'social-e-library', 'service.version': RELEASE });
  });

  test('belongs to the trace of its client', async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    await ask(server, BOOK, { traceparent: `00-${traceId}-${PARENT}-01` });
    expect((await spansOf(traceId)).find(isOfRequest)).toMatchObject({ parentSpanId: PARENT });
  });

  test('that fails is marked so, by a code and without its message', async () => {
    const spans = await spansOf(idOf(await ask(server, '{ book(isbn: "Ann Lee") { title } }')));
    const request = spans.find(isOfRequest)!;
    expect(request).toMatchObject({ name: 'Query.book', status: { code: FAILED } });
    expect(attributesOf(request)).toMatchObject({ 'error.type': 'BAD_USER_INPUT' });
    expect(JSON.stringify(spans)).not.toContain('Ann');
  });

  test('that changes something has spans for the statements of its change, without texts of readers', async () => {
    const email = `ann-${String(process.pid)}-${String(Date.now())}@example.com`;
    const register = `mutation { register(input: { email: "${email}", password: "${PASSWORD}", fullName: "Ann Lee" }) { viewer { id } } }`;
    const spans = await spansOf(idOf(await ask(server, register)));
    expect(spans.find(isOfRequest)!.name).toBe('Mutation.register');
    expect(spans.map(({ name }) => name)).toContain('INSERT users_by_login_info');
    for (const text of [email, PASSWORD, 'Ann']) expect(JSON.stringify(spans)).not.toContain(text);
  });

  test('is traced depending on its trace id and the configured share', async () => {
    const half = await startServer(await sharedKeyspace({ TRACES_URL: url, TRACES_PERCENT: '50' }));
    const [traced, untraced] = ['0af7651900000000000000000c80319c', 'ffffffff00000000000000000000000c'];
    for (const traceId of [untraced, traced]) await ask(half, BOOK, { traceparent: `00-${traceId}-${PARENT}-01` });

    await spansOf(traced);
    expect(JSON.stringify(received).includes(untraced)).toBe(false);
  });
});

test('a collector that does not answer is logged, and does not affect requests', async () => {
  const lines: { problem?: string }[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as { problem?: string });
  const config = await sharedKeyspace({ TRACES_URL: 'http://127.0.0.1:9/v1/traces', TRACES_PERCENT: '100' });
  const alone = await startServer(config, { logger: pino({ level: 'warn' }, { write }) });

  expect((await ask(alone, BOOK)).status).toBe(200);

  await vi.waitFor(() => {
    expect(lines.map(({ problem }) => problem)).toContainEqual(expect.stringContaining('ECONNREFUSED'));
  }, ARRIVES_WITHIN_MS);
});
