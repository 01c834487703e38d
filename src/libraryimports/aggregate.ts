import { z } from 'zod';
import { uuid } from '../cassandra/columns.ts';
import { aggregate } from '../aggregates/aggregate.ts';
import { projectedList } from '../aggregates/projected-list.ts';
import { batch, write } from '../cassandra/statement.ts';
import { announcedAct } from '../changes/operations.ts';
import type { AppContext } from '../context/context.ts';
import { subjectOf } from '../graphql/ids.ts';
import { accountNow } from '../identity/operations.ts';
import { beginJob } from '../jobs/operations.ts';
import type { News } from '../feature/news.ts';
import { noticeWrites, tellOf } from '../notices/operations.ts';
import { raiseRevision } from './revisions.ts';
import { eraseLines, importsByUser, importStates, type LibraryImportState } from './tables.ts';
import { eraseIndexed } from './unmatched-lines.ts';

/** The kind of an import: a file of a reader, whose lines a job processes. */

const importKey = z.strictObject({ importId: uuid });
export type ImportKey = z.infer<typeof importKey>;

/** The kind of the job that processes lines. */
export const JOB = 'IMPORT_LIBRARY';

/** The name of the change that began the job of an import. A fence does not change it. */
export const jobCauseOf = ({ changed_at }: Pick<LibraryImportState, 'changed_at'>): string => changed_at.toISOString();

/** The part of a state that marks no line to be processed again. */
export const NO_RESTART = { again: null, again_shelf: null } as const;

/** The list of a reader's imports. */
export const byUser = projectedList(importsByUser, {
  rowsOf: ({ importId }: ImportKey, { user_id, begun_at }: LibraryImportState) =>
    user_id === null ? [] : [{ user_id, begun_at, import_id: importId }],
  readerOf: ({ user_id }) => user_id,
});

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
    ...NO_RESTART,
  },
  // An import that has not begun is not erased: its reader may begin it at any moment.
  projectionContext: (app, _key, { user_id }) => (user_id === null ? Promise.resolve({}) : accountNow(app, user_id)),
  erase: forgetImport,
  projections: (app, key, state, _owner, { occasion }) => {
    const { user_id, status, changed_at } = state;
    if (user_id === null) return [];

    const isJobDue = occasion === 'CHANGE' && (status === 'RUNNING' || status === 'UNDOING');
    const subject = { type: 'LibraryImport', key: key.importId } as const;
    return [
      {
        list: () =>
          batch(app.cassandra, [
            ...byUser.writes(key, state, undefined),
            ...noticeWrites(app, newsOfEnd(key, state)),
            announcedAct(app, user_id, 'IMPORTS'),
          ]),
      },
      // Each try of a recovery raises the version. If the version named the job, there would be
      // several, and they would block each other.
      isJobDue ? { job: () => beginJob(app, subject, JOB, jobCauseOf(state), changed_at) } : {},
    ];
  },
});

/** Returns the news that an import has ended; `undefined` if it has not, or has no reader. */
export const newsOfEnd = (
  { importId }: ImportKey,
  { user_id, status, changed_at }: LibraryImportState,
): News | undefined => {
  if (user_id === null || status !== 'DONE') return undefined;
  const subject = subjectOf({ type: 'LibraryImport', key: importId });
  return { userId: user_id, kind: 'IMPORT_ENDED', subject, at: changed_at };
};

/** Notifies the reader of an import that has ended. It may be repeated at any time. */
export async function noticeEnd(app: AppContext, key: ImportKey, state: LibraryImportState): Promise<void> {
  const news = newsOfEnd(key, state);
  const writes = noticeWrites(app, news);
  if (writes.length > 0) await batch(app.cassandra, writes);
  tellOf(app, news);
}

/**
 * Forgets an import of a deleted account, with its lines. It may be repeated at any time. The row
 * in the list is erased with all others of the reader.
 */
export async function forgetImport(app: AppContext, key: ImportKey): Promise<void> {
  // The import cannot be found any more, and a process that has found it can record nothing.
  await imports.forget(app, key);
  await raiseRevision(app, key.importId);
  await eraseIndexed(app, key.importId);
  await write(app.cassandra, eraseLines, { import_id: key.importId });
}
