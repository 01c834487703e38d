import type { ApolloCache, Reference } from '@apollo/client';

/** An entry of a list as the cache has it. */
interface Entry {
  readonly cursor: string;
  readonly note?: string | null;
  readonly node: Reference;
}

type Change = (entries: readonly Entry[], idOf: (entry: Entry) => string | undefined) => readonly Entry[];

/**
 * Changes the cached entries of a list without a request, so that all pages that were loaded stay.
 * The cache undoes it with an optimistic answer.
 */
export function changeEntries(cache: ApolloCache, listId: string, change: Change): void {
  const id = cache.identify({ __typename: 'BookList', id: listId });
  if (id === undefined) return;
  cache.modify<{ entries: { readonly edges: readonly Entry[] } }>({
    id,
    fields: {
      entries: (entries, { readField }) =>
        'edges' in entries
          ? { ...entries, edges: change(entries.edges, ({ node }) => readField<string>('id', node)) }
          : entries,
    },
  });
}

/**
 * Returns the change that places a book after another one, or first.
 * @param after null for the first place
 */
export function moved(bookId: string, after: string | null): Change {
  return (entries, idOf) => {
    const found = entries.find((each) => idOf(each) === bookId);
    if (!found) return entries;
    const others = entries.filter((each) => each !== found);
    const at = after === null ? 0 : others.findIndex((each) => idOf(each) === after) + 1;
    // The cursor was that of its former place, where the next page may begin.
    return others.toSpliced(at, 0, { ...found, cursor: '' });
  };
}

/**
 * Returns the change that puts a book back that was removed.
 * @param after the book before it, null for the first place
 */
export const restored =
  (bookId: string, note: string | null, after: string | null): Change =>
  (entries, idOf) => {
    const own = { __typename: 'BookListEntryEdge', cursor: '', note, node: { __ref: `Book:${bookId}` } };
    return moved(bookId, after)([...entries, own], idOf);
  };

/**
 * Returns the change that writes a note about a book.
 * @param note null for none
 */
export function noted(bookId: string, note: string | null): Change {
  return (entries, idOf) => entries.map((each) => (idOf(each) === bookId ? { ...each, note } : each));
}
