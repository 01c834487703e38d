import { z } from 'zod';
import { uuid } from '../cassandra/columns.ts';
import { aggregate } from '../aggregates/aggregate.ts';
import { write } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { accountNow } from '../identity/operations.ts';
import { beginJob } from '../jobs/operations.ts';
import { raiseRevision } from './revisions.ts';
import { eraseLines, importsByUser, importStates, type LibraryImportState } from './tables.ts';
import { endWaiting } from './waiting.ts';

/** The kind of an import: a file of a reader, whose lines a job goes through. */

const importKey = z.strictObject({ importId: uuid });
export type ImportKey = z.infer<typeof importKey>;

/** The jobs of the statuses in which the lines are gone through. */
const JOBS: Partial<Record<LibraryImportState['status'], string>> = {
  RUNNING: 'IMPORT_LIBRARY',
  UNDOING: 'UNDO_LIBRARY_IMPORT',
};

/** The name of the change that asked for the job of an import. A fence leaves it as it is. */
export const jobCauseOf = ({ changed_at }: Pick<LibraryImportState, 'changed_at'>): string => changed_at.toISOString();

/** The part of a state by which no line is imported once more. */
export const NOT_AGAIN = { again: null, again_shelf: null } as const;

/** The source of truth of an import, its row in the list of its reader, and its job. */
export const imports = aggregate({
  name: 'library import',
  key: importKey,
  table: importStates,
  rowKey: ({ importId }) => ({ import_id: importId }),
  tombstone: {
    user_id: null,
    source: 'GOODREADS',
    status: 'UNDONE',
    lines: 0,
    begun_at: new Date(0),
    shelves: [],
    reviews: 0,
    publishes_reviews: false,
    ...NOT_AGAIN,
  },
  // Nothing is erased of an import that nobody has begun: its reader may begin it at any moment.
  owner: (app, _key, { user_id }) => (user_id === null ? Promise.resolve({}) : accountNow(app, user_id)),
  erase: forgetImport,
  projections: (app, { importId }, state, _owner, { occasion }) => {
    const { user_id, begun_at, status, version, changed_at } = state;
    if (user_id === null) return [];

    const row = { user_id, begun_at, import_id: importId, version: BigInt(version) };
    const kind = occasion === 'CHANGE' ? JOBS[status] : undefined;
    const subject = { type: 'LibraryImport', key: importId } as const;
    return [
      { list: () => write(app.cassandra, importsByUser.insert, row) },
      // Each try of a recovery raises the version; several jobs would hold each other up.
      kind === undefined ? {} : { job: () => beginJob(app, subject, kind, jobCauseOf(state), changed_at) },
    ];
  },
});

/**
 * Forgets an import of a deleted account, with its lines. It may be repeated at any time. The row
 * in the list is erased with all others of the reader.
 */
export async function forgetImport(app: AppContext, key: ImportKey): Promise<void> {
  // Nobody finds the import any more, and whoever has found it cannot record what they have
  // decided.
  await imports.forget(app, key);
  await raiseRevision(app, key.importId);
  await endWaiting(app, key.importId);
  await write(app.cassandra, eraseLines, { import_id: key.importId });
}
