import pLimit from 'p-limit';
import { first, write } from '../cassandra/statement.ts';
import { booksTold, type Match } from '../catalogue/matching.ts';
import { booksNow } from '../catalogue/operations.ts';
import type { AppContext, JobHandler } from '../context/context.ts';
import { addImportedRating, removeImportedRating } from '../ratings/imported.ts';
import { addImported, removeImported } from '../reading/imported.ts';
import { addImportedReview, removeImportedReview } from '../reviews/imported.ts';
import { imports } from './aggregate.ts';
import { lineOf, type ImportedLine } from './lines.ts';
import { importLines, selectLine, updateLine, type ImportLineRow, type LibraryImportState } from './tables.ts';
import { awaitBook, listLine, unlistLine, type OwnState, type PlacedLine } from './waiting.ts';

/**
 * Imports lines: page by page by the jobs of an import, which may repeat any of them, or one by one
 * later.
 */

const LINES_PER_PAGE = 200;
const LINES_AT_ONCE = 16;

type Became = Pick<ImportLineRow, 'fate' | 'reason' | 'book_id' | 'candidates'>;

/** A line as it is stored, and what it says. */
type StoredLine = PlacedLine & { readonly row: Became };

/**
 * Matches the lines that have no book yet, and adds what all lines say to the readings of the
 * reader.
 */
export const importSome: JobHandler = (app, importId, position) =>
  goThrough(app, importId, position, 'RUNNING', 'DONE', (state, stored) => importLine(app, state, stored));

/** Takes back what the lines added. */
export const undoSome: JobHandler = (app, importId, position) =>
  goThrough(app, importId, position, 'UNDOING', 'UNDONE', (state, stored) => takeBack(app, state, stored));

export const PENDING: Became = { fate: 'PENDING', reason: '', book_id: null, candidates: [] };

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
  each: (state: OwnState, stored: StoredLine) => Promise<StoredLine>,
): Promise<string | undefined> {
  const { cassandra } = app;
  const state = await importNow(app, importId);
  if (state?.status !== during) return undefined;

  const from = position === '' ? undefined : { line: Number(position) };
  const slice = { descending: false, from, limit: LINES_PER_PAGE };
  const page = await importLines.read(cassandra, { import_id: importId }, slice);
  const stored = page.filter(({ fate }) => fate !== 'FAILED').map((row) => storedLine(importId, row));
  const limit = pLimit(LINES_AT_ONCE);
  const results = await Promise.allSettled(stored.map((one) => limit(() => each(state, one))));
  const done = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  if (during === 'RUNNING') await unlessUndone(app, importId, done);
  for (const result of results) if (result.status === 'rejected') throw result.reason;

  const last = page.at(-1);
  if (last && page.length === LINES_PER_PAGE) return String(last.line);
  await imports.amend(app, { importId }, (latest) =>
    Promise.resolve(latest.status === during ? { ...latest, status: after } : undefined),
  );
  return undefined;
}

async function importNow(app: AppContext, importId: string): Promise<OwnState | undefined> {
  const state = await imports.read(app, { importId });
  const { user_id = null } = state ?? {};
  return state && user_id !== null ? { ...state, user_id } : undefined;
}

const storedLine = (importId: string, { line, said, ...row }: ImportLineRow): StoredLine => ({
  importId,
  line,
  said: lineOf({ said }),
  row,
});

/** Takes lines back if their import was undone while they were imported. */
async function unlessUndone(app: AppContext, importId: string, lines: readonly StoredLine[]): Promise<void> {
  const state = await importNow(app, importId);
  if (state?.status !== 'UNDOING' && state?.status !== 'UNDONE') return;
  await pLimit(LINES_AT_ONCE).map(lines, (one) => takeBack(app, state, one));
}

/** @returns the line as it is stored then */
async function importLine(app: AppContext, state: OwnState, stored: StoredLine): Promise<StoredLine> {
  const { book_id } = stored.row;
  const became = book_id === null ? await match(app, state, stored) : await keepOrTakeBack(app, state, stored, book_id);
  return record(app, state, stored, became);
}

/** Keeps a line. If that fails, a part may be kept of an import that was undone meanwhile. */
async function keepOrTakeBack(app: AppContext, state: OwnState, stored: StoredLine, bookId: string): Promise<Became> {
  const { importId, said } = stored;
  try {
    return await keep(app, importId, state, said, bookId);
  } catch (error) {
    await unlessUndone(app, importId, [withBook(stored, bookId)]);
    throw error;
  }
}

async function takeBack(app: AppContext, state: OwnState, stored: StoredLine): Promise<StoredLine> {
  const { importId, row } = stored;
  if (row.book_id !== null) {
    const key = { userId: state.user_id, bookId: row.book_id, importId };
    await Promise.all([removeImported(app, key), removeImportedRating(app, key), removeImportedReview(app, key)]);
  }
  return record(app, state, stored, PENDING);
}

