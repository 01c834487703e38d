import { z } from 'zod';
import { uuid } from '../cassandra/columns.ts';
import { termsOfBooks } from '../catalogue/arrivals.ts';
import { keysInParts } from '../cassandra/by-key.ts';
import { rows } from '../cassandra/statement.ts';
import type { AppContext, JobHandler } from '../context/context.ts';
import { doNow } from '../jobs/operations.ts';
import { causeOf, IMPORT_LINE } from './one-line.ts';
import { awaitedBooks, selectAwaited } from './tables.ts';

/** The job that imports the lines that waited for a book, once it has come. */

const LINES_PER_PAGE = 50;

/** The last line of a page, in the form of the position of a job. */
const lastLine = z.tuple([z.string(), uuid, z.number()]);

/** Imports a page of the lines that wait for some books. The key has their ids, with commas. */
export const importAwaited: JobHandler = async (app, key, position) => {
  const [after, import_id = '', line = 0] = position === '' ? [] : lastLine.parse(JSON.parse(position));
  for (const term of await termsAwaited(app, key.split(','), after ?? '')) {
    const from = term === after ? { import_id, line } : undefined;
    const slice = { descending: false, from, limit: LINES_PER_PAGE };
    const waiting = await awaitedBooks.read(app.cassandra, { term }, slice);
    // A line waits no more as soon as its book is decided, so a job of its own has to finish it.
    for (const { import_id: key, line: number } of waiting)
      await doNow(app, { type: 'LibraryImport', key }, IMPORT_LINE, causeOf(app, number));

    const last = waiting.at(-1);
    if (last) return JSON.stringify([term, last.import_id, last.line]);
  }
  return undefined;
};

/** Returns those of the books' terms, from one on, for which lines wait. */
async function termsAwaited(app: AppContext, bookIds: readonly string[], from: string): Promise<string[]> {
  const terms = (await termsOfBooks(app, bookIds)).filter((term) => term >= from);
  const parts = keysInParts(terms).map((some) => rows(app.cassandra, selectAwaited, { terms: some, rows_max: 1 }));
  return (await Promise.all(parts))
    .flat()
    .map(({ term }) => term)
    .toSorted();
}
