import { useMutation } from '@apollo/client/react';
import { useRef, useState } from 'react';
import { bookPath } from '../components/book-card.tsx';
import { MoveInListDocument, RemoveFromListDocument, type ListPageFragment } from '../documents.generated.ts';
import { changeEntries, moved } from '../entries.ts';
import { notifyOf } from '../notices.ts';
import { Link } from '../router.tsx';

interface Props {
  readonly list: ListPageFragment;
  readonly isOwn: boolean;
}

/** The books of a list. Their owner orders them by dragging, or by buttons that the keyboard reaches. */
export function Entries({ list: { id: listId, entries }, isOwn }: Props) {
  const [dragged, setDragged] = useState<string>();
  const [move] = useMutation(MoveInListDocument);
  const [remove] = useMutation(RemoveFromListDocument);
  const rows = useRef<HTMLOListElement>(null);
  const books = entries.edges.map(({ node }) => node);

  /** Moves a book to a place. The new order is shown at once; the cache undoes it if it is refused. */
  const place = async (book: (typeof books)[number], at: number) => {
    const after = books.filter((each) => each !== book)[at - 1]?.id ?? null;
    const change = move({
      variables: { listId, bookId: book.id, place: after },
      optimisticResponse: { change: { __typename: 'BookListPayload', userErrors: [] } },
      update: (cache, { data }) => {
        if (data?.change.userErrors.length === 0) changeEntries(cache, listId, moved(book.id, after));
      },
    });
    await notifyOf(change, `${book.title} is number ${at + 1} of ${books.length}.`);
  };
  const take = async ({ id: bookId, title }: (typeof books)[number], at: number) => {
    const change = remove({
      variables: { listId, bookId },
      update: (cache, { data }) => {
        if (data?.change.userErrors.length === 0)
          changeEntries(cache, listId, (all, idOf) => all.filter((each) => idOf(each) !== bookId));
      },
    });
    await notifyOf(change, `${title} is no longer on the list.`);
    // The pressed button is gone, and the keyboard goes on at the book that takes its place.
    const left = rows.current?.children ?? [];
    const next = left[Math.min(at, left.length - 1)]?.querySelector('button');
    (next ?? document.querySelector('h1'))?.focus();
  };
  return (
    <ol className="entries" aria-label="Books of the list" ref={rows}>
      {entries.edges.map(({ node: book, note }, index) => {
        // A moved row loses the focus, which belongs to the button that was pressed.
        const step = (by: number) => async (event: { currentTarget: HTMLElement }) => {
          if (!books[index + by]) return;
          const button = event.currentTarget;
          const done = place(book, index + by);
          requestAnimationFrame(() => button.focus());
          await done;
        };
        const up = step(-1);
        const down = step(1);
        return (
          <li
            key={book.id}
            draggable={isOwn}
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
              <span className="moves">
                <button
                  aria-label={`Move ${book.title} up`}
                  aria-disabled={index === 0}
                  onClick={(event) => void up(event)}
                >
                  ↑
                </button>
                <button
                  aria-label={`Move ${book.title} down`}
                  aria-disabled={index === books.length - 1}
                  onClick={(event) => void down(event)}
                >
                  ↓
                </button>
                <button aria-label={`Remove ${book.title}`} onClick={() => void take(book, index)}>
                  ×
                </button>
              </span>
            )}
          </li>
        );
      })}
    </ol>
  );
}
