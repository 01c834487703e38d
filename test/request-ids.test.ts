import { pino } from 'pino';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { transactionKinds } from '../src/app/workers.ts';
import { recoverTransactions } from '../src/transactions/recovery.worker.ts';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { bookIds, importSample } from './support/books.ts';

const ID = /^(?!0{32})[0-9a-f]{32}$/;
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

let server: TestServer;
beforeAll(async () => {
  server = await logging({ LOG_REQUESTS_PERCENT: '0' });
});

/** The log lines about requests since the beginning of the test. */
let lines: { readonly requestId: string }[] = [];
beforeEach(() => {
  lines = [];
});

/** Starts a server that logs to `lines`. */
async function logging(
  settings: Record<string, string>,
  atCrashPoint: (name: string) => void = () => undefined,
): Promise<TestServer> {
  const write = (line: string) => {
    const logged = JSON.parse(line) as { readonly requestId: string | undefined };
    if (logged.requestId !== undefined) lines.push({ ...logged, requestId: logged.requestId });
  };
  return startServer(await sharedKeyspace(settings), { logger: pino({ level: 'info' }, { write }), atCrashPoint });
}

const BOOK = '{ book(isbn: "9780439023481") { id } }';

const ask = (query: string, headers: Record<string, string> = {}, { url } = server) =>
  fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  });

const idOf = ({ headers }: Response) => headers.get('x-request-id');

describe('the id of a request', () => {
  test('is in every answer, and each request has its own', async () => {
    const answers = await Promise.all([
      ask(BOOK),
      ask(BOOK),
      ask('{ nothing }'),
      fetch(`${server.url}/nothing`),
      fetch(`${server.url}/%zz`),
      fetch(`${server.url}/health/live`),
    ]);
    for (const answer of answers) expect(idOf(answer)).toMatch(ID);
    expect(new Set(answers.map(idOf)).size).toBe(answers.length);
  });

  test.each([
    ['version 00', `00-${TRACE_ID}-${PARENT}-01`],
    ['a later version', `01-${TRACE_ID}-${PARENT}-01`],
    ['a later version with more fields', `cc-${TRACE_ID}-${PARENT}-00-what-the-future-brings`],
  ])('is the trace id of a traceparent of %s', async (_version, traceparent) => {
    expect(idOf(await ask(BOOK, { traceparent }))).toBe(TRACE_ID);
  });

  test.each([
    ['the version ff', `ff-${TRACE_ID}-${PARENT}-01`],
    ['no trace', `00-${'0'.repeat(32)}-${PARENT}-01`],
    ['no parent', `00-${TRACE_ID}-${'0'.repeat(16)}-01`],
    ['capitals', `00-${TRACE_ID.toUpperCase()}-${PARENT}-01`],
    ['more than version 00 allows', `00-${TRACE_ID}-${PARENT}-01-more`],
    ['something else', `${TRACE_ID}"}`],
  ])('is a new one for a traceparent with %s', async (_what, traceparent) => {
    const id = idOf(await ask(BOOK, { traceparent }));
    expect(id).toMatch(ID);
    expect(id).not.toBe(TRACE_ID);
  });

  test('is in the error and the log if the server failed, and in no other error', async () => {
    const execute = vi.spyOn(server.app.cassandra.client, 'execute').mockRejectedValue(new TypeError('a bug'));
    const traceparent = `00-${TRACE_ID}-${PARENT}-01`;
    const [failed, refused] = await Promise.all([ask(BOOK, { traceparent }), ask('{ nothing }')]);
    execute.mockRestore();

    const [error] = ((await failed.json()) as { errors: { extensions: object }[] }).errors;
    expect(error?.extensions).toEqual({ code: 'INTERNAL_SERVER_ERROR', requestId: TRACE_ID });
    expect(lines).toMatchObject([{ requestId: TRACE_ID, path: ['book'], err: { message: 'a bug' } }]);
    expect(await refused.text()).not.toContain('requestId');
  });
});

test('the id of a request is in the transaction that it leaves unfinished, and in the log line of its recovery', async () => {
  let isCutOff = true;
  const cutOff = await logging({}, (point) => {
    if (isCutOff && point === 'like: after compare-and-set') throw new Error('cut off');
  });
  await importSample(cutOff.app, 10);
  const [book = ''] = await bookIds(cutOff);
  const reader = await cutOff.client().registerSomebody();
  reader.headers = { traceparent: `00-${TRACE_ID}-${PARENT}-01` };

  await expect(reader.like(book)).rejects.toThrow();
  const { rows } = await cutOff.app.cassandra.client.execute('SELECT kind, request_id FROM transaction_log');
  expect(rows.map((row) => ({ ...row }))).toContainEqual({ kind: 'like', request_id: TRACE_ID });

  isCutOff = false;
  const finished = { requestId: TRACE_ID, kind: 'like', msg: 'finished an orphaned transaction' };
  const recovered = async () => {
    await (
      await recoverTransactions(cutOff.app, transactionKinds)
    ).tried;
    return lines;
  };
  await expect.poll(recovered).toContainEqual(expect.objectContaining(finished));
});

describe('the log of requests', () => {
  test('has all requests at 100 percent, and none at 0', async () => {
    const chatty = await logging({ LOG_REQUESTS_PERCENT: '100' });
    const answer = await ask(BOOK, {}, chatty);
    await ask(BOOK);
    await vi.waitFor(() => {
      expect(lines).toMatchObject([
        { requestId: idOf(answer), req: { method: 'POST', path: '/graphql' }, status: 200, level: 30 },
      ]);
    });
  });

  test('has each request that the server did not answer', async () => {
    const busy = await logging({ LOG_REQUESTS_PERCENT: '0', QUERIES_MAX: '1' });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => ask('{ books(first: 5) { nodes { id } } }', {}, busy)),
    );
    const refused = answers.filter(({ status }) => status === 503).map(idOf);
    expect(refused).not.toEqual([]);
    await vi.waitFor(() => {
      expect(lines.map(({ requestId }) => requestId).toSorted()).toEqual(refused.toSorted());
    });
  });
});
