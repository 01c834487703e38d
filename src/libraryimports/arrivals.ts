import { z } from 'zod';
import { uuid } from '../cassandra/columns.ts';
import { termsOfBooks } from '../catalogue/arrivals.ts';
import { keysInParts } from '../cassandra/by-key.ts';
import { rows } from '../cassandra/statement.ts';
import type { AppContext, JobHandler } from '../context/context.ts';
import { changeLines } from './anew.ts';
import { withMatch } from './matching-lines.ts';
import { isImported, linesAmong } from './stored-lines.ts';
import { awaitedBooks, selectAwaited } from './tables.ts';

/** The job that has the lines imported that waited for a book, once it has come. */

const LINES_PER_PAGE = 200;

/** The last line of a page, in the form of the position of a job. */
const lastLine = z.tuple([z.string(), uuid, z.number()]);

/**
 * Has a page of the lines imported that wait for some books. The key has their ids, with commas.
 */
export const importAwaited: JobHandler = async (app, key, position) => {
  const [after, import_id = '', line = 0] = position === '' ? [] : lastLine.parse(JSON.parse(position));
  for (const term of await termsAwaited(app, key.split(','), after ?? '')) {
    const from = term === after ? { import_id, line } : undefined;
    const slice = { descending: false, from, limit: LINES_PER_PAGE };
    const waiting = await awaitedBooks.read(app.cassandra, { term }, slice);
    for (const [importId, lines] of Map.groupBy(waiting, (row) => row.import_id))
      await importArrived(app, importId, lines);

    const last = waiting.at(-1);
    if (last) return JSON.stringify([term, last.import_id, last.line]);
  }
  return undefined;
};

/** Has those lines of an import imported for which the catalogue has a book, or several, now. */
const importArrived = (app: AppContext, importId: string, waiting: readonly { readonly line: number }[]) =>
  changeLines(app, importId, async ({ state }) => {
    if (!isImported(state)) return [];
    const lines = await linesAmong(app, importId, [...new Set(waiting.map(({ line }) => line))]);
    const unlisted = lines.filter(({ row }) => row.fate === 'UNLISTED');
    const found = await withMatch(app, unlisted);
    return found.map((line) => ({ ...line, becomes: { ...line.row, fate: 'PENDING', reason: '' } }));
  });

/** Returns those of the books' terms, from one on, for which lines wait. */
async function termsAwaited(app: AppContext, bookIds: readonly string[], from: string): Promise<string[]> {
  const terms = (await termsOfBooks(app, bookIds)).filter((term) => term >= from);
  const parts = keysInParts(terms).map((some) => rows(app.cassandra, selectAwaited, { terms: some, rows_max: 1 }));
  return (await Promise.all(parts))
    .flat()
    .map(({ term }) => term)
    .toSorted();
}
