import { z } from 'zod';
import { uuid } from '../cassandra/columns.ts';
import { monthOf } from '../time/units.ts';
import { recordDecision } from '../administration/operations.ts';
import { aggregate } from '../aggregates/aggregate.ts';
import { batch, bind } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { parseSubject, uuidOf } from '../graphql/ids.ts';
import type { ReportStatus } from '../graphql/generated/schema-types.ts';
import { readersNow } from '../identity/operations.ts';
import {
  deleteReportOfUser,
  insertReportMonth,
  insertReportOfUser,
  reportsByStatus,
  reportStates,
  type ReportState,
} from './tables.ts';

/** The kind of a report: its key, its states and their projections. */

const STATUSES: readonly ReportStatus[] = ['OPEN', 'UPHELD', 'DISMISSED'];

const reportKey = z.strictObject({ reportId: uuid, reporterId: uuid, subject: z.string() });
type ReportKey = z.infer<typeof reportKey>;

export const UNREPORTED = {
  reporter_id: null,
  subject: '',
  reason: 'OTHER',
  comment: '',
  reported_at: new Date(0),
  status: 'OPEN',
  decided_at: null,
  decided_by: null,
  note: '',
} as const;

/** The source of truth for reports and the decisions about them, and its projections. */
export const reports = aggregate({
  name: 'report',
  key: reportKey,
  table: reportStates,
  rowKey: ({ reportId }) => ({ report_id: reportId }),
  tombstone: UNREPORTED,
  projectionContext: (app, key) => readersNow(app, readersOf(key)),
  erase: forgetReport,
  // A state has only its last decision.
  needsFormerProjection: ({ decided_at }) => decided_at !== null,
  projections: (app, key, state) => {
    const { reportId, subject } = key;
    const { reporter_id, status, decided_at, decided_by, note } = state;
    if (reporter_id === null) return [];
    const users = () =>
      batch(
        app.cassandra,
        readersOf(key).map((user_id) => bind(insertReportOfUser, { user_id, report_id: reportId })),
      );
    const list = () => {
      const row = rowOf(reportId, state, state.version);
      const others = decided_at ? STATUSES.filter((other) => other !== status) : [];
      return batch(app.cassandra, [
        bind(insertReportMonth, { status, month: row.month }),
        bind(reportsByStatus.insert, { ...row, status }),
        ...others.map((other) => bind(reportsByStatus.delete, { ...row, status: other })),
      ]);
    };
    const decided = { kind: 'REPORT_DECIDED', reason: note } as const;
    const decision =
      decided_at && decided_by
        ? () =>
            recordDecision(app, subject, uuidOf(`${reportId} ${decided_at.toISOString()}`), {
              ...decided,
              at: decided_at,
              administratorId: decided_by,
            })
        : undefined;
    // The readers are read after the report is written: an erasure that did not find the report has
    // already marked its account as deleted.
    const readers = async () => {
      if (!(await readersNow(app, readersOf(key)))) await forgetReport(app, key);
    };
    return [{ users }, { list, ...(decision && { decision }) }, { readers }];
  },
});

const rowOf = (reportId: string, { reported_at }: ReportState, version: number) => ({
  month: monthOf(reported_at),
  reported_at,
  report_id: reportId,
  version: BigInt(version),
});

/** The reader who reports, and the reported reader. */
function readersOf({ reporterId, subject }: ReportKey): string[] {
  const about = parseSubject(subject);
  return about?.type === 'User' ? [reporterId, about.key] : [reporterId];
}

/**
 * Forgets a report by or about a deleted account. It can be repeated at any time. The rows that
 * lead to it are deleted last, so that the next erasure finds an unfinished one.
 */
export async function forgetReport(app: AppContext, key: ReportKey): Promise<void> {
  const { reportId } = key;
  await reports.forget(app, key, async (state) => {
    const row = rowOf(reportId, state, state.version + 1);
    const deletions = STATUSES.map((status) => bind(reportsByStatus.delete, { ...row, status }));
    await batch(app.cassandra, deletions);
  });
  const ofReaders = readersOf(key).map((user_id) => bind(deleteReportOfUser, { user_id, report_id: reportId }));
  await batch(app.cassandra, ofReaders);
}
