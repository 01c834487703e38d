import type { CountedConnection, Cursor } from '../graphql/connections.ts';
import { mutation } from '../graphql/errors.ts';
import { encodeId } from '../graphql/ids.ts';
import type { Resolvers } from '../graphql/generated/resolver-types.ts';
import { genresLike, genresOf, type Genre } from './genres.ts';
import { addBook, bookBy, descriptionOf, existingBook, updateBook } from './operations.ts';
import { booksLike, type BookConnection } from './search.ts';
import { authorByName, booksBy, type Author } from './authors.ts';
import { booksOfSeries, seriesByName, type Series, type SeriesBookEdge } from './series.ts';
import { editionsOf, titleOfWork } from './works.ts';
import type { ListedBook, Work } from './book.ts';
import type { PlaceInSeries } from './series-names.ts';

declare module '../graphql/models.ts' {
  interface Models {
    /**
     * Fields of other features can rely only on these fields, because rows of lists may have no
     * others.
     */
    Book: ListedBook;
    BookConnection: BookConnection;
    BookEdge: { cursor: Cursor; bookId: string };
    Work: Work;
    Author: Author;
    Series: Series;
    BookInSeries: PlaceInSeries;
    SeriesBookConnection: CountedConnection<SeriesBookEdge>;
    SeriesBookEdge: SeriesBookEdge;
    GenreEdge: { cursor: Cursor; node: Genre };
  }
}

const nothing = { book: null, viewer: null };

export const resolvers = {
  Query: {
    book: (_query, by, context) => bookBy(context, by),
    books: (_query, { query, author, genre, orderBy, ...page }, context) =>
      booksLike(context, { query, author, genre }, orderBy, page),
    genres: (_query, page, context) => genresOf(context, page),
    author: (_query, { name }, context) => authorByName(context, name),
    series: (_query, { name }, context) => seriesByName(context, name),
  },
  Mutation: {
    addBook: (_mutation, { input }, context) => mutation(nothing, () => addBook(context, input)),
    updateBook: (_mutation, { input }, context) => mutation(nothing, () => updateBook(context, input)),
  },
  Book: {
    id: (book) => encodeId({ type: 'Book', key: book.id }),
    description: (book, _args, context) => descriptionOf(context, book),
  },
  Work: {
    id: (work) => encodeId({ type: 'Work', key: work.id }),
    title: (work, _args, context) => titleOfWork(context, work),
    editions: (work, page, context) => editionsOf(context, work, page),
  },
  Author: {
    books: (author, page, context) => booksBy(context, author, page),
  },
  Series: {
    books: (series, page, context) => booksOfSeries(context, series, page),
  },
  SeriesBookEdge: {
    node: ({ bookId }, _args, context) => existingBook(context, bookId),
  },
  BookConnection: {
    similarGenres: ({ edges, genre }, _args, context) =>
      genre === undefined || edges.length > 0 ? [] : genresLike(context, genre),
  },
  BookEdge: {
    node: ({ bookId }, _args, context) => existingBook(context, bookId),
  },
} satisfies Resolvers;
