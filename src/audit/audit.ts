import pLimit from 'p-limit';
import { meter } from '../cassandra/budget.ts';
import { isUnreadable } from '../cassandra/errors.ts';
import { withinBudget } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { partitionNamed, scan, type AuditScope, type Scan, type ScanPosition } from './scan.ts';

/**
 * The audit of what is kept: goes through tables from end to end and compares every row with what follows from the sources of
 * truth. What a table's rows are compared with says the feature that owns it.
 *
 * It runs beside the servers' own work, so what looks wrong is looked at again, several times: a change that is under way
 * is followed within seconds, drift stays. What cannot be read is told, and passed by.
 */

const ROWS_AT_ONCE = 50;
/** What looks wrong so often, and never right, has drifted. */
const LOOKS = 8;
/** So often it is looked at until that is known; what changes, or has a job under way, cannot be told meanwhile. */
const LOOKS_MAX = 16;
const PAUSE_MS = 4_000;

/** Something that looks wrong, and perhaps is only under way. */
export interface Suspect {
  readonly what: string;
  /** Looks again, and tells which tables are off; `undefined`: it changed meanwhile, and cannot be told. */
  readonly look: () => Promise<readonly string[] | undefined>;
  /** Brings the tables up to the source of truth, in a way that is safe beside callers, recovery, and other repairs of the same. */
  readonly repair: () => Promise<void>;
}

/** How one table is gone through, and what of it looks wrong. */
export interface TableAudit<Key, Row extends Key> extends Scan<Key, Row> {
  /** Of the rows of a page. */
  readonly suspects: (app: AppContext, rows: readonly Row[], stopping?: AbortSignal) => Promise<Suspect[]>;
  readonly suspectOfPartition?: (app: AppContext, key: Key) => Promise<Suspect | undefined>;
  /** What a row is compared with is counted from many others: reading those is no less work than reading rows. */
  readonly isCounted?: true;
}

/** A page of a table, with what looks wrong in it. */
interface SuspectPage {
  readonly rows: number;
  /** How many rows were read for it so far, those that suspects were looked at again with included. */
  readonly rowsRead: () => number;
  readonly suspects: readonly Suspect[];
  /** Partitions that could not be read, each as the condition of a SELECT. */
  readonly partitions: readonly string[];
  readonly isFailed: boolean;
  readonly position: ScanPosition;
  readonly progress: number;
}

/** A table that an audit goes through. */
export interface AuditedTable {
  readonly table: string;
  /** Whether it can be gone through for this alone. */
  readonly isIn: (scope: AuditScope) => boolean;
  readonly pages: (
    app: AppContext,
    scope: AuditScope,
    from: ScanPosition | undefined,
    stopping?: AbortSignal,
  ) => AsyncGenerator<SuspectPage>;
}

/** What is kept of one kind of thing. */
export interface Audit {
  /** What an operator calls it: `likes`. */
  readonly kind: string;
  /** Each table once. */
  readonly tables: readonly AuditedTable[];
}

/** Something that does not agree with the source of truth. */
export interface Drift {
  readonly kind: string;
  readonly table: string;
  readonly what: string;
  /** Whether it was repaired; unset when that was not asked for. */
  readonly repaired?: boolean;
}

/** A partition of which rows could not be read, and were not compared. */
export interface Unreadable {
  readonly kind: string;
  readonly table: string;
  /** As the condition of a SELECT: by its key, or by its token. */
  readonly partition: string;
}

/** Where an audit is. */
export interface AuditPosition {
  /** The tables that it is through with, as {@link tablesIn} names them: another version of the product may know others. */
  readonly done: readonly string[];
  /** Where in which table it is; unset at the end. */
  readonly at?: (ScanPosition & { readonly kind: string; readonly table: string }) | undefined;
}

