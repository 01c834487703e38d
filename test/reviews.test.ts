import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { doJobsOf } from '../src/jobs/operations.ts';
import { reviewIdIn } from '../src/reviews/aggregate.ts';
import { rankOf } from '../src/reviews/rank.ts';
import { ownKeyspace, startServer, testEnvironment, type TestServer } from './support/app.ts';
import { audited, auditOf } from './support/audit.ts';
import { ownBooks } from './support/books.ts';
import { PAGE_INFO, PASSWORD, type Client } from './support/client.ts';
import { runs } from './support/full.ts';
import { keyOf, storedIdOf } from './support/ids.ts';
import { callersOf, LIBRARY, testInput, type Callers } from './support/input-errors.ts';

/** Readers review books, and like the reviews of others. */

const FORMER_TEXTS_MAX = 50;

let server: TestServer;
let callers: Callers;
let now = Date.UTC(2026, 11, 31, 23, 0);

beforeAll(async () => {
  const config = await ownKeyspace(testEnvironment({ ACCESS_TOKEN_SECONDS: '86400' }));
  server = await startServer(config, { clock: () => new Date((now += 10)) });
  callers = await callersOf(server);
});

const newBook = async () => (await ownBooks(server.app, 1))[0] ?? '';
const somebody = (name?: string) => server.client().registerSomebody(name);
const readerIdOf = ({ viewerId }: Client) => keyOf(viewerId);
const execute = (cql: string, params: unknown[]) => server.app.cassandra.client.execute(cql, params, { prepare: true });

const FIELDS = 'id title text hasSpoilers language writtenAt editedAt takenDownAt takenDownReason rating';
const SHOWN = `changed viewer { id } book { id viewerReview { id } } review { ${FIELDS} book { id } author { id } }`;
const review = (reader: Client, bookId: string, text = 'Good', more: object = {}) =>
  reader.mutate('writeReview', { bookId, text, hasSpoilers: false, ...more }, SHOWN);
const remove = (reader: Client, bookId: string) => reader.mutate('deleteReview', { bookId }, SHOWN);
const written = async (reader: Client, bookId: string, text?: string) =>
  (await review(reader, bookId, text)).review.id as string;
const nodeFor = async (caller: Client, id: string, fields = FIELDS) =>
  (await caller.data(`query ($id: ID!) { node(id: $id) { ... on Review { ${fields} } } }`, { id })).node;

/** The ids of the reviews of a book, null for those that the caller may not see. */
const reviewsOf = async (caller: Client, id: string, args = '') => {
  const { node } = await caller.data(
    `{ node(id: "${id}") { ... on Book { reviews(first: 100${args}) { nodes { id } } } } }`,
  );
  return node.reviews.nodes.map((each: { id: string } | null) => each?.id ?? null) as (string | null)[];
};
/** Reads all pages of the reviews of a book. */
const pagesOf = (id: string, direction: 'forward' | 'backward', orderBy: string) =>
  server.client().allPages(2, direction, async (args) => {
    const page = `edges { cursor node { id author { id } } } ${PAGE_INFO}`;
    const query = `{ node(id: "${id}") { ... on Book { reviews(${args}, orderBy: ${orderBy}) { ${page} } } } }`;
    return (await server.client().data(query)).node.reviews;
  });
const reviewsBy = async (caller: Client, id: string) => {
  const { node } = await caller.data(`{ node(id: "${id}") { ... on User { reviews { nodes { id text } } } } }`);
  return (node?.reviews?.nodes ?? null) as ({ id: string } | null)[] | null;
};
const noDrift = async () => expect(await audited(server.app, [auditOf('reviews')])).toMatchObject({ drift: [] });

