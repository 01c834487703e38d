import { everyAudit } from '../../src/app/workers.ts';
import { AUDIT_PARTS, auditPartsOf } from '../../src/audit/audit.worker.ts';
import { audit, type Audit, type Drift } from '../../src/audit/audit.ts';
import { isDone } from '../../src/audit/progress.ts';
import { EVERYTHING, type AuditScope } from '../../src/audit/scan.ts';
import type { Cassandra } from '../../src/cassandra/statement.ts';
import type { AppContext } from '../../src/context/context.ts';

/** Audits as tests run them. */

/** Returns the audit of a kind of data, such as `items`. */
export function auditOf(kind: string): Audit {
  const found = everyAudit.find((each) => each.kind === kind);
  if (!found) throw new Error(`There is no audit of ${kind}`);
  return found;
}

/** A connection for tests without concurrent changes, in which an audit never has to wait. */
export const impatient = (cassandra: Cassandra): Cassandra => ({ ...cassandra, backOff: () => Promise.resolve() });

/**
 * Runs an audit without waiting, and returns its findings with the number of rows that it read.
 * @param options `pause`: called instead of waiting between two checks
 */
export async function audited(
  app: AppContext,
  audits: readonly Audit[],
  {
    scope = EVERYTHING,
    repair = false,
    pause,
  }: { scope?: AuditScope; repair?: boolean; pause?: () => Promise<void> } = {},
): Promise<{ rows: number; drift: Drift[] }> {
  let rows = 0;
  const drift: Drift[] = [];
  const cassandra = { ...impatient(app.cassandra), ...(pause && { backOff: pause }) };
  for await (const page of audit({ ...app, cassandra }, audits, scope, repair)) {
    rows += page.rows;
    drift.push(...page.drift);
  }
  return { rows, drift };
}

/** Returns whether the servers have audited every part, all in the same round. */
export async function isRoundDone(app: AppContext, audits = everyAudit): Promise<boolean> {
  const parts = [...(await auditPartsOf(app)).values()];
  return parts.length === AUDIT_PARTS && parts.every((part) => isDone(part, audits) && part.round === parts[0]?.round);
}
