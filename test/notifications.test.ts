import { beforeAll, describe, expect, test } from 'vitest';
import { registerAdministrator } from './support/accounts.ts';
import { ownKeyspace, startServer, testEnvironment, type TestServer } from './support/app.ts';
import { audited, auditOf } from './support/audit.ts';
import { ownBooks } from './support/books.ts';
import { PASSWORD, type Client } from './support/client.ts';
import { keyOf } from './support/ids.ts';
import { callersOf, testInput, type Callers } from './support/input-errors.ts';
import { untilImported } from './support/library-imports.ts';
import { listOf, markRead, notificationsOf, reviewOf as reviewBy, unreadOf } from './support/notifications.ts';

/** Readers are notified of followers, of likes of their reviews and lists, and of ended imports. */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let server: TestServer;
let callers: Callers;
let now = Date.UTC(2026, 11, 30, 20);

beforeAll(async () => {
  const config = await ownKeyspace(testEnvironment({ ACCESS_TOKEN_SECONDS: '86400' }));
  server = await startServer(config, { clock: () => new Date((now += 10)) });
  callers = await callersOf(server);
});

const somebody = (name?: string) => server.client().registerSomebody(name);
const reviewOf = (reader: Client) => reviewBy(server, reader);
const some = (count: number) => Promise.all(Array.from({ length: count }, (_, index) => somebody(`Reader ${index}`)));

/** Logs a reader in again, whose access token has expired. */
const again = (reader: Client) => {
  reader.token = undefined;
  return reader.login(reader.email);
};

/** The notifications of a reader, each as a sentence. */
const told = async (reader: Client): Promise<string[]> =>
  (await notificationsOf(reader)).map(({ kind, count, readers }) =>
    [kind, count, ...readers.map(({ fullName }) => fullName)].join(' '),
  );

const follow = (reader: Client, followed: Client) => reader.mutate('follow', { id: followed.viewerId }, 'changed');

const noDrift = async () =>
  expect(await audited(server.app, [auditOf('likes'), auditOf('follows'), auditOf('imports')])).toMatchObject({
    drift: [],
  });

