import { useApolloClient, useQuery } from '@apollo/client/react';
import { useEffect, useState } from 'react';
import { BookDocument, ViewBookDocument } from '../documents.generated.ts';
import { onTryAgain } from '../recovery.ts';
import { useSession } from '../session.ts';

/**
 * Returns a book by one request. For a reader this is the mutation that records the view, as its
 * answer has the book; a visitor, and a reader whose view is refused, asks for the book alone.
 */
export function useBook(id: string) {
  const client = useApolloClient();
  const readerId = useSession()?.readerId;
  const [viewed, setViewed] = useState<{ readonly viewing: string; readonly error?: unknown }>();
  const [attempt, setAttempt] = useState(0);
  const viewing = `${readerId} ${id} ${attempt}`;

  useEffect(() => {
    if (readerId === undefined) return;
    const view = async () => {
      const { data } = await client
        .mutate({
          mutation: ViewBookDocument,
          variables: { id },
          update: (cache, { data }) => {
            const book = data?.recordView.book;
            if (book) cache.writeQuery({ query: BookDocument, variables: { id }, data: { node: book } });
          },
        })
        // The query that follows shows the error.
        .catch(() => ({ data: undefined }));
      if (!data?.recordView.book) await client.query({ query: BookDocument, variables: { id } });
    };
    view().then(
      () => setViewed({ viewing }),
      (error: unknown) => setViewed({ viewing, error }),
    );
  }, [client, readerId, id, viewing]);

  const hasFailed = viewed?.viewing === viewing && viewed.error !== undefined;
  useEffect(() => (hasFailed ? onTryAgain(() => setAttempt((last) => last + 1)) : undefined), [hasFailed]);

  const asked = useQuery(BookDocument, {
    variables: { id },
    fetchPolicy: readerId === undefined ? 'cache-first' : 'cache-only',
  });
  const { data, fetchMore } = asked;
  const isViewed = viewed?.viewing === viewing;
  const error = asked.error ?? (isViewed ? viewed.error : undefined);
  const book = data?.node?.__typename === 'Book' ? data.node : undefined;
  const isLoading = !book && !error && (readerId === undefined ? data === undefined : !isViewed);
  return { book, error, isLoading, fetchMore };
}
