import { z } from 'zod';
import { first, write } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { AUDITED_TABLES, type AuditPosition } from './audit.ts';
import { deleteAudit, insertAudit, selectAudit } from './tables.ts';

/** How far an audit is, as it is kept between runs. */
export interface AuditProgress {
  readonly position: AuditPosition;
  readonly rowsDone: number;
  readonly driftFound: number;
}

const keptPosition = z.strictObject({
  table: z.enum(AUDITED_TABLES),
  token: z.codec(z.string(), z.bigint(), { decode: (text) => BigInt(text), encode: String }),
  pageState: z.string().optional(),
});

/** Where an audit of this name was when its process ended; `undefined` when it was at its end. */
export async function auditProgress({ cassandra }: AppContext, name: string): Promise<AuditProgress | undefined> {
  const row = await first(cassandra, selectAudit, { name });
  if (!row) return undefined;
  const kept = keptPosition.safeParse(JSON.parse(row.position));
  // What another version kept cannot be gone on with: that audit begins anew.
  return kept.success ? { position: kept.data, rowsDone: row.rows_done, driftFound: row.drift_found } : undefined;
}

/** Keeps where an audit is; `undefined` when it is at its end. */
export async function keepAuditProgress(
  { cassandra, clock }: AppContext,
  name: string,
  progress: AuditProgress | undefined,
): Promise<void> {
  if (!progress) return write(cassandra, deleteAudit, { name });
  const position = JSON.stringify(z.encode(keptPosition, progress.position));
  const { rowsDone: rows_done, driftFound: drift_found } = progress;
  return write(cassandra, insertAudit, { name, position, rows_done, drift_found, at: clock() });
}