describe('a notification', () => {
  test('has the exact number of readers who like a review, and the newest of them', async () => {
    const [ann, readers] = [await somebody(), await some(5)];
    const id = await reviewOf(ann);
    for (const reader of readers) await reader.like(id);
    await readers[0]!.like(id);
    await readers[4]!.unlike(id);
    await readers[4]!.unlike(id);
    expect(await notificationsOf(ann)).toEqual([
      {
        kind: 'REVIEW_LIKED',
        at: expect.any(String),
        isRead: false,
        count: 4,
        readers: [3, 2, 1].map((index) => ({ fullName: `Reader ${index}` })),
        subject: { id },
      },
    ]);
    await noDrift();
  });

  test('is about a list as well, and the thing with the newest like comes first', async () => {
    const [ann, [one, other]] = [await somebody(), await some(2)];
    const [review, list] = [await reviewOf(ann), await listOf(ann)];
    await one!.like(review);
    await one!.like(list);
    expect(await told(ann)).toEqual(['LIST_LIKED 1 Reader 0', 'REVIEW_LIKED 1 Reader 0']);
    await other!.like(review);
    expect(await told(ann)).toEqual(['REVIEW_LIKED 2 Reader 1 Reader 0', 'LIST_LIKED 1 Reader 0']);
    await noDrift();
  });

  test('has the exact number of followers', async () => {
    const [ann, readers] = [await somebody(), await some(3)];
    for (const reader of readers) await follow(reader, ann);
    expect(await told(ann)).toEqual(['FOLLOWED 3 Reader 2 Reader 1 Reader 0']);
    expect((await notificationsOf(ann)).map(({ subject }) => subject.id)).toEqual([ann.viewerId]);
    await readers[2]!.mutate('unfollow', { id: ann.viewerId }, 'changed');
    await ann.mutate('block', { id: readers[0]!.viewerId }, 'changed');
    expect(await told(ann)).toEqual(['FOLLOWED 1 Reader 1']);
    await ann.mutate('unblock', { id: readers[0]!.viewerId }, 'changed');
    expect(await told(ann)).toEqual(['FOLLOWED 1 Reader 1']);
    await follow(readers[0]!, ann);
    expect(await told(ann)).toEqual(['FOLLOWED 2 Reader 0 Reader 1']);
    await noDrift();
  });

  test('is about no like of one’s own, nor of a book or a copy', async () => {
    const [ann, bob, [bookId = '']] = [await somebody(), await somebody(), await ownBooks(server.app, 1)];
    const [id, list] = [await reviewOf(ann), await listOf(ann)];
    const price = { amount: '5', currency: 'EUR' };
    const { item } = await ann.mutate('listItem', { bookId, price, condition: 'GOOD' }, 'item { id }');
    for (const each of [id, list, bookId]) await ann.like(each);
    for (const each of [item.id as string, bookId]) await bob.like(each);
    expect(await notificationsOf(ann)).toEqual([]);
    expect(await unreadOf(ann)).toBe(0);
    await bob.like(id);
    await ann.unlike(id);
    await ann.like(id);
    expect(await told(ann)).toEqual(['REVIEW_LIKED 1 Somebody']);
    await noDrift();
  });

  test('is on the day of the newest like that is left', async () => {
    const [ann, [one, other]] = [await somebody(), await some(2)];
    const [first, second] = [await reviewOf(ann), await reviewOf(ann)];
    now = (Math.floor(now / DAY) + 1) * DAY - HOUR;
    await one!.like(first);
    await one!.like(second);
    now += 2 * HOUR;
    await other!.like(first);
    const subjects = async () => (await notificationsOf(ann)).map(({ subject }) => subject.id);
    expect(await subjects()).toEqual([first, second]);
    await other!.unlike(first);
    expect(await subjects()).toEqual([second, first]);
    await other!.like(first);
    expect(await subjects()).toEqual([first, second]);
    await one!.unlike(second);
    expect(await subjects()).toEqual([first]);
    await noDrift();
  });

  test('is gone after 90 days, and back with the next like', async () => {
    const [ann, bob, cid] = [await somebody(), await somebody('Bob'), await somebody('Cid')];
    const id = await reviewOf(ann);
    await bob.like(id);
    now += 89 * DAY;
    await again(ann);
    expect(await told(ann)).toEqual(['REVIEW_LIKED 1 Bob']);
    now += DAY;
    await Promise.all([again(ann), again(cid)]);
    expect(await told(ann)).toEqual([]);
    await cid.like(id);
    expect(await told(ann)).toEqual(['REVIEW_LIKED 2 Cid Bob']);
    callers = await callersOf(server);
  });

  test('goes with the review or the list', async () => {
    const [ann, bob, [bookId]] = [await somebody(), await somebody(), await ownBooks(server.app, 1)];
    const input = { bookId, text: 'Good', hasSpoilers: false };
    const { review } = await ann.mutate('writeReview', input, 'review { id }');
    const list = await listOf(ann);
    for (const id of [review.id as string, list]) await bob.like(id);
    expect(await told(ann)).toHaveLength(2);
    await ann.mutate('deleteReview', { bookId }, 'changed');
    await ann.mutate('deleteList', { listId: list }, 'changed');
    expect(await notificationsOf(ann)).toEqual([]);
    expect(await unreadOf(ann)).toBe(0);

    await ann.mutate('writeReview', input, 'review { id }');
    expect(await notificationsOf(ann)).toEqual([]);
    await noDrift();
  });

  test('counts more readers than it shows, and shows at most 20', async () => {
    const [ann, readers] = [await somebody(), await some(23)];
    const id = await reviewOf(ann);
    for (const reader of readers) await reader.like(id);
    const query = (first: number) => `{ viewer { notifications { nodes { count readers(first: ${first}) { id } } } } }`;
    const newest = readers.map(({ viewerId }) => ({ id: viewerId })).toReversed();
    for (const first of [0, 1, 20])
      expect((await ann.data(query(first))).viewer.notifications.nodes).toEqual([
        { count: 23, readers: newest.slice(0, first) },
      ]);
    for (const first of [-1, 21]) expect(await ann.errorCode(query(first))).toBe('BAD_USER_INPUT');
  });

  test('says that an import has ended, and again when it was run again', async () => {
    const ann = await somebody();
    const file = Buffer.from('Title,Author,Bookshelves,Exclusive Shelf\nNo Such Book,Nobody,odd,read\n');
    const { id } = await untilImported(ann, file);
    const [first] = await notificationsOf(ann);
    expect(first).toEqual({
      kind: 'IMPORT_ENDED',
      at: expect.any(String),
      isRead: false,
      count: 0,
      readers: [],
      subject: { id },
    });
    await untilImported(ann, file);
    const [second, ...others] = await notificationsOf(ann);
    expect(others).toEqual([]);
    expect(Date.parse(second!.at)).toBeGreaterThan(Date.parse(first!.at));
    await ann.mutate('undoImport', { importId: id }, 'viewer { id }');
    await expect.poll(() => notificationsOf(ann)).toEqual([]);
    await noDrift();
  });

  test('is its reader’s own', async () => {
    const [ann, bob] = [await somebody(), await somebody()];
    await bob.like(await reviewOf(ann));
    const own = 'notifications { nodes { count } } unreadNotificationCount notificationSettings { reviewLiked }';
    const query = `{ node(id: "${ann.viewerId}") { ... on User { ${own} } } }`;
    const nothing = { notifications: null, unreadNotificationCount: null, notificationSettings: null };
    for (const caller of [bob, server.client()]) expect((await caller.data(query)).node).toEqual(nothing);
    expect((await ann.data(query)).node).toEqual({
      notifications: { nodes: [{ count: 1 }] },
      unreadNotificationCount: 1,
      notificationSettings: { reviewLiked: true },
    });
  });
});