describe('a review', () => {
  testInput(
    'writeReview',
    {
      who: 'reader',
      input: { bookId: LIBRARY, text: ' ', hasSpoilers: false, language: 'english' },
      wrong: ['bookId', 'text', 'language'],
    },
    () => callers,
  );
  testInput('deleteReview', { who: 'reader', input: { bookId: LIBRARY }, wrong: ['bookId'] }, () => callers);

  test('is written, edited, deleted and written again, and each answer shows it', async () => {
    const [reader, id] = [await somebody(), await newBook()];
    const { title } = (await reader.data(`{ node(id: "${id}") { ... on Book { title } } }`)).node;
    const first = await review(reader, id, 'A first try', { hasSpoilers: true, language: ' EN ' });
    const expected = {
      id: first.review.id as string,
      title,
      text: 'A first try',
      hasSpoilers: true,
      language: 'en',
      writtenAt: expect.any(String),
      ...{ editedAt: null, takenDownAt: null, takenDownReason: null, rating: null },
      book: { id },
      author: { id: reader.viewerId },
    };
    const answer = { changed: true, viewer: { id: reader.viewerId }, userErrors: [] };
    const book = { id, viewerReview: { id: expected.id } };
    expect(first).toEqual({ ...answer, book, review: expected });
    const again = await review(reader, id, 'A first try', { hasSpoilers: true, language: 'en' });
    expect(again).toEqual({ ...first, changed: false });

    const { writtenAt } = first.review;
    const second = { text: 'A second try', hasSpoilers: false, language: null, writtenAt };
    expect(await review(reader, id, second.text)).toMatchObject({ changed: true, review: second });
    expect(await reviewsOf(callers.clients.reader, id)).toEqual([expected.id]);

    const gone = { ...answer, review: null, book: { id, viewerReview: null } };
    expect(await remove(reader, id)).toEqual(gone);
    expect(await remove(reader, id)).toEqual({ ...gone, changed: false });
    expect(await nodeFor(reader, expected.id)).toBeNull();
    expect(await reviewsOf(reader, id)).toEqual([]);
    expect(await reviewsBy(reader, reader.viewerId)).toEqual([]);

    const anew = await review(reader, id, 'A third try');
    expect(anew).toMatchObject({ changed: true, review: { editedAt: null } });
    expect(await reviewsBy(reader, reader.viewerId)).toEqual([{ id: anew.review.id, text: 'A third try' }]);
    expect(await nodeFor(reader, expected.id)).toBeNull();
    await noDrift();
  });

  test('keeps its line breaks, and few other invisible characters', async () => {
    const [reader, id] = [await somebody(), await newBook()];
    const text = async (given: string) => (await review(reader, id, given)).review?.text as string | undefined;
    expect(await text('  One.\r\n\r\n\r\n\n  Two,\u200B  three \u2028four\t\n\n')).toBe('One.\n\nTwo, three\nfour');
    expect(await text('😀\n'.repeat(5_000))).toBe('😀\n'.repeat(5_000).trim());
    expect(await text('😀'.repeat(10_000))).toBe('😀'.repeat(10_000));
    for (const wrong of ['x'.repeat(10_001), '\n\n', '\u202Eabc', 'One\n\u0301', '\u0000'])
      expect(await review(reader, id, wrong)).toMatchObject({
        review: null,
        userErrors: [{ code: 'INVALID_INPUT', path: ['input', 'text'] }],
      });
  });

  test('is in no language that there is not', async () => {
    const id = await newBook();
    for (const language of ['e', 'engl', 'en-US', '12', '', 'zz', 'xx', 'qqq']) {
      const { userErrors } = await review(callers.clients.reader, id, 'Good', { language });
      expect(userErrors, language).toMatchObject([{ code: 'INVALID_INPUT', path: ['input', 'language'] }]);
    }
  });

  test('needs a reader, and a book', async () => {
    const input = { bookId: await newBook(), text: 'Good', hasSpoilers: false };
    const query = 'mutation ($input: WriteReviewInput!) { writeReview(input: $input) { changed } }';
    expect(await server.client().errorCode(query, { input })).toBe('UNAUTHENTICATED');
    const gone = Buffer.from('Book:goodreads-999999999').toString('base64url');
    const refused = { review: null, userErrors: [{ code: 'NOT_FOUND', path: ['input', 'bookId'] }] };
    expect(await review(callers.clients.reader, gone)).toMatchObject(refused);
    expect(await remove(callers.clients.reader, gone)).toMatchObject(refused);
  });

  test('is the only one of its reader and book, however many are written at once', async () => {
    const [reader, id] = [await somebody(), await newBook()];
    const texts = Array.from({ length: 8 }, (_, index) => `Text ${index}`);
    const answers = await Promise.all(texts.map((text) => review(reader, id, text)));
    expect(new Set(answers.map((answer) => answer.review.id)).size).toBe(1);
    expect(await reviewsOf(reader, id)).toHaveLength(1);
    const only = (await reviewsBy(reader, reader.viewerId))![0]!.id;
    const { history, text } = await nodeFor(callers.clients.administrator, only, 'text history { text }');
    const all = [text, ...history.map((each: { text: string }) => each.text)];
    expect(all.toSorted()).toEqual(texts);
    await noDrift();
  });
});

