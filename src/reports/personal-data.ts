import pLimit from 'p-limit';
import { each, first, page, write } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import type { PersonalTable } from '../erasure/personal-table.ts';
import { forgetReport } from './aggregate.ts';
import { eraseReportsOfUser, reportStates, selectReports, selectReportsOfUser } from './tables.ts';

const AT_ONCE = 16;

/** The reports that a reader made. Reports about them are personal data of their reporters. */
async function* reportsOfUser({ cassandra }: AppContext, user_id: string): AsyncGenerator<object> {
  for await (const { report_id } of each(cassandra, selectReportsOfUser, { user_id })) {
    const state = (await first(cassandra, selectReports, { report_ids: [report_id] }))?.state;
    if (state?.reporter_id !== user_id) continue;
    const { subject, reason, comment, reported_at: at, status } = state;
    yield { subject, reason, comment, at, status };
  }
}

async function eraseReports(app: AppContext, user_id: string, after: string): Promise<string | undefined> {
  const { cassandra } = app;
  const some = await page(cassandra, selectReportsOfUser, { user_id }, after);
  await pLimit(AT_ONCE).map(some.rows, async ({ report_id }) => {
    const state = await reportStates.read(cassandra, { report_id });
    if (!state?.reporter_id) return;
    await forgetReport(app, { reportId: report_id, reporterId: state.reporter_id, subject: state.subject });
  });
  if (some.pageState === undefined) await write(cassandra, eraseReportsOfUser, { user_id });
  return some.pageState;
}

export const personalData: readonly PersonalTable[] = [
  { table: 'reports_by_user', exported: 'the reports themselves are in reports', erased: eraseReports },
  { table: 'reports', exported: reportsOfUser, erased: 'with reports_by_user, which has those by and about a reader' },
  { table: 'reports_by_status', exported: 'a projection of reports', erased: 'with reports' },
];
