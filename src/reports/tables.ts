import { z } from 'zod';
import { ttlOf } from '../aggregates/state.ts';
import { deleteFrom, insertInto, selectAmong, selectFirst, selectFrom } from '../cassandra/statement-builders.ts';
import { cql } from '../cassandra/columns.ts';
import { stateTable } from '../cassandra/state-table.ts';
import { versionedList } from '../cassandra/versioned-list.ts';
import { erasing } from '../erasure/erasing.ts';

/** The UDT report_state. */
const reportState = z.object({
  version: cql.int,
  changed_at: cql.timestamp,
  change_id: cql.uuid,
  reporter_id: cql.uuid.nullable(),
  subject: cql.text,
  reason: cql.oneOf(['SPAM', 'OFFENSIVE', 'ILLEGAL', 'IMPERSONATION', 'OTHER'], 'OTHER'),
  comment: cql.text,
  reported_at: cql.timestamp,
  status: cql.oneOf(['OPEN', 'UPHELD', 'DISMISSED'], 'OPEN'),
  decided_at: cql.timestamp.nullable(),
  decided_by: cql.uuid.nullable(),
  note: cql.text,
});
export type ReportState = z.output<typeof reportState>;

const user = { user_id: cql.uuid };
const report = { report_id: cql.uuid };

// reports: the source of truth.

export const reportStates = stateTable({ table: 'reports', key: report, state: reportState, ttlSeconds: ttlOf });

export const selectReports = selectAmong('reports', 'report_id', { ...report, state: reportState });

// reports_by_status: the lists. The write timestamp is the version of the report.

export const reportsByStatus = versionedList({
  table: 'reports_by_status',
  partition: { status: cql.text, month: cql.timestamp },
  several: 'month',
  order: { reported_at: cql.timestamp, ...report },
  columns: {},
});

export const insertReportMonth = insertInto('report_months', { status: cql.text, month: cql.timestamp });

export const selectReportMonths = selectFirst('report_months', { status: cql.text }, { month: cql.timestamp });

// reports_by_user: the reports of an account, for its export and erasure.

export const insertReportOfUser = insertInto('reports_by_user', { ...user, ...report });

export const deleteReportOfUser = deleteFrom('reports_by_user', { ...user, ...report });

export const selectReportsOfUser = selectFrom('reports_by_user', user, report, 100);

export const eraseReportsOfUser = erasing('reports_by_user', user);
