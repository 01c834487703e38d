import type { Audit } from '../audit/audit.ts';
import { auditOfStates, projectionAudit, type StoredStates } from '../audit/projection.ts';
import { first } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { noticesBy, requiredNotices } from '../notices/operations.ts';
import { byUser, imports, newsOfEnd } from './aggregate.ts';
import { parseLine } from './lines.ts';
import { importsAmong, reprojectLine } from './stored-lines.ts';
import { scanLines, selectLineNow } from './tables.ts';
import { hasReader, listsOfUnmatched, type LineState } from './unmatched-lines.ts';

/** Audits the list of each reader's imports, and the lists of unmatched lines. */

export const importAudit: Audit = projectionAudit(imports, {
  kind: 'imports',
  lists: [byUser, requiredNotices()],
  keyOf: ({ import_id }) => ({ importId: import_id }),
  join: noticesBy(newsOfEnd),
  behind: (_key, state) => (state?.user_id == null ? [] : [{ type: 'User', key: state.user_id }]),
});

interface LineRowKey {
  readonly import_id: string;
  readonly line: number;
}

/**
 * Finds lines, and reads each of their imports once. Lines that are never listed are left out:
 * those that could not be parsed, or have no reader.
 */
async function findLineStates(app: AppContext, places: readonly LineRowKey[]) {
  const importIds = [...new Set(places.map(({ import_id }) => import_id))];
  const states = new Map((await importsAmong(app, importIds)).map(({ import_id, state }) => [import_id, state]));
  const found = await Promise.all(
    places.map(async ({ import_id, line }) => {
      const row = await first(app.cassandra, selectLineNow, { import_id, line });
      const state = states.get(import_id);
      if (!row || row.fate === 'FAILED' || !hasReader(state)) return [];

      const { said, fate, revision } = row;
      return [{ import_id, line, state: { ...state, content: parseLine(said), fate, version: revision ?? 0 } }];
    }),
  );
  return found.flat();
}

/** The lines, whose states are in two tables. */
const lines: StoredStates<LineRowKey, LineState> = {
  table: 'library_import_lines',
  partition: ['import_id'],
  key: ['import_id', 'line'],
  ring: scanLines,
  find: findLineStates,
  read: async (app, place) => (await findLineStates(app, [place]))[0]?.state,
};

export const unlistedAudit: Audit = auditOfStates(lines, {
  kind: 'unlisted',
  lists: listsOfUnmatched,
  keyOf: ({ import_id, line }) => ({ importId: import_id, line }),
  behind: ({ importId }, state) => [
    { type: 'LibraryImport', key: importId },
    ...(state ? [{ type: 'User', key: state.user_id } as const] : []),
  ],
  repair: async (app, key, above) => ({ version: await reprojectLine(app, key, above) }),
});
