import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { INPUT_ERRORS_MAX } from '../src/graphql/inputs.ts';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import type { Client } from './support/client.ts';
import {
  callersOf,
  errorAt,
  LIBRARY,
  LONG,
  MUTATIONS,
  send,
  testInput,
  type Callers,
  type InputCase,
} from './support/input-errors.ts';

/**
 * A mutation reports everything that is wrong with its input at once, before anything is read,
 * hashed, counted or written. No message repeats the input.
 */

let server: TestServer;
let callers: Callers;
let clients: Callers['clients'];
let viewerId: string;

beforeAll(async () => {
  server = await startServer(await sharedKeyspace({ PASSKEY_ORIGINS: 'https://books.example' }));
  callers = await callersOf(server);
  ({ clients } = callers);
  ({ viewerId } = clients.reader);
});

const PRICE = { amount: '1e9', currency: 'nonsense' };
const VISIT = { device: LONG, sessionId: 'nonsense' };
const BOOK = {
  title: ' ',
  originalTitle: LONG,
  authors: ['An Author', ' ', LONG],
  publishedYear: 3_000,
  languageCode: 'nonsense!',
  genres: [LONG],
  publisher: ' ',
  pages: 0,
  publishedOn: '1998-02-30',
  coverUrl: 'javascript:alert(1)',
  workId: 'nonsense',
  otherIsbns: ['0439023483', '0439023484'],
  series: [{ name: '#!', position: '3-1' }],
  description: '\u202E',
};
const WRONG_OF_BOOK = Object.keys(BOOK).flatMap((field) =>
  field === 'series' ? ['series.0.name', 'series.0.position'] : field,
);
const OLD = { id: '6e0b3f6e-7f0c-4b8e-9f57-0d7c2d1a5c11', at: '2020-01-01T00:00:00Z' };

