import { projectionAudit } from '../audit/projection.ts';
import type { Feature } from '../feature/feature.ts';
import { books, fillEditions, fillSeries } from './aggregate.ts';
import { countGenres, endCountingGenres } from './genres.ts';
import { describe } from './listing.ts';
import { comparedLists } from './lists.ts';
import { readBooksAhead } from './loaders.ts';
import { resolvers } from './resolvers.ts';
import { bookById, bookEvenRemoved, bookNow, existingBook, shownBook } from './operations.ts';
import { BOOKS_PER_PAGE } from './tables.ts';
import { workById } from './works.ts';

/** The audit of the catalogue and its lists. */
const bookAudit = projectionAudit(books, {
  kind: 'books',
  lists: comparedLists,
  keyOf: ({ book_id }) => ({ bookId: book_id }),
  join: (_app, found) => Promise.resolve(found.map(({ state }) => describe(state))),
  behind: () => [],
  rowsPerPage: BOOKS_PER_PAGE,
});

export const feature = {
  resolvers,
  nodeTypes: {
    Book: {
      find: bookById,
      likeable: {
        kind: 'BOOK',
        plural: 'books',
        readLiked: existingBook,
        findAny: bookEvenRemoved,
        whyGone: ({ isRemoved }) =>
          isRemoved ? 'This book was removed from the catalogue and cannot be liked any more.' : undefined,
        fieldsInRow: async (app, bookId) => {
          const { title, authors } = await bookNow(app, bookId);
          return { title, authors };
        },
        bookOf: shownBook,
      },
    },
    Work: { find: workById },
  },
  transactions: [books.transaction],
  jobs: { FILL_EDITIONS: fillEditions, FILL_SERIES: fillSeries },
  audits: [bookAudit],
  workers: [{ name: 'genre counts', periodMs: 2_000, run: countGenres, end: endCountingGenres }],
  impersonalTables: [
    // A book's state contains the id of the administrator who edited it last.
    'books',
    'books_by_author',
    'books_by_genre',
    'books_by_series',
    'books_by_popularity',
    'books_by_title',
    'books_by_published_year',
    'books_by_added_at',
    'editions_by_work',
    'editions_by_isbn',
    'book_by_source',
    'books_by_word',
    'words_by_spelling',
    'genre_versions',
    'genres',
  ],
  readsAhead: { of: 'Book', read: readBooksAhead },
} satisfies Feature;
