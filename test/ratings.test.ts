import fc from 'fast-check';
import pLimit from 'p-limit';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Drift } from '../src/audit/audit.ts';
import { groupCommit } from '../src/member-sets/group-commit.ts';
import { ratingsId } from '../src/member-sets/operations.ts';
import { openStripes } from '../src/member-sets/counts.ts';
import { ratingAudit } from '../src/ratings/audit.ts';
import { rateBook, unrateBook } from '../src/ratings/operations.ts';
import { ownKeyspace, startServer, testEnvironment, type TestServer } from './support/app.ts';
import { audited } from './support/audit.ts';
import { ownBooks } from './support/books.ts';
import { PAGE_INFO, PASSWORD, type Client } from './support/client.ts';
import { runs } from './support/full.ts';
import { keyOf, storedIdOf } from './support/ids.ts';
import { callersOf, LIBRARY, testInput, type Callers } from './support/input-errors.ts';
import { as, makeReaders } from './support/likers.ts';

/**
 * Readers rate books. A shard of ratings is full after a few ratings, so most tests fill several
 * shards.
 */

const ROWS_MAX = 4;

let server: TestServer;
let other: TestServer;
let callers: Callers;

beforeAll(async () => {
  const config = await ownKeyspace(
    testEnvironment({ LIKE_SHARD_ROWS_MAX: String(ROWS_MAX), LIKE_CHANGES_PER_HOUR: '20' }),
  );
  server = await startServer(config);
  other = await startServer(config);
  callers = await callersOf(server);
});

const newBook = async () => (await ownBooks(server.app, 1))[0] ?? '';
const readerIdOf = ({ viewerId }: Client) => keyOf(viewerId);
const execute = (cql: string, params: unknown[]) => server.app.cassandra.client.execute(cql, params, { prepare: true });

const SHOWN = 'changed viewer { id } book { viewerRating ratingTally { count isExact } }';
const rate = (reader: Client, bookId: string, rating: number) => reader.mutate('rateBook', { bookId, rating }, SHOWN);
const unrate = (reader: Client, bookId: string) => reader.mutate('unrateBook', { bookId }, SHOWN);

async function tallyOf(id: string, of = other) {
  const tally = 'ratingTally { average count histogram isExact }';
  return (await of.client().data(`{ node(id: "${id}") { ... on Book { ${tally} } } }`)).node.ratingTally;
}

/** Returns whether a promise is settled by now. */
const isSettled = (promise: Promise<unknown>) =>
  Promise.race([promise.then(() => true), new Promise<false>((resolve) => setImmediate(resolve, false))]);

/** The tally of some ratings in stars that a caller without a rating sees. */
function expectedTally(given: readonly number[]) {
  const ratings = given.length < 5 ? [] : given;
  const histogram = Array.from(
    { length: 20 },
    (_, index) => ratings.filter((rating) => rating === (index + 1) / 4).length,
  );
  const sum = ratings.reduce((total, rating) => total + rating, 0);
  return { average: ratings.length > 0 ? sum / ratings.length : null, count: given.length, histogram, isExact: true };
}

const ratedBy = (reader: Client, direction: 'forward' | 'backward' = 'forward') =>
  reader.allPages(2, direction, async (args) => {
    const edges = `edges { cursor rating ratedAt node { id viewerRating } }`;
    return (await reader.data(`{ viewer { ratings(${args}) { ${edges} ${PAGE_INFO} } } }`)).viewer.ratings;
  });

