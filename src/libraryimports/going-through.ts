import type { Reservation } from '../aggregates/aggregate.ts';
import type { Importing } from '../aggregates/importing.ts';
import { booksTold, type Match } from '../catalogue/matching.ts';
import { booksNow } from '../catalogue/operations.ts';
import type { AppContext, JobHandler } from '../context/context.ts';
import { removeImportedRating } from '../ratings/imported.ts';
import { removeImported } from '../reading/imported.ts';
import { removeImportedReview } from '../reviews/imported.ts';
import { inTurn } from '../jobs/operations.ts';
import { jobCauseOf, imports } from './aggregate.ts';
import { keep } from './keeping.ts';
import { sentences, type ImportedLine } from './lines.ts';
import { statusOf } from './said-together.ts';
import {
  hasBook,
  importNow,
  importsOfReader,
  isImported,
  linesByBook,
  linesAfter,
  onEach,
  PENDING,
  raiseRevision,
  record,
  untilRecorded,
  whileAsRead,
  type Became,
  type StoredLine,
  type StoredLines,
} from './stored-lines.ts';
import type { LibraryImportState } from './tables.ts';
import type { OwnState } from './waiting.ts';

/**
 * Imports lines page by page, by the jobs of an import, which may repeat any of them. The book of a
 * line is decided first, once, and then added to the readings: whatever dies or is repeated, the
 * line tells what an undo has to take back. All books are decided before any is added, because
 * several lines may be about one.
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
    work: async (app, importId, position, _subject, cause) => {
      // A server that is still in a former run adds nothing any more.
      if (position === '') await raiseRevision(app, importId);
      return goThrough(app, { importId, cause }, position, 'RUNNING', 'RUNNING', matchThese);
    },
  },
  {
    name: 'keep',
    work: (app, importId, position, _subject, cause) =>
      goThrough(app, { importId, cause }, position, 'RUNNING', 'DONE', keepThese),
  },
]);

/**
 * Takes back what the lines added, and adds again what other imports say of the same books.
 */
export const undoSome: JobHandler = async (app, importId, position, _subject, cause) => {
  // A server that does not know of the undo yet can no longer decide or add anything.
  if (position === '') await raiseRevision(app, importId);
  const last = await goThrough(app, { importId, cause }, position, 'UNDOING', 'UNDONE', takeBackThese);
  if (last === undefined) await runOthersAgain(app, importId);
  return last;
};

/** Runs the other imports of a reader again, even those that are running. */
async function runOthersAgain(app: AppContext, importId: string): Promise<void> {
  const state = await importNow(app, importId);
  for (const other of state ? await importsOfReader(app, state.user_id) : []) {
    if (other === importId) continue;
    const key = { importId: other };
    await imports.change(app, key, await imports.read(app, key), (latest) =>
      isImported(latest) ? { ...latest, status: 'RUNNING' } : undefined,
    );
  }
}

/**
 * Goes through a page of lines.
 * @param job the import, and the change that asked for the job: when another one has asked since,
 *   the import ends with the job of that
 * @returns the last line of the page; `undefined` if all are done
 */
async function goThrough(
  app: AppContext,
  { importId, cause }: { readonly importId: string; readonly cause: string | undefined },
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

  if (after !== during)
    await imports.amend(app, { importId }, (latest) => {
      const isAskedByThis = latest.status === during && jobCauseOf(latest) === cause;
      return Promise.resolve(isAskedByThis ? { ...latest, status: after } : undefined);
    });
  return undefined;
}

/** Decides which books lines are about that have none yet. */
export const matchThese: Work = async (app, state, before) => {
  const matched = await onEach(before.lines, (stored) => withBook(app, stored));
  const decided = await record(app, state, before, matched);
  if (!decided) return false;

  // A book that came before its lines were listed did not find them.
  const waiting = decided.lines.filter((stored) => !hasBook(stored) && stored.row.fate === 'UNLISTED');
  const areFound = await onEach(waiting, (stored) => mayHaveBook(app, stored));
  const late = waiting.filter((_stored, index) => areFound[index]);
  return late.length === 0 || matchThese(app, state, { ...decided, lines: late });
};