export interface AuditedPage {
  readonly kind: string;
  readonly rows: number;
  /**
   * How many rows were read for it: its own, those from which counts were made, and those of every further look. What its rows are
   * compared with by their keys at first is as much for every row, and not among them.
   */
  readonly rowsRead: number;
  readonly drift: readonly Drift[];
  readonly unreadable: readonly Unreadable[];
  /** Whether the page could not be read: it is tried again, or passed by as unreadable. */
  readonly isFailed: boolean;
  /** From where an audit of everything, or of a part, can go on. */
  readonly position: AuditPosition;
  /** From 0 to 1. */
  readonly progress: number;
}

const nameOfTable = (kind: string, table: string) => `${kind} ${table}`;

/** The tables that audits go through, by their names. */
export const tablesIn = (audits: readonly Audit[]): string[] =>
  audits.flatMap(({ kind, tables }) => tables.map(({ table }) => nameOfTable(kind, table)));

/**
 * Audits, page by page.
 * @param audits of what
 * @param from where an earlier audit of the same scope was
 * @param repair whether drift is repaired, by the same fenced way that recovery uses
 * @param stopping ends it before its end. A repair that is begun is finished, and told, with a page of no rows; what was not judged
 *   to the end is behind its position, for whoever goes on from there
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
  // Another version may have begun with another table.
  const inOrder = [...left.filter(isBegun), ...left.filter((each) => !isBegun(each))];
  for (const [index, of] of inOrder.entries()) {
    const { kind, table, pages } = of;
    const doneBefore = tables.length - inOrder.length + index;
    for await (const page of pages(app, scope, isBegun(of) ? from?.at : undefined, stopping)) {
      const { rows, rowsRead, suspects, partitions, isFailed, progress } = page;
      const judged = await judgeAll(app, suspects, repair, stopping);
      const drift = judged.drift.map((each) => ({ kind, ...each }));
      const position = { done: [...done], at: { kind, table, ...page.position } };
      const told = { kind, drift, rowsRead: rowsRead(), progress: (doneBefore + progress) / tables.length };
      if (stopping?.aborted) {
        yield { ...told, rows: 0, unreadable: [], isFailed: false, position: before };
        return;
      }
      const unreadable = [...partitions, ...judged.unreadable].map((partition) => ({ kind, table, partition }));
      yield { ...told, rows, unreadable, isFailed, position };
      before = position;
    }
    if (stopping?.aborted) return;
    done.push(nameOfTable(kind, table));
  }
}

/** Makes a table one that an audit goes through. */
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
            partitions.push(partitionNamed(of.key, key));
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

/** Looks for what is suspect in rows that are looked at one by one. */
export const eachRow =
  <Row>(suspect: (app: AppContext, row: Row) => Promise<Suspect | undefined>, atOnce = ROWS_AT_ONCE) =>
  async (app: AppContext, rows: readonly Row[], stopping?: AbortSignal): Promise<Suspect[]> => {
    const found = await pLimit(atOnce).map(rows, async (row) => (stopping?.aborted ? undefined : suspect(app, row)));
    return found.filter((each) => each !== undefined);
  };

/**
 * What looks wrong in some rows. Where what they are compared with cannot be read, they are looked at one by one.
 * @param unreadable gets the partitions of those for which it cannot be read
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
    unreadable.push(...rows.map((row) => partitionNamed(of.key, row)));
    return [];
  }
}

/** Judges what is suspect; one that cannot be read again holds up no other. */
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
      app.logger.info({ what }, 'something looked wrong, but changes too often to be told; the next round looks again');
      return [];
    }
    await app.cassandra.backOff(PAUSE_MS, stopping);
  }
  if (stopping?.aborted) return [];
  if (!isToRepair) return tables.map((table) => ({ table, what }));
  try {
    await repair();
  } catch (error) {
    // It is told as not repaired, if it is not; what the repair has logged is finished later.
    app.logger.error({ err: error, what }, 'a repair was not finished');
  }
  const left = await lookWhenAtRest(app, suspect, stopping);
  return tables.map((table) => ({ table, what, repaired: !left.includes(table) }));
}

/**
 * What is off once the suspect does not change any more, and what its repair has others do is done; nothing, if it always changes:
 * its repair is done all the same.
 */
async function lookWhenAtRest(
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
