import { mutation } from '../errors.ts';
import { encodeId } from '../ids.ts';
import type { Resolvers } from '../schema.generated.ts';
import { addBook, bookByIsbn, booksLike, existingBook, updateBook } from './operations.ts';

const nothing = { book: null, viewer: null };

export const resolvers: Resolvers = {
  Query: {
    book: (_query, { isbn }, context) => bookByIsbn(context, isbn),
    books: (_query, { query, author, ...page }, context) => booksLike(context, { query, author }, page),
  },
  Mutation: {
    addBook: (_mutation, { input }, context) => mutation(nothing, () => addBook(context, input)),
    updateBook: (_mutation, { input }, context) => mutation(nothing, () => updateBook(context, input)),
  },
  Book: {
    id: (book) => encodeId({ type: 'Book', key: book.id }),
  },
  BookEdge: {
    node: ({ bookId }, _args, context) => existingBook(context, bookId),
  },
};
