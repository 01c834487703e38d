import { useApolloClient } from '@apollo/client/react';
import { useId } from 'react';
import { useWish } from '../changes.ts';
import type { ReadingStatus } from '../documents.generated.ts';
import { today, wordsOf } from '../format.ts';
import { logInTo } from '../kept-wish.ts';
import { putOnShelf, type ShelfWish, type ShelvedBook } from '../readings.ts';
import { useSession } from '../session.ts';

const STATUSES: readonly (ReadingStatus | null)[] = ['WANT_TO_READ', 'READING', 'READ', 'GIVEN_UP', null];

interface Step {
  readonly label: string;
  readonly status: ReadingStatus;
}

/** The step that follows each status, by one click. */
const NEXT: Readonly<Record<ReadingStatus | 'NONE', Step>> = {
  NONE: { label: 'Want to read', status: 'WANT_TO_READ' },
  WANT_TO_READ: { label: 'Start reading', status: 'READING' },
  READING: { label: 'Finished today', status: 'READ' },
  READ: { label: 'Read again', status: 'READING' },
  GIVEN_UP: { label: 'Read on', status: 'READING' },
};

/** Puts a book on a shelf of the reader's, or takes it off. What they want is shown at once. A visitor logs in first. */
export function StatusButton({ book }: { readonly book: ShelvedBook }) {
  const { id, title, viewerReading } = book;
  const reader = useSession();
  const client = useApolloClient();
  const wish = useWish<ShelfWish>({ kind: 'reading', id });
  const menu = useId();
  const status = wish ? wish.status : (viewerReading?.status ?? null);
  const next = NEXT[status ?? 'NONE'];

  const put = (wanted: ShelfWish) => {
    if (reader) putOnShelf(client, reader, book, wanted);
    else logInTo({ to: 'read', __typename: 'Book', id, title });
  };
  const choose = (chosen: ReadingStatus | null) => {
    // Nobody has said when a book was read that was on another shelf.
    const isFirst = chosen === 'READ' && status !== 'READING' && !viewerReading?.readings.length;
    put({ status: chosen, ...(isFirst && { finishedOn: null }) });
  };
  return (
    <span className="status">
      <button
        aria-label={`${next.label}: ${title}`}
        aria-busy={wish !== undefined}
        // The second half of a double click is not the step after.
        onClick={({ detail }) =>
          detail < 2 && put({ status: next.status, ...(status === 'READING' && { finishedOn: today() }) })
        }
      >
        {next.label}
      </button>
      {reader && (
        <>
          <button popoverTarget={menu} aria-label={`Shelf of ${title}: ${shelfOf(status)}`}>
            <span>{shelfOf(status)}</span> ▾
          </button>
          <span id={menu} popover="auto" role="group" aria-label={`Shelves for ${title}`} className="menu">
            {STATUSES.map((value) => (
              <button
                key={value ?? ''}
                popoverTarget={menu}
                aria-pressed={value === status}
                onClick={() => value !== status && choose(value)}
              >
                {value === null && status !== null ? 'Take off the shelf' : shelfOf(value)}
              </button>
            ))}
          </span>
        </>
      )}
    </span>
  );
}

const shelfOf = (status: ReadingStatus | null): string => (status === null ? 'On no shelf' : wordsOf(status));
