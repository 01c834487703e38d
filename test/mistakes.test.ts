import { randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { encodeId } from '../src/graphql/ids.ts';
import { ownBooks } from './support/books.ts';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { runs } from './support/full.ts';

/** Any mistake of a caller is reported as a client error, never as an internal error. */

let server: TestServer;

beforeAll(async () => {
  server = await startServer(await sharedKeyspace());
});

const UUID_OF_NO_VERSION = '00000000-0000-0000-0000-000000000001';

test.each(['User', 'Item', 'Session'] as const)('an unknown id of a %s finds nobody', async (type) => {
  const id = encodeId({ type, key: UUID_OF_NO_VERSION });
  const { errors, data } = await server.client().send('query ($id: ID!) { node(id: $id) { id } }', { id });
  expect(errors).toBeUndefined();
  expect(data).toEqual({ node: null });
});

test('an unknown copy is not found', async () => {
  const client = await server.client().registerSomebody();
  const { userErrors } = await client.mutate(
    'like',
    { id: encodeId({ type: 'Item', key: UUID_OF_NO_VERSION }) },
    'changed',
  );
  expect(userErrors).toMatchObject([{ code: 'NOT_FOUND', path: ['input', 'id'] }]);
});

test.each([0, 1, 64, 65, 1_000])('%i random bytes are no refresh token', async (bytes) => {
  const input = { refreshToken: randomBytes(bytes).toString('base64url') };
  const { userErrors } = await server.client().mutate('refreshTokens', input, 'accessToken');
  expect(userErrors).toMatchObject([{ code: 'INVALID_TOKEN', path: ['input', 'refreshToken'] }]);
});

test('an email of 70,000 characters finds no account', async () => {
  const email = `${'x'.repeat(70_000)}@example.com`;
  const { userErrors } = await server.client().mutate('login', { email, password: 'x' }, 'accessToken');
  expect(userErrors).toMatchObject([{ code: 'INVALID_CREDENTIALS' }]);
});

test.each([2 ** 31, -(2 ** 31) - 1, 1.5, '1', null])(
  'a cursor whose popularity is %j is refused',
  async (popularity) => {
    const books = 'query ($after: String) { books(query: "book", first: 1, after: $after) { edges { cursor } } }';
    await ownBooks(server.app, 2);
    const { data } = await server.client().send(books);
    const decoded = Buffer.from(data.books.edges[0].cursor as string, 'base64url').toString();
    expect(decoded).toMatch(/"popularity":\d/);
    const changed = decoded.replace(/"popularity":\d+/, `"popularity":${JSON.stringify(popularity)}`);
    const after = Buffer.from(changed).toString('base64url');
    const answer = await server.client().send(books, { after });
    expect(answer.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  },
);

test.each(['\u0000', '\uD800', '\u0000'.repeat(200)])(
  'a place called %j has nothing in it, or is refused',
  async (place) => {
    const places =
      'query ($place: String!) { states(country: $place) { edges { cursor } } cities(country: "US", state: $place) { edges { cursor } } }';
    const { errors = [] } = await server.client().send(places, { place });
    for (const { extensions } of errors) expect(extensions.code).toBe('BAD_USER_INPUT');
  },
);

const HIDDEN = [
  ['a turn of direction', 'Ann\u202EeeL'],
  ['a note without a head', 'Ann\u{1D159}'],
  ['a place for an object', '\uFFFC'],
] as const;
const BLANK = [
  ['an invisible filler', '\u3164'],
  ['a blank of braille', '\u2800'],
  ['a zero-width space alone', '\u200B'],
] as const;

const invalid = (field: string) => [{ code: 'INVALID_INPUT', path: ['input', field] }];

test.each([
  ...HIDDEN,
  ...BLANK,
  ['only an accent', '\u0301'],
  ['a line break', 'Ann\nLee'],
  ['a line break of Unicode', 'Ann\u2028Lee'],
  ['a heap of accents', `A${'\u0334'.repeat(9)}nn`],
] as const)('a name with %s is refused', async (_what, fullName) => {
  const reader = await server.client().registerSomebody('Ann Lee');
  const { userErrors } = await reader.mutate('updateProfile', { fullName }, 'viewer { id }');
  expect(userErrors).toMatchObject(invalid('fullName'));
  expect((await reader.data('{ viewer { fullName } }')).viewer).toEqual({ fullName: 'Ann Lee' });
});

test.each([
  ['Ann    Lee', 'Ann Lee'],
  ['Ann\u00A0\u3000\tLee', 'Ann Lee'],
  ['Ann \u200B \u2800 Lee', 'Ann Lee'],
  ['\uFEFFAnn\u00AD Lee\u200B', 'Ann Lee'],
  ['An\u200Dn', 'Ann'],
])('the name %j is stored as %j, and stays so when saved again', async (given, fullName) => {
  const reader = await server.client().registerSomebody('Somebody');
  for (const name of [given, fullName]) {
    const { viewer } = await reader.mutate('updateProfile', { fullName: name }, 'viewer { fullName }');
    expect(viewer).toEqual({ fullName });
  }
});

test('limits count characters, and the message explains that', async () => {
  const reader = await server.client().registerSomebody();
  const [bookId] = await ownBooks(server.app, 1);
  const copy = { bookId, price: { amount: '5', currency: 'EUR' }, condition: 'GOOD' };
  const title = '𠮷'.repeat(500);
  const { item } = await reader.mutate('listItem', { ...copy, title }, 'item { title }');
  expect(item).toEqual({ title });
  const { userErrors } = await reader.mutate('listItem', { ...copy, title: `${title}𠮷` }, 'item { title }');
  expect(userErrors).toMatchObject(invalid('title'));
  expect(userErrors[0].message).toContain('A title has 1 to 500 characters, all of them visible');
  expect(userErrors[0].message).toContain('has 501 of them');
});

test('every limit counts a character of two UTF-16 units as one', async () => {
  const reader = await server.client().registerSomebody();
  const many = (count: number) => '𠮷'.repeat(count);
  for (const [length, isFine] of [
    [200, true],
    [201, false],
  ] as const) {
    const { session, userErrors } = await reader.mutate(
      'startSession',
      { device: many(length) },
      'session { id device }',
    );
    expect(userErrors).toMatchObject(isFine ? [] : invalid('device'));
    if (isFine) expect(session.device).toBe(many(length));
    const places = 'query ($place: String!) { states(country: $place) { edges { cursor } } }';
    expect((await reader.send(places, { place: many(length) })).errors === undefined).toBe(isFine);
  }
  const { session } = await reader.mutate('startSession', {}, 'session { id startedAt }');
  const click = (target: string, name: string, value: string) => ({
    id: randomUUID(),
    at: session.startedAt as string,
    target,
    properties: [{ name, value }],
  });
  const record = (...clicks: object[]) =>
    reader.mutate('recordClicks', { sessionId: session.id as string, clicks }, 'recorded');
  expect(await record(click(many(500), many(100), many(500)))).toEqual({ recorded: 1, userErrors: [] });
  const { userErrors } = await record(click(many(501), many(101), many(501)));
  expect(userErrors.map(({ path }: { path: string[] }) => path.at(-1))).toEqual(['target', 'name', 'value']);
});

test('an accepted text is unchanged when saved again', async () => {
  const client = server.client();
  const odd = fc.constantFrom(
    ...Array.from(' \u00A0\u2800\u200C\u200D\uFE0F\u0301\u202E\u2028\uFFFCaéß❤👩🚀کम\u094Dर葛\u{E0101}\uD800'),
  );
  const text = fc
    .array(fc.oneof(odd, fc.string({ unit: 'binary', maxLength: 2 })), { maxLength: 12 })
    .map((parts) => parts.join(''));
  const save = async (device: string) =>
    (await client.mutate('startSession', { device }, 'session { device }')).session?.device as
      string | null | undefined;
  await fc.assert(
    fc.asyncProperty(text, async (given) => {
      const stored = await save(given);
      if (stored == null) return;
      expect(stored).toMatch(/[\p{L}\p{N}\p{P}\p{S}]/u);
      expect(await save(stored)).toBe(stored);
    }),
    { numRuns: runs(50) },
  );
});

test.each([...HIDDEN, ...BLANK])('the title of a copy, and a device, with %s are refused', async (_what, text) => {
  const reader = await server.client().registerSomebody();
  const [bookId] = await ownBooks(server.app, 1);
  const copy = { bookId, price: { amount: '5', currency: 'EUR' }, condition: 'GOOD', title: text };
  expect((await reader.mutate('listItem', copy, 'item { id }')).userErrors).toMatchObject(invalid('title'));
  expect((await reader.data('{ viewer { listings { edges { cursor } } } }')).viewer.listings.edges).toEqual([]);

  const { userErrors } = await reader.mutate('startSession', { device: text }, 'session { id }');
  expect(userErrors).toMatchObject(invalid('device'));
});

test.each([
  'می‌خواهم',
  'क्‍ष',
  '李小龙',
  'O’Brien',
  'José',
  'Ann 👩‍🚀',
  'Ann ❤️',
  '👨‍👩‍👧 Lee',
  '☺︎',
  '葛󠄁城',
  '🏴󠁧󠁢󠁳󠁣󠁴󠁿',
  '𠮷'.repeat(100),
])('the name %s stays as it was given', async (fullName) => {
  const reader = await server.client().registerSomebody('Ann Lee');
  const { viewer } = await reader.mutate('updateProfile', { fullName }, 'viewer { fullName }');
  expect(viewer).toEqual({ fullName });
});
