import type { ImportContext } from '../aggregates/importing.ts';
import { booksNow } from '../catalogue/operations.ts';
import type { AppContext, JobHandler } from '../context/context.ts';
import { inTurn } from '../jobs/operations.ts';
import { imports, jobCauseOf, NO_RESTART, noticeEnd } from './aggregate.ts';
import { applyLines, overLimit, revertLines } from './apply-line.ts';
import { matchLines } from './match-lines.ts';
import { LINES_PER_BOOK_MAX } from './merge-lines.ts';
import { ifRevisionUnchanged, raiseRevision, retryOnConflict } from './revisions.ts';
import {
  booksOf,
  findImport,
  firstOf,
  hasBook,
  importsOfReader,
  isImported,
  linesAbout,
  linesAmong,
  mapConcurrently,
  PENDING,
  placesByBook,
  placesOf,
  record,
  restarted,
  type FoundImport,
  type StoredLine,
} from './stored-lines.ts';
import type { LibraryImportState, LinePlace } from './tables.ts';

/**
 * The job of an import, which processes its pending lines a page at a time: a line gets its book,
 * and then its content is applied to the reader's library. An upload, a mapped shelf, a chosen
 * book, a book that arrived and an undo all run this job. Any page may be repeated: the book of a
 * line is stored before the line is applied, so an undo knows the book to revert. All lines get
 * their books before any is applied, because several lines may be about one book.
 */

const LINES_PER_PAGE = 200;

interface PageResult {
  /** False if another process has changed lines of the import meanwhile. */
  readonly isRecorded: boolean;
  /** The last line of the page; `undefined` after the last page. */
  readonly last: number | undefined;
}

type Page = (app: AppContext, found: FoundImport, after: number) => Promise<PageResult>;

export const processLines: JobHandler = inTurn([
  {
    name: 'match',
    work: async (app, importId, position) => {
      // From here on, a server that still works on an earlier run can apply nothing.
      if (position === '') await raiseRevision(app, importId);
      return processPage(app, importId, position, matchPage);
    },
  },
  {
    name: 'apply',
    work: async (app, importId, position, _subject, cause) => {
      const next = await processPage(app, importId, position, applyPage);
      if (next === undefined) await endImport(app, importId, cause);
      return next;
    },
  },
]);

/** Processes one page of an import; returns the next position of the job. */
async function processPage(
  app: AppContext,
  importId: string,
  position: string,
  page: Page,
): Promise<string | undefined> {
  let last: number | undefined;
  await retryOnConflict(app, async () => {
    const found = await findImport(app, importId);
    if (!found || !(isImported(found.state) || isUndone(found.state))) return true;

    const result = await page(app, found, Number(position));
    ({ last } = result);
    return result.isRecorded;
  });
  return last?.toString();
}

/**
 * Ends an import whose lines are processed.
 * @param cause the change that began this job; after a later change, the job of that change ends
 *   the import
 */
async function endImport(app: AppContext, importId: string, cause: string | undefined): Promise<void> {
  const state = await imports.amend(app, { importId }, (latest) => {
    const isOwnJob = latest.status === 'RUNNING' || latest.status === 'UNDOING' ? jobCauseOf(latest) === cause : false;
    const status = latest.status === 'UNDOING' ? 'UNDONE' : 'DONE';
    return Promise.resolve(isOwnJob ? { ...latest, ...NO_RESTART, status } : undefined);
  });
  // The job is repeated until this is done, and then finds an import that has ended.
  if (state) await noticeEnd(app, { importId }, state);
}

const isUndone = ({ status }: LibraryImportState): boolean => status === 'UNDOING';

/**
 * Reverts the lines of the page whose book has changed, and finds the books of the pending ones.
 */
const matchPage: Page = async (app, found, after) => {
  const { importId, state } = found;
  const isWhole = isUndone(state) || state.again !== null;
  const { lines, last } = await pageAfter(app, importId, after, isWhole ? () => true : isPending);
  if (isUndone(state)) return { isRecorded: await revertPage(app, found, lines), last };

  const leaving = lines.filter(({ row }) => row.former.length > 0);
  if (leaving.length > 0) return { isRecorded: await revertPage(app, found, leaving), last: after };

  const pending = lines.filter((line) => isPending(line.row) || isRestarted(state, line));
  return { isRecorded: await matchLines(app, found, pending), last };
};

/** True for a line that the reader has asked to process once more. */
const isRestarted = ({ again, again_shelf }: LibraryImportState, { content, row }: StoredLine): boolean =>
  again === 'ALL' ||
  (again === 'SHELF' && content.shelf === again_shelf) ||
  (again === 'REVIEWS' && content.review !== null && row.book_id !== null);