describe('readers who are hidden', () => {
  test('from the viewer by a block are in no notification, whoever blocks whom, until it ends', async () => {
    const [ann, bob, cid] = [await somebody(), await somebody('Bob'), await somebody('Cid')];
    const [id, list] = [await reviewOf(ann), await listOf(ann)];
    for (const each of [id, list]) await bob.like(each);
    await cid.like(id);
    await bob.mutate('block', { id: ann.viewerId }, 'changed');
    expect(await told(ann)).toEqual(['REVIEW_LIKED 1 Cid']);
    await ann.mutate('block', { id: cid.viewerId }, 'changed');
    expect(await told(ann)).toEqual([]);
    expect(await unreadOf(ann)).toBe(0);
    await bob.mutate('unblock', { id: ann.viewerId }, 'changed');
    await ann.mutate('unblock', { id: cid.viewerId }, 'changed');
    expect(await told(ann)).toEqual(['REVIEW_LIKED 2 Cid Bob', 'LIST_LIKED 1 Bob']);
  });

  test('with their likes count, and are not named', async () => {
    const [ann, bob, cid] = [await somebody(), await somebody('Bob'), await somebody('Cid')];
    const id = await reviewOf(ann);
    for (const reader of [bob, cid]) await reader.like(id);
    await bob.mutate('updatePrivacy', { likes: 'ONLY_ME' }, 'viewer { id }');
    expect(await told(ann)).toEqual(['REVIEW_LIKED 2 Cid']);
    const administrator = await registerAdministrator(server);
    await administrator.mutate('suspendAccount', { id: cid.viewerId, reason: 'A test' }, 'changed');
    expect(await told(ann)).toEqual(['REVIEW_LIKED 2']);
  });

  test('because their likes are for followers are named to those who follow them', async () => {
    const [ann, bob] = [await somebody(), await somebody('Bob')];
    await bob.like(await reviewOf(ann));
    await bob.mutate('updatePrivacy', { likes: 'FOLLOWERS' }, 'viewer { id }');
    expect(await told(ann)).toEqual(['REVIEW_LIKED 1']);
    await follow(ann, bob);
    expect(await told(ann)).toEqual(['REVIEW_LIKED 1 Bob']);
    await ann.mutate('unfollow', { id: bob.viewerId }, 'changed');
    expect(await told(ann)).toEqual(['REVIEW_LIKED 1']);
  });

  test('because their account is deleted leave nothing', async () => {
    const [ann, bob, cid] = [await somebody(), await somebody('Bob'), await somebody('Cid')];
    const [id, list] = [await reviewOf(ann), await listOf(ann)];
    for (const each of [id, list]) await bob.like(each);
    await cid.like(id);
    await bob.mutate('deleteAccount', { password: PASSWORD }, '__typename');
    expect(await told(ann)).toEqual(['REVIEW_LIKED 1 Cid']);
    await ann.mutate('deleteAccount', { password: PASSWORD }, '__typename');
    expect(await server.rowsAbout([keyOf(ann.viewerId), keyOf(bob.viewerId)])).toEqual(['users_by_id']);
  });
});

