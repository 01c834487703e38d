import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildSchema, isScalarType, isSpecifiedScalarType } from 'graphql';
import { readFileSync } from 'node:fs';
import { mockedApi } from './mocks.js';

/** The recipe for mocks that docs/frontends.md shows. */

const SCHEMA = join(import.meta.dirname, '../../schema.graphql');

test('a page of books is made up, with every scalar of the schema', async () => {
  const { send } = mockedApi(SCHEMA);
  const { data, errors } = await send(
    '{ books { edges { cursor node { id title authors likeCount } } pageInfo { hasNextPage } } viewer { registeredAt } }',
  );
  assert.equal(errors, undefined);
  assert.equal(typeof data.books.edges[0].node.title, 'string');
  assert.equal(data.viewer.registeredAt, '2026-03-01T12:00:00.000Z');
  const text = readFileSync(join(import.meta.dirname, 'mocks.js'), 'utf8');
  const scalars = Object.values(buildSchema(readFileSync(SCHEMA, 'utf8')).getTypeMap()).filter(
    (type) => isScalarType(type) && !isSpecifiedScalarType(type),
  );
  for (const { name } of scalars) assert.match(text, new RegExp(`${name}: \\(\\)`));
});

test('what a test sets is shown, and a like changes it', async () => {
  const { send, store } = mockedApi(SCHEMA);
  store.set('Book', 'b1', { title: 'Emma', likeCount: 7, viewerHasLiked: false });
  const liked = await send(
    'mutation ($id: ID!) { like(input: { id: $id }) { userErrors { code } likeable { likeCount } } }',
    {
      id: 'b1',
    },
  );
  assert.equal(liked.errors, undefined);
  assert.equal(liked.data.like.likeable.likeCount, 8);
  const shown = await send('{ node(id: "b1") { ... on Book { title likeCount viewerHasLiked } } }');
  assert.deepEqual({ ...shown.data.node }, { title: 'Emma', likeCount: 8, viewerHasLiked: true });
});
