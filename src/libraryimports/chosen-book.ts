import { matchBook } from '../catalogue/matching.ts';
import type { AppContext } from '../context/context.ts';
import { invalidInput } from '../graphql/errors.ts';
import { markPending } from './mark-pending.ts';
import { booksOf, linesAmong, type LineOutcome, type StoredLine } from './stored-lines.ts';
import type { OwnState } from './unmatched-lines.ts';

/** Stores the books that readers choose for lines of their imports. */

/**
 * The maximum number of books that a reader has refused for a line. There is room for all that are
 * suggested at once.
 */
const REFUSED_MAX = 30;

/**
 * Stores the book of a line, and marks the line as pending.
 * @param bookId null if the catalogue does not have the book
 * @param check throws if the reader may choose nothing now
 * @throws {UserError} `INVALID_INPUT` about `line`
 */
export const chooseBook = (
  app: AppContext,
  importId: string,
  line: number,
  bookId: string | null,
  check: (state: OwnState) => void,
): Promise<void> =>
  markPending(app, importId, async ({ state }) => {
    check(state);
    const [stored] = await linesAmong(app, importId, [line]);
    if (!stored) throw invalidInput(['line'], 'The file has no such line, or the line could not be read.');

    const { row } = stored;
    if (row.book_id === bookId && (bookId !== null || row.fate === 'UNLISTED')) return [];

    const former = [...new Set(booksOf(stored))].filter((id) => id !== bookId);
    const candidates = bookId === null ? await refusedBooks(app, stored) : row.candidates;
    const outcome: LineOutcome = { fate: 'PENDING', reason: '', book_id: bookId, candidates, former };
    return [{ ...stored, outcome }];
  });

/** Returns the books that a line without a book of the catalogue could be about. */
async function refusedBooks(app: AppContext, { content, row }: StoredLine): Promise<string[]> {
  const { bookId, candidates = [] } = await matchBook(app, content);
  const refused = [row.book_id, bookId, ...candidates, ...row.candidates];
  return [...new Set(refused.filter((id) => typeof id === 'string'))].slice(0, REFUSED_MAX);
}
