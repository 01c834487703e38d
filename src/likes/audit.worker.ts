import { Counter } from 'prom-client';
import type { AppContext } from '../context/context.ts';
import { auditProgress, keepAuditProgress } from './audit-progress.ts';
import { EVERYTHING } from './audit-scan.ts';
import { auditLikes } from './audit.ts';

/** All servers share one position: each goes on where any of them was. */
const NAME = 'worker';

const audited = new Counter({ name: 'likes_audited_rows_total', help: 'Rows of likes compared by the audit worker' });
const drifted = new Counter({
  name: 'likes_drift_total',
  help: 'Rows and counts of likes that the audit worker found out of step, and repaired',
  labelNames: ['table'],
});

/**
 * The audit that goes round all the time, the second line behind recovery: the next pages, at the set rate, repairing.
 */
export async function auditSomeLikes(app: AppContext): Promise<void> {
  const { likeAuditRowsPerSecond } = app.config;
  if (likeAuditRowsPerSecond === 0) return;
  const before = await auditProgress(app, NAME);
  let { rowsDone = 0, driftFound = 0 } = before ?? {};
  let rows = 0;
  for await (const page of auditLikes(app, EVERYTHING, true, before?.position)) {
    rows += page.rows;
    rowsDone += page.rows;
    driftFound += page.drift.length;
    audited.inc(page.rows);
    for (const { table, what, repaired } of page.drift) {
      drifted.inc({ table });
      app.logger.error({ table, what, repaired }, 'a like had drifted');
    }
    await keepAuditProgress(app, NAME, { position: page.position, rowsDone, driftFound });
    if (rows >= likeAuditRowsPerSecond) return;
  }
  await keepAuditProgress(app, NAME, undefined);
}
