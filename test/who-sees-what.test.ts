import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { registerAdministrator } from './support/accounts.ts';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { ownBooks } from './support/books.ts';
import type { Client } from './support/client.ts';

/** The table “What readers make” in docs/security.md: each row is requested by each caller. */

const CALLERS = ['signed out', 'signed in', 'a follower', 'blocked', 'the reader', 'an administrator'] as const;
type Caller = (typeof CALLERS)[number];

/** Readers of each kind have made the same things. */
const READERS = ['for EVERYONE', 'for SIGNED_IN', 'for FOLLOWERS', 'for ONLY_ME', 'suspended', 'taken down'] as const;
type Reader = (typeof READERS)[number];

/** The ids of a reader, and of what they have made. */
interface Made {
  readonly reader: string;
  readonly list: string;
  readonly someList: string;
  readonly listOfFollowers: string;
  readonly ownList: string;
  readonly review: string;
  /** A review that does not show its author's rating. */
  readonly otherReview: string;
  readonly book: string;
  readonly import: string;
}

let server: TestServer;
let administrator: Client;
const made = new Map<Reader, Made>();
const owners = new Map<Reader, Client>();
const blocked = new Map<Reader, Client>();
const followers = new Map<Reader, Client>();
let signedIn: Client;

const YEAR = 2026;

async function make(what: Reader): Promise<void> {
  const [owner, other, liker, follower] = await Promise.all(
    [1, 2, 3, 4].map(() => server.client().registerSomebody('Ann Lee')),
  );
  const [book, otherBook] = (await ownBooks(server.app, 2)) as [string, string];
  const audience = what.startsWith('for ') ? what.slice('for '.length) : 'EVERYONE';
  const privacy = { likes: audience, readings: audience };
  await owner!.mutate('updatePrivacy', privacy, 'viewer { id }');
  const lists: string[] = [];
  for (const each of ['EVERYONE', 'SIGNED_IN', 'FOLLOWERS', 'ONLY_ME']) {
    const { list } = await owner!.mutate(
      'createList',
      { name: 'Name', description: 'Text', audience: each },
      'list { id }',
    );
    await owner!.mutate('addToList', { listId: list.id, bookId: book, note: 'Note' }, 'changed');
    lists.push(list.id as string);
  }
  const text = { text: 'Text', hasSpoilers: true, language: 'en' };
  const withoutRating = { bookId: otherBook, ...text, showsRating: false };
  const { review: otherReview } = await owner!.mutate('writeReview', withoutRating, 'review { id }');
  const { review } = await owner!.mutate('writeReview', { bookId: book, ...text }, 'review { id }');
  await owner!.mutate('writeReview', { bookId: book, ...text, text: 'Other text' }, 'review { id }');
  for (const bookId of [book, otherBook]) await owner!.mutate('rateBook', { bookId, rating: 3.5 }, 'changed');
  await owner!.mutate('markAsRead', { bookId: book, readAt: `${String(YEAR)}-02-03T12:00:00Z` }, 'book { id }');
  await owner!.mutate('setReadingGoal', { year: YEAR, books: 12 }, '__typename');
  await owner!.like(book);
  for (const id of [lists[0]!, review.id as string]) await liker!.like(id);
  const file = 'Title,Author,Bookshelves\nNo book of the catalogue,Nobody,read\n';
  const { id } = (await (await owner!.importMyLibrary(file)).json()) as { id: string };
  await owner!.mutate('follow', { id: liker!.viewerId }, 'changed');
  for (const each of [follower!, other!]) await each.mutate('follow', { id: owner!.viewerId }, 'changed');
  await owner!.mutate('updatePrivacy', { approvesFollowers: true }, 'viewer { id }');
  await liker!.mutate('follow', { id: owner!.viewerId }, 'changed');
  await owner!.mutate('block', { id: other!.viewerId }, 'changed');
  const reason = 'A test';
  if (what === 'taken down')
    for (const each of [lists[0]!, review.id, otherReview.id])
      await administrator.mutate('takeDown', { id: each, reason }, 'changed');
  if (what === 'suspended') await administrator.mutate('suspendAccount', { id: owner!.viewerId, reason }, 'changed');

  owners.set(what, owner!);
  blocked.set(what, other!);
  followers.set(what, follower!);
  const [list, someList, listOfFollowers, ownList] = lists as [string, string, string, string];
  const reviews = { review: review.id as string, otherReview: otherReview.id as string };
  const madeLists = { list, someList, listOfFollowers, ownList };
  made.set(what, { reader: owner!.viewerId, ...madeLists, ...reviews, book, import: id });
}

beforeAll(async () => {
  server = await startServer(await sharedKeyspace());
  administrator = await registerAdministrator(server);
  signedIn = await server.client().registerSomebody();
  await Promise.all(READERS.map(make));
});