describe('the former texts', () => {
  test('are shown to administrators, newest first, at most 50 of them, and are deleted with the review', async () => {
    const [reader, id] = [await somebody(), await newBook()];
    for (let edit = 1; edit <= FORMER_TEXTS_MAX + 3; edit++) await review(reader, id, `Text ${edit}`);
    const { review: same } = await review(reader, id, `Text ${FORMER_TEXTS_MAX + 3}`);
    const history = async (caller: Client) => (await nodeFor(caller, same.id, 'history { text writtenAt }'))?.history;
    for (const caller of [reader, callers.clients.reader, server.client()]) expect(await history(caller)).toBeNull();

    const { administrator } = callers.clients;
    const texts = (await history(administrator)).map(({ text }: { text: string }) => text);
    expect(texts).toEqual(
      Array.from({ length: FORMER_TEXTS_MAX }, (_, index) => `Text ${FORMER_TEXTS_MAX + 2 - index}`),
    );
    await remove(reader, id);
    const anew = await written(reader, id, 'Anew');
    expect((await nodeFor(administrator, anew, 'history { text }')).history).toEqual([]);
    const { rows } = await execute('SELECT text FROM review_texts WHERE review_id = ?', [reviewIdIn(keyOf(same.id))]);
    expect(rows.map(({ text }) => text as string)).toEqual(['Anew']);
  });
});

describe('the lists', () => {
  test('have all reviews that are not deleted, newest first, across years', async () => {
    const change = fc.record({ reader: fc.nat({ max: 3 }), isDeleted: fc.boolean(), minutes: fc.nat({ max: 30 }) });
    const readers = await Promise.all([0, 1, 2, 3].map(() => somebody()));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async (changes) => {
        const id = await newBook();
        const inOrder: string[] = [];
        for (const { reader, isDeleted, minutes } of changes) {
          now += minutes * 60_000;
          const by = readers[reader]!;
          const answer = await (isDeleted ? remove(by, id) : review(by, id, String(now)));
          const known = inOrder.indexOf(by.viewerId);
          expect(answer.changed).toBe(!isDeleted || known >= 0);
          if (isDeleted && known >= 0) inOrder.splice(known, 1);
          if (!isDeleted && known < 0) inOrder.unshift(by.viewerId);
        }
        for (const direction of ['forward', 'backward'] as const) {
          const edges = await pagesOf(id, direction, 'NEWEST');
          expect(edges.map(({ node }) => node.author.id)).toEqual(inOrder);
        }
      }),
      { numRuns: runs(8) },
    );
    expect(new Date(now).getUTCFullYear()).toBeGreaterThan(2026);
    await noDrift();
  });

  test('of a reader are read in pages', async () => {
    const [reader, books] = [await somebody(), await ownBooks(server.app, 5)];
    for (const id of books) await review(reader, id);
    await review(reader, books[0]!, 'Edited');
    for (const direction of ['forward', 'backward'] as const) {
      const edges = await callers.clients.reader.allPages(2, direction, async (args) => {
        const page = `edges { cursor node { book { id } } } ${PAGE_INFO}`;
        const query = `{ node(id: "${reader.viewerId}") { ... on User { reviews(${args}) { ${page} } } } }`;
        return (await callers.clients.reader.data(query)).node.reviews;
      });
      expect(edges.map(({ node }) => node.book.id)).toEqual(books.toReversed());
    }
  });
});

