import type { Audit } from '../audit/audit.ts';
import { projectedList, projectionAudit, type Found, type ProjectedList } from '../audit/projection.ts';
import { first } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { imports, type ImportKey } from './aggregate.ts';
import { parseLine } from './lines.ts';
import { importsAmong, relistLine } from './stored-lines.ts';
import {
  rowsOfAwaited,
  rowsOfImports,
  rowsOfUnlisted,
  scanImports,
  scanLines,
  selectLineNow,
  type ImportLineRow,
  type LibraryImportState,
} from './tables.ts';
import { awaitedRows, unlistedRow, type OwnState, type PlacedLine } from './unmatched-lines.ts';

/** Audits the list of each reader's imports, and the lists of unmatched lines. */

const keyOf = ({ import_id }: { readonly import_id: string }): ImportKey => ({ importId: import_id });

async function statesAmong(app: AppContext, importIds: readonly string[]) {
  const found = await importsAmong(app, importIds);
  return found.map((row) => ({ key: keyOf(row), state: row.state }));
}

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
    find: (app, keys) =>
      statesAmong(
        app,
        keys.map(({ importId }) => importId),
      ),
    read: imports.read,
    about: () => Promise.resolve(undefined),
    behind: (_key, state) => (state?.user_id == null ? [] : [{ type: 'User', key: state.user_id }]),
    repair: imports.repair,
  },
  [byUser],
);

/** The key of a line. */
interface LineKey {
  readonly importId: string;
  readonly line: number;
}

/** A line of an import, with what decides where it is listed. Its version is the revision. */
interface LineState extends LibraryImportState {
  readonly said: string;
  readonly fate: ImportLineRow['fate'];
}

const lineKeyOf = ({ import_id, line }: { readonly import_id: string; readonly line: number }): LineKey => ({
  importId: import_id,
  line,
});

/** The rows that follow from a line whose book the catalogue does not have. */
const ifUnlisted =
  <Row>(rowsOf: (placed: PlacedLine, state: OwnState) => readonly Row[]) =>
  ({ importId, line }: LineKey, { said, fate, ...state }: LineState): readonly Row[] => {
    const { user_id } = state;
    return fate === 'UNLISTED' && user_id !== null
      ? rowsOf({ importId, line, content: parseLine(said) }, { ...state, user_id })
      : [];
  };

const unlisted = projectedList<LineKey, LineState, undefined, Parameters<typeof rowsOfUnlisted.isSame>[0]>({
  rows: rowsOfUnlisted,
  rowsOf: ifUnlisted((placed, state) => [unlistedRow(placed, state)]),
  keyOf: lineKeyOf,
  readerOf: ({ user_id }) => user_id,
});

const awaited = projectedList<LineKey, LineState, undefined, Parameters<typeof rowsOfAwaited.isSame>[0]>({
  rows: rowsOfAwaited,
  rowsOf: ifUnlisted(awaitedRows),
  keyOf: lineKeyOf,
});

async function lineWith(
  app: AppContext,
  { importId, line }: LineKey,
  state: LibraryImportState | undefined,
): Promise<LineState | undefined> {
  const row = await first(app.cassandra, selectLineNow, { import_id: importId, line });
  return state && row ? { ...state, said: row.said, fate: row.fate, version: row.revision ?? 0 } : undefined;
}

/** Finds lines, each of their imports once. */
async function linesAmong(app: AppContext, keys: readonly LineKey[]): Promise<Found<LineKey, LineState>[]> {
  const importIds = [...new Set(keys.map(({ importId }) => importId))];
  const states = new Map((await statesAmong(app, importIds)).map(({ key, state }) => [key.importId, state]));
  const found = await Promise.all(
    keys.map(async (key) => ({ key, state: await lineWith(app, key, states.get(key.importId)) })),
  );
  return found.flatMap(({ key, state }) => (state ? [{ key, state }] : []));
}

export const unlistedAudit: Audit = projectionAudit<LineKey, LineState, { import_id: string; line: number }, undefined>(
  {
    kind: 'unlisted',
    table: 'library_import_lines',
    partition: ['import_id'],
    ring: scanLines,
    keyOf: lineKeyOf,
    nameOf: ({ importId, line }) => `import_id = ${importId} AND line = ${line}`,
    find: linesAmong,
    read: async (app, key) => (await linesAmong(app, [key]))[0]?.state,
    about: () => Promise.resolve(undefined),
    behind: ({ importId }, state) => [
      { type: 'LibraryImport', key: importId },
      ...(state?.user_id == null ? [] : [{ type: 'User', key: state.user_id } as const]),
    ],
    repair: async (app, { importId, line }, above) => ({ version: await relistLine(app, importId, line, above) }),
  },
  [unlisted, awaited],
);