/** Returns a caller; `undefined` if a reader who is suspended cannot call. */
const callerOf = (caller: Caller, reader: Reader): Client | undefined =>
  ({
    'signed out': server.client(),
    'signed in': signedIn,
    'a follower': followers.get(reader),
    blocked: blocked.get(reader),
    'the reader': reader === 'suspended' ? undefined : owners.get(reader),
    'an administrator': administrator,
  })[caller];

type Sees = (caller: Caller, reader: Reader) => boolean;

/** Everybody who sees the reader at all. */
const seers: Sees = (caller, reader) => caller === 'the reader' || (caller !== 'blocked' && reader !== 'suspended');
const unlessTakenDown: Sees = (caller, reader) =>
  seers(caller, reader) && (reader !== 'taken down' || caller === 'the reader' || caller === 'an administrator');
/** The callers who belong to the audience of a reader. */
const isMeant: Sees = (caller, reader) => {
  if (reader === 'for SIGNED_IN') return caller !== 'signed out';
  if (reader === 'for FOLLOWERS') return caller === 'a follower';
  return reader !== 'for ONLY_ME';
};
const asAudience: Sees = (caller, reader) =>
  seers(caller, reader) && (caller === 'the reader' || isMeant(caller, reader));
const both =
  (one: Sees, other: Sees): Sees =>
  (caller, reader) =>
    one(caller, reader) && other(caller, reader);
const signedInOnes: Sees = (caller, reader) => seers(caller, reader) && caller !== 'signed out';
const theReader: Sees = (caller) => caller === 'the reader';
const followersAndReader: Sees = (caller, reader) =>
  seers(caller, reader) && (caller === 'a follower' || caller === 'the reader');
const administrators: Sees = (caller) => caller === 'an administrator';
const everybody: Sees = () => true;

type Answer = Awaited<ReturnType<Client['data']>>;

/**
 * A row of the table: the callers who should see the thing, the query for it, and a test whether an
 * answer contains it.
 */
interface Row {
  readonly sees: Sees;
  readonly ask: (ids: Made) => string;
  readonly has: (node: Answer, ids: Made) => unknown;
}

const rowOf =
  (key: keyof Made, type: string) =>
  (sees: Sees, fields: string, has: Row['has'] = () => true): Row => ({
    sees,
    ask: (ids) => `{ node(id: "${ids[key]}") { ... on ${type} { ${fields} } } }`,
    has: (node, ids) => node !== null && has(node, ids),
  });
const ofList = rowOf('list', 'BookList');
const ofReview = rowOf('review', 'Review');
const ofReader = rowOf('reader', 'User');
const ofBook = rowOf('book', 'Book');

interface Connected {
  readonly nodes: readonly ({ readonly id: string } | null)[];
}
const hasId = ({ nodes }: Connected, id: string) => nodes.some((node) => node?.id === id);
const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

