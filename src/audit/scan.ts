import { z } from 'zod';
import { conditionOf } from '../cassandra/columns.ts';
import { CassandraError, isReadFailure, isUnreadable } from '../cassandra/errors.ts';
import { HIGHEST_TOKEN, LOWEST_TOKEN } from '../cassandra/ring.ts';
import { page, type Page, type PagedStatement } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';

/**
 * An audit scans a table along the ring of tokens, or through the partitions of one reader or
 * likeable.
 *
 * A page that Cassandra fails to read must not end the audits. The scan then reads smaller ranges
 * of the ring, down to one partition. If that partition cannot be read although other pages can, it
 * is reported and skipped.
 */

/**
 * The scope of an audit: everything, a part of all partitions by their tokens, one reader, or one
 * likeable.
 */
export type AuditScope =
  | { readonly part: number; readonly parts: number }
  | { readonly userId: string; readonly years: readonly number[] }
  | { readonly likeableId: string };

export const EVERYTHING: AuditScope = { part: 1, parts: 1 };

/**
 * The number of failed reads after which a page of one partition is skipped, because its nodes will
 * fail again.
 */
const TRIES_IF_FAILED = 3;
/**
 * The number of unanswered reads after which a page of one partition is skipped. It is higher,
 * because nodes may have stopped and the others may not have noticed yet.
 */
const TRIES_IF_SILENT = 10;
/**
 * The number of parts into which a range is split if a page of it could not be read. It is high
 * because a failed read takes longer than many others.
 */
const PARTS_IN_TROUBLE = 16n;
const PAUSE_MS = 200;

/** The reads of the partitions of one reader or likeable. */
export interface PartitionsWithin<Key, Row extends Key> {
  /** The kind of scope that the table has partitions for. */
  readonly of: 'userId' | 'likeableId';
  readonly partition: PagedStatement<Key, Row>;
  readonly partitionsOf: (app: AppContext, scope: AuditScope) => Promise<Key[]>;
}

/** The statements that find the rows of a table. */
export interface Scan<Key, Row extends Key> {
  /** The names of the columns of the partition key. */
  readonly key: readonly (keyof Key & string)[];
  /** Reads the rows of the partitions with tokens above `above`, up to and including `up_to`. */
  readonly ring: PagedStatement<{ above: bigint; up_to: bigint }, Row & { readonly ring_token: bigint }>;
  /** Unset if the keys of the table contain neither readers nor likeables. */
  readonly within?: PartitionsWithin<Key, Row> | undefined;
}

const token = z.codec(z.string(), z.bigint(), { decode: (text) => BigInt(text), encode: String });

/**
 * The position of a scan, with its form in JSON: in the range of tokens above `above`, up to and
 * including `upTo`.
 */
export const scanPosition = z.strictObject({
  above: token,
  upTo: token,
  /**
   * Set after a page could not be read. `upTo` is the end of the range that may be affected;
   * `isLocal` is true if another page could be read since then.
   */
  trouble: z.strictObject({ upTo: token, isLocal: z.boolean() }).optional(),
  /** The number of failed reads of the page at this position, if its range is one token. */
  tries: z.int(),
  /** The token of the last row. */
  token,
  /** '' at the beginning of the range. */
  pageState: z.string(),
});
export type ScanPosition = Readonly<z.output<typeof scanPosition>>;

export interface Scanned<Key, Row> {
  readonly rows: Row[];
  /** The partitions that begin on this page. */
  readonly begun: Key[];
  /**
   * The position of the next page. A scan that is not along the ring always reports its beginning.
   */
  readonly position: ScanPosition;
  /** From 0 to 1. */
  readonly progress: number;
  /**
   * True if the page could not be read. The next page reads less of it or tries again, unless it is
   * skipped.
   */
  readonly isFailed: boolean;
  /** The skipped partition, as the condition of a SELECT. */
  readonly unreadable?: string;
}

const beginOf = (above: bigint, upTo: bigint): ScanPosition => ({ above, upTo, tries: 0, token: above, pageState: '' });

/**
 * Scans a table page by page.
 * @param from the position of an earlier scan of the same part of the ring
 * @throws {CassandraError} for errors that are not caused by a single page: nodes are down, or no
 *   page can be read
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
        const isSkipped = ++tries >= TRIES_IF_FAILED;
        await app.cassandra.backOff(PAUSE_MS * tries);
        yield {
          ...unmoved,
          rows: [],
          begun: [],
          isFailed: true,
          ...(isSkipped && { unreadable: conditionOf(key, columns) }),
        };
        if (isSkipped) break;
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
      const isSkipped = shouldSkip(position, error);
      position = isSkipped ? behindRange(position, part.upTo) : closerTo(position);
      await app.cassandra.backOff(PAUSE_MS * (1 + position.tries));
      const unreadable = `token(${columns.join(', ')}) > ${above} AND token(${columns.join(', ')}) <= ${upTo}`;
      yield {
        rows: [],
        begun: [],
        position,
        progress: progressOf(part, position),
        isFailed: true,
        ...(isSkipped && { unreadable }),
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
 * Returns whether to skip a page after an error.
 * @throws the error, if the page is not its cause
 */
function shouldSkip({ above, upTo, trouble, tries }: ScanPosition, error: unknown): boolean {
  const isSilent = error instanceof CassandraError && error.outcome === 'unknown' && !isReadFailure(error);
  if (!isSilent && !isUnreadable(error)) throw error;
  if (upTo - above > 1n) return false;
  // If no page could be read, this page is not the cause.
  if (!trouble?.isLocal) throw error;
  return tries + 1 >= (isSilent ? TRIES_IF_SILENT : TRIES_IF_FAILED);
}

/** Returns the number of tokens in a part of a range, at least 1. */
const partOf = (above: bigint, upTo: bigint) => (upTo - above + PARTS_IN_TROUBLE - 1n) / PARTS_IN_TROUBLE;

/** Returns the position to continue from after a page that could not be read. */
function closerTo(position: ScanPosition): ScanPosition {
  const { above, upTo, trouble, token, pageState, tries } = position;
  if (upTo - above === 1n) return { ...position, tries: tries + 1 };
  const closer = { ...position, trouble: { upTo, isLocal: trouble?.isLocal ?? false }, pageState: '' };
  // The scan first reads the partition in which the page began, from its beginning, because a page
  // state is valid only for its range.
  return pageState === ''
    ? { ...closer, upTo: above + partOf(above, upTo) }
    : { ...closer, above: token - 1n, upTo: token };
}

/** Returns the position to continue from at the end of the range. */
function behindRange({ above, upTo, trouble, token }: ScanPosition, end: bigint): ScanPosition {
  if (!trouble || upTo >= trouble.upTo) return { ...beginOf(upTo, end), token };
  // The next range has as many tokens as the previous one, unless that was the rest of one
  // partition.
  const [before, part] = [upTo - above, partOf(upTo, trouble.upTo)];
  const next = upTo + (before > part ? before : part);
  return { ...beginOf(upTo, next < trouble.upTo ? next : trouble.upTo), trouble, token };
}

const progressOf = ({ above, upTo }: { above: bigint; upTo: bigint }, position: ScanPosition): number => {
  const reached = position.pageState === '' ? position.above : position.token;
  return Number(((reached - above) * 10_000n) / (upTo - above)) / 10_000;
};
