import type { Reservation } from '../aggregates/aggregate.ts';
import type { AppContext } from '../context/context.ts';
import { removeImportedRating } from '../ratings/imported.ts';
import { removeImported } from '../reading/imported.ts';
import { removeImportedReview } from '../reviews/imported.ts';
import { sayAgain } from './anew.ts';
import { statusOf } from './said-together.ts';
import { importsOfReader, onEach, type FoundImport, type StoredLine } from './stored-lines.ts';

/**
 * Takes back what lines of an import brought to books, once for each book, and has the other
 * imports of the reader say again what they say of these. Other lines of the same import then have
 * to be imported again, or to be taken back themselves.
 * @param booksOf the books to which a line may have brought something
 * @returns these books
 */
export async function takeBack(
  app: AppContext,
  { importId, state }: FoundImport,
  lines: readonly StoredLine[],
  booksOf: (line: StoredLine) => readonly string[],
  condition: Reservation,
): Promise<string[]> {
  const all = lines.flatMap((line) => booksOf(line).map((bookId) => ({ bookId, said: line.said })));
  const books = Map.groupBy(all, ({ bookId }) => bookId);
  const importing = { userId: state.user_id, importId, condition };
  await onEach([...books], async ([bookId, told]) => {
    if (told.some(({ said }) => statusOf(said, state.shelves) !== null)) await removeImported(app, importing, bookId);
    if (told.some(({ said }) => said.rating !== null)) await removeImportedRating(app, importing, bookId);
    if (told.some(({ said }) => said.review !== null)) await removeImportedReview(app, importing, bookId);
  });

  const bookIds = [...books.keys()];
  const others = bookIds.length > 0 ? await importsOfReader(app, state.user_id) : [];
  for (const other of others) if (other !== importId) await sayAgain(app, other, bookIds);
  return bookIds;
}
