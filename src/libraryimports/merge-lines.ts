import type { ReadingStatus } from '../graphql/generated/schema-types.ts';
import type { ImportedReading } from '../reading/imported.ts';
import type { ImportedLine, ImportedRead } from './lines.ts';
import { statusForShelf } from './shelf-names.ts';
import type { LibraryImportState } from './tables.ts';

/**
 * Merges the lines of a file about one book. Readers have several editions of a book, and services
 * export a line for each.
 */

/**
 * The maximum number of lines about one book that are imported. No reader has more editions of a
 * book.
 */
export const LINES_PER_BOOK_MAX = 20;

/** The statuses, strongest last. Merged lines get the strongest status of any line. */
const STATUSES: readonly (ReadingStatus | null)[] = [null, 'WANT_TO_READ', 'GIVEN_UP', 'READ', 'READING'];

interface Line {
  readonly line: number;
  readonly content: ImportedLine;
}

/** The merged content of all lines about a book. Each part has the number of its line. */
export interface MergedLines {
  /** Unset if no line has a status or a reading. */
  readonly reading?: ImportedReading & { readonly line: number };
  readonly rating?: { readonly line: number; readonly stars: number };
  readonly review?: { readonly line: number; readonly text: string; readonly hasSpoilers: boolean };
}

/** Returns the status for the shelf of a line; null if there is none. */
export const statusOf = ({ shelf }: ImportedLine, shelves: LibraryImportState['shelves']): ReadingStatus | null =>
  shelves.find(({ name }) => name === shelf)?.becomes ?? null;

/**
 * True for a line with a status, or with only readings: a book that was read and is on no shelf.
 */
export const hasReading = (content: ImportedLine, shelves: LibraryImportState['shelves']): boolean =>
  statusOf(content, shelves) !== null || (content.shelf === null && content.reads.length > 0);

/**
 * Merges the lines about one book; their order changes nothing. The result has the strongest
 * status, the rating and review of the line that was read last, and all days.
 */
export function mergeLines(lines: readonly Line[], shelves: LibraryImportState['shelves']): MergedLines {
  const newestFirst = lines.toSorted(
    (one, other) => lastDay(other.content).localeCompare(lastDay(one.content)) || one.line - other.line,
  );
  const rated = newestFirst.find(({ content }) => content.rating !== null);
  const reviewed = newestFirst.find(({ content }) => content.review !== null);

  const withReading = newestFirst
    .filter(({ content }) => hasReading(content, shelves))
    .map(({ line, content }) => {
      const status = statusOf(content, shelves);
      return { line, content: status === 'GIVEN_UP' ? givenUp(content) : content, status };
    })
    .toSorted((one, other) => STATUSES.indexOf(other.status) - STATUSES.indexOf(one.status));
  const [leading] = withReading;
  return {
    ...(leading && {
      reading: {
        line: leading.line,
        status: leading.status,
        reads: allReads(withReading),
        progress: leading.content.progress,
        startedOn: leading.content.startedOn,
        since: leading.content.addedOn,
      },
    }),
    ...(rated?.content.rating != null && { rating: { line: rated.line, stars: rated.content.rating } }),
    ...(reviewed?.content.review != null && {
      review: { line: reviewed.line, text: reviewed.content.review, hasSpoilers: reviewed.content.hasSpoilers },
    }),
  };
}

/**
 * Returns the content of a line about a book that was given up. On a shelf of the reader's own, the
 * last day of the last reading is the day of giving the book up, so that reading has no end.
 */
export function givenUp(content: ImportedLine): ImportedLine {
  const newest = content.reads.at(-1);
  if (content.shelf === null || statusForShelf(content.shelf) !== null || !newest) return content;
  const [startedOn, addedOn] = [newest.startedOn ?? content.startedOn, newest.finishedOn ?? content.addedOn];
  return { ...content, reads: content.reads.slice(0, -1), startedOn, addedOn };
}

/** The last day of reading the book of a line; '' if it is unknown. */
export const lastDay = ({ reads }: ImportedLine): string =>
  reads.findLast(({ finishedOn }) => finishedOn !== null)?.finishedOn ?? '';

/**
 * Returns the readings of all lines, oldest first. A reading on an unknown day may be one that
 * another line has with its day, so there are no more readings than one line has.
 */
function allReads(lines: readonly Line[]): ImportedRead[] {
  const reads = lines.map(({ content }) => content.reads);
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
