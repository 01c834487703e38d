import pLimit from 'p-limit';
import { z } from 'zod';
import { meter } from '../cassandra/budget.ts';
import { conditionOf } from '../cassandra/columns.ts';
import { isUnreadable } from '../cassandra/errors.ts';
import { withinBudget } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { scan, scanPosition, type AuditScope, type Scan, type ScanPosition } from './scan.ts';

/**
 * The audit of all stored data. It scans tables from end to end and compares every row with the
 * sources of truth. The feature that owns a table declares the comparison.
 *
 * It runs while the servers work, so it checks a row that seems wrong several times: a change in
 * progress is completed within seconds, drift is permanent. It reports data that cannot be read,
 * and skips it.
 */

const ROWS_AT_ONCE = 50;
/** A row has drifted if it looks wrong this many times and never right. */
const LOOKS = 8;
/**
 * The maximum number of checks of a row. A row that changes, or has a job in progress, cannot be
 * judged in the meantime.
 */
const LOOKS_MAX = 16;
const PAUSE_MS = 4_000;

/** Something that looks wrong, but may only be in progress. */
export interface Suspect {
  readonly what: string;
  /**
   * Checks again and returns the tables that are wrong; `undefined` if it changed meanwhile and
   * cannot be judged.
   */
  readonly look: () => Promise<readonly string[] | undefined>;
  /**
   * Makes the tables agree with the source of truth again. It is safe to run concurrently with
   * callers, recovery and other repairs of the same data.
   */
  readonly repair: () => Promise<void>;
}

/** The scan of one table, and the check of its rows. */
export interface TableAudit<Key, Row extends Key> extends Scan<Key, Row> {
  /** Checks the rows of a page. */
  readonly suspects: (app: AppContext, rows: readonly Row[], stopping?: AbortSignal) => Promise<Suspect[]>;
  readonly suspectOfPartition?: (app: AppContext, key: Key) => Promise<Suspect | undefined>;
  /**
   * Set if rows are compared with counts of many other rows. Reading those costs as much as reading
   * rows of the table.
   */
  readonly isCounted?: true;
}

/** A page of a table, with the suspects found in it. */
interface SuspectPage {
  readonly rows: number;
  /**
   * Returns the number of rows read for the page so far, including rows read for repeated checks of
   * suspects.
   */
  readonly rowsRead: () => number;
  readonly suspects: readonly Suspect[];
  /** The partitions that could not be read, each as the condition of a SELECT. */
  readonly partitions: readonly string[];
  readonly isFailed: boolean;
  readonly position: ScanPosition;
  readonly progress: number;
}

/** A table that an audit scans. */
export interface AuditedTable {
  readonly table: string;
  /** Returns whether the table can be scanned for this scope alone. */
  readonly isIn: (scope: AuditScope) => boolean;
  readonly pages: (
    app: AppContext,
    scope: AuditScope,
    from: ScanPosition | undefined,
    stopping?: AbortSignal,
  ) => AsyncGenerator<SuspectPage>;
}

/** The audit of one kind of data. */
export interface Audit {
  /** The operators' name for this kind: `likes`. */
  readonly kind: string;
  /** Each table occurs once. */
  readonly tables: readonly AuditedTable[];
}

/** Data that disagrees with the source of truth. */
export interface Drift {
  readonly kind: string;
  readonly table: string;
  readonly what: string;
  /** True if it was repaired; unset if no repair was requested. */
  readonly repaired?: boolean;
}

/** A partition with rows that could not be read and were not compared. */
export interface Unreadable {
  readonly kind: string;
  readonly table: string;
  /** The condition of a SELECT, by key or by token. */
  readonly partition: string;
}

/** The position of an audit, with its form in JSON. */
export const auditPosition = z.strictObject({
  /**
   * The tables that are finished, as named by {@link tablesIn}. Another version of the product may
   * have other tables.
   */
  done: z.array(z.string()),
  /** The position in the current table; unset at the end. */
  at: scanPosition.extend({ kind: z.string(), table: z.string() }).optional(),
});
export type AuditPosition = z.output<typeof auditPosition>;