describe('the most liked reviews', () => {
  /** Runs the jobs of a review, which the workers run some seconds after the likes. */
  const rank = (id: string) => doJobsOf(server.app, { type: 'Review', key: keyOf(id) });
  const mostLiked = (id: string) => reviewsOf(server.client(), id, ', orderBy: MOST_LIKED');

  test('are ordered by the first two digits of their likes', () => {
    const likes = [0, 9, 99, 100, 129, 1_999, 123_456];
    expect(likes.map(rankOf)).toEqual([0, 9, 99, 100, 120, 1_900, 120_000]);
  });

  test('with most likes are first, and among equal ones the newest, after any likes and unlikes', async () => {
    const change = fc.record({ reader: fc.nat({ max: 4 }), review: fc.nat({ max: 3 }), isRanked: fc.boolean() });
    const [authors, readers] = await Promise.all(
      [4, 5].map((n) => Promise.all(Array.from({ length: n }, () => somebody()))),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 25 }), async (changes) => {
        const [id, ids] = [await newBook(), [] as string[]];
        for (const author of authors!) ids.push(await written(author, id));
        const likes = ids.map(() => new Set<number>());
        for (const { reader, review: of, isRanked } of changes) {
          const [liked, reviewId] = [likes[of]!, ids[of]!];
          const isLiked = liked.has(reader);
          await readers![reader]![isLiked ? 'unlike' : 'like'](reviewId);
          if (isLiked) liked.delete(reader);
          else liked.add(reader);
          if (isRanked) await rank(reviewId);
        }
        for (const reviewId of ids) await rank(reviewId);
        const inOrder = ids.toReversed().toSorted((a, b) => likes[ids.indexOf(b)]!.size - likes[ids.indexOf(a)]!.size);
        for (const direction of ['forward', 'backward'] as const) {
          const edges = await pagesOf(id, direction, 'MOST_LIKED');
          expect(edges.map(({ node }) => node.id)).toEqual(inOrder);
        }
      }),
      { numRuns: runs(8) },
    );
    await noDrift();
  });

  test('follow the likes of deleted accounts', async () => {
    const [[one, other, liker], id] = [await Promise.all([somebody(), somebody(), somebody()]), await newBook()];
    const [first, second] = [await written(one, id), await written(other, id)];
    await liker.like(first);
    await rank(first);
    expect(await mostLiked(id)).toEqual([first, second]);
    await liker.mutate('deleteAccount', { password: PASSWORD }, '__typename');
    await rank(first);
    expect(await mostLiked(id)).toEqual([second, first]);
    await noDrift();
  });
});

describe('a reader who is hidden from the caller', () => {
  /** Expects that a caller sees of a review only that it exists. */
  async function expectHidden(caller: Client, { author, id, bookId }: { author: Client; id: string; bookId: string }) {
    expect(await nodeFor(caller, id)).toBeNull();
    expect(await reviewsOf(caller, bookId)).toEqual([null]);
    expect(await reviewsBy(caller, author.viewerId)).toBeNull();
    const { node } = await caller.data(`{ node(id: "${bookId}") { ... on Book { reviews { edges { cursor } } } } }`);
    const carried = Buffer.from(node.reviews.edges[0].cursor as string, 'base64url').toString();
    for (const secret of [keyOf(author.viewerId), reviewIdIn(keyOf(id))]) expect(carried).not.toContain(secret);
    if (caller.token === undefined) return;
    expect(await caller.like(id)).toMatchObject({ userErrors: [{ code: 'NOT_FOUND', path: ['input', 'id'] }] });
    const { viewer } = await caller.data('{ viewer { likes { edges { title node { id } } } } }');
    expect(viewer.likes.edges).toEqual([{ title: null, node: null }]);
    expect(await caller.unlike(id)).toEqual({ changed: true, likeable: null, userErrors: [] });
  }

  const setOf = async () => {
    const [author, caller, bookId] = [await somebody(), await somebody(), await newBook()];
    const id = await written(author, bookId);
    expect(await caller.like(id)).toMatchObject({ changed: true });
    return { author, caller, bookId, id };
  };

  test('because one of the two blocks the other has no visible review', async () => {
    for (const direction of [0, 1]) {
      const { author, caller, ...of } = await setOf();
      const [blocker, blocked] = direction === 0 ? [author, caller] : [caller, author];
      await blocker.mutate('block', { id: blocked.viewerId }, '__typename');
      await expectHidden(caller, { author, ...of });
      expect(await reviewsOf(server.client(), of.bookId)).toEqual([of.id]);
    }
  });

  test('because of a suspension has no visible review until reinstated', async () => {
    const { author, caller, ...of } = await setOf();
    const { administrator } = callers.clients;
    await administrator.mutate('suspendAccount', { id: author.viewerId, reason: 'Why' }, '__typename');
    await expectHidden(caller, { author, ...of });
    await expectHidden(server.client(), { author, ...of });
    await administrator.mutate('reinstateAccount', { id: author.viewerId, reason: 'Why' }, '__typename');
    expect(await reviewsOf(caller, of.bookId)).toEqual([of.id]);
  });
});