/** Adds what the lines with books say to the readings of the reader. */
export const keepThese: Work = async (app, state, before) => {
  const ofBooks = { ...before, lines: before.lines.filter(hasBook) };
  const linesOf = await linesByBook(app, ofBooks);
  const books = await booksNow(app, [...linesOf.keys()]);
  const isOlder = await olderThan(app, state, before.importId);
  return whileAsRead(app, before, async (condition) => {
    const importing: Importing = { userId: state.user_id, importId: before.importId, condition, isOlder };
    const kept = await onEach(ofBooks.lines, (stored) =>
      keep(app, importing, state, stored, linesOf.get(stored.row.book_id) ?? [stored], books.get(stored.row.book_id)),
    );
    return (await record(app, state, ofBooks, kept)) !== undefined;
  });
};

/**
 * Returns a function that tells which imports of a reader were begun before one. An import that it
 * does not know was begun after this read.
 */
async function olderThan(app: AppContext, { user_id }: OwnState, importId: string): Promise<Importing['isOlder']> {
  const all = await importsOfReader(app, user_id);
  const older = new Set(all.slice(all.indexOf(importId) + 1));
  return (id) => older.has(id);
}

const takeBackThese: Work = (app, state, before) =>
  whileAsRead(app, before, async (condition) => {
    await onEach(before.lines.filter(hasBook), (stored) => takeBack(app, state, stored, stored.row.book_id, condition));
    const after = before.lines.map((stored) => ({ ...stored, row: PENDING }));
    return (await record(app, state, before, after)) !== undefined;
  });

/**
 * Takes back what an import brought to a book because of a line. The other lines about the book
 * then have to be added again, or to be taken back themselves.
 */
export async function takeBack(
  app: AppContext,
  state: OwnState,
  { importId, said }: StoredLine,
  bookId: string,
  condition: Reservation,
): Promise<void> {
  const importing = { userId: state.user_id, importId, condition };
  if (statusOf(said, state.shelves) !== null) await removeImported(app, importing, bookId);
  if (said.rating !== null) await removeImportedRating(app, importing, bookId);
  if (said.review !== null) await removeImportedReview(app, importing, bookId);
}

/**
 * Decides the book of a line that has none yet. A line that has one keeps its fate until the book
 * is added to the readings.
 */
async function withBook(app: AppContext, stored: StoredLine): Promise<StoredLine> {
  if (hasBook(stored)) return stored;

  const { said, row } = stored;
  const { bookId, candidates, reason: ofCandidates } = await booksOf(app, stored);
  if (bookId !== undefined) return { ...stored, row: { ...row, book_id: bookId } };
  if (candidates.length === 0) return { ...stored, row: withoutBook(said, refusedBy(row)) };

  const reason = sentences(ofCandidates, ...said.cut);
  return { ...stored, row: { fate: 'AMBIGUOUS', reason, book_id: null, candidates: [...candidates] } };
}

/** Finds the books that a line may be about, except for those of which the reader has said no. */
async function booksOf(app: AppContext, { said, row }: StoredLine): Promise<Match> {
  const { bookId, candidates = [], reason = '' } = await booksTold(app, said);
  const refused = refusedBy(row);
  return bookId === undefined || refused.includes(bookId)
    ? { candidates: candidates.filter((id) => !refused.includes(id)), reason }
    : { bookId };
}

const refusedBy = ({ fate, candidates }: Became): readonly string[] => (fate === 'UNLISTED' ? candidates : []);

/**
 * Returns what becomes of a line about no book of the catalogue.
 * @param refused the books of which the reader has said that the line is not about them
 */
export function withoutBook({ cut }: ImportedLine, refused: readonly string[]): Became {
  const reason =
    refused.length > 0 ? 'You said that it is none of the suggested books.' : 'The catalogue does not have this book.';
  return { fate: 'UNLISTED', reason: sentences(reason, ...cut), book_id: null, candidates: [...refused] };
}

/** Returns true if the catalogue has a book that a line without one may be about. */
export async function mayHaveBook(app: AppContext, stored: StoredLine): Promise<boolean> {
  const { bookId, candidates = [] } = await booksOf(app, stored);
  return bookId !== undefined || candidates.length > 0;
}
