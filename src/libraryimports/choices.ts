import { booksTold } from '../catalogue/matching.ts';
import type { AppContext } from '../context/context.ts';
import { invalidInput } from '../graphql/errors.ts';
import { changeLines } from './anew.ts';
import { booksOf, linesAmong, type Became, type StoredLine } from './stored-lines.ts';
import type { OwnState } from './waiting.ts';

/** Stores what readers say about the lines of their imports. */

/**
 * The maximum number of books of which the reader has said that a line is not about them. There is
 * room for all that are suggested at once.
 */
const REFUSED_MAX = 30;

/**
 * Stores which book a line is about, and has the line imported.
 * @param bookId null if it is none of the catalogue
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
  changeLines(app, importId, async ({ state }) => {
    check(state);
    const [stored] = await linesAmong(app, importId, [line]);
    if (!stored) throw invalidInput(['line'], 'The file has no such line, or it cannot be read.');
    const { row } = stored;
    if (row.book_id === bookId && (bookId !== null || row.fate === 'UNLISTED')) return [];

    const former = [...new Set(booksOf(stored))].filter((id) => id !== bookId);
    const candidates = bookId === null ? await booksRefused(app, stored) : row.candidates;
    const becomes: Became = { fate: 'PENDING', reason: '', book_id: bookId, candidates, former };
    return [{ ...stored, becomes }];
  });

/** Returns the books that may be meant by a line that is about none of them. */
async function booksRefused(app: AppContext, { said, row }: StoredLine): Promise<string[]> {
  const { bookId, candidates = [] } = await booksTold(app, said);
  const meant = [row.book_id, bookId, ...candidates, ...row.candidates];
  return [...new Set(meant.filter((id) => typeof id === 'string'))].slice(0, REFUSED_MAX);
}
