import type { Reservation } from '../aggregates/aggregate.ts';
import { booksTold, type Match } from '../catalogue/matching.ts';
import type { AppContext, JobHandler } from '../context/context.ts';
import { removeImportedRating } from '../ratings/imported.ts';
import { removeImported } from '../reading/imported.ts';
import { removeImportedReview } from '../reviews/imported.ts';
import { inTurn } from '../jobs/operations.ts';
import { imports } from './aggregate.ts';
import { keep } from './keeping.ts';
import { sentences } from './lines.ts';
import { statusOf } from './said-together.ts';
import {
  hasBook,
  importNow,
  linesByBook,
  linesAfter,
  onEach,
  oneLine,
  PENDING,
  raiseRevision,
  record,
  untilRecorded,
  whileAsRead,
  type LineOfBook,
  type StoredLine,
  type StoredLines,
} from './stored-lines.ts';
import type { LibraryImportState } from './tables.ts';
import type { OwnState } from './waiting.ts';

/**
 * Imports lines: page by page by the jobs of an import, which may repeat any of them, or one by one
 * later. The book of a line is decided first, once, and then added to the readings: whatever dies
 * or is repeated, the line tells what an undo has to take back. All books are decided before any is
 * added, because several lines may be about one.
 */

const LINES_PER_PAGE = 200;

/**
 * Works on lines and records what became of them.
 * @returns false if others have changed lines of the import meanwhile
 */
type Work = (app: AppContext, state: OwnState, before: StoredLines) => Promise<boolean>;

/**
 * Matches the lines that have no book yet, and then adds what all lines say to the readings of the
 * reader.
 */
export const importSome: JobHandler = inTurn([
  {
    name: 'match',
    work: async (app, importId, position) => {
      // Whatever follows from lines of a former run is not added any more.
      if (position === '') await raiseRevision(app, importId);
      return goThrough(app, importId, position, 'RUNNING', 'RUNNING', matchThese);
    },
  },
  {
    name: 'keep',
    work: (app, importId, position) => goThrough(app, importId, position, 'RUNNING', 'DONE', keepThese),
  },
]);

/** Takes back what the lines added. */
export const undoSome: JobHandler = async (app, importId, position) => {
  // A server that has not heard of the undo gives no line a book any more, and adds nothing.
  if (position === '') await raiseRevision(app, importId);
  return goThrough(app, importId, position, 'UNDOING', 'UNDONE', takeBackThese);
};

/**
 * Goes through a page of lines.
 * @returns the last line of the page; `undefined` if all are done
 */
async function goThrough(
  app: AppContext,
  importId: string,
  position: string,
  during: LibraryImportState['status'],
  after: LibraryImportState['status'],
  work: Work,
): Promise<string | undefined> {
  let last: number | undefined;
  await untilRecorded(app, async () => {
    const page = await linesAfter(app, importId, Number(position), LINES_PER_PAGE);
    const state = await importNow(app, importId);
    last = state?.status === during ? page.last : undefined;
    return state?.status !== during || work(app, state, page.stored);
  });
  if (last !== undefined) return String(last);

  await imports.amend(app, { importId }, (latest) =>
    Promise.resolve(latest.status === during && after !== during ? { ...latest, status: after } : undefined),
  );
  return undefined;
}

/** The kind of the job that imports one line, which has no book yet, after that of its import. */
export const IMPORT_LINE = 'IMPORT_LIBRARY_LINE';

/**
 * Returns the cause of such a job, another one each time.
 * @param bookId the book that the line is about; unset if the catalogue has another book that it
 *   may be about
 */
export const causeOf = (app: AppContext, line: number, bookId = ''): string => `${line} ${bookId} ${app.randomId()}`;

export const importOne: JobHandler = async (app, importId, _position, _subject, cause = '') => {
  const [line, bookId = ''] = cause.split(' ');
  await importLine(app, importId, Number(line), bookId === '' ? undefined : bookId);
  return undefined;
};

