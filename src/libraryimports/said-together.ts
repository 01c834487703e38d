import type { ReadingStatus } from '../graphql/generated/schema-types.ts';
import type { SaidElsewhere } from '../reading/imported.ts';
import type { ImportedLine, ImportedRead } from './lines.ts';
import { becomes } from './shelf-names.ts';
import type { LibraryImportState } from './tables.ts';

/**
 * Puts together what lines of a file say of one book. Readers have several editions of a book, and
 * services export a line for each.
 */

/** The maximum number of lines about one book that are imported. Nobody has more editions of it. */
export const LINES_PER_BOOK_MAX = 20;

/** The statuses, each with more to say of a book than the one before. */
const STATUSES: readonly ReadingStatus[] = ['WANT_TO_READ', 'GIVEN_UP', 'READ', 'READING'];

/** A line of a file. */
interface Line {
  readonly line: number;
  readonly said: ImportedLine;
}

/** The words of all lines about a book, each with the line that has it. */
export interface SaidTogether {
  /** Unset if no line has a status. */
  readonly reading?: SaidElsewhere & { readonly line: number };
  readonly rating?: { readonly line: number; readonly stars: number };
  readonly review?: { readonly line: number; readonly text: string; readonly hasSpoilers: boolean };
}

/** Returns the status that the shelf of a line becomes; null if it becomes none. */
export const statusOf = ({ shelf }: ImportedLine, shelves: LibraryImportState['shelves']): ReadingStatus | null =>
  shelves.find(({ name }) => name === shelf)?.becomes ?? null;

/**
 * Puts together what lines say of one book, in whatever order they come. The status that has most
 * to say counts, and the rating and the review of the book that was read last. All days count.
 */
export function saidTogether(lines: readonly Line[], shelves: LibraryImportState['shelves']): SaidTogether {
  const inOrder = lines.toSorted(
    (one, other) => lastDay(other.said).localeCompare(lastDay(one.said)) || one.line - other.line,
  );
  const rated = inOrder.find(({ said }) => said.rating !== null);
  const reviewed = inOrder.find(({ said }) => said.review !== null);

  const told = inOrder
    .flatMap(({ line, said }) => {
      const status = statusOf(said, shelves);
      return status === null ? [] : [{ line, said: status === 'GIVEN_UP' ? givenUp(said) : said, status }];
    })
    .toSorted((one, other) => STATUSES.indexOf(other.status) - STATUSES.indexOf(one.status));
  const [leading] = told;
  return {
    ...(leading && {
      reading: {
        line: leading.line,
        status: leading.status,
        reads: allReads(told),
        progress: leading.said.progress,
        startedOn: leading.said.startedOn,
        since: leading.said.addedOn,
      },
    }),
    ...(rated?.said.rating != null && { rating: { line: rated.line, stars: rated.said.rating } }),
    ...(reviewed?.said.review != null && {
      review: { line: reviewed.line, text: reviewed.said.review, hasSpoilers: reviewed.said.hasSpoilers },
    }),
  };
}

/**
 * Returns what a line says of a book that was given up. On a shelf of the reader's own the file
 * does not tell that the last reading has no end: its last day is that of giving the book up.
 */
export function givenUp(said: ImportedLine): ImportedLine {
  const newest = said.reads.at(-1);
  if (said.shelf === null || becomes(said.shelf) !== null || !newest) return said;
  const [startedOn, addedOn] = [newest.startedOn ?? said.startedOn, newest.finishedOn ?? said.addedOn];
  return { ...said, reads: said.reads.slice(0, -1), startedOn, addedOn };
}

/** The day on which the book of a line was read last; '' if it is not told. */
export const lastDay = ({ reads }: ImportedLine): string =>
  reads.findLast(({ finishedOn }) => finishedOn !== null)?.finishedOn ?? '';

/**
 * Returns the readings of all lines, oldest first. A reading on an unknown day may be any of those
 * that another line knows, so there are only as many as some line has.
 */
function allReads(lines: readonly Line[]): ImportedRead[] {
  const reads = lines.map(({ said }) => said.reads);
  const known = new Map<string, ImportedRead>();
  for (const read of reads.flat()) {
    const { finishedOn, startedOn } = read;
    if (finishedOn !== null && (known.get(finishedOn)?.startedOn ?? null) === null)
      known.set(finishedOn, { finishedOn, startedOn });
  }

  const most = Math.max(0, ...reads.map(({ length }) => length));
  const unknown = reads.flat().filter(({ finishedOn }) => finishedOn === null);
  const dated = [...known.values()].toSorted((one, other) =>
    (one.finishedOn ?? '').localeCompare(other.finishedOn ?? ''),
  );
  return [...unknown.slice(0, Math.max(0, most - known.size)), ...dated];
}
