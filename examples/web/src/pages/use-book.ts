import { useApolloClient, useQuery } from '@apollo/client/react';
import { useEffect, useState } from 'react';
import { BookDocument, ViewBookDocument } from '../documents.generated.ts';
import { useSession } from '../session.ts';

/**
 * Returns a book by one request. For a reader this is the mutation that records the view, as its
 * answer has the book; a visitor, and a reader whose view is refused, asks for the book alone.
 */
export function useBook(id: string) {
  const client = useApolloClient();
  const readerId = useSession()?.readerId;
  const [asked, setAsked] = useState<string>();
  const viewing = `${readerId} ${id}`;
  const isAsked = readerId === undefined || asked === viewing;

  useEffect(() => {
    if (readerId === undefined) return;
    client
      .mutate({
        mutation: ViewBookDocument,
        variables: { id },
        update: (cache, { data }) => {
          const book = data?.recordView.book;
          if (book) cache.writeQuery({ query: BookDocument, variables: { id }, data: { node: book } });
        },
      })
      // The query that follows shows the error.
      .catch(() => undefined)
      .finally(() => setAsked(viewing));
  }, [client, readerId, id, viewing]);

  const { data, error, fetchMore } = useQuery(BookDocument, {
    variables: { id },
    fetchPolicy: isAsked ? 'cache-first' : 'cache-only',
  });
  const book = data?.node?.__typename === 'Book' ? data.node : undefined;
  const isLoading = !book && !error && (!isAsked || data === undefined);
  return { book, error, isLoading, fetchMore };
}
