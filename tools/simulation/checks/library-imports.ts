import type { ImportLineRow, LibraryImportState } from '../../../src/libraryimports/tables.ts';
import { DAYS } from '../acts/library-imports.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { encode, show } from '../cluster/values.ts';
import type { Library } from '../library.ts';

interface StoredReading {
  readonly marked: boolean;
  readonly reads: readonly { readonly finished_on: unknown; readonly import_id: unknown }[] | null;
}

/**
 * Compares the imports of readers' own libraries with their lines, and with the readings that they
 * added.
 */
export function* driftOfLibraryImports(cluster: Cluster, { libraryImports, importer }: Library): Generator<string> {
  const lines = Map.groupBy(cluster.scan('library_import_lines'), (row) => show(row['import_id']));
  const brought = cluster
    .scan('readings_by_user')
    .filter((row) => show(row['user_id']) === importer)
    .flatMap((row) => {
      const { marked, reads } = row['state'] as StoredReading;
      return (marked ? (reads ?? []) : []).map(({ finished_on, import_id }) => ({
        bookId: show(row['book_id']),
        day: encode(finished_on),
        importId: show(import_id),
      }));
    });
  const imports = cluster.scan('library_imports').map((row) => ({
    importId: show(row['import_id']),
    state: row['state'] as LibraryImportState,
  }));
  for (const importId of libraryImports)
    if (!imports.some((each) => each.importId === importId)) yield `library_imports lacks ${importId}`;

  for (const { importId, state } of imports) {
    if (state.user_id === null) continue;
    const own = (lines.get(importId) ?? []) as unknown as ImportLineRow[];
    const ofImport = brought.filter((each) => each.importId === importId);
    if (state.status !== 'RECEIVING' && own.length !== state.lines)
      yield `the import ${importId} has ${own.length} lines, not ${state.lines}`;
    if (state.status === 'RUNNING' || state.status === 'UNDOING') yield `the import ${importId} never ends`;
    const isPending = ({ fate }: ImportLineRow) => fate === 'PENDING';
    if (state.status === 'DONE' ? own.some(isPending) : !own.every(isPending))
      yield `the lines of the import ${importId}, which is ${state.status}, are ${own.map(({ fate }) => fate).join()}`;
    // A book may have been removed after its line had been added to the readings.
    const decided = new Set(own.flatMap(({ book_id }) => book_id ?? []));
    const books = new Set(own.flatMap(({ fate, book_id }) => (fate === 'MATCHED' ? (book_id ?? []) : [])));
    for (const { bookId, day } of ofImport)
      if (!decided.has(bookId))
        yield `the import ${importId} with the status ${state.status} left the reading of ${bookId} on ${day}`;
    for (const bookId of books) {
      const days = brought.filter((each) => each.bookId === bookId).map(({ day }) => day);
      if (!DAYS.some((day) => days.includes(day)) || new Set(days).size < days.length)
        yield `the import ${importId} brought ${bookId} on ${days.join()}`;
    }
  }
}