/**
 * Imports a line that has no book yet, after the job of its import.
 * @param bookId the book that the line is about; unset if the catalogue has another book that it
 *   may be about
 */
export async function importLater(app: AppContext, importId: string, line: number, bookId?: string): Promise<void> {
  const row = await first(app.cassandra, selectLine, { import_id: importId, line });
  if (row?.fate !== 'AMBIGUOUS' && row?.fate !== 'UNLISTED') return;
  const stored = storedLine(importId, { line, ...row });
  if (bookId === undefined && isNone(await booksTold(app, stored.said))) return;

  // The lines are written with the version, and the newest write must win.
  const raised = await imports.amend(app, { importId }, (latest) =>
    Promise.resolve(latest.status === 'DONE' || latest.status === 'RUNNING' ? latest : undefined),
  );
  if (!raised || raised.user_id === null || (raised.status !== 'DONE' && raised.status !== 'RUNNING')) return;
  const state = { ...raised, user_id: raised.user_id };
  const done = await importLine(app, state, bookId === undefined ? stored : withBook(stored, bookId));
  await unlessUndone(app, importId, [done]);
}

/** Stores what became of a line. What is stored of a line without a book follows from its fate. */
async function record(app: AppContext, state: OwnState, stored: StoredLine, became: Became): Promise<StoredLine> {
  const { importId, line, row } = stored;
  const isUnlisted = became.fate === 'UNLISTED';
  if (row.fate === 'UNLISTED' && !isUnlisted) await unlistLine(app, stored, state);
  const version = BigInt(state.version);
  await write(app.cassandra, updateLine, { import_id: importId, line, version, ...became });
  if (isUnlisted) await listLine(app, stored, state);
  return { ...stored, row: became };
}

const withBook = (stored: StoredLine, book_id: string): StoredLine => ({ ...stored, row: { ...stored.row, book_id } });

const isNone = ({ bookId, candidates }: Match): boolean => bookId === undefined && candidates.length === 0;

async function match(app: AppContext, state: OwnState, stored: StoredLine): Promise<Became> {
  const { said, row } = stored;
  let found = await booksTold(app, said);
  if (isNone(found)) {
    await awaitBook(app, stored, state);
    // A book that came before that did not find the line waiting.
    found = await booksTold(app, said);
    if (!isNone(found) && row.fate !== 'UNLISTED') await unlistLine(app, stored, state);
  }
  if (found.bookId !== undefined) return keepOrTakeBack(app, state, stored, found.bookId);

  const { candidates } = found;
  const [fate, reason] =
    candidates.length > 0
      ? (['AMBIGUOUS', 'Several books may be meant: say which one.'] as const)
      : (['UNLISTED', 'The catalogue does not have this book.'] as const);
  return { fate, reason: sentences(reason, ...said.cut), book_id: null, candidates: [...candidates] };
}

/** Adds what a line says to the reading of its book, its rating and the review. */
async function keep(
  app: AppContext,
  importId: string,
  { user_id, shelves, publishes_reviews }: OwnState,
  said: ImportedLine,
  bookId: string,
): Promise<Became> {
  const book = (await booksNow(app, [bookId])).get(bookId);
  const became = (isKept: boolean, ...reasons: (string | undefined)[]): Became => ({
    fate: isKept ? 'MATCHED' : 'NOT_KEPT',
    reason: sentences(...reasons.filter((reason) => reason !== undefined), ...said.cut),
    book_id: bookId,
    candidates: [],
  });
  if (!book || book.isRemoved) return became(false, 'The book is in the catalogue no more.');

  const { reads, progress, startedOn, addedOn, rating, review, hasSpoilers, shelf } = said;
  const key = { userId: user_id, bookId, importId };
  const isRated = rating !== null && (await addImportedRating(app, key, rating));
  const isReviewed = review !== null && publishes_reviews;
  const ofReview = isReviewed ? await addImportedReview(app, key, { text: review, hasSpoilers }) : undefined;
  const others = [rating === null || isRated ? undefined : OTHER_RATING, ofReview];
  const isPartKept = isRated || (isReviewed && ofReview === undefined);

  const status = shelves.find(({ name }) => name === shelf)?.becomes ?? null;
  if (status === null) return became(isPartKept && shelf === null, shelf === null ? NO_STATUS : OWN_SHELF, ...others);

  const isKept = await addImported(
    app,
    { userId: user_id, book, importId },
    { status, reads, progress, startedOn, since: addedOn },
  );
  return became(isKept, isKept ? undefined : 'You have said otherwise here, and that stays.', ...others);
}

const NO_STATUS = 'The line says neither a status nor a day.';
const OWN_SHELF = 'The shelf is one of your own: say which status it becomes.';
const OTHER_RATING = 'You have another rating of the book, which stays.';

const sentences = (...all: string[]): string => all.join(' ');
