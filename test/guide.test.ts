import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { createOperationDescriptor, fetchQuery, getRequest } from 'relay-runtime';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { like as likeByRelay, LIKEABLES as RELAY_LIKEABLES, relayEnvironment } from './guide/relay.ts';
import { like as likeByUrql, LIKEABLES as URQL_LIKEABLES, urqlClient, type LikeableData } from './guide/urql.ts';
import { SAMPLE_LOGINS, SAMPLE_PASSWORD } from '../tools/sample/sample-readers.ts';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { ownBooks } from './support/books.ts';

/** The code that docs/frontends.md shows to frontends runs here. */

const ROOT = join(import.meta.dirname, '..');

let server: TestServer;
beforeAll(async () => {
  server = await startServer(await sharedKeyspace());
});

// A client warns about gaps in its set-up.
beforeEach(() => {
  vi.spyOn(console, 'warn');
});
afterEach(() => {
  vi.unstubAllGlobals();
  expect(console.warn).not.toHaveBeenCalled();
  vi.restoreAllMocks();
});

/** The tests of tools/contract run the mocks. */
const SHOWN = [
  'test/guide/relay.ts',
  'test/guide/urql.ts',
  'test/guide/live.ts',
  'test/guide/cookie.ts',
  'tools/contract/mocks.js',
];

test.each(SHOWN)('the guide contains %s word for word', (name) => {
  const [guide, file] = ['docs/frontends.md', name].map((path) => readFileSync(join(ROOT, path), 'utf8'));
  expect(guide).toContain(`\`\`\`${extname(name).slice(1)}\n${file}\`\`\``);
});

test('the guide logs in as a reader of the sample', () => {
  const guide = readFileSync(join(ROOT, 'docs/frontends.md'), 'utf8');
  expect(guide).toContain(`login(input: { email: "${SAMPLE_LOGINS[0]?.email}", password: "${SAMPLE_PASSWORD}" })`);
});

type State = readonly [likeCount: number, viewerHasLiked: boolean];

/** A client that shows one book. */
interface Shown {
  /** Waits for the next shown state. */
  readonly next: () => Promise<State>;
  /** Returns the state that is shown now. */
  readonly now: () => State;
  /** Throws if the like is refused. */
  readonly like: () => Promise<unknown>;
}

type Data = { readonly nodes: readonly (LikeableData | null)[] | null } | null | undefined;

function likeableOf(data: Data): LikeableData {
  const likeable = data?.nodes?.[0];
  if (!likeable) throw new Error('The book is not shown.');
  return likeable;
}

function stateOf(data: Data): State {
  const { likeCount, viewerHasLiked } = likeableOf(data);
  return [likeCount, viewerHasLiked];
}

/** @param watch receives each shown state */
function oneByOne(watch: (show: (state: State) => void) => void): Shown['next'] {
  const reader = new ReadableStream<State>({
    start: (states) => {
      watch((state) => {
        states.enqueue(state);
      });
    },
  }).getReader();
  return async () => {
    const { value } = await reader.read();
    if (!value) throw new Error('Nothing more is shown.');
    return value;
  };
}

async function shownByUrql(book: string, tokenOf: () => string | undefined): Promise<Shown> {
  const client = urqlClient(server.url, tokenOf);
  const query = client.query(URQL_LIKEABLES, { ids: [book] });
  await query.toPromise();
  const next = oneByOne((show) => {
    query.subscribe(({ data }) => {
      if (data) show(stateOf(data));
    });
  });
  const like = async () => {
    const { error } = await likeByUrql(client, book);
    if (error) throw error;
  };
  return { next, now: () => stateOf(client.readQuery(URQL_LIKEABLES, { ids: [book] })?.data), like };
}

async function shownByRelay(book: string, tokenOf: () => string | undefined): Promise<Shown> {
  const environment = relayEnvironment(server.url, tokenOf);
  const variables = { ids: [book] };
  await fetchQuery(environment, RELAY_LIKEABLES, variables).toPromise();
  const operation = createOperationDescriptor(getRequest(RELAY_LIKEABLES), variables);
  environment.retain(operation);
  const dataNow = () => environment.lookup(operation.fragment).data as Data;
  const next = oneByOne((show) => {
    show(stateOf(dataNow()));
    environment.subscribe(environment.lookup(operation.fragment), ({ data }) => {
      show(stateOf(data as Data));
    });
  });
  return { next, now: () => stateOf(dataNow()), like: () => likeByRelay(environment, likeableOf(dataNow())) };
}

/**
 * Holds back all further requests.
 * @returns a function that releases them
 */
function holdRequests(): () => void {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const send = fetch;
  vi.stubGlobal('fetch', async (...request: Parameters<typeof fetch>) => {
    await promise;
    return send(...request);
  });
  return () => {
    vi.unstubAllGlobals();
    resolve(undefined);
  };
}

describe.each([
  ['Relay', shownByRelay],
  ['urql', shownByUrql],
])('%s', (_name, show) => {
  test.each(['book', 'list'])('shows a like of a %s before it is sent, and still shows it afterwards', async (kind) => {
    const reader = await server.client().registerSomebody();
    const [book = ''] = await ownBooks(server.app, 1);
    const made = await reader.mutate('createList', { name: 'Best', audience: 'EVERYONE' }, 'list { id }');
    const liked = kind === 'book' ? book : made.list.id;
    const shown = await show(liked, () => reader.token);
    expect(await shown.next()).toEqual([0, false]);

    const send = holdRequests();
    const sent = shown.like();
    expect(await shown.next()).toEqual([1, true]);

    send();
    await sent;
    expect(shown.now()).toEqual([1, true]);
    const { node } = await reader.data(`{ node(id: "${liked}") { ... on Likeable { likeCount viewerHasLiked } } }`);
    expect(node).toEqual({ likeCount: 1, viewerHasLiked: true });
  });

  test('takes back a like that is refused', async () => {
    const [book = ''] = await ownBooks(server.app, 1);
    let { token } = await server.client().registerSomebody();
    const shown = await show(book, () => token);
    expect(await shown.next()).toEqual([0, false]);

    token = 'none';
    const send = holdRequests();
    const refused = shown.like();
    expect(await shown.next()).toEqual([1, true]);

    send();
    await expect(refused).rejects.toThrow();
    expect(await shown.next()).toEqual([0, false]);
  });
});
