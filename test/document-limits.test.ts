import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeExecutableSchema } from '@graphql-tools/schema';
import fc from 'fast-check';
import {
  getIntrospectionQuery,
  getLocation,
  Kind,
  parse,
  Source,
  visit,
  type ASTNode,
  type GraphQLSchema,
} from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { placeOf } from '../src/graphql/places.ts';
import { scalars } from '../src/graphql/scalars.ts';
import { refusalOf, TOKENS_MAX } from '../src/http/document-limits.ts';
import { Validation } from '../src/http/validation.ts';
import { runs } from './support/full.ts';

const ROOT = join(import.meta.dirname, '..');

let schema: GraphQLSchema;
beforeAll(async () => {
  const typeDefs = await readFile(join(ROOT, 'schema.graphql'), 'utf8');
  schema = makeExecutableSchema({ typeDefs, resolvers: scalars });
});

const errorsOf = (text: string) =>
  new Validation(schema, true).errorsOf(parse(text, { maxLexicalTokens: TOKENS_MAX })).map(({ message }) => message);

const many = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');

/** Returns the number of map look-ups during a call. GraphQL compares fields by them. */
function lookupsIn(run: () => void): number {
  let lookups = 0;
  const counted = ['get', 'has'].map((name) => {
    const method = Object.getOwnPropertyDescriptor(Map.prototype, name) as TypedPropertyDescriptor<() => unknown>;
    const value = function (this: unknown, ...args: []) {
      lookups++;
      return method.value?.apply(this, args);
    };
    Object.defineProperty(Map.prototype, name, { ...method, value });
    return [name, method] as const;
  });
  try {
    run();
  } finally {
    for (const [name, method] of counted) Object.defineProperty(Map.prototype, name, method);
  }
  return lookups;
}

/**
 * Documents whose fragments and fields require many comparisons, within the other limits or not.
 */
const crowded = fc
  .record({
    fragments: fc.integer({ min: 1, max: 90 }),
    sides: fc.integer({ min: 1, max: 8 }),
    repetitions: fc.integer({ min: 1, max: 60 }),
    levels: fc.integer({ min: 0, max: 12 }),
    spreads: fc.integer({ min: 0, max: 12 }),
    fields: fc.shuffledSubarray(
      ['id', 'title', 'a: isbn', 'likeTally { count }', 'likers(first: 1, after: "x") { totalCount { value } }'],
      { minLength: 1 },
    ),
    wrong: fc.constantFrom('', 'unknown', 'title: isbn', '...Unknown'),
  })
  .map(({ fragments, sides, repetitions, levels, spreads, fields, wrong }) => {
    const body = fields.join(' ');
    const nested = (index: number) => (index < levels ? many(spreads, (at) => `...F${index + 1 + at}`) : '');
    const all = Array.from(
      { length: fragments },
      (_, index) => `fragment F${index} on Book { ${index % 3 === 0 ? body : (fields[0] ?? '')} ${nested(index)} }`,
    );
    const side = `book(isbn: "x") { ${many(fragments, (index) => `...F${index}`)} ${wrong} }`;
    return `{ ${many(sides, () => side)} ${many(repetitions, () => `book(isbn: "x") { ${body} }`)} } ${all.join(' ')}`;
  });

describe('the work of validating a document', () => {
  test('is bounded for any repetitions and fragment spreads', () => {
    fc.assert(
      fc.property(crowded, (text) => {
        let document;
        try {
          document = parse(text, { maxLexicalTokens: TOKENS_MAX });
        } catch {
          return;
        }
        const validation = new Validation(schema, true);
        expect(lookupsIn(() => validation.errorsOf(document))).toBeLessThan(100_000);
      }),
      { numRuns: runs(150) },
    );
  });

  test('is not done for documents over the limits', () => {
    const fan = (of: string, count: number) => many(count, (index) => `...${of}${index}`);
    const fragments = (of: string, count: number) =>
      many(count, (index) => `fragment ${of}${index} on Book { id title }`);
    const doubled = many(10, (index) => `fragment F${index} on Query { ...F${index + 1} ...F${index + 1} }`);
    expect([
      errorsOf(`{ book(isbn: "x") { ${fan('A', 150)} } } ${fragments('A', 150)}`),
      errorsOf(
        `{ book(isbn: "x") { ${fan('A', 60)} } book(isbn: "x") { ${fan('B', 60)} } } ${fragments('A', 60)} ${fragments('B', 60)}`,
      ),
      errorsOf(`{ ${many(150, () => 'book(isbn: "x") { id }')} }`),
      errorsOf(`{ ${fan('Unknown', 900)} }`),
    ]).toEqual(Array.from({ length: 4 }, () => [expect.stringMatching(/stand at one place/)]));
    expect(
      errorsOf(`{ ...F0 } ${doubled} fragment F10 on Query { nodes(ids: [${many(900, () => '"x"')}]) { id } }`),
    ).toEqual([expect.stringMatching(/at most 4000 are allowed/)]);
    expect(errorsOf('{ ...A } fragment A on Query { ...B } fragment B on Query { viewer { id } ...A }')).toEqual([
      expect.stringMatching(/contains itself/),
    ]);
  });

  test('ends after a few errors', () => {
    expect(errorsOf(`{ ${many(390, (index) => `unknown${index}`)} }`)).toHaveLength(11);
    expect(errorsOf(`query (${many(390, (index) => `$v${index}: Unknown${index}`)}) { viewer { id } }`)).toHaveLength(
      11,
    );
  });
});

