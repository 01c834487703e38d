import type { Audit } from '../audit/audit.ts';
import { projectedList } from '../aggregates/projected-list.ts';
import { auditOfStates, projectionAudit, type StoredStates } from '../audit/projection.ts';
import { first } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { byUser, imports } from './aggregate.ts';
import { parseLine } from './lines.ts';
import { importsAmong, relistLine } from './stored-lines.ts';
import {
  awaitedBooks,
  scanLines,
  selectLineNow,
  unlistedLines,
  type ImportLineRow,
  type LibraryImportState,
} from './tables.ts';
import { awaitedRows, unlistedRow, type OwnState, type PlacedLine } from './unmatched-lines.ts';

/** Audits the list of each reader's imports, and the lists of unmatched lines. */

export const importAudit: Audit = projectionAudit(imports, {
  kind: 'imports',
  lists: [byUser],
  keyOf: ({ import_id }) => ({ importId: import_id }),
  behind: (_key, state) => (state?.user_id == null ? [] : [{ type: 'User', key: state.user_id }]),
});

interface LineKey {
  readonly importId: string;
  readonly line: number;
}

/**
 * A line of an import, with the fields that decide where it is listed. Its version is the revision.
 */
interface LineState extends LibraryImportState {
  readonly said: string;
  readonly fate: ImportLineRow['fate'];
}

interface LinePlace {
  readonly import_id: string;
  readonly line: number;
}

const lineKeyOf = ({ import_id, line }: LinePlace): LineKey => ({ importId: import_id, line });

/** The rows that follow from a line whose book the catalogue does not have. */
const ifUnlisted =
  <Row>(rowsOf: (placed: PlacedLine, state: OwnState) => readonly Row[]) =>
  ({ importId, line }: LineKey, { said, fate, ...state }: LineState): readonly Row[] => {
    const { user_id } = state;
    return fate === 'UNLISTED' && user_id !== null
      ? rowsOf({ importId, line, content: parseLine(said) }, { ...state, user_id })
      : [];
  };

const unlisted = projectedList(unlistedLines, {
  rowsOf: ifUnlisted((placed, state) => [unlistedRow(placed, state)]),
  readerOf: ({ user_id }) => user_id,
});

const awaited = projectedList(awaitedBooks, { rowsOf: ifUnlisted(awaitedRows), isWide: true });

async function lineWith(
  app: AppContext,
  { importId, line }: LineKey,
  state: LibraryImportState | undefined,
): Promise<LineState | undefined> {
  const row = await first(app.cassandra, selectLineNow, { import_id: importId, line });
  return state && row ? { ...state, said: row.said, fate: row.fate, version: row.revision ?? 0 } : undefined;
}

/** Finds lines, and reads each of their imports once. */
async function linesAmong(
  app: AppContext,
  places: readonly LinePlace[],
): Promise<(LinePlace & { state: LineState })[]> {
  const states = new Map(
    (await importsAmong(app, [...new Set(places.map(({ import_id }) => import_id))])).map((row) => [
      row.import_id,
      row.state,
    ]),
  );
  const found = await Promise.all(
    places.map(async ({ import_id, line }) => {
      const state = await lineWith(app, lineKeyOf({ import_id, line }), states.get(import_id));
      return state && { import_id, line, state };
    }),
  );
  return found.filter((each) => each !== undefined);
}

/** The lines, whose states are in two tables. */
const lines: StoredStates<LinePlace, LineState> = {
  table: 'library_import_lines',
  partition: ['import_id'],
  key: ['import_id', 'line'],
  ring: scanLines,
  find: linesAmong,
  read: async (app, place) => (await linesAmong(app, [place]))[0]?.state,
};

export const unlistedAudit: Audit = auditOfStates(lines, {
  kind: 'unlisted',
  lists: [unlisted, awaited],
  keyOf: lineKeyOf,
  behind: ({ importId }, state) => [
    { type: 'LibraryImport', key: importId },
    ...(state?.user_id == null ? [] : [{ type: 'User', key: state.user_id } as const]),
  ],
  repair: async (app, { importId, line }, above) => ({ version: await relistLine(app, importId, line, above) }),
});
