import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, isEnumType, isInterfaceType } from 'graphql';
import { expect, test } from 'vitest';
import { handlersOf } from '../src/app/job-handlers.ts';
import { nodeTypes } from '../src/app/workers.ts';
import type { AppContext, JobHandler } from '../src/context/context.ts';

/** The combined parts that features contribute. */

const app = {} as AppContext;

/** A part with two pages that records what it does. */
const part =
  (done: string[], name: string): JobHandler =>
  (_app, key, position) => {
    done.push(`${name} of ${key} from '${position}'`);
    return Promise.resolve(position === '' ? 'the middle' : undefined);
  };

test('a kind of job runs the parts of all features in order, and the last parts at the end', async () => {
  const done: string[] = [];
  const { RETITLE } = handlersOf([
    {
      jobs: {
        RETITLE: [
          { name: 'likes', work: part(done, 'likes') },
          { name: 'likes-of-copies', work: part(done, 'likes of copies'), isLast: true },
        ],
      },
    },
    {},
    { jobs: { RETITLE: [{ name: 'copies', work: part(done, 'copies') }] } },
  ]);

  const positions: string[] = [];
  for (let position: string | undefined = ''; position !== undefined;) {
    position = await RETITLE?.(app, 'a book', position, 'Book:a book');
    if (position !== undefined) positions.push(position);
  }
  expect(positions).toEqual([
    'likes the middle',
    'copies ',
    'copies the middle',
    'likes-of-copies ',
    'likes-of-copies the middle',
  ]);
  expect(done).toEqual(
    ['likes', 'copies', 'likes of copies'].flatMap((name) => [
      `${name} of a book from ''`,
      `${name} of a book from 'the middle'`,
    ]),
  );
});

test('a kind of job of one feature stores its positions unchanged', async () => {
  const { RENAME } = handlersOf([{ jobs: { RENAME: part([], 'likes') } }, {}]);
  expect(await RENAME?.(app, 'a reader', '', 'User:a reader')).toBe('the middle');
});

test.each([
  ['one of them without parts', part([], 'likes'), [{ name: 'copies', work: part([], 'copies') }]],
  ['both without parts', part([], 'likes'), part([], 'copies')],
  ['parts of the same name', [{ name: 'likes', work: part([], 'likes') }], [{ name: 'likes', work: part([], 'more') }]],
])('two features with the same kind of job, %s, are refused', (_what, one, other) => {
  expect(() => handlersOf([{ jobs: { RETITLE: one } }, { jobs: { RETITLE: other } }])).toThrow('RETITLE');
});

test('the types of the schema that have ids and can be liked are those that features declare', () => {
  const schema = buildSchema(readFileSync(join(import.meta.dirname, '../schema.graphql'), 'utf8'));
  const possibleTypes = (name: string) => {
    const type = schema.getType(name);
    return isInterfaceType(type) ? schema.getPossibleTypes(type).map((possible) => possible.name) : [];
  };
  const likeables = Object.entries(nodeTypes).filter(([, { likeable }]) => likeable);
  const kinds = schema.getType('LikeableKind');

  expect(Object.keys(nodeTypes).toSorted()).toEqual(possibleTypes('Node').toSorted());
  expect(likeables.map(([name]) => name).toSorted()).toEqual(possibleTypes('Likeable').toSorted());
  expect(likeables.map(([, { likeable }]) => likeable?.kind).toSorted()).toEqual(
    isEnumType(kinds) &&
      kinds
        .getValues()
        .map(({ name }) => name)
        .toSorted(),
  );
});
