import pLimit from 'p-limit';
import type { AppContext } from '../context/context.ts';
import { items, likerRows, likes, type DriftedTable, type Suspect, type TableAudit } from './audit-checks.ts';
import { scan, type AuditScope, type ScanPosition } from './audit-scan.ts';

/**
 * The audit of the likes: scans the source of truth and both lists from end to end, compares every row with what the others say
 * of it, and every shard's rows with its count and with the published one.
 *
 * It runs beside the server's own work, so what looks wrong is looked at again, several times: a change that is under way
 * is followed within seconds, drift stays.
 */

const ROWS_AT_ONCE = 50;
const LOOKS = 8;
const PAUSE_MS = 4_000;

export const AUDITED_TABLES = ['likes_by_user', 'item_by_user', 'user_by_item'] as const;

/** Something that does not agree with the source of truth. */
export interface Drift {
  readonly table: DriftedTable;
  readonly what: string;
  /** Whether it was repaired; unset when that was not asked for. */
  readonly repaired?: boolean;
}

/** Where an audit is: of the tables before this one everything is done. */
export interface AuditPosition extends ScanPosition {
  readonly table: (typeof AUDITED_TABLES)[number];
}

export interface AuditedPage {
  readonly rows: number;
  readonly drift: readonly Drift[];
  /** From where an audit of everything, or of a part, can go on. */
  readonly position: AuditPosition;
  /** From 0 to 1. */
  readonly progress: number;
}

/**
 * Audits, page by page.
 * @param from where an earlier audit of the same scope was
 * @param repair whether drift is repaired, by the same fenced way that recovery uses
 */
export async function* auditLikes(
  app: AppContext,
  scope: AuditScope,
  repair: boolean,
  from?: AuditPosition,
): AsyncGenerator<AuditedPage> {
  for (const [index, table] of AUDITED_TABLES.entries()) {
    if (from && index < AUDITED_TABLES.indexOf(from.table)) continue;
    const begin = from?.table === table ? from : undefined;
    for await (const { rows, suspects, position, progress } of auditOf[table](app, scope, begin)) {
      const drift = (await Promise.all(suspects.map((suspect) => judge(app, suspect, repair)))).flat();
      yield { rows, drift, position: { table, ...position }, progress: (index + progress) / AUDITED_TABLES.length };
    }
  }
}

const audit = <Key, Row extends Key>(table: TableAudit<Key, Row>) =>
  async function* (app: AppContext, scope: AuditScope, from: ScanPosition | undefined) {
    for await (const { rows, begun, position, progress } of scan(app, table, scope, from)) {
      const limit = pLimit(ROWS_AT_ONCE);
      const found = [
        ...(await limit.map(rows, (row) => table.suspect(app, row))),
        ...(await limit.map(begun, async (key) => table.suspectOfPartition?.(app, key))),
      ];
      const suspects = found.filter((suspect) => suspect !== undefined);
      yield { rows: rows.length, suspects, position, progress };
    }
  };

const auditOf = { likes_by_user: audit(likes), item_by_user: audit(items), user_by_item: audit(likerRows) };

async function judge(app: AppContext, { what, look, repair }: Suspect, isToRepair: boolean): Promise<Drift[]> {
  let tables: DriftedTable[] = [];
  for (let looks = 1; looks <= LOOKS; looks++) {
    tables = await look();
    if (tables.length === 0) return [];
    await app.cassandra.backOff(PAUSE_MS);
  }
  if (!isToRepair) return tables.map((table) => ({ table, what }));
  await repair();
  const left = await look();
  return tables.map((table) => ({ table, what, repaired: !left.includes(table) }));
}
