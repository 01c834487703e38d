import { booksTold, type Match } from '../catalogue/matching.ts';
import type { AppContext } from '../context/context.ts';
import { sentences, type ImportedLine } from './lines.ts';
import { hasBook, onEach, record, type Became, type FoundImport, type StoredLine } from './stored-lines.ts';

/** Finds the books of the catalogue that lines are about. */

/** Finds the books that a line may be about. */
type Finding = (line: StoredLine) => Promise<Match>;

/** Returns a function that looks once for all lines that say the same. */
export function finding(app: AppContext): Finding {
  const found = new Map<string, Promise<Match>>();
  return async ({ said, row }) => {
    const { sourceIds, isbns, title, authors } = said;
    const name = JSON.stringify([sourceIds, isbns, title, authors]);
    const looking = found.get(name) ?? booksTold(app, said);
    found.set(name, looking);
    const { bookId, candidates = [], reason = '' } = await looking;
    const refused = refusedBy(row);
    return bookId === undefined || refused.includes(bookId)
      ? { candidates: candidates.filter((id) => !refused.includes(id)), reason }
      : { bookId };
  };
}

/** The books of which the reader has said that a line without a book is not about them. */
const refusedBy = ({ fate, candidates }: Became): readonly string[] => (fate === 'AMBIGUOUS' ? [] : candidates);

/** Returns those of some lines without a book for which the catalogue has one, or several. */
export async function withMatch(app: AppContext, lines: readonly StoredLine[]): Promise<StoredLine[]> {
  const matchOf = finding(app);
  const matches = await onEach(lines, matchOf);
  return lines.filter((_line, index) => {
    const { bookId, candidates = [] } = matches[index] ?? {};
    return bookId !== undefined || candidates.length > 0;
  });
}

/**
 * Decides which books lines are about that have none yet. A line with a book is pending until the
 * book is added to the readings.
 * @returns false if others have changed lines of the import since it was found
 */
export async function matchThese(app: AppContext, found: FoundImport, lines: readonly StoredLine[]): Promise<boolean> {
  const matchOf = finding(app);
  const changes = await onEach(lines, async (line) => ({ ...line, becomes: await matched(line, matchOf) }));
  const decided = await record(app, found, changes);
  if (!decided) return false;

  // A book that came before its lines were listed did not find them.
  const waiting = changes.filter(({ becomes }) => becomes.fate === 'UNLISTED');
  const late = await withMatch(
    app,
    waiting.map(({ becomes, ...line }) => ({ ...line, row: becomes })),
  );
  return late.length === 0 || matchThese(app, decided, late);
}

async function matched(line: StoredLine, matchOf: Finding): Promise<Became> {
  const { said, row } = line;
  if (hasBook(line)) return { ...row, fate: 'PENDING' };

  const { bookId, candidates, reason } = await matchOf(line);
  if (bookId !== undefined) return { ...row, fate: 'PENDING', book_id: bookId };
  if (candidates.length === 0) return withoutBook(said, row);

  return { ...row, fate: 'AMBIGUOUS', reason: sentences(reason, ...said.cut), candidates: [...candidates] };
}

/** Returns what becomes of a line about no book of the catalogue. */
function withoutBook({ cut }: ImportedLine, row: Became): Became {
  const refused = refusedBy(row);
  const reason =
    refused.length > 0 ? 'You said that it is none of the suggested books.' : 'The catalogue does not have this book.';
  return { ...row, fate: 'UNLISTED', reason: sentences(reason, ...cut), candidates: [...refused] };
}
