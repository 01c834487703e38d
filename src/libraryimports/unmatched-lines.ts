import { projectedList } from '../aggregates/projected-list.ts';
import { termsOfReference } from '../catalogue/book-references.ts';
import { nameKey } from '../catalogue/name-key.ts';
import { batch, bind } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { sortKey } from '../text/sorting.ts';
import { beginningOf } from '../text/text.ts';
import { linesOf, parseLine, titleOf, type ImportedLine } from './lines.ts';
import { statusOf } from './merge-lines.ts';
import { awaitedBooks, eraseAwaited, unlistedLines, type ImportLineRow, type LibraryImportState } from './tables.ts';

/**
 * The lines of imports that match no book of the catalogue. They are listed for their reader, and
 * indexed by every term that can match their book once it arrives.
 */

export interface LineKey {
  readonly importId: string;
  readonly line: number;
}

/** The state of an import that has a reader. */
export type OwnState = LibraryImportState & { readonly user_id: string };

/** True for an import that is not erased. */
export const hasReader = (state: LibraryImportState | undefined): state is OwnState => state?.user_id != null;

type WithContent = OwnState & { readonly content: ImportedLine };

/** The state of a line, which is that of its import as well. Its version is the revision. */
export type LineState = WithContent & Pick<ImportLineRow, 'fate'>;

/** The maximum length of the key of a title or author, in code points. */
const KEY_LENGTH_MAX = 200;
/** The maximum number of terms of a line in the index. A line has few, unless it is an attack. */
const TERMS_MAX = 20;

const shortened = (key: string): string => beginningOf(key, KEY_LENGTH_MAX);

/** Returns the row of a line in the list of its reader. */
export const unlistedRow = ({ importId, line }: LineKey, { user_id, begun_at, shelves, content }: WithContent) => ({
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

/**
 * Returns the rows of a line in the index of unmatched lines: none for a line without a word or an
 * id.
 */
const awaitedRows = ({ importId: import_id, line }: LineKey, { content }: Pick<LineState, 'content'>) =>
  termsOfReference(content)
    .slice(0, TERMS_MAX)
    .map((term) => ({ term, import_id, line }));

/** Declares rows that a line has while the catalogue does not have its book. */
const whileUnlisted = <Row>(rowsOf: (key: LineKey, state: LineState) => readonly Row[]) => ({
  rowsOf: (key: LineKey, state: LineState) => (state.fate === 'UNLISTED' ? rowsOf(key, state) : []),
  formerKeysOf: rowsOf,
});

/** The lists of unmatched lines: the index, and the lists of their readers. */
export const listsOfUnmatched = [
  projectedList(awaitedBooks, { ...whileUnlisted(awaitedRows), isWide: true }),
  projectedList(unlistedLines, {
    ...whileUnlisted((key, state) => [unlistedRow(key, state)]),
    readerOf: ({ user_id }) => user_id,
  }),
];

/**
 * Adds a line to the lists while the catalogue does not have its book, and deletes it from them
 * otherwise.
 */
export async function projectLine({ cassandra }: AppContext, key: LineKey, state: LineState): Promise<void> {
  // A row with many long authors would be too large for one batch with rows of other partitions.
  for (const list of listsOfUnmatched) {
    const writes = list.writes(key, state, undefined);
    if (writes.length > 0) await batch(cassandra, writes);
  }
}

/**
 * True for a line that is listed, or that a process was listing when it died. Such a line is
 * pending and already has its reason.
 */
export const mayBeListed = ({ fate, book_id, reason }: Pick<ImportLineRow, 'fate' | 'book_id' | 'reason'>): boolean =>
  fate === 'UNLISTED' || (fate === 'PENDING' && book_id === null && reason !== '');

/** Deletes all lines of an import from the index, even those that are just being listed. */
export async function eraseIndexed({ cassandra }: AppContext, importId: string): Promise<void> {
  for await (const { line, said, ...row } of linesOf(cassandra, importId)) {
    if (!mayBeListed(row)) continue;
    const awaited = awaitedRows({ importId, line }, { content: parseLine(said) });
    const erasures = awaited.map((row) => bind(eraseAwaited, row));
    if (erasures.length > 0) await batch(cassandra, erasures);
  }
}