describe('reading notifications', () => {
  testInput(
    'markNotificationsRead',
    { who: 'reader', input: { until: '9999-12-31T23:59:59.999Z' }, wrong: ['until'] },
    () => callers,
  );

  test('goes up to a moment, and never back', async () => {
    const [ann, bob] = [await somebody(), await somebody()];
    const ids = [await reviewOf(ann), await reviewOf(ann), await listOf(ann)];
    for (const id of ids) await bob.like(id);
    const [third, second, first] = await notificationsOf(ann);
    expect(await unreadOf(ann)).toBe(3);
    const isRead = async () => (await notificationsOf(ann)).map((each) => each.isRead);

    expect(await markRead(ann, second!.at)).toEqual({ viewer: { unreadNotificationCount: 1 }, userErrors: [] });
    expect(await isRead()).toEqual([false, true, true]);
    for (const until of [first!.at, '0001-01-01T00:00:00.000Z', second!.at])
      expect(await markRead(ann, until)).toMatchObject({ viewer: { unreadNotificationCount: 1 } });
    expect(await markRead(ann, third!.at)).toMatchObject({ viewer: { unreadNotificationCount: 0 } });
    expect(await markRead(ann, first!.at)).toMatchObject({ viewer: { unreadNotificationCount: 0 } });

    await (await somebody()).like(ids[0]!);
    expect(await unreadOf(ann)).toBe(1);
    expect((await notificationsOf(ann)).map(({ isRead, count }) => [isRead, count])).toEqual([
      [false, 2],
      [true, 1],
      [true, 1],
    ]);
  });

  test('goes no further than the clocks of servers may differ', async () => {
    const ann = await somebody();
    expect(await markRead(ann, now + 4 * 60_000)).toMatchObject({ userErrors: [] });
    expect(await markRead(ann, now + 6 * 60_000)).toMatchObject({
      viewer: null,
      userErrors: [{ code: 'INVALID_INPUT', path: ['input', 'until'] }],
    });
  });

  test('a reader without any can mark them as read before the first one', async () => {
    const [ann, bob] = [await somebody(), await somebody()];
    expect(await markRead(ann, now)).toMatchObject({ viewer: { unreadNotificationCount: 0 } });
    now += 1_000;
    await bob.like(await reviewOf(ann));
    expect(await unreadOf(ann)).toBe(1);
  });
});