describe('a document that frontends send is allowed', () => {
  test('of this project', async () => {
    const folders = ['examples', 'examples/web/src', 'test/guide/__generated__'];
    const files = await Promise.all(
      folders.map(async (folder) =>
        (await readdir(join(ROOT, folder)))
          .map((file) => join(ROOT, folder, file))
          .filter((file) => /\.(graphql|ts)$/.test(file)),
      ),
    );
    const texts = await Promise.all(files.flat().map((file) => readFile(file, 'utf8')));
    const documents = texts.flatMap((text, index) =>
      files.flat()[index]?.endsWith('.graphql')
        ? [text]
        : [...text.matchAll(/"text": ("(?:[^"\\]|\\.)*")/g)].map(([, json = '']) => JSON.parse(json) as string),
    );
    expect(documents.length).toBeGreaterThan(10);
    for (const text of documents) expect(refusalOf(parse(text)), text).toBeUndefined();
  });

  test('with dozens of fragments, as of Relay', () => {
    const parts = many(
      40,
      (index) => `fragment Part${index} on Query { viewer { id __typename } ...Books${index % 8} }`,
    );
    const books = many(
      8,
      (index) =>
        `fragment Books${index} on Query { books(first: 5, genre: "x") { edges { node { __typename id title ...Card${index % 4} } cursor } pageInfo { hasNextPage endCursor } } }`,
    );
    const cards = many(4, (index) => `fragment Card${index} on Book { id isbn likeTally { count isExact } }`);
    expect(errorsOf(`{ ${many(40, (index) => `...Part${index}`)} } ${parts} ${books} ${cards}`)).toEqual([]);
  });

  test('of introspection', () => {
    const everything = { inputValueDeprecation: true, oneOf: true, schemaDescription: true, specifiedByUrl: true };
    expect(errorsOf(getIntrospectionQuery(everything))).toEqual([]);
  });
});

test('a node of a document has the same place as in GraphQL', () => {
  const line = fc.constantFrom(' ', '\n', '\r', '\r\n', ',', '#\n', '# é\r\n', '\t');
  const text = fc.array(line, { minLength: 30, maxLength: 30 }).map((gaps) => {
    const at = (index: number) => gaps[index] ?? ' ';
    return `query${at(0)} Q (${at(1)}$a:${at(2)}Int${at(3)}=${at(4)}1${at(5)}@a)${at(6)}@b(c:${at(7)}{d:${at(8)}["""x${at(9)}"""${at(10)}]})${at(11)}{${at(12)}a:${at(13)}b${at(14)}(c${at(15)}:$a)${at(16)}@skip(if:${at(17)}true)${at(18)}{${at(19)}...F${at(20)}...on${at(21)} T${at(22)}{x${at(23)}}}}fragment${at(24)} F${at(25)} on${at(26)} T${at(27)}{y${at(28)}}`;
  });
  fc.assert(
    fc.property(text, (each) => {
      const [document, ours] = [parse(each), parse(each)];
      const expected: ReturnType<typeof getLocation>[] = [];
      visit(document, {
        enter: (node: ASTNode) => {
          if (node.kind !== Kind.DOCUMENT) expected.push(getLocation(new Source(each), node.loc?.start ?? -1));
        },
      });
      new Validation(schema, true).errorsOf(ours);
      const places: unknown[] = [];
      visit(ours, {
        enter: (node: ASTNode) => {
          const place = placeOf(node);
          if (node.kind !== Kind.DOCUMENT) places.push(place && { line: place.line, column: place.column });
        },
      });
      expect(places).toEqual(expected);
    }),
  );
});
