import { bind } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { beginJob } from '../jobs/operations.ts';
import { untilRecorded, writeIf } from './revisions.ts';
import {
  findImport,
  firstOf,
  isImported,
  placesByBook,
  record,
  type FoundImport,
  type LineChange,
} from './stored-lines.ts';
import { updateFate } from './tables.ts';

/**
 * Has lines of imports imported once more: they become pending, and the job of imports does the
 * rest.
 */

/**
 * Begins a job that imports the pending lines. It is begun before the lines become pending, so that
 * it is there if this process dies, and after the revision was read: the job first raises that, so
 * lines that become pending after the job has looked for them would not be recorded.
 */
const beginImport = (app: AppContext, key: string): Promise<void> =>
  beginJob(app, { type: 'LibraryImport', key }, 'IMPORT_LIBRARY', app.randomId(), app.clock());

/**
 * Changes lines of an import, and imports those that are pending then.
 * @param change returns the changes, if there are any
 */
export const changeLines = (
  app: AppContext,
  importId: string,
  change: (found: FoundImport) => Promise<readonly LineChange[]>,
): Promise<void> =>
  untilRecorded(app, async () => {
    const found = await findImport(app, importId);
    const changes = found ? await change(found) : [];
    if (!found || changes.length === 0) return true;
    await beginImport(app, importId);
    return (await record(app, found, changes)) !== undefined;
  });

/** Has an import say once more what it says of some books. */
export const sayAgain = (app: AppContext, importId: string, books: readonly string[]): Promise<void> =>
  untilRecorded(app, async () => {
    const found = await findImport(app, importId);
    if (!found || !isImported(found.state)) return true;
    const places = await placesByBook(app, importId);
    const lines = books.flatMap((bookId) => firstOf(places.get(bookId)));
    if (lines.length === 0) return true;

    await beginImport(app, importId);
    // Lines that are pending already may just be being added, by a server that still finds what
    // keeps them from it.
    const writes = lines.map(({ line }) => bind(updateFate, { import_id: importId, line, fate: 'PENDING' }));
    const { revision: current } = found;
    return writeIf(app, importId, { current, next: (current ?? 0) + 1 }, writes);
  });