describe('the settings', () => {
  testInput('updateNotificationSettings', { who: 'reader', wrong: [] }, () => callers);

  const SETTINGS =
    'viewer { notificationSettings { followed reviewLiked listLiked importEnded } unreadNotificationCount }';
  const set = (reader: Client, input: object) =>
    reader.mutate('updateNotificationSettings', { ...input }, SETTINGS) as Promise<{ viewer: unknown }>;

  test('switch kinds off and on, at once and also for what has happened', async () => {
    const [ann, bob] = [await somebody(), await somebody('Bob')];
    const [review, list] = [await reviewOf(ann), await listOf(ann)];
    for (const id of [review, list]) await bob.like(id);
    const on = { followed: true, reviewLiked: true, listLiked: true, importEnded: true };
    expect(await set(ann, {})).toEqual({
      viewer: { notificationSettings: on, unreadNotificationCount: 2 },
      userErrors: [],
    });
    const off = { ...on, reviewLiked: false };
    expect((await set(ann, { reviewLiked: false })).viewer).toEqual({
      notificationSettings: off,
      unreadNotificationCount: 1,
    });
    expect(await told(ann)).toEqual(['LIST_LIKED 1 Bob']);
    expect((await set(ann, { listLiked: false, reviewLiked: null })).viewer).toMatchObject({
      notificationSettings: { ...off, listLiked: false },
    });
    expect(await told(ann)).toEqual([]);
    await (await somebody('Cid')).like(review);
    expect((await set(ann, { reviewLiked: true })).viewer).toMatchObject({ unreadNotificationCount: 1 });
    expect(await told(ann)).toEqual(['REVIEW_LIKED 2 Cid Bob']);
  });

  test('of several calls at once are all kept', async () => {
    const ann = await somebody();
    await Promise.all(
      ['followed', 'reviewLiked', 'listLiked', 'importEnded'].map((name) => set(ann, { [name]: false })),
    );
    expect((await set(ann, {})).viewer).toMatchObject({
      notificationSettings: { followed: false, reviewLiked: false, listLiked: false, importEnded: false },
    });
    const text = await (await ann.exportMyData()).text();
    expect(JSON.parse(text)).toMatchObject({
      users_by_id: [{ mutedNotifications: ['FOLLOWED', 'IMPORT_ENDED', 'LIST_LIKED', 'REVIEW_LIKED'] }],
    });
  });
});

describe('the rows of notifications', () => {
  test('are exported to their reader', async () => {
    const [ann, bob] = [await somebody(), await somebody()];
    const id = await reviewOf(ann);
    await bob.like(id);
    const [{ at } = { at: '' }] = await notificationsOf(ann);
    await markRead(ann, at);
    expect(JSON.parse(await (await ann.exportMyData()).text())).toMatchObject({
      notices_by_user: [{ day: at.slice(0, 10), kind: 'REVIEW_LIKED', subject: `Review:${keyOf(id)}` }],
      notification_marks_by_user: [{ readUntil: at }],
    });
  });

  test('are written again by an audit if they are missing', async () => {
    const [ann, bob] = [await somebody(), await somebody('Bob')];
    // An unfinished job follows the like of a review, and an audit waits for its end.
    await bob.like(await listOf(ann));
    const file = 'Title,Author,Bookshelves,Exclusive Shelf\nNo Such Book,Nobody,odd,read\n';
    await untilImported(ann, Buffer.from(file));
    await follow(bob, ann);
    await server.app.cassandra.client.execute('TRUNCATE notices_by_user');
    expect(await told(ann)).toEqual([]);
    for (const kind of ['likes', 'follows', 'imports']) {
      const { drift } = await audited(server.app, [auditOf(kind)], { repair: true });
      expect(drift.length).toBeGreaterThan(0);
      expect(drift).toEqual(drift.map((each) => ({ ...each, table: 'notices_by_user', repaired: true })));
    }
    expect(await told(ann)).toEqual(['FOLLOWED 1 Bob', 'IMPORT_ENDED 0', 'LIST_LIKED 1 Bob']);
    await noDrift();
  });
  test('are written again by an audit if they are older than the newest like', async () => {
    const [ann, bob, cid] = [await somebody(), await somebody(), await somebody()];
    const id = await listOf(ann);
    await bob.like(id);
    const [{ at: first } = { at: '' }] = await notificationsOf(ann);
    await markRead(ann, first);
    await cid.like(id);
    expect(await unreadOf(ann)).toBe(1);

    const { client } = server.app.cassandra;
    await client.execute('TRUNCATE notices_by_user');
    await client.execute(
      'INSERT INTO notices_by_user (user_id, day, kind, subject_id, newest_at) VALUES (?, ?, ?, ?, ?) USING TIMESTAMP 1',
      [keyOf(ann.viewerId), first.slice(0, 10), 'LIST_LIKED', `BookList:${keyOf(id)}`, new Date(first)],
      { prepare: true },
    );
    expect(await unreadOf(ann)).toBe(0);
    const likes = [auditOf('likes')];
    await audited(server.app, likes, { repair: true });
    expect(await unreadOf(ann)).toBe(1);
    expect(await audited(server.app, likes)).toMatchObject({ drift: [] });
  });
});
