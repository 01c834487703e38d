import { CassandraError, isReadFailure, isUnreadable } from '../cassandra/errors.ts';
import { page, type Page, type PagedStatement } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';

/**
 * How an audit goes through a table: along the ring of tokens, or through the partitions of one reader or likeable.
 *
 * A page that Cassandra fails to read must not end the audits there. Of the ring less is read at once then, down to one partition;
 * one that still cannot be read, while others can, is told, and passed by.
 */

const LOWEST_TOKEN = -(2n ** 63n);
const HIGHEST_TOKEN = 2n ** 63n - 1n;

/** What is audited: everything, a part of all partitions by their tokens, one reader, or one likeable. */
export type AuditScope =
  | { readonly part: number; readonly parts: number }
  | { readonly userId: string; readonly years: readonly number[] }
  | { readonly likeableId: string };

export const EVERYTHING: AuditScope = { part: 1, parts: 1 };

/** A page of one partition is passed by when its nodes have failed to read it so often: they will do so again. */
const TRIES_IF_FAILED = 3;
/** And when they have not answered so often: perhaps they have only stopped, until the others notice. */
const TRIES_IF_SILENT = 10;
/** Of the tokens among which a page could not be read, so many parts are read. A read that fails takes longer than many others. */
const PARTS_IN_TROUBLE = 16n;
const PAUSE_MS = 200;

/** How the rows of a table are found. */
export interface Scan<Key, Row extends Key> {
  /** The names of the columns of the partition key. */
  readonly key: readonly (keyof Key & string)[];
  /** Those of the partitions whose tokens are above one and up to another one. */
  readonly ring: PagedStatement<{ above: bigint; up_to: bigint }, Row & { readonly ring_token: bigint }>;
  /** How the partitions of one reader or likeable are read; unset where their keys do not tell. */
  readonly within?: {
    /** Of which of both it has something. */
    readonly of: 'userId' | 'likeableId';
    readonly partition: PagedStatement<Key, Row>;
    readonly partitionsOf: (app: AppContext, scope: AuditScope) => Promise<Key[]>;
  };
}

/** Where a scan of the ring is: in the range of the tokens above one and up to another one. */
export interface ScanPosition {
  readonly above: bigint;
  readonly upTo: bigint;
  /** Where a page could not be read: up to where that may be, and whether another page could, since; unset where all is well. */
  readonly trouble?: { readonly upTo: bigint; readonly isLocal: boolean } | undefined;
  /** How often the page at this position could not be read, where its range is one token. */
  readonly tries: number;
  /** Of the last row. */
  readonly token: bigint;
  /** '' at the beginning of the range. */
  readonly pageState: string;
}

export interface Scanned<Key, Row> {
  readonly rows: Row[];
  /** The partitions that begin here. */
  readonly begun: Key[];
  /** Of the next page; that of what is no part of the ring is always its beginning. */
  readonly position: ScanPosition;
  /** From 0 to 1. */
  readonly progress: number;
  /** Whether the page could not be read; the next one is less of it, or another try, unless it is passed by. */
  readonly isFailed: boolean;
  /** The partition that is passed by, as the condition of a SELECT. */
  readonly unreadable?: string;
}

const beginOf = (above: bigint, upTo: bigint): ScanPosition => ({ above, upTo, tries: 0, token: above, pageState: '' });

/**
 * Scans a table, page by page.
 * @param from where an earlier scan of the same part of the ring was
 * @throws {CassandraError} for what is no page's fault: nodes are away, or no page at all can be read
 */
export function scan<Key, Row extends Key>(
  app: AppContext,
  of: Scan<Key, Row>,
  scope: AuditScope,
  from: ScanPosition | undefined,
): AsyncGenerator<Scanned<Key, Row>> {
  if (!('parts' in scope)) return scanPartitions(app, of, scope);
  const length = (HIGHEST_TOKEN - LOWEST_TOKEN) / BigInt(scope.parts);
  const above = LOWEST_TOKEN + length * BigInt(scope.part - 1);
  const upTo = scope.part === scope.parts ? HIGHEST_TOKEN : above + length;
  return scanRing(app, of, { above, upTo }, from ?? beginOf(above, upTo));
}