export interface AuditedPage {
  readonly kind: string;
  readonly rows: number;
  /**
   * The number of rows read for the page: its own rows, the rows that were counted, and the rows of
   * every repeated check. The first reads by key are not included, because they are the same
   * work for every row.
   */
  readonly rowsRead: number;
  readonly drift: readonly Drift[];
  readonly unreadable: readonly Unreadable[];
  /** True if the page could not be read. It is then tried again, or skipped as unreadable. */
  readonly isFailed: boolean;
  /** The position from which an audit of everything, or of a part, can continue. */
  readonly position: AuditPosition;
  /** From 0 to 1. */
  readonly progress: number;
}

const nameOfTable = (kind: string, table: string) => `${kind} ${table}`;

/** Returns the names of the tables that audits scan. */
export const tablesIn = (audits: readonly Audit[]): string[] =>
  audits.flatMap(({ kind, tables }) => tables.map(({ table }) => nameOfTable(kind, table)));

/**
 * Audits page by page.
 * @param audits the kinds of data to audit
 * @param from the position of an earlier audit of the same scope
 * @param repair true to repair drift, fenced like the work of recovery
 * @param stopping ends the audit early. A repair that has begun is finished and reported, with a
 *   page of no rows. The position remains before everything that was not fully judged, so that
 *   another audit can continue there
 */
export async function* audit(
  app: AppContext,
  audits: readonly Audit[],
  scope: AuditScope,
  repair: boolean,
  from?: AuditPosition,
  stopping?: AbortSignal,
): AsyncGenerator<AuditedPage> {
  const tables = audits.flatMap(({ kind, tables: ofKind }) => ofKind.map((of) => ({ kind, ...of })));
  const isBegun = ({ kind, table }: (typeof tables)[number]) => kind === from?.at?.kind && table === from.at.table;
  const left = tables.filter(({ kind, table }) => !from?.done.includes(nameOfTable(kind, table)));

  const done = [...(from?.done ?? [])];
  let before: AuditPosition = from ?? { done: [] };
  // A server of another version may have begun with another table.
  const inOrder = [...left.filter(isBegun), ...left.filter((each) => !isBegun(each))];
  for (const [index, of] of inOrder.entries()) {
    const { kind, table, pages } = of;
    const doneBefore = tables.length - inOrder.length + index;
    for await (const page of pages(app, scope, isBegun(of) ? from?.at : undefined, stopping)) {
      const { rows, rowsRead, suspects, partitions, isFailed, progress } = page;
      const judged = await judgeAll(app, suspects, repair, stopping);
      const drift = judged.drift.map((each) => ({ kind, ...each }));
      const position = { done: [...done], at: { kind, table, ...page.position } };
      const found = { kind, drift, rowsRead: rowsRead(), progress: (doneBefore + progress) / tables.length };
      if (stopping?.aborted) {
        yield { ...found, rows: 0, unreadable: [], isFailed: false, position: before };
        return;
      }
      const unreadable = [...partitions, ...judged.unreadable].map((partition) => ({ kind, table, partition }));
      yield { ...found, rows, unreadable, isFailed, position };
      before = position;
    }
    if (stopping?.aborted) return;
    done.push(nameOfTable(kind, table));
  }
}

/** Makes a table auditable. */
export const auditedTable = <Key, Row extends Key>(table: string, of: TableAudit<Key, Row>): AuditedTable => ({
  table,
  isIn: (scope) => 'parts' in scope || (of.within !== undefined && of.within.of in scope),
  async *pages(app, scope, from, stopping) {
    const counted = meter();
    const metered = { ...app, cassandra: withinBudget(app.cassandra, counted) };
    for await (const { rows, begun, unreadable, ...where } of scan(app, of, scope, from)) {
      const partitions = unreadable === undefined ? [] : [unreadable];
      const before = counted.spent.rows;
      const compared = await suspectsOf(metered, of, rows, partitions, stopping);
      const unread = of.isCounted ? 0 : counted.spent.rows - before;
      const found = [
        ...compared,
        ...(await pLimit(ROWS_AT_ONCE).map(begun, async (key) => {
          if (stopping?.aborted) return undefined;
          try {
            return await of.suspectOfPartition?.(metered, key);
          } catch (error) {
            if (!isUnreadable(error)) throw error;
            partitions.push(conditionOf(key, of.key));
            return undefined;
          }
        })),
      ];
      const suspects = found.filter((suspect) => suspect !== undefined);
      const rowsRead = () => rows.length + counted.spent.rows - before - unread;
      yield { ...where, rows: rows.length, rowsRead, suspects, partitions };
      if (stopping?.aborted) return;
    }
  },
});

