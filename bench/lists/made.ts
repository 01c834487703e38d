import pLimit from 'p-limit';
import { inBatches } from '../../src/cassandra/batches.ts';
import { batch, bind } from '../../src/cassandra/statement.ts';
import { ANONYMOUS, requestContext, type AppContext } from '../../src/context/context.ts';
import { encodeId } from '../../src/graphql/ids.ts';
import { unlistedLines } from '../../src/libraryimports/tables.ts';
import { groupCommit } from '../../src/member-sets/group-commit.ts';
import { placeFor, ratingsId } from '../../src/member-sets/operations.ts';
import { addToList } from '../../src/lists/entries.ts';
import { createList } from '../../src/lists/operations.ts';
import { ratedBooks } from '../../src/ratings/tables.ts';
import { reviewKeyOf, NO_TEXT, partitionOf } from '../../src/reviews/aggregate.ts';
import { reviewsByLikes, reviewsOfBook, reviewsOfReader, reviewStates } from '../../src/reviews/tables.ts';
import { say } from '../../src/terminal/progress.ts';
import { likeableIdOf, newLike, type Bench, type Reader } from '../bench.ts';

/** Makes the lists whose pages are compared. */

const AT_ONCE = 800;
const STATES_AT_ONCE = 64;

const bookKeyOf = (bookId: string): string => likeableIdOf(bookId).replace('Book:', '');

/** Makes the list of a reader who has rated often, and the ratings of a book by as many readers. */
export async function makeRatings(
  { app, bookIds }: Bench,
  { userId }: Reader,
  bookId: string,
  count: number,
): Promise<void> {
  const [now, likeableId] = [app.clock().getTime(), ratingsId(bookKeyOf(bookId))];
  const keys = bookIds.map(bookKeyOf);
  const quartersOf = (index: number) => 1 + (index % 20);
  const listed = Array.from({ length: count }, (_, index) =>
    bind(ratedBooks.insert, {
      user_id: userId,
      rated_at: new Date(now - index * 1_000),
      book_id: keys[index % keys.length] ?? '',
      quarters: quartersOf(index),
      version: 1n,
    }),
  );
  say(`writing ${String(count)} ratings of a reader, and of a book`);
  for (const part of inBatches(listed, () => userId)) await batch(app.cassandra, part);

  const limit = pLimit(AT_ONCE);
  await limit.map(Array.from({ length: count }), async (_, index) => {
    const { shard } = await placeFor(app, likeableId);
    const shown = { quarters: quartersOf(index) };
    await groupCommit(app).apply(likeableId, shard, { ...newLike(app), shown });
  });
}

/**
 * Makes reviews of a book.
 * @param authors the authors of the newest reviews; the authors of the others have no account
 */
export async function makeReviews(
  { app }: Bench,
  authors: readonly Reader[],
  bookId: string,
  count: number,
): Promise<void> {
  const [now, book_id] = [app.clock().getTime(), bookKeyOf(bookId)];
  const made = Array.from({ length: count }, (_, index) => {
    const userId = authors[index]?.userId ?? app.randomId();
    const written_at = new Date(now - index * 10);
    return { user_id: userId, review_id: reviewKeyOf(userId, book_id).reviewId, written_at, index };
  });

  say(`writing ${String(count)} reviews of a book`);
  const rows = made.flatMap(({ user_id, review_id, written_at }) => {
    const row = { review_id, written_at, version: 1n };
    return [
      bind(reviewsOfBook.insert, { ...partitionOf({ book_id, written_at }), ...row }),
      bind(reviewsByLikes.insert, { book_id, like_rank: 0, ...row }),
      bind(reviewsOfReader.insert, { user_id, ...row }),
    ];
  });
  for (const part of inBatches(rows, ({ label }) => label)) await batch(app.cassandra, part);
  await pLimit(STATES_AT_ONCE).map(made, ({ user_id, written_at, index }) =>
    makeReviewState(
      app,
      user_id,
      book_id,
      written_at,
      `A review, number ${String(index)}, of some length. `.repeat(10),
    ),
  );
}

/** Makes the state of a review. */
export const makeReviewState = (app: AppContext, userId: string, bookId: string, at: Date, text: string) => {
  const review_id = reviewKeyOf(userId, bookId).reviewId;
  return reviewStates.compareAndSet(app.cassandra, { review_id }, null, {
    ...NO_TEXT,
    version: 1,
    changed_at: at,
    change_id: review_id,
    author_id: userId,
    book_id: bookId,
    text,
    written_at: at,
    edited_at: null,
    edit: 1,
    first_edit: 1,
    taken_down_at: null,
    like_rank: 0,
    former_rank: null,
  });
};

/**
 * Makes a list of books.
 * @returns its id
 */
export async function makeList({ app, bookIds }: Bench, { userId }: Reader, count: number): Promise<string> {
  const context = () => requestContext(app, { ...ANONYMOUS, viewerId: userId });
  const { list } = await createList(context(), { name: `${String(count)} books`, audience: 'EVERYONE' });
  if (!list) throw new Error('The list was not made');

  const listId = encodeId({ type: 'BookList', key: list.id });
  say(`adding ${String(count)} books to a list`);
  for (const bookId of bookIds.slice(0, count)) await addToList(context(), { listId, bookId, note: 'A note' });
  return listId;
}

/** Makes the books of a reader that the catalogue does not have. */
export async function makeUnlisted(
  { app }: { readonly app: AppContext },
  { userId }: Reader,
  count: number,
): Promise<void> {
  const [import_id, begun_at] = [app.randomId(), app.clock()];
  const rows = Array.from({ length: count }, (_, index) =>
    bind(unlistedLines.insert, {
      user_id: userId,
      title_sort: `1 a book ${String(index).padStart(6, '0')}`,
      author_key: 'annlee',
      import_id,
      line: index + 1,
      begun_at,
      title: `A Book ${String(index)}`,
      authors: ['Ann Lee'],
      shelf: 'read',
      status: 'READ',
      version: 1n,
    }),
  );
  say(`writing ${String(count)} books that the catalogue does not have`);
  for (const part of inBatches(rows, () => userId)) await batch(app.cassandra, part);
}
