import { readFileSync } from 'node:fs';
import { addMocksToSchema, createMockStore } from '@graphql-tools/mock';
import { buildSchema, graphql } from 'graphql';

/**
 * Answers operations without a server, for a frontend's tests. Whatever a test does not set is made
 * up, by the type of the field.
 * @param path the file schema.graphql
 */
export function mockedApi(path) {
  const schema = buildSchema(readFileSync(path, 'utf8'));
  // The scalars of this API; those of GraphQL itself are made up anyway.
  const mocks = {
    DateTime: () => '2026-03-01T12:00:00.000Z',
    Date: () => '2026-03-01',
    Decimal: () => '12.50',
    Duration: () => 'P1D',
    UUID: () => '6e0b3f6e-7f0c-4b8e-9f57-0d7c2d1a5c11',
    JSONObject: () => ({}),
  };
  const store = createMockStore({ schema, mocks });
  // A like changes the store, as the server would.
  const resolvers = {
    Mutation: {
      like: (_mutation, { input: { id } }) => {
        store.set('Book', id, { likeCount: store.get('Book', id, 'likeCount') + 1, viewerHasLiked: true });
        return { likeable: store.get('Book', id), userErrors: [], changed: true };
      },
    },
    Query: { node: (_query, { id }) => store.get('Book', id) },
  };
  const mocked = addMocksToSchema({ schema, store, resolvers });
  return {
    store,
    send: (source, variableValues) => graphql({ schema: mocked, source, variableValues }),
  };
}
