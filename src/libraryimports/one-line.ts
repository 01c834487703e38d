import { booksTold } from '../catalogue/matching.ts';
import type { AppContext, JobHandler } from '../context/context.ts';
import { invalidInput } from '../graphql/errors.ts';
import { beginJob } from '../jobs/operations.ts';
import { keepThese, matchThese, mayHaveBook, takeBack, withoutBook } from './going-through.ts';
import {
  hasBook,
  importNow,
  importsOfReader,
  isImported,
  linesAbout,
  oneLine,
  record,
  revisionOf,
  untilRecorded,
  whileAsRead,
  type Became,
  type StoredLine,
} from './stored-lines.ts';
import type { OwnState } from './waiting.ts';

/**
 * Imports one line after its import: the catalogue has got its book, or the reader says which book
 * it is about. The choice is stored with the line before anything follows from it, so a job that is
 * repeated after a later choice changes nothing.
 */

/** The kind of the job that imports one line. */
export const IMPORT_LINE = 'IMPORT_LIBRARY_LINE';

/** The maximum number of books of which the reader has said that a line is not about them. */
const REFUSED_MAX = 10;

/**
 * Returns the cause of such a job, another one each time.
 * @param left the book that the line is about no more; unset if it had none
 */
export const causeOf = (app: AppContext, line: number, left = ''): string => `${line} ${left} ${app.randomId()}`;

/**
 * Stores which book a line is about, and begins the job that follows from it.
 * @param bookId null if it is none of the catalogue
 * @param stateNow reads the state of the import; throws if the reader may choose nothing now
 * @throws {UserError} `INVALID_INPUT` about `line`
 */
export const chooseBook = (
  app: AppContext,
  importId: string,
  line: number,
  bookId: string | null,
  stateNow: () => Promise<OwnState>,
): Promise<void> =>
  untilRecorded(app, async () => {
    const before = await oneLine(app, importId, line);
    const state = await stateNow();
    const [stored] = before.lines;
    if (!stored) throw invalidInput(['line'], 'The file has no such line, or it cannot be read.');

    const row = bookId === null ? await withoutThese(app, stored) : { ...stored.row, book_id: bookId };
    if (row.book_id === stored.row.book_id && row.fate === stored.row.fate) return true;
    const subject = { type: 'LibraryImport', key: importId } as const;
    await beginJob(app, subject, IMPORT_LINE, causeOf(app, line, stored.row.book_id ?? ''), app.clock());
    return (await record(app, state, before, [{ ...stored, row }])) !== undefined;
  });

/** Returns what becomes of a line when it is about none of the books that may be meant. */
async function withoutThese(app: AppContext, { said, row }: StoredLine): Promise<Became> {
  const { bookId, candidates = [] } = await booksTold(app, said);
  const meant = [row.book_id, bookId, ...row.candidates, ...candidates];
  const refused = new Set(meant.filter((id) => typeof id === 'string'));
  return withoutBook(said, [...refused].slice(0, REFUSED_MAX));
}

export const importOne: JobHandler = async (app, importId, _position, _subject, cause = '') => {
  const [line, left = ''] = cause.split(' ');
  await importLine(app, importId, Number(line));
  if (left !== '') await leaveBook(app, importId, Number(line), left);
  return undefined;
};

/** Adds what a line says, if it has a book or the catalogue has one for it. */
const importLine = (app: AppContext, importId: string, line: number): Promise<void> =>
  untilRecorded(app, async () => {
    const before = await oneLine(app, importId, line);
    const state = await importNow(app, importId);
    const [stored] = before.lines;
    // The job of the import itself comes to a line that is pending.
    if (!stored || stored.row.fate === 'PENDING' || !isImported(state)) return true;
    if (!hasBook(stored) && !(await mayHaveBook(app, stored))) return true;

    if (!(await matchThese(app, state, before))) return false;
    return keepThese(app, state, await oneLine(app, importId, line));
  });

/**
 * Takes back what a line brought to a book that it is about no more, and adds what other lines say
 * of that book, in whichever import of the reader.
 */
async function leaveBook(app: AppContext, importId: string, line: number, bookId: string): Promise<void> {
  let userId: string | undefined;
  await untilRecorded(app, async () => {
    const before = await oneLine(app, importId, line);
    const state = await importNow(app, importId);
    const [stored] = before.lines;
    if (!state || !stored || stored.row.book_id === bookId) return true;

    userId = state.user_id;
    return whileAsRead(app, before, async (condition) => {
      await takeBack(app, state, stored, bookId, condition);
      return true;
    });
  });
  for (const other of userId === undefined ? [] : await importsOfReader(app, userId))
    await keepAbout(app, other, bookId);
}

/** Adds what the lines of an import say of a book. */
const keepAbout = (app: AppContext, importId: string, bookId: string): Promise<void> =>
  untilRecorded(app, async () => {
    const revision = await revisionOf(app, importId);
    const state = await importNow(app, importId);
    if (!isImported(state)) return true;
    const lines = await linesAbout(app, importId, bookId);
    return lines.length === 0 || keepThese(app, state, { importId, revision, lines });
  });
