import type { ApolloCache, Reference } from '@apollo/client';
import type { MyReadingFragment, ReadingStatus } from './documents.generated.ts';

/**
 * The cached shelves of a reader. A shelf shows those of its books that still have its status, so a
 * book that leaves it stays in the cache.
 */

interface Books {
  readonly edges: readonly { readonly cursor: string; readonly node: Reference }[];
}

interface OnShelf {
  readonly node: { readonly viewerReading: { readonly status: ReadingStatus | null } | null };
}

/** Returns the edges of a shelf whose books have its status. */
export const onShelf = <Edge extends OnShelf>(edges: readonly Edge[] | undefined, status: ReadingStatus): Edge[] =>
  edges?.filter(({ node }) => node.viewerReading?.status === status) ?? [];

/** Adds a book to the lists that it is new in, so that they follow its reading without a request. */
export function addToShelves(
  cache: ApolloCache,
  readerId: string,
  bookId: string,
  { status, readings }: MyReadingFragment,
): void {
  const [id, book] = [
    cache.identify({ __typename: 'User', id: readerId }),
    cache.identify({ __typename: 'Book', id: bookId }),
  ];
  if (id === undefined || book === undefined) return;
  const withBook = (books: Books, edge: object): Books =>
    books.edges.some(({ node }) => node.__ref === book)
      ? books
      : { ...books, edges: [{ ...edge, cursor: '', node: { __ref: book } }, ...books.edges] };
  cache.modify<{ shelf: Books | null; readBooks: Books | null }>({
    id,
    fields: {
      shelf: (shelf, { storeFieldName }) =>
        shelf && 'edges' in shelf && status !== null && storeFieldName.includes(`"${status}"`)
          ? withBook(shelf, { __typename: 'ShelfEdge' })
          : shelf,
      readBooks: (books) =>
        books && 'edges' in books && readings[0]
          ? withBook(books, { __typename: 'ReadBookEdge', finishedOn: readings[0].finishedOn })
          : books,
    },
  });
}