async function* scanPartitions<Key, Row extends Key>(
  app: AppContext,
  { key: columns, within }: Scan<Key, Row>,
  scope: AuditScope,
): AsyncGenerator<Scanned<Key, Row>> {
  if (!within) return;
  const { partition, partitionsOf } = within;
  const keys = await partitionsOf(app, scope);
  for (const [index, key] of keys.entries()) {
    const unmoved = { position: beginOf(LOWEST_TOKEN, HIGHEST_TOKEN), progress: index / keys.length };
    yield { ...unmoved, rows: [], begun: [key], isFailed: false };
    let pageState: string | undefined = '';
    for (let tries = 0; pageState !== undefined;) {
      try {
        const read: Page<Row> = await page(app.cassandra, partition, key, pageState);
        yield { ...unmoved, rows: read.rows, begun: [], isFailed: false };
        ({ pageState } = read);
        tries = 0;
      } catch (error) {
        if (!isUnreadable(error)) throw error;
        const isPassedBy = ++tries >= TRIES_IF_FAILED;
        await app.cassandra.backOff(PAUSE_MS * tries);
        yield {
          ...unmoved,
          rows: [],
          begun: [],
          isFailed: true,
          ...(isPassedBy && { unreadable: partitionNamed(columns, key) }),
        };
        if (isPassedBy) break;
      }
    }
  }
}

async function* scanRing<Key, Row extends Key>(
  app: AppContext,
  { key: columns, ring }: Scan<Key, Row>,
  part: { readonly above: bigint; readonly upTo: bigint },
  from: ScanPosition,
): AsyncGenerator<Scanned<Key, Row>> {
  for (let position = from; position.above < part.upTo;) {
    const { above, upTo, token, pageState } = position;
    let read: Page<Row & { readonly ring_token: bigint }>;
    try {
      read = await page(app.cassandra, ring, { above, up_to: upTo }, pageState);
    } catch (error) {
      const isPassedBy = isToPassBy(position, error);
      position = isPassedBy ? behindRange(position, part.upTo) : closerTo(position);
      await app.cassandra.backOff(PAUSE_MS * (1 + position.tries));
      const unreadable = `token(${columns.join(', ')}) > ${above} AND token(${columns.join(', ')}) <= ${upTo}`;
      yield {
        rows: [],
        begun: [],
        position,
        progress: progressOf(part, position),
        isFailed: true,
        ...(isPassedBy && { unreadable }),
      };
      continue;
    }

    const { rows } = read;
    const begun = rows.filter((row, index) => row.ring_token !== (rows[index - 1]?.ring_token ?? token));
    const behind = {
      ...position,
      trouble: position.trouble && { ...position.trouble, isLocal: true },
      tries: 0,
      token: rows.at(-1)?.ring_token ?? token,
    };
    position = read.pageState === undefined ? behindRange(behind, part.upTo) : { ...behind, pageState: read.pageState };
    yield { rows, begun, position, progress: progressOf(part, position), isFailed: false };
  }
}

/**
 * Whether a page is given up after an error.
 * @throws the error, if it tells nothing of the page
 */
function isToPassBy({ above, upTo, trouble, tries }: ScanPosition, error: unknown): boolean {
  const isSilent = error instanceof CassandraError && error.outcome === 'unknown' && !isReadFailure(error);
  if (!isSilent && !isUnreadable(error)) throw error;
  if (upTo - above > 1n) return false;
  // Where no page could be read, it is not because of this one.
  if (!trouble?.isLocal) throw error;
  return tries + 1 >= (isSilent ? TRIES_IF_SILENT : TRIES_IF_FAILED);
}

/** How many tokens a part of those between two has, one at least. */
const partOf = (above: bigint, upTo: bigint) => (upTo - above + PARTS_IN_TROUBLE - 1n) / PARTS_IN_TROUBLE;

/** Where a scan goes on after a page that could not be read. */
function closerTo(position: ScanPosition): ScanPosition {
  const { above, upTo, trouble, token, pageState, tries } = position;
  if (upTo - above === 1n) return { ...position, tries: tries + 1 };
  const closer = { ...position, trouble: { upTo, isLocal: trouble?.isLocal ?? false }, pageState: '' };
  // The rest of the partition in which the page began is looked at first, from its beginning: page states are of one range.
  return pageState === ''
    ? { ...closer, upTo: above + partOf(above, upTo) }
    : { ...closer, above: token - 1n, upTo: token };
}

/** Where a scan goes on at the end of its range. */
function behindRange({ above, upTo, trouble, token }: ScanPosition, end: bigint): ScanPosition {
  if (!trouble || upTo >= trouble.upTo) return { ...beginOf(upTo, end), token };
  // As many tokens as before, unless that was the rest of one partition.
  const [before, part] = [upTo - above, partOf(upTo, trouble.upTo)];
  const next = upTo + (before > part ? before : part);
  return { ...beginOf(upTo, next < trouble.upTo ? next : trouble.upTo), trouble, token };
}

const progressOf = ({ above, upTo }: { above: bigint; upTo: bigint }, position: ScanPosition): number => {
  const reached = position.pageState === '' ? position.above : position.token;
  return Number(((reached - above) * 10_000n) / (upTo - above)) / 10_000;
};

/** A partition as the condition of a SELECT. */
export const partitionNamed = <Key>(columns: readonly (keyof Key & string)[], key: Key): string =>
  columns.map((column) => `${column} = ${String(key[column])}`).join(' AND ');
