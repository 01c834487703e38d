import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { Subscriber } from '../tools/support/subscriber.ts';
import type { TestServer } from './support/app.ts';
import { ownBooks } from './support/books.ts';
import type { Client } from './support/client.ts';
import { expectToNeedSession, startTwoServers } from './support/live.ts';

/** Changes of the viewer's own data, told to their other devices. Two servers share a keyspace. */

const CHANGED = 'subscription { viewerChanged { kinds } }';
const ALL = ['LIKES', 'READINGS', 'RATINGS', 'REVIEWS', 'LISTS', 'COPIES', 'IMPORTS', 'PROFILE', 'NOTIFICATIONS'];

let one: TestServer;
let other: TestServer;

beforeAll(async () => {
  [one, other] = await startTwoServers();
});

async function watch(client: Client) {
  const subscriber = await Subscriber.begin(client, CHANGED);
  onTestFinished(() => {
    subscriber.close();
  });
  const kinds = async () => (await subscriber.next())?.data.viewerChanged.kinds as string[];
  expect(await kinds()).toEqual(ALL);
  return kinds;
}

test('another device learns each kind of data that a reader changes, on any server', async () => {
  const [book = '', second = ''] = await ownBooks(one.app, 2);
  const reader = await one.client().registerSomebody();
  const device = await other.client().login(reader.email);
  const kinds = await watch(device);

  await reader.like(book);
  expect(await kinds()).toEqual(['LIKES']);
  // A second act within the same ten seconds is told as well.
  await reader.like(second);
  expect(await kinds()).toEqual(['LIKES']);
  await reader.mutate('markAsRead', { bookId: book }, 'book { id }');
  expect(await kinds()).toEqual(['READINGS']);
  await reader.mutate('rateBook', { bookId: book, rating: 4 }, 'changed');
  expect(await kinds()).toEqual(['RATINGS']);
  await reader.mutate('writeReview', { bookId: book, text: 'Good.', hasSpoilers: false }, 'review { id }');
  expect(await kinds()).toEqual(['REVIEWS']);
  await reader.mutate('createList', { name: 'Mine', audience: 'ONLY_ME' }, 'list { id }');
  expect(await kinds()).toEqual(['LISTS']);
  const price = { amount: '5.00', currency: 'EUR' };
  await reader.mutate('listItem', { bookId: book, price, condition: 'GOOD' }, 'item { id }');
  expect(await kinds()).toEqual(['COPIES']);
  await reader.mutate('updateProfile', { fullName: 'Somebody else' }, 'viewer { id }');
  expect(await kinds()).toEqual(['PROFILE']);
  const file = 'Title,Author,Bookshelves\nA Book That Nobody Knows,Ann Lee,read\n';
  expect((await reader.importMyLibrary(file)).status).toBeLessThan(300);
  // The end of an import is a notification, too.
  expect(await kinds()).toContain('IMPORTS');
});

test('a reader learns that others have caused a notification, and that another device has read it', async () => {
  const [bookId = ''] = await ownBooks(one.app, 1);
  const [reader, somebody] = await Promise.all([one, other].map((server) => server.client().registerSomebody()));
  const { review } = await reader!.mutate(
    'writeReview',
    { bookId, text: 'Good.', hasSpoilers: false },
    'review { id }',
  );
  const kinds = await watch(await other.client().login(reader!.email));
  const unread = async () => (await reader!.data('{ viewer { unreadNotificationCount } }')).viewer;

  await somebody!.like(review.id);
  expect(await kinds()).toEqual(['NOTIFICATIONS']);
  expect(await unread()).toEqual({ unreadNotificationCount: 1 });
  await somebody!.mutate('follow', { id: reader!.viewerId }, 'changed');
  expect(await kinds()).toEqual(['NOTIFICATIONS']);
  await reader!.mutate('markNotificationsRead', { until: new Date().toISOString() }, 'viewer { id }');
  expect(await kinds()).toEqual(['NOTIFICATIONS']);
  await somebody!.like(bookId);
  await reader!.like(bookId);
  expect(await kinds()).toEqual(['LIKES']);
});

test('a reader learns nothing of others, nor of a mutation that changes nothing', async () => {
  const [book = ''] = await ownBooks(one.app, 1);
  const [reader, somebody] = await Promise.all([one, other].map((server) => server.client().registerSomebody()));
  await reader!.mutate('rateBook', { bookId: book, rating: 4 }, 'changed');
  const kinds = await watch(reader!);
  await somebody!.like(book);
  await reader!.mutate('rateBook', { bookId: book, rating: 4 }, 'changed');
  await reader!.mutate('updateProfile', { fullName: '' }, 'viewer { id }');
  await reader!.mutate('markAsRead', { bookId: book }, 'book { id }');
  expect(await kinds()).toEqual(['READINGS']);
});

test('nobody watches their data signed out, or after they have logged out or deleted their account', async () => {
  await expectToNeedSession(CHANGED, { one, other });
});
