import { termsOfReference } from '../catalogue/book-references.ts';
import { nameKey } from '../catalogue/listing.ts';
import { batch, bind, each, write } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { sortKey } from '../text/sorting.ts';
import { beginningOf } from '../text/text.ts';
import { parseLine, titleOf, type ImportedLine } from './lines.ts';
import { statusOf } from './merge-lines.ts';
import {
  awaitedBooks,
  eraseAwaited,
  selectLines,
  unlistedLines,
  type ImportLineRow,
  type LibraryImportState,
} from './tables.ts';

/**
 * The lines of imports that match no book of the catalogue. They are listed for their reader, and
 * indexed by every term that can match their book once it arrives.
 */

/** A line of an import, with its place. */
export interface PlacedLine {
  readonly importId: string;
  readonly line: number;
  readonly content: ImportedLine;
}

/** The state of an import that has a reader. */
export type OwnState = LibraryImportState & { readonly user_id: string };

/** The maximum length of the key of a title or author, in code points. */
const KEY_LENGTH_MAX = 200;
/** The maximum number of terms of a line in the index. A line has few, unless it is an attack. */
const TERMS_MAX = 20;

const shortened = (key: string): string => beginningOf(key, KEY_LENGTH_MAX);

/** The row of a line in the list of its reader. */
export const unlistedRow = ({ importId, line, content }: PlacedLine, { user_id, begun_at, shelves }: OwnState) => ({
  user_id,
  title_sort: shortened(sortKey(titleOf(content))),
  author_key: shortened(nameKey(content.authors[0] ?? '')),
  import_id: importId,
  line,
  begun_at,
  title: titleOf(content),
  authors: content.authors,
  shelf: content.shelf,
  status: statusOf(content, shelves),
});

/** The rows of a line in the index of unmatched lines. */
export const awaitedRows = ({ importId: import_id, line, content }: PlacedLine) =>
  termsOfReference(content)
    .slice(0, TERMS_MAX)
    .map((term) => ({ term, import_id, line }));

/**
 * Adds a line to the list of its reader and to the index. A line without a word or an id has no
 * row in the index.
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
 * Deletes a line from the list of its reader and from the index.
 * @param revision the highest revision with which the line may have been listed
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
 * True for a line that is listed, or that a process was listing when it died. Such a line is
 * pending and already has its reason.
 */
export const mayBeListed = ({ fate, book_id, reason }: Pick<ImportLineRow, 'fate' | 'book_id' | 'reason'>): boolean =>
  fate === 'UNLISTED' || (fate === 'PENDING' && book_id === null && reason !== '');

/** Deletes all lines of an import from the index, even those that are just being listed. */
export async function eraseIndexed({ cassandra }: AppContext, importId: string): Promise<void> {
  for await (const { line, said, ...row } of each(cassandra, selectLines, { import_id: importId })) {
    if (!mayBeListed(row)) continue;
    const content = parseLine(said);
    const erasures = awaitedRows({ importId, line, content }).map((row) => bind(eraseAwaited, row));
    if (erasures.length > 0) await batch(cassandra, erasures);
  }
}
