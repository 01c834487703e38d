import type { Audit } from '../audit/audit.ts';
import { projectedList, projectionAudit, type ProjectedList } from '../audit/projection.ts';
import { first } from '../cassandra/statement.ts';
import { imports, type ImportKey } from './aggregate.ts';
import { rowsOfImports, scanImports, selectImportState, type LibraryImportState } from './tables.ts';

/** Audits the list of each reader's imports. */

const keyOf = ({ import_id }: { readonly import_id: string }): ImportKey => ({ importId: import_id });

const byUser: ProjectedList<ImportKey, LibraryImportState, undefined> = projectedList({
  rows: rowsOfImports,
  rowsOf: ({ importId }, { user_id, begun_at }) =>
    user_id === null ? [] : [{ user_id, begun_at, import_id: importId }],
  keyOf,
  readerOf: ({ user_id }) => user_id,
});

export const importAudit: Audit = projectionAudit(
  {
    kind: 'imports',
    table: 'library_imports',
    partition: ['import_id'],
    ring: scanImports,
    keyOf,
    nameOf: ({ importId }) => `import_id = ${importId}`,
    find: async ({ cassandra }, keys) => {
      const found = await Promise.all(
        keys.map(({ importId }) => first(cassandra, selectImportState, { import_id: importId })),
      );
      return found.flatMap((row) => (row ? [{ key: keyOf(row), state: row.state }] : []));
    },
    read: imports.read,
    about: () => Promise.resolve(undefined),
    behind: (_key, state) => (state?.user_id == null ? [] : [{ type: 'User', key: state.user_id }]),
    repair: imports.repair,
  },
  [byUser],
);