const isPending = ({ fate }: Pick<LinePlace, 'fate'>): boolean => fate === 'PENDING';

/**
 * Reads a page of lines.
 * @param after the number of the line before the page
 * @returns the lines that could be parsed, and the number of the last line of the page; `undefined`
 *   for it at the end
 */
async function pageAfter(app: AppContext, importId: string, after: number, isOnPage: (place: LinePlace) => boolean) {
  const numbers: number[] = [];
  for await (const place of placesOf(app, importId, after)) {
    if (isOnPage(place)) numbers.push(place.line);
    if (numbers.length === LINES_PER_PAGE) break;
  }
  const last = numbers.length === LINES_PER_PAGE ? numbers.at(-1) : undefined;
  return { lines: await linesAmong(app, importId, numbers), last };
}

/** Reverts lines for their former books, or for all books if the import is undone. */
const revertPage = (app: AppContext, found: FoundImport, lines: readonly StoredLine[]): Promise<boolean> =>
  ifRevisionUnchanged(app, found, async (condition) => {
    const isWhole = isUndone(found.state);
    const books = await revertLines(app, found, lines, isWhole ? booksOf : ({ row }) => row.former, condition);

    // Other lines of this import may be about these books as well.
    const reverted = new Set(lines.map(({ line }) => line));
    const others = isWhole ? [] : await linesAbout(app, found.importId, books);
    const changes = [
      ...lines.map((line) => ({ ...line, outcome: isWhole ? PENDING : { ...line.row, former: [] } })),
      ...others.filter(({ line }) => !reverted.has(line)).map(restarted),
    ];
    return (await record(app, found, changes)) !== undefined;
  });

/** Applies the pending lines of some books to the reader's library. */
const applyPage: Page = async (app, found, after) => {
  const { importId, state } = found;
  if (isUndone(state)) return { isRecorded: true, last: undefined };

  const { bookIds, numbers, past, last } = await booksAfter(app, importId, after);
  // A line that has just got another book waits for the job of that change, which reverts it first.
  const lines = (await linesAmong(app, importId, numbers)).filter(hasBook).filter(({ row }) => row.former.length === 0);
  const linesOf = Map.groupBy(
    lines.filter(({ line }) => !past.has(line)),
    ({ row }) => row.book_id,
  );
  const books = await booksNow(app, bookIds);
  const isOlder = await olderThan(app, found);
  const isRecorded = await ifRevisionUnchanged(app, found, async (condition) => {
    const importing: ImportContext = { userId: state.user_id, importId, condition, isOlder };
    const applied = await mapConcurrently([...linesOf], ([bookId, ofBook]) =>
      applyLines(app, importing, state, ofBook, books.get(bookId)),
    );
    const changes = [...applied.flat(), ...lines.filter(({ line }) => past.has(line)).map(overLimit)];
    return (await record(app, found, changes)) !== undefined;
  });
  return { isRecorded, last };
};

/** The next books with pending lines. */
interface NextBooks {
  readonly bookIds: readonly string[];
  /** The lines to read: the imported lines about these books, and those over the limit. */
  readonly numbers: readonly number[];
  /** The pending lines over the limit of their book. */
  readonly past: ReadonlySet<number>;
  readonly last: number | undefined;
}

async function booksAfter(app: AppContext, importId: string, after: number): Promise<NextBooks> {
  const places = await placesByBook(app, importId);
  const pending = [...places]
    .flatMap(([bookId, all]) => all.map((place, index) => ({ ...place, bookId, isPast: index >= LINES_PER_BOOK_MAX })))
    .filter(({ fate, line }) => fate === 'PENDING' && line > after)
    .toSorted((one, other) => one.line - other.line);
  const books = new Set<string>();
  const numbers = new Set<number>();
  const past = new Set<number>();
  for (const { line, bookId, isPast } of pending) {
    if (numbers.size >= LINES_PER_PAGE) return { bookIds: [...books], numbers: [...numbers], past, last: after };

    after = line;
    numbers.add(line);
    if (isPast) past.add(line);
    else if (!books.has(bookId)) for (const place of firstOf(places.get(bookId))) numbers.add(place.line);
    if (!isPast) books.add(bookId);
  }
  return { bookIds: [...books], numbers: [...numbers], past, last: undefined };
}

/**
 * Returns a function that is true for the imports of a reader that were begun before one. An import
 * that is missing in this read was begun later.
 */
async function olderThan(app: AppContext, { importId, state }: FoundImport): Promise<ImportContext['isOlder']> {
  const all = await importsOfReader(app, state.user_id);
  const older = new Set(all.slice(all.indexOf(importId) + 1));
  return (id) => older.has(id);
}
