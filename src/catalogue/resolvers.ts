import { encodeId } from '../ids.ts';
import type { Resolvers } from '../schema.generated.ts';
import { bookByIsbn } from './operations.ts';

export const resolvers: Resolvers = {
  Query: {
    book: (_query, { isbn }, context) => bookByIsbn(context, isbn),
  },
  Book: {
    id: (book) => encodeId({ type: 'Book', key: book.id }),
  },
};
