import { useMutation } from '@apollo/client/react';
import { useState } from 'react';
import { bookPath } from '../components/book-card.tsx';
import {
  MoveInListDocument,
  PutBackOnListDocument,
  RemoveFromListDocument,
  type ListPageFragment,
  type ListQuery,
} from '../documents.generated.ts';
import { changeEntries, moved, restored } from '../entries.ts';
import { notifyOf } from '../notices.ts';
import { Link } from '../router.tsx';
import { Note } from './list-note.tsx';

interface Props {
  readonly list: ListPageFragment;
  readonly isOwn: boolean;
  /** Asks for the page after a cursor. */
  readonly load: (after: string) => Promise<{ readonly data?: ListQuery | undefined }>;
}

/** The books of a list. Their owner orders them by dragging, or by buttons that the keyboard reaches. */
export function Entries({ list: { id: listId, entries }, isOwn, load }: Props) {
  const [dragged, setDragged] = useState<string>();
  const [noting, setNoting] = useState<string>();
  const [move] = useMutation(MoveInListDocument);
  const [remove] = useMutation(RemoveFromListDocument);
  const [restore] = useMutation(PutBackOnListDocument);
  const books = entries.edges.map(({ node }) => node);
  const { hasNextPage, endCursor } = entries.pageInfo;
  const lastPlace = entries.count.value - 1;

  /** Returns the books without one. The last place that is loaded needs the page after it. */
  const othersUpTo = async (bookId: string, at: number) => {
    const isKnown = at < books.length - 1 || !hasNextPage || endCursor === null;
    const node = isKnown ? undefined : (await load(endCursor)).data?.node;
    const next = node?.__typename === 'BookList' ? node.entries.edges.map((edge) => edge.node) : [];
    return [...books, ...next].filter(({ id }) => id !== bookId);
  };
  /** Moves a book to a place. The new order is shown at once; the cache undoes it if it is refused. */
  const place = async ({ id: bookId, title }: (typeof books)[number], at: number) => {
    const change = async () => {
      const after = (await othersUpTo(bookId, at))[at - 1]?.id ?? null;
      return move({
        variables: { listId, bookId, place: after },
        optimisticResponse: { change: { __typename: 'BookListPayload', userErrors: [] } },
        update: (cache, { data }) => {
          if (data?.change.userErrors.length === 0) changeEntries(cache, listId, moved(bookId, after));
        },
      });
    };
    await notifyOf(change(), `${title} is number ${at + 1} of ${lastPlace + 1}.`);
  };
  const take = async ({ id: bookId, title }: (typeof books)[number], at: number) => {
    const [edge, after] = [entries.edges[at], books[at - 1]?.id ?? null];
    const change = remove({
      variables: { listId, bookId },
      update: (cache, { data }) => {
        if (data?.change.userErrors.length === 0)
          changeEntries(cache, listId, (all, idOf) => all.filter((each) => idOf(each) !== bookId));
      },
    });
    const putBack = () =>
      restore({
        variables: { listId, bookId, note: edge?.note ?? null, place: after },
        update: (cache, { data }) => {
          if (data?.change.userErrors.length === 0)
            changeEntries(cache, listId, restored(bookId, edge?.note ?? null, after));
        },
      });
    const undo = () => void notifyOf(putBack(), `${title} is back on the list.`);
    await notifyOf(change, `${title} is no longer on the list.`, undo);
  };
  return (
    <ol className="entries" aria-label="Books of the list">
      {entries.edges.map(({ node: book, note }, index) => (
        <li
          key={book.id}
          // A field in a row that can be dragged has no place for the pointer.
          draggable={isOwn && noting !== book.id}
          onDragStart={({ dataTransfer }) => {
            // Firefox drags nothing without data.
            dataTransfer.setData('text/plain', book.title);
            setDragged(book.id);
          }}
          onDragEnd={() => setDragged(undefined)}
          onDragOver={(event) => dragged !== undefined && event.preventDefault()}
          onDrop={(event) => {
            const source = books.find(({ id }) => id === dragged);
            // A browser opens a link that is dropped.
            event.preventDefault();
            if (source && source.id !== book.id) void place(source, index);
          }}
        >
          <Link to={bookPath(book.id)}>{book.title}</Link> <span className="note">{book.authors.join(', ')}</span>
          {note !== null && <p className="text">{note}</p>}
          {isOwn && (
            <>
              <span className="moves">
                <button
                  aria-label={`Move ${book.title} up`}
                  aria-disabled={index === 0}
                  onClick={() => index > 0 && void place(book, index - 1)}
                >
                  ↑
                </button>
                <button
                  aria-label={`Move ${book.title} down`}
                  aria-disabled={index === lastPlace}
                  onClick={() => index < lastPlace && void place(book, index + 1)}
                >
                  ↓
                </button>
                <button aria-label={`Remove ${book.title}`} onClick={() => void take(book, index)}>
                  ×
                </button>
              </span>
              <Note
                listId={listId}
                book={book}
                note={note}
                isOpen={noting === book.id}
                setOpen={(isOpen) =>
                  setNoting((latest) => (isOpen ? book.id : latest === book.id ? undefined : latest))
                }
              />
            </>
          )}
        </li>
      ))}
    </ol>
  );
}