async function importLine(app: AppContext, importId: string, line: number, bookId?: string): Promise<void> {
  await untilRecorded(app, async () => {
    const before = await oneLine(app, importId, line);
    const [stored] = before.lines;
    if (stored?.row.fate !== 'AMBIGUOUS' && stored?.row.fate !== 'UNLISTED') return true;
    const state = await importNow(app, importId);
    if (state?.status !== 'DONE' && state?.status !== 'RUNNING') return true;
    if (bookId === undefined && stored.row.book_id === null && isNone(await booksTold(app, stored.said))) return true;

    if (!(await matchThese(app, state, before, bookId))) return false;
    return keepThese(app, state, await oneLine(app, importId, line));
  });
}

/**
 * Decides which books lines are about that have none yet.
 * @param bookId the book, if it is known
 */
async function matchThese(app: AppContext, state: OwnState, before: StoredLines, bookId?: string): Promise<boolean> {
  const matched = await onEach(before.lines, (stored) => withBook(app, stored, bookId));
  const decided = await record(app, state, before, matched);
  if (!decided) return false;

  // A book that came before its lines were listed did not find them.
  const waiting = decided.lines.filter((stored) => !hasBook(stored) && stored.row.fate === 'UNLISTED');
  const areFound = await onEach(waiting, async ({ said }) => !isNone(await booksTold(app, said)));
  const late = waiting.filter((_stored, index) => areFound[index]);
  return late.length === 0 || matchThese(app, state, { ...decided, lines: late });
}

/** Adds what the lines with books say to the readings of the reader. */
const keepThese: Work = async (app, state, before) => {
  const ofBooks = { ...before, lines: before.lines.filter(hasBook) };
  const linesOf = await linesByBook(app, ofBooks);
  return whileAsRead(app, before, async (condition) => {
    const kept = await onEach(ofBooks.lines, (stored) =>
      keep(app, state, stored, linesOf.get(stored.row.book_id) ?? [stored], condition),
    );
    return (await record(app, state, ofBooks, kept)) !== undefined;
  });
};

const takeBackThese: Work = (app, state, before) =>
  whileAsRead(app, before, async (condition) => {
    await onEach(before.lines.filter(hasBook), (stored) => takeBack(app, state, stored, condition));
    const after = before.lines.map((stored) => ({ ...stored, row: PENDING }));
    return (await record(app, state, before, after)) !== undefined;
  });

/** Takes back what a line brought. What only other lines about its book say goes with these. */
async function takeBack(
  app: AppContext,
  state: OwnState,
  { importId, said, row }: LineOfBook,
  condition: Reservation,
): Promise<void> {
  const of = { userId: state.user_id, bookId: row.book_id, importId, condition };
  if (statusOf(said, state.shelves) !== null) await removeImported(app, of);
  if (said.rating !== null) await removeImportedRating(app, of);
  if (said.review !== null) await removeImportedReview(app, of);
}

const isNone = ({ bookId, candidates }: Match): boolean => bookId === undefined && candidates.length === 0;

/**
 * Decides the book of a line that has none yet. A line that has one keeps its fate until the book
 * is added to the readings.
 * @param known the book, if it is known
 */
async function withBook(app: AppContext, stored: StoredLine, known: string | undefined): Promise<StoredLine> {
  const { said, row } = stored;
  if (hasBook(stored)) return stored;

  const { bookId, candidates } = known === undefined ? await booksTold(app, said) : { bookId: known, candidates: [] };
  if (bookId !== undefined) return { ...stored, row: { ...row, book_id: bookId } };

  const [fate, reason] =
    candidates.length > 0
      ? (['AMBIGUOUS', 'Several books may be meant: say which one.'] as const)
      : (['UNLISTED', 'The catalogue does not have this book.'] as const);
  const became = { fate, reason: sentences(reason, ...said.cut), book_id: null, candidates: [...candidates] };
  return { ...stored, row: became };
}