describe('a like of a review', () => {
  test('is a like with the usual behaviour', async () => {
    const [author, liker, bookId] = [await somebody(), await somebody('Lena'), await newBook()];
    const id = await written(author, bookId);
    expect(await liker.like(id)).toEqual({
      changed: true,
      likeable: { likeCount: 1, viewerHasLiked: true },
      userErrors: [],
    });
    const { title } = await nodeFor(liker, id);
    const likers = 'likers { edges { node { fullName } } } likeTally { count isExact }';
    expect(await nodeFor(author, id, likers)).toEqual({
      likers: { edges: [{ node: { fullName: 'Lena' } }] },
      likeTally: { count: 1, isExact: true },
    });
    const { viewer } = await liker.data(
      `{ viewer { likes(of: REVIEW) { edges { title node { __typename id title } } } books: likes(of: BOOK) { edges { title } }
          actions(kinds: [LIKED]) { edges { node { likeable { id } book { id } } } } } }`,
    );
    expect(viewer.likes.edges).toEqual([{ title, node: { __typename: 'Review', id, title } }]);
    expect(viewer.books.edges).toEqual([]);
    expect(viewer.actions.edges).toEqual([{ node: { likeable: { id }, book: { id: bookId } } }]);
  });

  test('can be taken back after the review was deleted, but not made', async () => {
    const [author, liker, bookId] = [await somebody(), await somebody(), await newBook()];
    const id = await written(author, bookId);
    await liker.like(id);
    await remove(author, bookId);
    const gone = { userErrors: [{ code: 'NOT_FOUND', path: ['input', 'id'] }] };
    for (const act of [author.like, author.unlike]) expect(await act(id)).toMatchObject(gone);
    expect(await liker.unlike(id)).toEqual({ changed: true, likeable: null, userErrors: [] });
    const none = Buffer.from('Review:00000000-0000-4000-8000-000000000000.1').toString('base64url');
    expect(await liker.unlike(none)).toMatchObject(gone);
  });
});

describe('a review that was taken down', () => {
  const REASON = 'It offends';
  const takeDown = (id: string, by = callers.clients.administrator) =>
    by.mutate('takeDown', { id, reason: REASON }, 'node { id ... on Review { text takenDownReason } } changed');

  test('is shown to its author and administrators with the reason, and cannot be written again', async () => {
    const [author, bookId] = [await somebody(), await newBook()];
    const id = await written(author, bookId, 'Something bad');
    const { administrator, reader } = callers.clients;
    const node = { id, text: 'Something bad', takenDownReason: REASON };
    expect(await takeDown(id, author)).toMatchObject({ userErrors: [{ code: 'FORBIDDEN' }] });
    expect(await takeDown(id)).toEqual({ node, changed: true, userErrors: [] });
    expect(await takeDown(id)).toEqual({ node, changed: false, userErrors: [] });
    for (const caller of [reader, server.client()]) {
      expect(await nodeFor(caller, id)).toBeNull();
      expect(await reviewsOf(caller, bookId)).toEqual([null]);
      expect(await reviewsBy(caller, author.viewerId)).toEqual([null]);
    }
    for (const caller of [author, administrator])
      expect(await nodeFor(caller, id, 'id text takenDownReason')).toEqual(node);

    const refused = { review: null, userErrors: [{ code: 'FORBIDDEN', path: ['input', 'bookId'] }] };
    expect(await review(author, bookId, 'Something else')).toMatchObject(refused);
    expect(await remove(author, bookId)).toMatchObject({ changed: true, userErrors: [] });
    expect(await review(author, bookId, 'Something else')).toMatchObject(refused);
    expect(await takeDown(id)).toMatchObject({ userErrors: [{ code: 'NOT_FOUND', path: ['input', 'id'] }] });
    await noDrift();
  });

  test('is among the decisions of administrators, and the security events of its author', async () => {
    const [author, bookId] = [await somebody(), await newBook()];
    const id = await written(author, bookId);
    await takeDown(id);
    const { administration } = await callers.clients.administrator.data(
      'query ($id: ID!) { administration(id: $id) { edges { node { kind reason } } } }',
      { id },
    );
    expect(administration.edges).toEqual([{ node: { kind: 'REVIEW_TAKEN_DOWN', reason: REASON } }]);
    const { viewer } = await author.data('{ viewer { securityEvents(first: 1) { edges { node { kind } } } } }');
    expect(viewer.securityEvents.edges).toEqual([{ node: { kind: 'REVIEW_TAKEN_DOWN' } }]);
  });

  test('may have been reported, with its author', async () => {
    const [author, bookId] = [await somebody('Anna'), await newBook()];
    const id = await written(author, bookId);
    const { administrator, reader } = callers.clients;
    expect(await reader.mutate('report', { id, reason: 'OFFENSIVE' }, '__typename')).toMatchObject({ userErrors: [] });
    const reports = async () =>
      (await administrator.data('{ reports(status: OPEN) { edges { node { subject { id } reader { fullName } } } } }'))
        .reports.edges as object[];
    expect(await reports()).toContainEqual({ node: { subject: { id }, reader: { fullName: 'Anna' } } });
    await remove(author, bookId);
    expect(await reports()).toContainEqual({ node: { subject: null, reader: null } });
    const gone = { userErrors: [{ code: 'NOT_FOUND', path: ['input', 'id'] }] };
    expect(await author.mutate('report', { id, reason: 'SPAM' }, '__typename')).toMatchObject(gone);
  });
});

