import { termsTold } from '../catalogue/arrivals.ts';
import { nameKey } from '../catalogue/listing.ts';
import { batch, bind, each, write } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { sortKey } from '../text/sorting.ts';
import { beginningOf } from '../text/text.ts';
import { lineOf, titleOf, type ImportedLine } from './lines.ts';
import { statusOf } from './said-together.ts';
import {
  awaitedBooks,
  eraseAwaited,
  selectLines,
  unlistedLines,
  type ImportLineRow,
  type LibraryImportState,
} from './tables.ts';

/**
 * The lines of imports whose books the catalogue does not have. They are a list of their reader,
 * and wait for their books.
 */

/** A line of an import, with its place. */
export interface PlacedLine {
  readonly importId: string;
  readonly line: number;
  readonly said: ImportedLine;
}

/** The state of an import of somebody. */
export type OwnState = LibraryImportState & { readonly user_id: string };

/** The longest key of a title or author, in code points. */
const KEY_LENGTH_MAX = 200;
/** The maximum number of terms by which a line waits. A line has few, unless it is an attack. */
const TERMS_MAX = 20;

const shortened = (key: string): string => beginningOf(key, KEY_LENGTH_MAX);

/** The row of a line in the list of its reader. */
export const unlistedRow = ({ importId, line, said }: PlacedLine, { user_id, begun_at, shelves }: OwnState) => ({
  user_id,
  title_sort: shortened(sortKey(titleOf(said))),
  author_key: shortened(nameKey(said.authors[0] ?? '')),
  import_id: importId,
  line,
  begun_at,
  title: titleOf(said),
  authors: said.authors,
  shelf: said.shelf,
  status: statusOf(said, shelves),
});

/** The rows by which a line waits for its book. */
export const awaitedRows = ({ importId: import_id, line, said }: PlacedLine) =>
  termsTold(said)
    .slice(0, TERMS_MAX)
    .map((term) => ({ term, import_id, line }));

/**
 * Puts a line into the list of its reader, and has it wait for its book. A line without a word and
 * an id waits for none.
 */
export async function listLine(
  { cassandra }: AppContext,
  placed: PlacedLine,
  state: OwnState,
  revision: number,
): Promise<void> {
  const version = BigInt(revision);
  const awaited = awaitedRows(placed).map((row) => bind(awaitedBooks.insert, { ...row, version }));
  if (awaited.length > 0) await batch(cassandra, awaited);
  await write(cassandra, unlistedLines.insert, { ...unlistedRow(placed, state), version });
}

/**
 * Takes a line off the list of its reader, and ends its waiting.
 * @param revision the highest one with which it may have been listed
 */
export const unlistLine = (
  { cassandra }: AppContext,
  placed: PlacedLine,
  state: OwnState,
  revision: number,
): Promise<void> => {
  const version = BigInt(revision);
  const { user_id, title_sort, author_key, import_id, line } = unlistedRow(placed, state);
  return batch(cassandra, [
    bind(unlistedLines.delete, { user_id, title_sort, author_key, import_id, line, version }),
    ...awaitedRows(placed).map((row) => bind(awaitedBooks.delete, { ...row, version })),
  ]);
};

/**
 * True for a line that is in the list, or that a process may have been putting there when it died:
 * such a line is pending until it is listed, and has its reason already.
 */
export const mayBeListed = ({ fate, book_id, reason }: Pick<ImportLineRow, 'fate' | 'book_id' | 'reason'>): boolean =>
  fate === 'UNLISTED' || (fate === 'PENDING' && book_id === null && reason !== '');

/**
 * Ends the waiting of all lines of an import for good, even of those that are just being listed.
 */
export async function endWaiting({ cassandra }: AppContext, importId: string): Promise<void> {
  for await (const { line, said, ...row } of each(cassandra, selectLines, { import_id: importId })) {
    if (!mayBeListed(row)) continue;
    const erasures = awaitedRows({ importId, line, said: lineOf({ said }) }).map((row) => bind(eraseAwaited, row));
    if (erasures.length > 0) await batch(cassandra, erasures);
  }
}