const CASES: Readonly<Record<string, InputCase>> = {
  register: {
    who: 'anybody',
    input: { email: 'x', password: '', fullName: '', ...VISIT },
    wrong: ['email', 'password', 'fullName', 'device', 'sessionId'],
  },
  login: {
    who: 'anybody',
    input: { email: 'x', password: '', ...VISIT },
    wrong: ['device', 'sessionId'],
    never: ['email', 'password', 'code'],
  },
  refreshTokens: { who: 'anybody', input: { refreshToken: 'x' }, wrong: ['refreshToken'] },
  logout: { who: 'reader', wrong: [], never: ['password'] },
  startSession: { who: 'anybody', input: { device: LONG }, wrong: ['device'] },
  endSession: { who: 'reader', input: { sessionId: LIBRARY }, wrong: ['sessionId'], never: ['password'] },
  requestPasswordReset: { who: 'anybody', input: { email: 'x' }, wrong: ['email'] },
  resetPassword: {
    who: 'anybody',
    input: { token: 'x', password: 'password', ...VISIT },
    wrong: ['token', 'password', 'device', 'sessionId'],
    never: ['code'],
  },
  requestEmailVerification: { who: 'reader', wrong: [] },
  verifyEmail: { who: 'anybody', input: { token: 'x' }, wrong: ['token'] },
  updateProfile: { who: 'reader', input: { fullName: '' }, wrong: ['fullName'] },
  updatePrivacy: { who: 'reader', wrong: [] },
  changeEmail: { who: 'reader', input: { email: 'x', password: '' }, wrong: ['email'], never: ['password', 'code'] },
  changePassword: {
    who: 'reader',
    input: { password: '', newPassword: '' },
    wrong: ['newPassword'],
    never: ['password', 'code'],
  },
  startTwoFactor: { who: 'reader', wrong: [], never: ['password'] },
  confirmTwoFactor: { who: 'reader', input: { code: 'x' }, wrong: ['code'] },
  stopTwoFactor: { who: 'reader', input: { password: '', code: 'x' }, wrong: ['code'], never: ['password'] },
  startPasskey: { who: 'reader', wrong: [], never: ['password', 'code'] },
  addPasskey: { who: 'reader', input: { name: ' ', response: {} }, wrong: ['name'], never: ['response'] },
  removePasskey: { who: 'reader', wrong: [], never: ['credentialId', 'password', 'code'] },
  startPasskeyLogin: { who: 'anybody', wrong: [] },
  loginWithPasskey: {
    who: 'anybody',
    input: { response: { id: 'nonsense' }, ...VISIT },
    wrong: ['response', 'device', 'sessionId'],
  },
  deleteAccount: { who: 'reader', wrong: [], never: ['password', 'code'] },
  like: { who: 'reader', input: { id: LIBRARY }, wrong: ['id'] },
  unlike: { who: 'reader', input: { id: 'x' }, wrong: ['id'] },
  follow: { who: 'reader', input: { id: LIBRARY }, wrong: ['id'] },
  unfollow: { who: 'reader', input: { id: 'x' }, wrong: ['id'] },
  markAsRead: {
    who: 'reader',
    input: { bookId: 'x', finishedOn: '2020-01-01', startedOn: '1800-01-01', readAt: '1800-01-01T00:00:00Z' },
    wrong: ['bookId', 'finishedOn', 'readAt', 'startedOn'],
  },
  updateReading: {
    who: 'reader',
    input: { bookId: LIBRARY, readingId: 'x', finishedOn: '2999-01-01', startedOn: '1800-01-01' },
    wrong: ['bookId', 'readingId', 'finishedOn', 'startedOn'],
  },
  unmarkAsRead: { who: 'reader', input: { bookId: LIBRARY }, wrong: ['bookId'] },
  contactSeller: {
    who: 'reader',
    input: { itemId: LIBRARY, message: ' ', showsMyEmail: false },
    wrong: ['itemId', 'message', 'showsMyEmail'],
  },
  setReadingStatus: {
    who: 'reader',
    input: { bookId: LIBRARY, status: 'READING', progress: 101, startedOn: '2999-01-01' },
    wrong: ['bookId', 'progress', 'startedOn'],
  },
  recordView: { who: 'reader', input: { bookId: 'x' }, wrong: ['bookId'] },
  recordClicks: {
    who: 'anybody',
    input: {
      sessionId: LIBRARY,
      clicks: [
        OLD,
        { ...OLD, at: new Date().toISOString(), target: 'good' },
        { ...OLD, target: LONG, subjectId: 'x', properties: [{ name: '', value: LONG }] },
      ],
    },
    wrong: [
      'sessionId',
      'clicks.0.at',
      'clicks.2.at',
      'clicks.2.target',
      'clicks.2.subjectId',
      'clicks.2.properties.0.name',
      'clicks.2.properties.0.value',
    ],
    never: ['clicks.id'],
  },
  listItem: {
    who: 'reader',
    input: { bookId: LIBRARY, price: PRICE, condition: 'GOOD', title: ' ', place: LONG, idempotencyKey: '' },
    wrong: ['bookId', 'price.amount', 'price.currency', 'title', 'place', 'idempotencyKey'],
  },
  changePrice: {
    who: 'reader',
    input: { itemId: 'x', price: PRICE },
    wrong: ['itemId', 'price.amount', 'price.currency'],
  },
  withdrawItem: { who: 'reader', input: { itemId: LIBRARY }, wrong: ['itemId'] },
  markAsSold: { who: 'reader', input: { itemId: 'x' }, wrong: ['itemId'] },
  addBook: { who: 'administrator', input: { isbn: 'nonsense', ...BOOK }, wrong: ['isbn', ...WRONG_OF_BOOK] },
  updateBook: { who: 'administrator', input: { bookId: 'x', ...BOOK }, wrong: ['bookId', ...WRONG_OF_BOOK] },
  mapImportShelf: { who: 'reader', input: { importId: 'x', shelf: '', becomes: 'READ' }, wrong: ['importId', 'shelf'] },
  resolveImportRow: {
    who: 'reader',
    input: { importId: LIBRARY, line: 0, bookId: 'x' },
    wrong: ['importId', 'line', 'bookId'],
  },
  publishImportedReviews: { who: 'reader', input: { importId: LIBRARY }, wrong: ['importId'] },
  undoImport: { who: 'reader', input: { importId: LIBRARY }, wrong: ['importId'] },
  block: { who: 'reader', input: { id: LIBRARY }, wrong: ['id'] },
  unblock: { who: 'reader', input: { id: 'x' }, wrong: ['id'] },
  report: { who: 'reader', input: { id: LIBRARY, reason: 'SPAM', comment: LONG }, wrong: ['id', 'comment'] },
  decideReport: {
    who: 'administrator',
    input: { id: 'x', status: 'OPEN', note: LONG },
    wrong: ['id', 'status', 'note'],
  },
  suspendAccount: { who: 'administrator', input: { id: LIBRARY, reason: ' ' }, wrong: ['id', 'reason'] },
  reinstateAccount: { who: 'administrator', input: { id: 'x', reason: LONG }, wrong: ['id', 'reason'] },
  takeDown: { who: 'administrator', input: { id: LIBRARY, reason: '' }, wrong: ['id', 'reason'] },
};

