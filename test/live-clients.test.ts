import { ApolloClient, gql, HttpLink, InMemoryCache, type TypedDocumentNode } from '@apollo/client';
import { Client as UrqlClient, fetchExchange } from '@urql/core';
import { createClient } from 'graphql-sse';
import { Environment, Network, Observable, RecordSource, Store, type GraphQLResponse } from 'relay-runtime';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { watchLikes } from './guide/live.ts';
import { ownKeyspace, startServer, testEnvironment, type TestServer } from './support/app.ts';
import { ownBooks } from './support/books.ts';
import type { Client } from './support/client.ts';

/** Real clients of GraphQL subscribe as they come, without links or exchanges of ours. */

const TALLIES = 'subscription ($ids: [ID!]!) { likeTallies(ids: $ids) { changes { id likeTally { count } } } }';

interface Tallies {
  readonly likeTallies: {
    readonly changes: readonly { readonly id: string; readonly likeTally: { count: number } | null }[];
  };
}

let server: TestServer;

beforeAll(async () => {
  server = await startServer(
    await ownKeyspace(testEnvironment({ CLOCK_SKEW_MAX_MS: '4000', SHOWN_AGE_MAX_MS: '1000' })),
    { workers: true },
  );
});

/** Collects what a client passes on; `next` waits for one more. */
function received<Value>(begin: (take: (value: Value) => void) => () => void) {
  const stream = new ReadableStream<Value>({
    start: (values) => {
      const end = begin((value) => {
        values.enqueue(value);
      });
      onTestFinished(end);
    },
  });
  const reader = stream.getReader();
  return async () => (await reader.read()).value;
}

const apolloOf = ({ url, token }: Client) =>
  new ApolloClient({
    link: new HttpLink({
      uri: `${url}/graphql`,
      ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
    }),
    cache: new InMemoryCache(),
  });

describe.each<[string, (client: Client, ids: string[], take: (data: unknown) => void) => () => void]>([
  [
    'Apollo Client',
    (client, ids, take) => {
      const events = apolloOf(client).subscribe<Tallies>({ query: gql(TALLIES), variables: { ids } });
      const subscription = events.subscribe(({ data, error }) => {
        take(error ? error.message : data);
      });
      return () => {
        subscription.unsubscribe();
      };
    },
  ],
  [
    'urql',
    ({ url }, ids, take) => {
      const client = new UrqlClient({
        url: `${url}/graphql`,
        preferGetMethod: false,
        fetchSubscriptions: true,
        exchanges: [fetchExchange],
      });
      const subscription = client.subscription<Tallies>(TALLIES, { ids }).subscribe(({ data, error }) => {
        take(error ? error.message : data);
      });
      return () => {
        subscription.unsubscribe();
      };
    },
  ],
  [
    'Relay with graphql-sse',
    ({ url }, ids, take) => {
      const sse = createClient({ url: `${url}/graphql`, retryAttempts: 0 });
      const subscribe = (query: string, variables: Record<string, unknown>) =>
        Observable.create<GraphQLResponse>((sink) =>
          sse.subscribe(
            { query, variables },
            {
              next: (value) => {
                sink.next(value as GraphQLResponse);
              },
              error: (error: Error) => {
                sink.error(error);
              },
              complete: () => {
                sink.complete();
              },
            },
          ),
        );
      const network = Network.create(
        () => Promise.reject(new Error('No query is sent')),
        ({ text }, variables) => subscribe(text ?? '', variables),
      );
      const environment = new Environment({ network, store: new Store(new RecordSource()) });
      const events = environment
        .getNetwork()
        .execute({ text: TALLIES, operationKind: 'subscription' } as never, { ids }, {});
      const subscription = events.subscribe({
        next: (response) => {
          take((response as { data?: unknown }).data);
        },
        error: (error: Error) => {
          take(error.message);
        },
      });
      return () => {
        subscription.unsubscribe();
      };
    },
  ],
])('%s', (_name, subscribe) => {
  test('shows a count that moves', async () => {
    const ids = await ownBooks(server.app, 1);
    const next = received((take) => subscribe(server.client(), ids, take));
    const shown = (count: number) => ({ likeTallies: { changes: [{ id: ids[0], likeTally: { count } }] } });
    expect(await next()).toMatchObject(shown(0));
    await (await server.client().registerSomebody()).like(ids[0]!);
    expect(await next()).toMatchObject(shown(1));
  });

  test('is told why it is refused', async () => {
    const next = received((take) => subscribe(server.client(), [], take));
    expect(await next()).toMatch(/"ids" has 0 ids|Bad Request/);
  });
});

test('the code of the guide keeps the counts of a page of Apollo Client current', async () => {
  const ids = await ownBooks(server.app, 2);
  const client = apolloOf(await server.client().registerSomebody());
  interface Nodes {
    nodes: { __typename: string; id: string; likeCount: number }[];
  }
  const QUERY: TypedDocumentNode<Nodes, { ids: string[] }> = gql`
    query ($ids: [ID!]!) {
      nodes(ids: $ids) {
        __typename
        id
        ... on Book {
          likeCount
        }
      }
    }
  `;
  const query = client.watchQuery({ query: QUERY, variables: { ids } });
  const next = received<number[]>((take) => {
    const subscription = query.subscribe(({ data, dataState }) => {
      if (dataState === 'complete') take(data.nodes.map(({ likeCount }) => likeCount));
    });
    return () => {
      subscription.unsubscribe();
    };
  });
  expect(await next()).toEqual([0, 0]);
  const { data } = await client.query({ query: QUERY, variables: { ids } });
  onTestFinished(watchLikes(client, data!.nodes));
  await (await server.client().registerSomebody()).like(ids[1]!);
  expect(await next()).toEqual([0, 1]);
});
