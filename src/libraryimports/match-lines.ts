import { isDeepStrictEqual } from 'node:util';
import { matchBook, type Match } from '../catalogue/matching.ts';
import type { AppContext } from '../context/context.ts';
import { sentences, type ImportedLine } from './lines.ts';
import {
  hasBook,
  mapConcurrently,
  record,
  type FoundImport,
  type LineChange,
  type LineOutcome,
  type StoredLine,
} from './stored-lines.ts';

/** Finds the books of the catalogue that lines are about. */

type Matcher = (line: StoredLine) => Promise<Match>;

/** Returns a function that searches once for all lines with the same reference to a book. */
function matcher(app: AppContext): Matcher {
  const searches = new Map<string, Promise<Match>>();
  return async ({ content, row }) => {
    const { sourceIds, isbns, title, authors } = content;
    const key = JSON.stringify([sourceIds, isbns, title, authors]);
    const search = searches.get(key) ?? matchBook(app, content);
    searches.set(key, search);

    const { bookId, candidates = [], reason = '' } = await search;
    const refused = refusedBy(row);
    return bookId === undefined || refused.includes(bookId)
      ? { candidates: candidates.filter((id) => !refused.includes(id)), reason }
      : { bookId };
  };
}

/** The books that the reader has refused for a line without a book. */
const refusedBy = ({ fate, candidates }: LineOutcome): readonly string[] => (fate === 'AMBIGUOUS' ? [] : candidates);

/** Returns the lines without a book that match one or several books of the catalogue. */
export async function withMatch(app: AppContext, lines: readonly StoredLine[]): Promise<StoredLine[]> {
  const match = matcher(app);
  const matches = await mapConcurrently(lines, match);
  return lines.filter((_line, index) => {
    const { bookId, candidates = [] } = matches[index] ?? {};
    return bookId !== undefined || candidates.length > 0;
  });
}

/**
 * Finds the books of lines that have none yet. A line with a book remains pending until it is
 * applied to the reader's library.
 * @returns false if another process has changed lines of the import since it was read
 */
export async function matchLines(app: AppContext, found: FoundImport, lines: readonly StoredLine[]): Promise<boolean> {
  const match = matcher(app);
  const all = await mapConcurrently(lines, async (line) => ({ ...line, outcome: await matchedOutcome(line, match) }));
  const recorded = await record(app, found, all.filter(isChanged));
  if (!recorded) return false;

  // A book that arrived before its lines were listed did not find them.
  const unlisted = all.filter(({ outcome }) => outcome.fate === 'UNLISTED');
  const late = await withMatch(
    app,
    unlisted.map(({ outcome, ...line }) => ({ ...line, row: outcome })),
  );
  return late.length === 0 || matchLines(app, recorded, late);
}

/** True for a line with another outcome, or with one whose rows in lists may be missing. */
const isChanged = ({ row, outcome }: LineChange): boolean =>
  outcome.fate === 'UNLISTED' || !isDeepStrictEqual(row, outcome);

async function matchedOutcome(line: StoredLine, match: Matcher): Promise<LineOutcome> {
  const { content, row } = line;
  if (hasBook(line)) return { ...row, fate: 'PENDING' };

  const { bookId, candidates, reason } = await match(line);
  if (bookId !== undefined) return { ...row, fate: 'PENDING', book_id: bookId };
  if (candidates.length === 0) return unlistedOutcome(content, row);

  return { ...row, fate: 'AMBIGUOUS', reason: sentences(reason, ...content.warnings), candidates: [...candidates] };
}

/** Returns the outcome of a line about no book of the catalogue. */
function unlistedOutcome({ warnings }: ImportedLine, row: LineOutcome): LineOutcome {
  const refused = refusedBy(row);
  const reason =
    refused.length > 0 ? 'You chose none of the suggested books.' : 'The catalogue does not have this book.';
  return { ...row, fate: 'UNLISTED', reason: sentences(reason, ...warnings), candidates: [...refused] };
}
