import DataLoader from 'dataloader';
import { KEYS_PER_STATEMENT } from '../cassandra/statement-builders.ts';
import { rowLoader } from '../cassandra/key-loaders.ts';
import { rows } from '../cassandra/statement.ts';
import { perRequest } from '../context/context.ts';
import { selectRatingsAmong, selectRatingsOfBook } from './tables.ts';

/** Loads the viewer's ratings by book; none if the caller is signed out. */
export const viewerRatingLoader = perRequest((context) =>
  rowLoader(
    async (book_ids) => {
      const { viewerId: user_id } = context;
      return user_id === null ? [] : rows(context.cassandra, selectRatingsAmong, { user_id, book_ids });
    },
    (row) => row.book_id,
  ),
);

/** A reader and a book. */
interface RatingName {
  readonly userId: string;
  readonly bookId: string;
}

/**
 * Loads the ratings of any readers, in quarters of a star. One statement reads the ratings of one
 * book. A rating that was taken back is null.
 */
export const ratingLoader = perRequest(
  ({ cassandra }) =>
    new DataLoader<RatingName, number | null | undefined, string>(
      async (keys) => {
        const byBook = Map.groupBy(keys, ({ bookId }) => bookId);
        const found = await Promise.all(
          [...byBook].map(async ([book_id, ofBook]) => {
            const user_ids = ofBook.map(({ userId }) => userId);
            const ratings = await rows(cassandra, selectRatingsOfBook, { book_id, user_ids });
            return ratings.map(
              ({ user_id, state }) => [nameOf({ userId: user_id, bookId: book_id }), state.quarters] as const,
            );
          }),
        );
        const quarters = new Map(found.flat());
        return keys.map((key) => quarters.get(nameOf(key)));
      },
      { maxBatchSize: KEYS_PER_STATEMENT, cacheKeyFn: nameOf },
    ),
);

const nameOf = ({ userId, bookId }: RatingName) => `${userId} ${bookId}`;