describe('a rating', () => {
  testInput(
    'rateBook',
    { who: 'reader', input: { bookId: LIBRARY, rating: 6 }, wrong: ['bookId', 'rating'] },
    () => callers,
  );
  testInput('unrateBook', { who: 'reader', input: { bookId: LIBRARY }, wrong: ['bookId'] }, () => callers);

  test('is changed, taken back and given again, and each answer shows it', async () => {
    const [reader, id] = [await server.client().registerSomebody(), await newBook()];
    const one = { count: 1, isExact: true };
    const steps = [
      [3, true],
      [3, false],
      [4.75, true],
      [null, true],
      [null, false],
      [0.25, true],
    ] as const;
    for (const [rating, changed] of steps) {
      const answer = await (rating === null ? unrate(reader, id) : rate(reader, id, rating));
      const ratingTally = rating === null ? { count: 0, isExact: true } : one;
      const book = { viewerRating: rating, ratingTally };
      expect(answer).toEqual({ changed, viewer: { id: reader.viewerId }, book, userErrors: [] });
    }
    expect(await ratedBy(reader)).toMatchObject([{ rating: 0.25, node: { id, viewerRating: 0.25 } }]);
    const seen = await server.client().data(`{ node(id: "${id}") { ... on Book { viewerRating } } }`);
    expect(seen.node.viewerRating).toBeNull();
  });

  test.each([0, 0.1, 0.3, 3.3, 5.25, -1, 4.999999, 1e9])(
    'of %s stars is refused, and leaves the former one',
    async (rating) => {
      const [reader, id] = [await server.client().registerSomebody(), await newBook()];
      await rate(reader, id, 2);
      expect(await rate(reader, id, rating)).toMatchObject({
        changed: false,
        book: null,
        userErrors: [
          { code: 'INVALID_INPUT', path: ['input', 'rating'], message: expect.stringContaining('0.25 to 5') },
        ],
      });
      expect(await tallyOf(id)).toEqual(expectedTally([2]));
    },
  );

  test('needs a reader, and a book', async () => {
    const id = await newBook();
    const { errors } = await server
      .client()
      .send('mutation ($input: RateBookInput!) { rateBook(input: $input) { changed } }', {
        input: { bookId: id, rating: 3 },
      });
    expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
    const gone = Buffer.from('Book:goodreads-999999999').toString('base64url');
    const refused = { book: null, userErrors: [{ code: 'NOT_FOUND', path: ['input', 'bookId'] }] };
    expect(await rate(callers.clients.reader, gone, 3)).toMatchObject(refused);
    expect(await unrate(callers.clients.reader, gone)).toMatchObject(refused);
  });

  test('is refused for an hour once it was taken back too often; taking it back is never refused', async () => {
    const [reader, id] = [await server.client().registerSomebody(), await newBook()];
    const allowed = server.app.config.likeChangesPerHour / 2;
    for (let times = 0; times < allowed; times++) {
      await rate(reader, id, 3);
      await unrate(reader, id);
    }
    expect(await rate(reader, id, 3)).toMatchObject({ userErrors: [{ code: 'RATE_LIMITED' }] });
    expect(await tallyOf(id)).toMatchObject({ count: 0 });
  });
});

describe('the tally', () => {
  test('and the lists match the ratings, with concurrent changes on several servers', async () => {
    const change = fc.record({
      reader: fc.nat({ max: 8 }),
      rating: fc.option(fc.integer({ min: 1, max: 20 }).map((quarters) => quarters / 4)),
      isOther: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 40 }), async (changes) => {
        const [id, readers] = [await newBook(), await makeReaders(server.app, 9)];
        const last = new Map<number, number | null>();
        // The changes of one reader are sequential; the changes of different readers are
        // concurrent.
        const ofReaders = [...Map.groupBy(changes, ({ reader }) => reader)].map(async ([reader, own]) => {
          for (const { rating, isOther } of own) {
            const context = as((isOther ? other : server).app, readers[reader] ?? '');
            await (rating === null ? unrateBook(context, { bookId: id }) : rateBook(context, { bookId: id, rating }));
            last.set(reader, rating);
          }
        });
        await Promise.all(ofReaders);
        expect(await tallyOf(id)).toEqual(expectedTally([...last.values()].filter((rating) => rating !== null)));
      }),
      { numRuns: runs(15) },
    );
    expect(await audited(server.app, [ratingAudit])).toMatchObject({ drift: [] });
  });

  test('is exact while contending servers use stripes', async () => {
    const [id, readers] = [await newBook(), await makeReaders(server.app, 20)];
    const opened = openStripes(server.app, ratingsId(keyOf(id)), 0);
    const rated = readers.map(async (userId, index) => {
      const context = as((index % 2 ? server : other).app, userId);
      await rateBook(context, { bookId: id, rating: 1 + (index % 4) });
    });
    await Promise.all([opened, ...rated]);
    expect(await tallyOf(id)).toEqual(expectedTally(readers.map((_, index) => 1 + (index % 4))));
  });

  test('is exact over more than a hundred shards, also while they are emptied', async () => {
    const [id, readers] = [await newBook(), await makeReaders(server.app, 102 * ROWS_MAX)];
    const starsOf = (index: number) => ((index % 20) + 1) / 4;
    // Ratings that are given together are stored in one shard, even if they exceed its size.
    for (const [index, userId] of readers.entries())
      await rateBook(as(server.app, userId), { bookId: id, rating: starsOf(index) });
    expect(await tallyOf(id)).toEqual(expectedTally(readers.map((_, index) => starsOf(index))));
    const { rows } = await execute('SELECT shard FROM rating_counts WHERE likeable_id = ?', [ratingsId(keyOf(id))]);
    expect(rows.length).toBeGreaterThan(100);

    const isKept = (index: number) => index % 17 === 0;
    const gone = [...readers.entries()].filter(([index]) => !isKept(index));
    let tallies = 0;
    const unrating = pLimit(16).map(gone, ([, userId]) => unrateBook(as(other.app, userId), { bookId: id }));
    for (let isDone = false; !isDone; isDone = await isSettled(unrating)) {
      // A tally includes every answered change, so it is exact under concurrent changes.
      expect(await tallyOf(id)).toMatchObject({ isExact: true });
      tallies++;
    }
    expect(tallies).toBeGreaterThan(1);
    await unrating;
    const kept = [...readers.keys()].filter(isKept);
    expect(await tallyOf(id)).toEqual(expectedTally(kept.map(starsOf)));
    expect(await audited(server.app, [ratingAudit], { scope: { likeableId: storedIdOf(id) } })).toMatchObject({
      drift: [],
    });
  });
});

