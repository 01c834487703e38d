import { z } from 'zod';
import { keysInParts } from '../cassandra/statement-builders.ts';
import { uuid } from '../cassandra/columns.ts';
import { rows } from '../cassandra/statement.ts';
import { termsOfArrived } from '../catalogue/book-references.ts';
import type { AppContext, JobHandler } from '../context/context.ts';
import { beginJob } from '../jobs/operations.ts';
import { JOB } from './aggregate.ts';
import { withMatch } from './match-lines.ts';
import { retryOnConflict } from './revisions.ts';
import {
  findImport,
  isImported,
  linesAbout,
  linesAmong,
  record,
  restarted,
  type FoundImport,
  type LineChange,
} from './stored-lines.ts';
import { awaitedBooks, selectAwaited } from './tables.ts';

/** Marks lines of imports as pending, and begins the job that processes them. */

/**
 * Changes lines of an import, and begins its job. The job is begun before the lines are pending, so
 * that it exists if this process dies. It is begun after the revision is read: the job first raises
 * the revision, so a mark that the job misses fails and is repeated.
 * @param change returns the changes, none to do nothing
 */
export const markPending = (
  app: AppContext,
  importId: string,
  change: (found: FoundImport) => Promise<readonly LineChange[]>,
): Promise<void> =>
  retryOnConflict(app, async () => {
    const found = await findImport(app, importId);
    const changes = found ? await change(found) : [];
    if (!found || changes.length === 0) return true;

    await beginJob(app, { type: 'LibraryImport', key: importId }, JOB, app.randomId(), app.clock());
    return (await record(app, found, changes)) !== undefined;
  });

/** Marks the lines of an import about some books. */
export const markLinesAbout = (app: AppContext, importId: string, bookIds: readonly string[]): Promise<void> =>
  markPending(app, importId, async ({ state }) =>
    isImported(state) ? (await linesAbout(app, importId, bookIds)).map(restarted) : [],
  );

const LINES_PER_PAGE = 200;

/** The last line of a page, as the position of a job. */
const lastLine = z.tuple([z.string(), uuid, z.number()]);

/** The job that marks a page of the unmatched lines whose books have arrived in the catalogue. */
export const markArrived: JobHandler = async (app, key, position) => {
  const [after, import_id = '', line = 0] = position === '' ? [] : lastLine.parse(JSON.parse(position));
  for (const term of await awaitedTerms(app, key, after ?? '')) {
    const from = term === after ? { import_id, line } : undefined;
    const some = await awaitedBooks.read(app.cassandra, { term }, { descending: false, from, limit: LINES_PER_PAGE });
    for (const [importId, lines] of Map.groupBy(some, (row) => row.import_id))
      await markPending(app, importId, ({ state }) =>
        isImported(state) ? nowMatched(app, importId, lines) : Promise.resolve([]),
      );

    const last = some.at(-1);
    if (last) return JSON.stringify([term, last.import_id, last.line]);
  }
  return undefined;
};

/** Returns the changes of the unmatched lines whose books the catalogue has now. */
async function nowMatched(
  app: AppContext,
  importId: string,
  lines: readonly { readonly line: number }[],
): Promise<LineChange[]> {
  const found = await linesAmong(app, importId, [...new Set(lines.map(({ line }) => line))]);
  const unlisted = found.filter(({ row }) => row.fate === 'UNLISTED');
  const matched = await withMatch(app, unlisted);
  return matched.map((line) => ({ ...line, outcome: { ...line.row, fate: 'PENDING', reason: '' } }));
}

/** Returns the terms of arrived books that lines wait for, beginning at a term. */
async function awaitedTerms(app: AppContext, key: string, from: string): Promise<string[]> {
  const terms = (await termsOfArrived(app, key)).filter((term) => term >= from);
  const parts = keysInParts(terms).map((some) => rows(app.cassandra, selectAwaited, { terms: some, rows_max: 1 }));
  return (await Promise.all(parts))
    .flat()
    .map(({ term }) => term)
    .toSorted();
}
