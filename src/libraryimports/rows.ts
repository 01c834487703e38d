import { rows } from '../cassandra/statement.ts';
import { perRequest, type RequestContext } from '../context/context.ts';
import { connection, type CountedConnection, type Cursor, type PageArguments } from '../graphql/connections.ts';
import type { ImportFate } from '../graphql/generated/schema-types.ts';
import type { LibraryImport } from './operations.ts';
import { placesOf } from './stored-lines.ts';
import { linePlaces, shownLines, type ImportLineRow, type LinePlace } from './tables.ts';

/** The lines of an import as its reader sees them, and their numbers by fate. */

/** The finished part of the work on a line that is matched and not yet applied. */
const DONE_WITH_BOOK = 0.5;

/** The lines of an import. */
interface CountedLines {
  /** The number of lines of each fate. */
  readonly fates: ReadonlyMap<ImportFate, number>;
  /** The work that is done, in lines. */
  readonly done: number;
}

/** The lines are counted once per request. */
const countedLines = perRequest((context) => {
  const counted = new Map<string, Promise<CountedLines>>();
  const count = async (import_id: string): Promise<CountedLines> => {
    const fates = new Map<ImportFate, number>();
    let done = 0;
    for await (const { fate, book_id } of placesOf(context, import_id)) {
      fates.set(fate, (fates.get(fate) ?? 0) + 1);
      if (fate !== 'PENDING') done += 1;
      else if (book_id !== null) done += DONE_WITH_BOOK;
    }
    return { fates, done };
  };
  return (importId: string) => {
    const counting = counted.get(importId) ?? count(importId);
    counted.set(importId, counting);
    return counting;
  };
});

/** Returns the number of lines of an import with a fate. */
export const linesWith = async (context: RequestContext, { id }: LibraryImport, fate: ImportFate): Promise<number> =>
  (await countedLines(context)(id)).fates.get(fate) ?? 0;

/** Returns the finished part of an import, or of its undo, from 0 to 1. */
export async function progressOf(context: RequestContext, { id, state }: LibraryImport): Promise<number> {
  if (state.status === 'UNDONE') return 1;
  const { fates, done } = await countedLines(context)(id);
  return (state.status === 'UNDOING' ? (fates.get('PENDING') ?? 0) : done) / state.lines;
}

/** The minimum number of rows read for a page of one fate, whose rows may be rare. */
const FATE_ROWS_MIN = 200;

/**
 * Returns a page of the lines of an import, in the order of the file.
 * @param fate only those with this fate; all if it is not given
 */
export async function rowsOf(
  { cassandra }: RequestContext,
  { id: import_id }: LibraryImport,
  fate: ImportFate | null | undefined,
  page: PageArguments,
): Promise<CountedConnection<{ cursor: Cursor; node: ImportLineRow }>> {
  const filter = fate == null ? undefined : { keep: (row: LinePlace) => row.fate === fate, rowsMin: FATE_ROWS_MIN };
  const name = `import ${import_id} ${fate ?? ''}`;
  const list = { ...linePlaces.list(cassandra, { import_id }), name, descending: false, filter };
  const { edges, ...found } = await connection(page, list, ({ line }, cursor) => ({ line, cursor }));
  // Many rows may be searched for a page, so only the rows of the page are read with all columns.
  const lines = await rows(cassandra, shownLines, { import_id, lines: edges.map(({ line }) => line) });
  const nodes = new Map(lines.map((node) => [node.line, node]));
  const shown = edges.flatMap(({ line, cursor }) => {
    const node = nodes.get(line);
    return node ? [{ cursor, node }] : [];
  });
  return { ...found, edges: shown };
}
