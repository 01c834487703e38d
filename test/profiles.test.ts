import { beforeAll, describe, expect, test } from 'vitest';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { registerAdministrator } from './support/accounts.ts';
import { ownBooks } from './support/books.ts';
import type { Client } from './support/client.ts';

/** The texts of readers about themselves, and their pictures. */

const HOST = 'faces.example';
const avatarUrl = `https://${HOST}/ann.png`;
const PROFILE = 'fullName bio avatarUrl';

let server: TestServer;

beforeAll(async () => {
  server = await startServer(await sharedKeyspace({ AVATAR_HOSTS: `${HOST},other.example:8443` }));
});

const update = (reader: Client, input: Record<string, unknown>) =>
  reader.mutate('updateProfile', input, `viewer { ${PROFILE} }`);
const seenBy = async (caller: Client, reader: Client) =>
  (await caller.data(`query ($id: ID!) { user(id: $id) { ${PROFILE} } }`, { id: reader.viewerId })).user as unknown;

test('everybody sees them, and what is not given is unchanged', async () => {
  const reader = await server.client().registerSomebody('Ann');
  expect(await seenBy(reader, reader)).toEqual({ fullName: 'Ann', bio: null, avatarUrl: null });

  const { viewer } = await update(reader, { bio: ' I  read.\n\n\n\nA lot. ', avatarUrl });
  const whole = { fullName: 'Ann', bio: 'I read.\n\nA lot.', avatarUrl };
  expect(viewer).toEqual(whole);
  expect(await seenBy(server.client(), reader)).toEqual(whole);

  const changes: [input: Record<string, unknown>, changed: object][] = [
    [{}, {}],
    [{ fullName: null }, {}],
    [{ fullName: 'Anne' }, { fullName: 'Anne' }],
    [{ bio: null }, { bio: null }],
    [
      { avatarUrl: null, bio: 'Again.', fullName: 'Ann' },
      { avatarUrl: null, bio: 'Again.', fullName: 'Ann' },
    ],
    [{ avatarUrl: 'https://other.example:8443/1' }, { avatarUrl: 'https://other.example:8443/1' }],
  ];
  let expected: object = whole;
  for (const [input, changed] of changes) {
    expected = { ...expected, ...changed };
    expect((await update(reader, input)).viewer).toEqual(expected);
    expect(await seenBy(server.client(), reader)).toEqual(expected);
  }
});

test('a list of likers has the picture of each', async () => {
  const readers = await Promise.all(['Ann', 'Bob'].map((name) => server.client().registerSomebody(name)));
  const [bookId = ''] = await ownBooks(server.app, 1);
  for (const reader of readers) await reader.like(bookId);
  await update(readers[0]!, { avatarUrl });
  const query = `{ node(id: "${bookId}") { ... on Book { likers { nodes { fullName avatarUrl } } } } }`;
  const { node } = await server.client().data(query);
  expect(node.likers.nodes).toEqual([
    { fullName: 'Bob', avatarUrl: null },
    { fullName: 'Ann', avatarUrl },
  ]);
});

describe('is refused, and nothing is changed:', () => {
  test.each([
    ['bio', ' \n '],
    ['bio', 'x'.repeat(501)],
    ['bio', 'a\u{1D159}'],
    ['avatarUrl', ''],
    ['avatarUrl', `http://${HOST}/ann.png`],
    ['avatarUrl', 'https://example.com/ann.png'],
    ['avatarUrl', `https://${HOST}@example.com/ann.png`],
    ['avatarUrl', `https://ann@${HOST}/ann.png`],
    ['avatarUrl', `https://${HOST}:8443/ann.png`],
    ['avatarUrl', 'javascript:alert(1)'],
    ['avatarUrl', 'data:image/png;base64,AA=='],
    ['avatarUrl', `https://${HOST}/${'x'.repeat(500)}`],
  ])('%s, case %#', async (field, text) => {
    const reader = await server.client().registerSomebody('Kept');
    const { viewer, userErrors } = await update(reader, { fullName: 'New', [field]: text });
    expect([viewer, userErrors]).toMatchObject([null, [{ code: 'INVALID_INPUT', path: ['input', field] }]]);
    expect(await seenBy(reader, reader)).toEqual({ fullName: 'Kept', bio: null, avatarUrl: null });
  });
});

test('where no host is allowed any longer no picture is shown, and none can be chosen', async () => {
  const reader = await server.client().registerSomebody('Ann');
  await update(reader, { avatarUrl });
  const plain = await startServer({ ...server.app.config, avatarHosts: [] });
  const there = plain.client();
  there.token = reader.token;
  expect(await seenBy(there, reader)).toMatchObject({ avatarUrl: null });
  const { userErrors } = await update(there, { avatarUrl });
  expect(userErrors).toMatchObject([{ path: ['input', 'avatarUrl'] }]);
  expect(await seenBy(server.client(), reader)).toMatchObject({ avatarUrl });
});

test('are taken down with the name of the reader, and again if the name is neutral already', async () => {
  const administrator = await registerAdministrator(server);
  const reader = await server.client().registerSomebody('Something bad');
  const takeDown = () =>
    administrator.mutate(
      'takeDown',
      { id: reader.viewerId, reason: 'It offends' },
      `node { ... on User { ${PROFILE} } } changed`,
    );
  const bare = { fullName: 'Reader', bio: null, avatarUrl: null };
  for (const isFirst of [true, false]) {
    await update(reader, { bio: 'Something worse', avatarUrl });
    expect(await takeDown(), String(isFirst)).toMatchObject({ node: bare, changed: true });
    expect(await takeDown()).toMatchObject({ node: bare, changed: false });
  }
  // The neutral name was taken from nobody.
  expect((await update(reader, { fullName: 'Else' })).viewer).toMatchObject({ fullName: 'Else' });
  expect((await update(reader, { fullName: 'Reader' })).viewer).toMatchObject({ fullName: 'Reader' });
});
