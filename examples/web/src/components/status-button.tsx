import { useApolloClient } from '@apollo/client/react';
import { useId } from 'react';
import type { Session } from '../auth.ts';
import { change, IN_TURN, useWish, type Changeable } from '../changes.ts';
import {
  MarkAsReadDocument,
  RestoreReadingDocument,
  SetReadingStatusDocument,
  type ReadingStateFragment,
  type ReadingStatus,
} from '../documents.generated.ts';
import { today, wordsOf } from '../format.ts';
import { notify } from '../notices.ts';
import { navigate, pathToLogin } from '../router.tsx';
import { useSession } from '../session.ts';
import { addToShelves } from '../shelves.ts';

const STATUSES: readonly (ReadingStatus | null)[] = ['WANT_TO_READ', 'READING', 'READ', 'GIVEN_UP', null];

/** What the reader wants for the reading of a book; the status is null for a book on no shelf. */
interface Wish {
  readonly status: ReadingStatus | null;
  /** The day of another reading, null if nobody knows it; unset if the status alone is set. */
  readonly finishedOn?: string | null;
  /** What is restored by an undo. */
  readonly restored?: {
    readonly progress?: number;
    readonly startedOn?: string | null;
    readonly unmarks: boolean;
    readonly takesOff: boolean;
  };
}

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

interface Props {
  readonly book: {
    readonly id: string;
    readonly title: string;
    readonly viewerReading: ReadingStateFragment | null;
  };
}

/** Puts a book on a shelf of the reader's, or takes it off. What they want is shown at once. */
export function StatusButton({ book: { id: bookId, title, viewerReading } }: Props) {
  const reader = useSession();
  const client = useApolloClient();
  const thing: Changeable = { kind: 'reading', id: bookId };
  const wish = useWish<Wish>(thing);
  const menu = useId();
  const status = wish ? wish.status : (viewerReading?.status ?? null);
  const next = NEXT[status ?? 'NONE'];

  const send = async ({ status, finishedOn, restored }: Wish, { readerId }: Session) => {
    const { data } = await (restored
      ? client.mutate({
          mutation: RestoreReadingDocument,
          variables: { bookId, status, ...restored },
          context: IN_TURN,
        })
      : finishedOn === undefined
        ? client.mutate({ mutation: SetReadingStatusDocument, variables: { bookId, status }, context: IN_TURN })
        : client.mutate({ mutation: MarkAsReadDocument, variables: { bookId, finishedOn }, context: IN_TURN }));
    const problem = data?.change.userErrors[0]?.message;
    const reading = data?.change.book?.viewerReading;
    if (problem !== undefined) return problem;
    if (reading) addToShelves(client.cache, readerId, bookId, reading);
    if (finishedOn !== undefined && reading?.status !== status)
      return `You have finished ${title} on this day already. To count it twice, choose “Read”.`;

    const before = viewerReading?.readings.length ?? 0;
    const isReadMore = (reading?.readings.length ?? 0) > before;
    const said = status === null ? `${title} is on no shelf.` : `${title} is on your shelf “${wordsOf(status)}”.`;
    // One of several readings cannot be taken back.
    notify(said, restored || (isReadMore && before > 0) ? undefined : () => put(undoOf(isReadMore)));
    return undefined;
  };
  const put = (wanted: Wish) => {
    if (reader) change(client, thing, wanted, (latest) => send(latest, reader));
    else navigate(pathToLogin());
  };
  const undoOf = (unmarks: boolean): Wish => {
    const { status = null, progress = 0, startedOn = null } = viewerReading ?? {};
    const isBegun = status === 'READING' || status === 'GIVEN_UP';
    return { status, restored: { unmarks, takesOff: status === 'READ', ...(isBegun && { progress, startedOn }) } };
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
