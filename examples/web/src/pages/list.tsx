import { useMutation, useQuery } from '@apollo/client/react';
import { useState } from 'react';
import { Answer } from '../components/answer.tsx';
import { bookPath } from '../components/book-card.tsx';
import { LikeButton } from '../components/like-button.tsx';
import { More } from '../components/more.tsx';
import { Page } from '../components/page.tsx';
import {
  ListDocument,
  MoveInListDocument,
  RemoveFromListDocument,
  type ListPageFragment,
} from '../documents.generated.ts';
import { messageOf } from '../errors.ts';
import { notify } from '../notices.ts';
import { Link } from '../router.tsx';
import { useSession } from '../session.ts';
import { readerPath } from './book-likers.tsx';

/** A list of books. Its owner orders it by dragging, or by buttons that the keyboard reaches. */
export function List({ id }: { readonly id: string }) {
  const { data, loading, error, fetchMore } = useQuery(ListDocument, {
    variables: { id },
    fetchPolicy: 'cache-and-network',
  });
  const list = data?.node?.__typename === 'BookList' ? data.node : undefined;
  return (
    <Page title={list?.title ?? 'List'}>
      <Answer isLoading={loading && !data} error={error}>
        {!list && !error && <p>There is no such list.</p>}
        {list && (
          <>
            <p>
              {list.owner && (
                <>
                  by <Link to={readerPath(list.owner.id)}>{list.owner.fullName}</Link>{' '}
                </>
              )}
              <LikeButton likeable={list} />
            </p>
            {list.description && <p className="text">{list.description}</p>}
            {list.entries.edges.length === 0 && <p>The list is empty. Add books on their pages.</p>}
            <Entries list={list} />
            <More
              label="Show more books"
              page={list.entries.pageInfo}
              load={(after) => fetchMore({ variables: { after } })}
            />
          </>
        )}
      </Answer>
    </Page>
  );
}

function Entries({ list: { id: listId, entries, owner } }: { readonly list: ListPageFragment }) {
  const isOwn = owner?.id === useSession()?.readerId;
  const [dragged, setDragged] = useState<string>();
  const [move] = useMutation(MoveInListDocument);
  const [remove] = useMutation(RemoveFromListDocument);
  const books = entries.edges.map(({ node }) => node.id);

  const report = async (change: Promise<{ readonly message: string } | undefined>) => {
    try {
      const problem = await change;
      if (problem) notify(problem.message);
    } catch (error) {
      notify(messageOf(error));
    }
  };
  const place = (bookId: string, at: number) => {
    const others = books.filter((each) => each !== bookId);
    const after = others[at - 1] ?? null;
    void report(
      move({ variables: { listId, bookId, place: after } }).then(({ data }) => data?.moveInList.userErrors[0]),
    );
  };
  const take = (bookId: string) =>
    void report(remove({ variables: { listId, bookId } }).then(({ data }) => data?.removeFromList.userErrors[0]));
  return (
    <ol className="entries" aria-label="Books of the list">
      {entries.edges.map(({ node: book, note }, index) => (
        <li
          key={book.id}
          draggable={isOwn}
          onDragStart={() => setDragged(book.id)}
          onDragOver={(event) => dragged !== undefined && event.preventDefault()}
          onDrop={() => {
            if (dragged !== undefined && dragged !== book.id) place(dragged, index);
            setDragged(undefined);
          }}
        >
          <Link to={bookPath(book.id)}>{book.title}</Link> <span className="note">{book.authors.join(', ')}</span>
          {note !== null && <p className="text">{note}</p>}
          {isOwn && (
            <span className="moves">
              <button
                aria-label={`Move ${book.title} up`}
                disabled={index === 0}
                onClick={() => place(book.id, index - 1)}
              >
                ↑
              </button>
              <button
                aria-label={`Move ${book.title} down`}
                disabled={index === books.length - 1}
                onClick={() => place(book.id, index + 1)}
              >
                ↓
              </button>
              <button aria-label={`Remove ${book.title}`} onClick={() => take(book.id)}>
                ×
              </button>
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}