const ROWS: Readonly<Record<string, Row>> = {
  'a list for `EVERYONE`: name, description, owner, entries, notes': ofList(
    unlessTakenDown,
    'title name description owner { id } entries { count { value } edges { note node { id } } }',
    ({ name, description, owner, entries }) =>
      name === 'Name' && description && owner && entries.edges[0].note && entries.count.value === 1,
  ),
  'a list for `SIGNED_IN`': rowOf('someList', 'BookList')(signedInOnes, 'name'),
  'a list for `FOLLOWERS`': rowOf('listOfFollowers', 'BookList')(followersAndReader, 'name'),
  'a list for `ONLY_ME`': rowOf('ownList', 'BookList')(theReader, 'name'),
  'the audience of a list': ofList(theReader, 'audience', ({ audience }) => audience),
  'a list among those of its reader': ofReader(
    unlessTakenDown,
    'lists { nodes { id } count { value } }',
    ({ lists }, { list }) => lists.count.value === lists.nodes.length && hasId(lists, list),
  ),
  'who likes a list, and how many do': ofList(
    unlessTakenDown,
    'likeCount likers { nodes { id } }',
    ({ likeCount, likers }) => likeCount === 1 && likers.nodes.length === 1,
  ),
  'a review: text, language, spoiler flag, author': ofReview(
    unlessTakenDown,
    'text language hasSpoilers author { id }',
    ({ text, language, author }) => text === 'Other text' && language === 'en' && author,
  ),
  'a review among those of its book, and of its reader': ofReader(
    unlessTakenDown,
    'reviews { nodes { id book { reviews { nodes { id } } } } }',
    ({ reviews }, { review }) => hasId(reviews, review) && hasId(reviews.nodes.find(Boolean).book.reviews, review),
  ),
  'who likes a review, and how many do': ofReview(
    unlessTakenDown,
    'likeCount likers { nodes { id } }',
    ({ likeCount, likers }) => likeCount === 1 && likers.nodes.length === 1,
  ),
  'why a list or review was taken down': ofReview(
    (caller, reader) => reader === 'taken down' && unlessTakenDown(caller, reader),
    'takenDownAt takenDownReason',
    ({ takenDownReason }) => takenDownReason,
  ),
  'the rating beside a review that shows it': ofReview(unlessTakenDown, 'rating', ({ rating }) => rating === 3.5),
  'the rating beside another review': rowOf('otherReview', 'Review')(
    both(asAudience, unlessTakenDown),
    'rating',
    ({ rating }) => rating === 3.5,
  ),
  'the former texts of a review': ofReview(
    both(administrators, unlessTakenDown),
    'history { text }',
    ({ history }) => history?.[0].text === 'Text',
  ),
  'what a reader has read, and how they rate it': ofReader(
    asAudience,
    'readBooks { nodes { id } } ratings { nodes { id } }',
    ({ readBooks, ratings }, { book }) => readBooks && ratings && hasId(readBooks, book) && hasId(ratings, book),
  ),
  'the statistics of a reader, and their goal': ofReader(
    asAudience,
    `statistics(year: ${String(YEAR)}) { books goal }`,
    ({ statistics }) => statistics?.goal === 12 && statistics.books === 1,
  ),
  'how many readers rate a book': ofBook(
    everybody,
    'ratingTally { count }',
    ({ ratingTally }) => ratingTally.count === 1,
  ),
  'mean and histogram of fewer than five ratings': ofBook(
    theReader,
    'ratingTally { average histogram }',
    ({ ratingTally: { average, histogram } }) => average !== null || sum(histogram) > 0,
  ),
  'the reading, rating and review of a book as the viewer’s own': ofBook(
    theReader,
    'viewerReading { status } viewerRating viewerReview { id }',
    ({ viewerReading, viewerRating, viewerReview }) => viewerReading ?? viewerRating ?? viewerReview,
  ),
  'how many readers like a thing that the caller sees': ofBook(
    everybody,
    'likeCount',
    ({ likeCount }) => likeCount === 1,
  ),
  'what a reader likes': ofReader(
    asAudience,
    'likes { nodes { id } }',
    ({ likes }, { book }) => likes && hasId(likes, book),
  ),
  'who it is among the likers': ofBook(asAudience, 'likers { nodes { id } }', ({ likers }, { reader }) =>
    hasId(likers, reader),
  ),
  'who follows a reader, and how many do': ofReader(
    seers,
    'followerTally { count } followers { totalCount }',
    ({ followerTally, followers: { totalCount } }) => followerTally.count === 1 && totalCount === 1,
  ),
  'whom a reader follows, and who it is among the followers': ofReader(
    asAudience,
    'following { nodes { id followers { nodes { id } } } }',
    ({ following }, { reader }) => following && hasId(following.nodes[0].followers, reader),
  ),
  'who asks to follow a reader': ofReader(
    theReader,
    'followRequests { nodes { id } }',
    ({ followRequests }) => followRequests?.nodes.length === 1,
  ),
  'imports, and books that the catalogue does not have': ofReader(
    theReader,
    'libraryImports { nodes { id } } unlistedBooks { count { value } }',
    ({ libraryImports, unlistedBooks }) => libraryImports ?? unlistedBooks,
  ),
  'an import by its id': rowOf('import', 'LibraryImport')(theReader, 'id'),
  'notifications, and which of them are read': ofReader(
    theReader,
    'notifications { nodes { count } } unreadNotificationCount',
    ({ notifications, unreadNotificationCount }) =>
      notifications?.nodes.length === 4 && unreadNotificationCount === notifications.nodes.length,
  ),
  'shelves, actions, sessions, looks, logins, security events': ofReader(
    theReader,
    'shelf(status: READ) { nodes { id } } actions { nodes { kind } } sessions { nodes { id } } recentlyViewed { nodes { id } } loginCount(last: "P1D") securityEvents { nodes { kind } }',
    (fields) => Object.values(fields).some((field) => field !== null),
  ),
};