describe('the ratings of a reader', () => {
  test('are read in pages, last rated book first; a changed rating keeps its place', async () => {
    const reader = await server.client().registerSomebody();
    const books = await ownBooks(server.app, 5);
    for (const [index, id] of books.entries()) await rate(reader, id, index + 1);
    await rate(reader, books[0]!, 4.5);
    for (const direction of ['forward', 'backward'] as const) {
      const edges = await ratedBy(reader, direction);
      expect(edges.map(({ node }) => node.id)).toEqual(books.toReversed());
      for (const { rating, node } of edges) expect(node.viewerRating).toBe(rating);
    }
    const { count } = (await reader.data('{ viewer { ratings { count { value isExact } } } }')).viewer.ratings;
    expect(count).toEqual({ value: 5, isExact: true });
  });

  test("are visible to those who may see the reader's readings", async () => {
    const [reader, id] = [await server.client().registerSomebody(), await newBook()];
    await rate(reader, id, 5);
    const query = `{ node(id: "${reader.viewerId}") { ... on User { ratings { edges { rating } } } } }`;
    const seen = async () => (await callers.clients.reader.data(query)).node.ratings;
    expect(await seen()).toBeNull();
    await reader.mutate('updatePrivacy', { readings: 'EVERYONE' }, 'viewer { id }');
    expect(await seen()).toEqual({ edges: [{ rating: 5 }] });
  });

  test('are exported', async () => {
    const [reader, id] = [await server.client().registerSomebody(), await newBook()];
    await rate(reader, id, 4.25);
    const exported = (await (await reader.exportMyData()).json()) as Record<string, unknown>;
    expect(exported['ratings_by_user']).toMatchObject([{ book: keyOf(id), rating: 4.25 }]);
  });

  test('are deleted with the account, also from the tally', async () => {
    const [reader, id] = [await server.client().registerSomebody(), await newBook()];
    await rate(callers.clients.administrator, id, 1);
    await rate(reader, id, 4.25);

    expect(await reader.mutate('deleteAccount', { password: PASSWORD }, '__typename')).toMatchObject({
      userErrors: [],
    });
    expect(await tallyOf(id)).toEqual(expectedTally([1]));
    expect(await server.rowsAbout([readerIdOf(reader)])).toEqual(['users_by_id']);
  });
});

describe('the audit', () => {
  const setOf = async () => {
    const [reader, id] = [await server.client().registerSomebody(), await newBook()];
    await rate(reader, id, 4);
    const key = [ratingsId(keyOf(id)), 0];
    const [row] = (
      await execute('SELECT liked_at FROM raters_by_book WHERE likeable_id = ? AND shard = ? AND liked = true', key)
    ).rows;
    return { reader, id, key, place: [...key, row?.['liked_at'], readerIdOf(reader)] };
  };
  type Set = Awaited<ReturnType<typeof setOf>>;
  const AT = 'likeable_id = ? AND shard = ? AND liked = true AND liked_at = ? AND user_id = ?';
  const WRONG: Record<string, (set: Set) => Promise<unknown>> = {
    'a row of the list is lost': ({ reader }) =>
      execute('DELETE FROM ratings_by_user_by_rated_at USING TIMESTAMP 1 WHERE user_id = ?', [readerIdOf(reader)]),
    'a row of the list is too many': ({ reader }) =>
      execute(
        "INSERT INTO ratings_by_user_by_rated_at (user_id, rated_at, book_id, quarters) VALUES (?, '2020-01-01', 'none', 1) USING TIMESTAMP 10",
        [readerIdOf(reader)],
      ),
    'a rater is lost': ({ place }) => execute(`DELETE FROM raters_by_book WHERE ${AT}`, place),
    'a rater has another rating': ({ place }) => execute(`UPDATE raters_by_book SET quarters = 3 WHERE ${AT}`, place),
    'a rater is too many': ({ key }) =>
      execute(
        'UPDATE raters_by_book SET quarters = 3, version = 1 WHERE likeable_id = ? AND shard = ? AND liked = true AND liked_at = ? AND user_id = ?',
        [...key, new Date(0), server.app.randomId()],
      ),
    'a histogram is wrong': ({ key }) =>
      execute('UPDATE raters_by_book SET histogram = [1] WHERE likeable_id = ? AND shard = ?', key),
    'a published histogram is wrong': ({ key }) =>
      execute('UPDATE rating_counts USING TIMESTAMP 1 SET histogram = ? WHERE likeable_id = ? AND shard = ?', [
        // Cassandra keeps the higher one of two values with the same timestamp.
        Array.from({ length: 21 }, () => 7),
        ...key,
      ]),
  };

  const sets = new Map<string, Set>();
  let found: Drift[];
  let left: Drift[];
  beforeAll(async () => {
    for (const [what, spoil] of Object.entries(WRONG)) {
      const set = await setOf();
      await spoil(set);
      sets.set(what, set);
    }
    ({ drift: found } = await audited(server.app, [ratingAudit], { repair: true }));
    // After the repair of a wrong rating or row, the next round finds the wrong count.
    await audited(server.app, [ratingAudit], { repair: true });
    ({ drift: left } = await audited(server.app, [ratingAudit]));
  });

  test.each(Object.keys(WRONG))('finds and repairs it when %s', async (what) => {
    const { reader, id } = sets.get(what)!;
    const names = [keyOf(id), readerIdOf(reader)];
    expect(found.filter((drift) => names.some((name) => drift.what.includes(name)))).not.toEqual([]);
    expect(left).toEqual([]);
    expect(await ratedBy(reader)).toMatchObject([{ rating: 4, node: { id } }]);
    expect(await tallyOf(id)).toEqual(expectedTally([4]));
  });
});

