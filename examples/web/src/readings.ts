import type { ApolloClient } from '@apollo/client';
import type { Session } from './auth.ts';
import { change, IN_TURN } from './changes.ts';
import {
  MarkAsReadDocument,
  RestoreReadingDocument,
  SetReadingStatusDocument,
  type ReadingStateFragment,
  type ReadingStatus,
} from './documents.generated.ts';
import { wordsOf } from './format.ts';
import { notify } from './notices.ts';
import { addToShelves } from './shelves.ts';

/** The shelves that readers put books on. */

/** A book with what is known of its reading. */
export interface ShelvedBook {
  readonly id: string;
  readonly title: string;
  readonly viewerReading: ReadingStateFragment | null;
}

/** The state that the reader wants the reading of a book to have. */
export interface ShelfWish {
  /** The shelf; null for none. */
  readonly status: ReadingStatus | null;
  /** The day of another reading, null if nobody knows it; unset if the status alone is set. */
  readonly finishedOn?: string | null;
  /** The rest of the former state, which an undo restores. */
  readonly restored?: {
    readonly progress?: number;
    readonly startedOn?: string | null;
    readonly unmarks: boolean;
    readonly takesOff: boolean;
  };
}

/** Puts a book on a shelf, or takes it off; says what is done once it is so, with an undo where there is one. */
export function putOnShelf(client: ApolloClient, reader: Session, book: ShelvedBook, wanted: ShelfWish): void {
  const { id: bookId, title, viewerReading } = book;
  const send = async ({ status, finishedOn, restored }: ShelfWish) => {
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
    if (reading) addToShelves(client.cache, reader.readerId, bookId, reading);
    if (finishedOn !== undefined && reading?.status !== status)
      return `You have finished ${title} on this day already. To count it twice, choose “Read”.`;

    const before = viewerReading?.readings.length ?? 0;
    const isReadMore = (reading?.readings.length ?? 0) > before;
    const said = status === null ? `${title} is on no shelf.` : `${title} is on your shelf “${wordsOf(status)}”.`;
    const undo = () => putOnShelf(client, reader, book, undoOf(viewerReading, isReadMore));
    // One of several readings cannot be taken back.
    notify(said, restored || (isReadMore && before > 0) ? undefined : undo);
    return undefined;
  };
  change(client, { kind: 'reading', id: bookId }, wanted, send);
}

/** Returns the wish for a reading as it was. */
function undoOf(before: ReadingStateFragment | null, unmarks: boolean): ShelfWish {
  const { status = null, progress = 0, startedOn = null } = before ?? {};
  const isBegun = status === 'READING' || status === 'GIVEN_UP';
  return { status, restored: { unmarks, takesOff: status === 'READ', ...(isBegun && { progress, startedOn }) } };
}
