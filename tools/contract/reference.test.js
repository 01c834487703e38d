import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildSchema, isSpecifiedScalarType, isIntrospectionType } from 'graphql';
import { pagesOf } from './reference-pages.js';

const TEXT = readFileSync(join(import.meta.dirname, '../../schema.graphql'), 'utf8');

const fieldsOf = (schema) =>
  [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap((type) =>
    Object.keys(type?.getFields() ?? {}),
  );
const typesOf = (schema) =>
  Object.values(schema.getTypeMap()).filter((type) => !isSpecifiedScalarType(type) && !isIntrospectionType(type));
const namesOf = (schema) => typesOf(schema).map(({ name }) => name);

test('each field and type is on one page, and those for administrators are not on the page of readers', () => {
  const whole = buildSchema(TEXT);
  const readers = buildSchema(pagesOf(TEXT).readers);
  const administrators = buildSchema(pagesOf(TEXT).administrators);

  assert.deepEqual([...fieldsOf(readers), ...fieldsOf(administrators)].sort(), fieldsOf(whole).sort());
  assert.deepEqual(new Set([...namesOf(readers), ...namesOf(administrators)]), new Set(namesOf(whole)));
  for (const name of ['reports', 'clicks', 'suspendAccount', 'addBook'])
    assert.deepEqual([fieldsOf(readers).includes(name), fieldsOf(administrators).includes(name)], [false, true]);
  for (const name of ['Report', 'Decision', 'SuspendAccountInput', 'AddBookInput'])
    assert.deepEqual([namesOf(readers).includes(name), namesOf(administrators).includes(name)], [false, true]);
});

test('the page of administrators names the types of readers without their fields', () => {
  const { administrators } = pagesOf(
    `
    type Query {
      "A book."
      book(id: ID!): Book
      "The books of a reader. For\n administrators; anyone else gets FORBIDDEN."
      secret(of: Kind): Secret
    }
    type Mutation { "A change." change(kind: Kind): Book  "For administrators." remove: Secret }
    interface Node { id: ID! }
    type Book implements Node { id: ID! title: String }
    type Secret { book: Book node: Node }
    enum Kind { ONE OTHER }
  `.replace(/"(The books[^"]*)"/, '"""$1"""'),
  );
  assert.match(administrators, /scalar Book\n/);
  assert.match(administrators, /scalar Kind\n/);
  assert.match(administrators, /type Secret \{\n {2}book: Book\n {2}node: Node\n\}/);
  assert.doesNotMatch(administrators, /title/);
});