test('every mutation has a case, here or in the test of its feature', () => {
  const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.test.ts'));
  const elsewhere = files.flatMap((file) =>
    [...readFileSync(join(import.meta.dirname, file), 'utf8').matchAll(/^ *testInput\(\s*'(\w+)'/gm)].map(
      ([, name]) => name,
    ),
  );
  expect([...Object.keys(CASES), ...elsewhere].toSorted()).toEqual(Object.keys(MUTATIONS).toSorted());
});

for (const [name, input] of Object.entries(CASES)) testInput(name, input, () => callers);

const codesAndPaths = async (client: Client, name: string, input: Record<string, unknown>) => {
  const { data } = await send(client, name, input);
  return (data[name].userErrors as { code: string; path: string[] }[]).map(({ code, path }) => ({ code, path }));
};

describe('a field that depends on another field', () => {
  test('a password is compared with the name or email that is valid', async () => {
    const register = (input: object) =>
      codesAndPaths(clients.anybody, 'register', { email: 'x', fullName: '', password: 'correct horse', ...input });
    const guessed = 'somebody-known';
    expect(await register({ password: guessed })).toEqual([errorAt('email'), errorAt('fullName')]);
    expect(await register({ password: guessed, email: `${guessed}@example.com` })).toEqual([
      errorAt('password'),
      errorAt('fullName'),
    ]);
    expect(await register({ password: guessed, fullName: 'Somebody Known' })).toEqual([
      errorAt('email'),
      errorAt('password'),
    ]);
  });

  test('an amount may have any digits while its currency is invalid', async () => {
    const change = (amount: string) =>
      codesAndPaths(clients.reader, 'changePrice', { itemId: 'x', price: { amount, currency: 'X' } });
    expect(await change('1.2345')).toEqual([errorAt('itemId'), errorAt('price.currency')]);
    expect(await change('0.00')).toEqual([errorAt('itemId'), errorAt('price.amount'), errorAt('price.currency')]);
  });

  test('a report is not about the reporter', async () => {
    const input = { id: viewerId, reason: 'SPAM', comment: LONG };
    expect(await codesAndPaths(clients.reader, 'report', input)).toEqual([errorAt('id'), errorAt('comment')]);
  });

  test('clicks from outside their session are all reported at once, if the rest is valid', async () => {
    const client = server.client();
    const { session } = await client.mutate('startSession', {}, 'session { id }');
    const click = (ago: number, more = {}) => ({ ...OLD, at: new Date(Date.now() - ago).toISOString(), ...more });
    const before = [click(3_600_000), click(0), click(7_200_000)];
    const record = (clicks: object[]) => codesAndPaths(client, 'recordClicks', { sessionId: session.id, clicks });
    expect(await record([...before, click(0, { target: LONG })])).toEqual([errorAt('clicks.3.target')]);
    expect(await record(before)).toEqual([errorAt('clicks.0.at'), errorAt('clicks.2.at')]);
    expect(await record([click(0)])).toEqual([]);
  });
});

test(`a long list has at most ${INPUT_ERRORS_MAX} errors reported, and a list that is too long has only that error`, async () => {
  const record = (count: number) =>
    codesAndPaths(clients.anybody, 'recordClicks', {
      sessionId: 'x',
      clicks: Array.from({ length: count }, () => OLD),
    });
  expect(await record(500)).toEqual([
    errorAt('sessionId'),
    ...Array.from({ length: INPUT_ERRORS_MAX - 1 }, (_, index) => errorAt(`clicks.${index}.at`)),
  ]);
  expect(await record(501)).toEqual([errorAt('sessionId'), errorAt('clicks')]);
});