describe('a caller sees of a reader', () => {
  test.each(Object.entries(ROWS))('%s', async (_thing, { sees, ask, has }) => {
    for (const reader of READERS) {
      const ids = made.get(reader)!;
      const answers = CALLERS.map(async (caller) => {
        const client = callerOf(caller, reader);
        if (!client) return;
        const { node } = await client.data(ask(ids));
        expect(Boolean(has(node, ids)), `${caller}, of a reader ${reader}`).toBe(sees(caller, reader));
      });
      await Promise.all(answers);
    }
  });

  test('what the reader themselves see as that caller', async () => {
    const fields = `id fullName email viewerFollows privacy { likes } shelf { nodes { id } }
      likes { nodes { id viewerHasLiked ... on Book { viewerRating likers { nodes { id } } } } }
      readBooks { nodes { id viewerReading { status } } } ratings { edges { rating } } statistics(year: ${YEAR}) { goal }
      lists { nodes { id audience owner { id } entries { nodes { id } } } count { value } }
      reviews { nodes { id rating viewerHasLiked takenDownReason history { text } } }`;
    const query = `query ($id: ID!, $seenBy: Audience) { user(id: $id, seenBy: $seenBy) { ${fields} } }`;
    for (const reader of READERS.filter((each) => each !== 'suspended')) {
      const id = made.get(reader)!.reader;
      const asOwner = (seenBy?: string) => owners.get(reader)!.data(query, { id, seenBy });
      expect(await asOwner('EVERYONE')).toEqual(await server.client().data(query, { id }));
      expect(await asOwner('SIGNED_IN')).toEqual(await signedIn.data(query, { id }));
      expect(await asOwner('FOLLOWERS')).toEqual(await followers.get(reader)!.data(query, { id }));
      expect(await asOwner('ONLY_ME')).toEqual(await asOwner());
      expect((await asOwner()).user.email).toBe(owners.get(reader)!.email);
    }
  });

  test('no more than before as somebody else', async () => {
    const { reader: id, book } = made.get('for EVERYONE')!;
    const owner = owners.get('for EVERYONE')!;
    const hidden = blocked.get('for EVERYONE')!;
    await hidden.like(book);
    const likers = `query ($id: ID!, $seenBy: Audience) {
      user(id: $id, seenBy: $seenBy) { likes { nodes { ... on Book { likeCount likers { nodes { id } } } } } }
    }`;
    const seen = await owner.data(likers, { id, seenBy: 'SIGNED_IN' });
    expect(seen.user.likes.nodes).toEqual([
      { likeCount: 2, likers: { nodes: expect.arrayContaining([null, { id }]) } },
    ]);

    const codes = async (client: Client, query: string) =>
      (await client.send(query, { id })).errors?.map(({ extensions }) => extensions.code);
    const alone = 'query ($id: ID!) { user(id: $id, seenBy: SIGNED_IN) { id } }';
    expect(await codes(owner, alone)).toBeUndefined();
    expect(await codes(hidden, alone)).toEqual(['FORBIDDEN']);
    expect(await codes(server.client(), alone)).toEqual(['UNAUTHENTICATED']);
    for (const others of ['viewer { email }', 'other: user(id: $id) { id }', '... on Query { rateLimit { cost } }'])
      expect(await codes(owner, alone.replace(/}$/, `${others} }`))).toContain('BAD_USER_INPUT');
    const fragment =
      'query ($id: ID!) { ...Two } fragment Two on Query { user(id: $id, seenBy: EVERYONE) { id } viewer { id } }';
    expect(await codes(owner, fragment)).toContain('BAD_USER_INPUT');
  });

  test('the things in the table of docs/security.md', async () => {
    const page = await readFile(join(import.meta.dirname, '../docs/security.md'), 'utf8');
    const [, table = ''] = page.split('### What readers make');
    const rows = [...table.split('\n## ')[0]!.matchAll(/^\| (?<thing>[^|]*?) *\|(?<cells>.*)\|$/gm)].slice(2);
    const said = rows.map(({ groups }) => [
      groups?.['thing'],
      groups?.['cells']?.split('|').map((cell) => cell.trim()),
    ]);
    const held = Object.entries(ROWS).map(([thing, { sees }]) => [thing, cellsOf(sees)]);
    expect(said).toEqual(held);
  });
});

/**
 * Returns the cells of a row: the audience for each caller, and the audience while the reader is
 * suspended, and after a take-down if that changes anything.
 */
function cellsOf(sees: Sees): string[] {
  const cellOf = (caller: Caller) => {
    const [all, some, few, own] = READERS.slice(0, 4).map((reader) => sees(caller, reader));
    if (all === own) return all ? 'yes' : 'no';
    if (few) return 'as `FOLLOWERS`';
    return some ? 'as `SIGNED_IN`' : 'as `EVERYONE`';
  };
  const others = (reader: Reader) => {
    if (CALLERS.every((caller) => sees(caller, reader) === sees(caller, 'for EVERYONE'))) return 'as before';
    const seen = CALLERS.filter((caller) => caller !== 'the reader' && sees(caller, reader));
    return seen.length === 0 ? 'nobody' : seen.map((caller) => `${caller.replace('an ', '')}s`).join(', ');
  };
  return [...CALLERS.map(cellOf), others('suspended'), others('taken down')];
}