/** Returns a check of the rows one by one. */
export const eachRow =
  <Row>(suspect: (app: AppContext, row: Row) => Promise<Suspect | undefined>, atOnce = ROWS_AT_ONCE) =>
  async (app: AppContext, rows: readonly Row[], stopping?: AbortSignal): Promise<Suspect[]> => {
    const found = await pLimit(atOnce).map(rows, async (row) => (stopping?.aborted ? undefined : suspect(app, row)));
    return found.filter((each) => each !== undefined);
  };

/**
 * Returns the suspects among some rows. If the data to compare them with cannot be read, it checks
 * the rows one by one.
 * @param unreadable gets the partitions of the rows that could not be compared
 */
async function suspectsOf<Key, Row extends Key>(
  app: AppContext,
  of: TableAudit<Key, Row>,
  rows: readonly Row[],
  unreadable: string[],
  stopping: AbortSignal | undefined,
): Promise<Suspect[]> {
  try {
    return await of.suspects(app, rows, stopping);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    if (rows.length > 1) {
      const found: Suspect[] = [];
      for (const row of rows) found.push(...(await suspectsOf(app, of, [row], unreadable, stopping)));
      return found;
    }
    unreadable.push(...rows.map((row) => conditionOf(row, of.key)));
    return [];
  }
}

/** Judges suspects. A suspect that cannot be read again does not delay the others. */
async function judgeAll(
  app: AppContext,
  suspects: readonly Suspect[],
  isToRepair: boolean,
  stopping: AbortSignal | undefined,
) {
  const drift: Omit<Drift, 'kind'>[] = [];
  const unreadable: string[] = [];
  const limit = pLimit(ROWS_AT_ONCE);
  const judged = await Promise.allSettled(
    suspects.map((suspect) =>
      limit(async () => {
        try {
          drift.push(...(await judge(app, suspect, isToRepair, stopping)));
        } catch (error) {
          if (!isUnreadable(error)) throw error;
          unreadable.push(suspect.what);
        }
      }),
    ),
  );
  const failed = judged.find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
  return { drift, unreadable };
}

async function judge(
  app: AppContext,
  suspect: Suspect,
  isToRepair: boolean,
  stopping: AbortSignal | undefined,
): Promise<Omit<Drift, 'kind'>[]> {
  const { what, look, repair } = suspect;
  let tables: readonly string[] = [];
  for (let looks = 1, wrong = 0; wrong < LOOKS; looks++) {
    if (stopping?.aborted) return [];
    const seen = await look();
    if (seen?.length === 0) return [];
    if (seen) {
      wrong++;
      tables = seen;
    }
    if (LOOKS - wrong > LOOKS_MAX - looks) {
      app.logger.info({ what }, 'a suspect changes too often to be judged; the next round checks it again');
      return [];
    }
    await app.cassandra.backOff(PAUSE_MS, stopping);
  }
  if (stopping?.aborted) return [];
  if (!isToRepair) return tables.map((table) => ({ table, what }));
  try {
    await repair();
  } catch (error) {
    // If the suspect is still wrong, it is reported as not repaired. Recovery finishes the
    // transactions that the repair has logged.
    app.logger.error({ err: error, what }, 'a repair was not finished');
  }
  const left = await lookOnceSettled(app, suspect, stopping);
  return tables.map((table) => ({ table, what, repaired: !left.includes(table) }));
}

/**
 * Returns the tables that are still wrong once the suspect has stopped changing and the jobs of its
 * repair are done. It returns none if the suspect never stops changing, because the repair was done
 * anyway.
 */
async function lookOnceSettled(
  app: AppContext,
  { look }: Suspect,
  stopping: AbortSignal | undefined,
): Promise<readonly string[]> {
  let left: readonly string[] = [];
  for (let looks = 1; looks <= LOOKS; looks++) {
    const seen = await look();
    if (seen?.length === 0) return [];
    left = seen ?? left;
    if (stopping?.aborted) break;
    await app.cassandra.backOff(PAUSE_MS, stopping);
  }
  return left;
}