describe('the reviews of an account', () => {
  test('are exported, with their former texts', async () => {
    const [reader, id] = [await somebody(), await newBook()];
    await review(reader, id, 'One');
    await review(reader, id, 'Two', { language: 'deu' });
    const exported = (await (await reader.exportMyData()).json()) as Record<string, unknown>;
    expect(exported['reviews']).toMatchObject([{ book: keyOf(id), text: 'Two', language: 'deu' }]);
    expect(exported['review_texts']).toMatchObject([{ text: 'Two' }, { text: 'One' }]);
  });

  test('are deleted with it; likes of them can still be taken back', async () => {
    const [reader, liker, id] = [await somebody(), await somebody(), await newBook()];
    const reviewId = await written(reader, id);
    await review(reader, id, 'Another text');
    await liker.like(reviewId);
    expect(await reader.mutate('deleteAccount', { password: PASSWORD }, '__typename')).toMatchObject({
      userErrors: [],
    });
    expect(await nodeFor(callers.clients.administrator, reviewId)).toBeNull();
    expect(await reviewsOf(liker, id)).toEqual([]);
    expect(await server.rowsAbout([readerIdOf(reader)])).toEqual(['users_by_id']);
    expect(
      (await execute('SELECT * FROM review_texts WHERE review_id = ?', [reviewIdIn(keyOf(reviewId))])).rows,
    ).toEqual([]);
    const { viewer } = await liker.data('{ viewer { likes { edges { title node { id } } } } }');
    expect(viewer.likes.edges).toEqual([{ title: null, node: null }]);
    expect(await liker.unlike(reviewId)).toMatchObject({ changed: true, userErrors: [] });
    await noDrift();
  });
});

describe('the audit', () => {
  const WRONG: Record<string, (id: string, bookId: string, reader: Client) => Promise<unknown>> = {
    'a row of the book is lost': (_id, bookId) =>
      execute('DELETE FROM reviews_by_book USING TIMESTAMP 1 WHERE book_id = ? AND year = ?', [
        keyOf(bookId),
        new Date(now).getUTCFullYear(),
      ]),
    'a row of the reader is too many': (_id, _bookId, reader) =>
      execute(
        "INSERT INTO reviews_by_user_by_written_at (user_id, written_at, review_id) VALUES (?, '2026-01-01', ?) USING TIMESTAMP 1",
        [readerIdOf(reader), server.app.randomId()],
      ),
    'a rank is lost': (_id, bookId) =>
      execute('DELETE FROM reviews_by_book_by_likes USING TIMESTAMP 1 WHERE book_id = ?', [keyOf(bookId)]),
    'likes were not followed': async (id) => {
      await callers.clients.reader.like(id);
      await execute('DELETE FROM jobs WHERE shard IN (0, 1, 2, 3, 4, 5, 6, 7) AND subject = ?', [storedIdOf(id)]);
    },
  };

  test.each(Object.entries(WRONG))('finds and repairs it when %s', async (_what, spoil) => {
    const [reader, bookId] = [await somebody(), await newBook()];
    const id = await written(reader, bookId);
    await spoil(id, bookId, reader);
    expect((await audited(server.app, [auditOf('reviews')], { repair: true })).drift.length).toBeGreaterThan(0);
    await noDrift();
    for (const order of ['NEWEST', 'MOST_LIKED'])
      expect(await reviewsOf(reader, bookId, `, orderBy: ${order}`)).toEqual([id]);
    expect(await reviewsBy(reader, reader.viewerId)).toMatchObject([{ id }]);
  });
});
