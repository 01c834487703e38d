import pLimit from 'p-limit';
import { write } from '../cassandra/statement.ts';
import { booksTold } from '../catalogue/matching.ts';
import { booksNow } from '../catalogue/operations.ts';
import type { AppContext, JobHandler } from '../context/context.ts';
import { addImportedRating, removeImportedRating } from '../ratings/imported.ts';
import { addImported, removeImported } from '../reading/imported.ts';
import { imports } from './aggregate.ts';
import { importedLine, type ImportedLine } from './lines.ts';
import { importLines, updateLine, type ImportLineRow, type LibraryImportState } from './tables.ts';

/** The jobs of an import. They go through the lines page by page, and may repeat any of them. */

const LINES_PER_PAGE = 200;
const LINES_AT_ONCE = 16;

type Became = Pick<ImportLineRow, 'fate' | 'reason' | 'book_id' | 'candidates'>;

/**
 * Matches the lines that have no book yet, and adds what all lines say to the readings of the
 * reader.
 */
export const importSome: JobHandler = (app, importId, position) =>
  goThrough(app, importId, position, 'RUNNING', 'DONE', async (state, row) => {
    if (row.fate === 'FAILED') return undefined;
    const said = lineOf(row);
    return row.book_id === null
      ? importLine(app, importId, state, said)
      : keep(app, importId, state, said, row.book_id);
  });

/** Takes back what the lines added. */
export const undoSome: JobHandler = (app, importId, position) =>
  goThrough(app, importId, position, 'UNDOING', 'UNDONE', async ({ user_id }, row) => {
    if (row.book_id !== null && user_id !== null) {
      const key = { userId: user_id, bookId: row.book_id, importId };
      await Promise.all([removeImported(app, key), removeImportedRating(app, key)]);
    }
    return row.fate === 'FAILED' ? undefined : PENDING;
  });

/** Reads the line of the file that a row has. */
export const lineOf = ({ said }: { readonly said: string }): ImportedLine => importedLine.parse(JSON.parse(said));

export const PENDING: Became = { fate: 'PENDING', reason: '', book_id: null, candidates: [] };

/**
 * Goes through a page of lines.
 * @param each returns what became of a line; `undefined` if it stays as it is
 * @returns the last line of the page; `undefined` if all are done
 */
async function goThrough(
  app: AppContext,
  importId: string,
  position: string,
  during: LibraryImportState['status'],
  after: LibraryImportState['status'],
  each: (state: LibraryImportState, row: ImportLineRow) => Promise<Became | undefined>,
): Promise<string | undefined> {
  const { cassandra } = app;
  const state = await imports.read(app, { importId });
  if (state?.status !== during) return undefined;

  const from = position === '' ? undefined : { line: Number(position) };
  const slice = { descending: false, from, limit: LINES_PER_PAGE };
  const page = await importLines.read(cassandra, { import_id: importId }, slice);
  const version = BigInt(state.version);
  await pLimit(LINES_AT_ONCE).map(page, async (row) => {
    const became = await each(state, row);
    if (became) await write(cassandra, updateLine, { import_id: importId, line: row.line, version, ...became });
  });

  const last = page.at(-1);
  if (last && page.length === LINES_PER_PAGE) return String(last.line);
  await imports.amend(app, { importId }, (latest) =>
    Promise.resolve(latest.status === during ? { ...latest, status: after } : undefined),
  );
  return undefined;
}

async function importLine(
  app: AppContext,
  importId: string,
  state: LibraryImportState,
  said: ImportedLine,
): Promise<Became> {
  const found = await booksTold(app, said);
  if (found.bookId !== undefined) return keep(app, importId, state, said, found.bookId);

  const { candidates } = found;
  const [fate, reason] =
    candidates.length > 0
      ? (['AMBIGUOUS', 'Several books may be meant: say which one.'] as const)
      : (['UNLISTED', 'The catalogue does not have this book.'] as const);
  return { fate, reason: sentences(reason, ...said.cut), book_id: null, candidates: [...candidates] };
}

/** Adds what a line says to the reading of its book, and to its rating. */
export async function keep(
  app: AppContext,
  importId: string,
  { user_id, shelves }: LibraryImportState,
  said: ImportedLine,
  bookId: string,
): Promise<Became> {
  const became = (fate: 'MATCHED' | 'NOT_KEPT', ...reasons: string[]): Became => ({
    fate,
    reason: sentences(...reasons, ...said.cut),
    book_id: bookId,
    candidates: [],
  });
  const book = (await booksNow(app, [bookId])).get(bookId);
  if (!book || book.isRemoved || user_id === null) return became('NOT_KEPT', 'The book is in the catalogue no more.');

  const { reads, progress, rating, shelf } = said;
  const isRated = rating !== null && (await addImportedRating(app, { userId: user_id, bookId, importId }, rating));
  const ofRating = rating === null || isRated ? [] : ['You have another rating of the book, which stays.'];

  const status = shelves.find(({ name }) => name === shelf)?.becomes ?? null;
  if (status === null && shelf === null) return became(isRated ? 'MATCHED' : 'NOT_KEPT', NO_STATUS, ...ofRating);
  if (status === null) return became('NOT_KEPT', OWN_SHELF, ...ofRating);

  const since = said.startedOn ?? said.addedOn;
  const isKept = await addImported(app, { userId: user_id, book, importId }, { status, reads, progress, since });
  return isKept
    ? became('MATCHED', ...ofRating)
    : became('NOT_KEPT', 'You have said otherwise here, and that stays.', ...ofRating);
}

const NO_STATUS = 'The line says neither a status nor a day.';
const OWN_SHELF = 'The shelf is one of your own: say which status it becomes.';

const sentences = (...all: string[]): string => all.join(' ');