test('a rating that arrives late, after it was changed, changes nothing', async () => {
  const [reader, id] = [await server.client().registerSomebody(), await newBook()];
  await rate(reader, id, 4);
  await rate(reader, id, 2);
  const { edges } = (await reader.data('{ viewer { ratings { edges { ratedAt } } } }')).viewer.ratings;
  const late = { userId: readerIdOf(reader), version: 1, likedAt: new Date(edges[0].ratedAt), shown: { quarters: 16 } };
  await groupCommit(other.app).apply(ratingsId(keyOf(id)), 0, late);
  expect(await tallyOf(id)).toEqual(expectedTally([2]));
});

describe('the rating beside a review', () => {
  const write = async (by: Client, bookId: string, text: string, more: object = {}) => {
    const input = { bookId, text, hasSpoilers: false, ...more };
    return (await by.mutate('writeReview', input, 'review { id rating editedAt text showsRating }')).review;
  };
  const seen = async (by: Client, id: string) => {
    const fields = 'rating showsRating editedAt text';
    return (await by.data(`{ node(id: "${id}") { ... on Review { ${fields} } } }`)).node;
  };

  test('is shown to everybody, as long as its author wants that', async () => {
    const [reader, id] = [await server.client().registerSomebody(), await newBook()];
    const { id: reviewId } = await write(reader, id, 'Good');
    const ofReview = 'book { viewerReview { rating showsRating } }';
    const rating = (stars: number) => `rateBook(input: { bookId: "${id}", rating: ${stars} }) { ${ofReview} }`;
    const { one, two } = await reader.data(`mutation { one: ${rating(2)} two: ${rating(3.75)} }`);
    expect([one, two].map(({ book }) => book.viewerReview)).toEqual([
      { rating: 2, showsRating: true },
      { rating: 3.75, showsRating: true },
    ]);
    const good = { text: 'Good', editedAt: null };
    expect(await seen(server.client(), reviewId)).toEqual({ ...good, rating: 3.75, showsRating: true });

    await write(reader, id, 'Good', { showsRating: false });
    expect(await seen(server.client(), reviewId)).toEqual({ ...good, rating: null, showsRating: false });
    await write(reader, id, 'Better');
    expect(await seen(server.client(), reviewId)).toMatchObject({ text: 'Better', rating: null, showsRating: false });
    await reader.mutate('deleteReview', { bookId: id }, 'changed');
    expect(await write(reader, id, 'Anew')).toMatchObject({ rating: 3.75, showsRating: true });
  });

  test("is otherwise shown to those who may see the author's readings", async () => {
    const [reader, id] = [await server.client().registerSomebody(), await newBook()];
    await rate(reader, id, 3.75);
    const { id: reviewId } = await write(reader, id, 'Good', { showsRating: false });
    const seenBy = async (caller: Client) => (await seen(caller, reviewId)).rating;
    expect(await seenBy(reader)).toBe(3.75);
    expect(await seenBy(callers.clients.reader)).toBeNull();
    await reader.mutate('updatePrivacy', { readings: 'EVERYONE' }, 'viewer { id }');
    expect(await seenBy(server.client())).toBe(3.75);
    await unrate(reader, id);
    expect(await seenBy(server.client())).toBeNull();
  });
});
