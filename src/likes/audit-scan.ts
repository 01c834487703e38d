import { page, type Page, type PagedStatement } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';

/** How an audit goes through a table: along the ring of tokens, or through the partitions of one reader or likeable. */

const LOWEST_TOKEN = -(2n ** 63n);
const HIGHEST_TOKEN = 2n ** 63n - 1n;

/** What is audited: everything, a part of all partitions by their tokens, one reader, or one likeable. */
export type AuditScope =
  | { readonly part: number; readonly parts: number }
  | { readonly userId: string; readonly years: readonly number[] }
  | { readonly likeableId: string };

export const EVERYTHING: AuditScope = { part: 1, parts: 1 };

/** How the rows of a table are found. */
export interface Scan<Key, Row extends Key> {
  /** Those of the partitions whose tokens are above one and up to another one. */
  readonly ring: PagedStatement<{ above: bigint; up_to: bigint }, Row & { readonly ring_token: bigint }>;
  readonly partition: PagedStatement<Key, Row>;
  /** The partitions of one reader or likeable; none where their keys do not tell. */
  readonly partitionsOf: (app: AppContext, scope: AuditScope) => Promise<Key[]>;
}

/** Where a scan of the ring is. */
export interface ScanPosition {
  /** Of the last row. */
  readonly token: bigint;
  /** Unset at the end. */
  readonly pageState?: string | undefined;
}

export interface Scanned<Key, Row> {
  readonly rows: Row[];
  /** The partitions that begin here. */
  readonly begun: Key[];
  readonly position: ScanPosition;
  /** From 0 to 1. */
  readonly progress: number;
}

/** @param from where an earlier scan of the same part of the ring was */
export async function* scan<Key, Row extends Key>(
  app: AppContext,
  { ring, partition, partitionsOf }: Scan<Key, Row>,
  scope: AuditScope,
  from: ScanPosition | undefined,
): AsyncGenerator<Scanned<Key, Row>> {
  if (!('parts' in scope)) {
    const keys = await partitionsOf(app, scope);
    for (const [index, key] of keys.entries()) {
      const position = { token: LOWEST_TOKEN };
      const progress = index / keys.length;
      yield { rows: [], begun: [key], position, progress };
      let pageState: string | undefined = '';
      while (pageState !== undefined) {
        const read: Page<Row> = await page(app.cassandra, partition, key, pageState);
        yield { rows: read.rows, begun: [], position, progress };
        ({ pageState } = read);
      }
    }
    return;
  }
  const length = (HIGHEST_TOKEN - LOWEST_TOKEN) / BigInt(scope.parts);
  const above = LOWEST_TOKEN + length * BigInt(scope.part - 1);
  const up_to = scope.part === scope.parts ? HIGHEST_TOKEN : above + length;
  let { token, pageState }: ScanPosition = from ?? { token: above, pageState: '' };
  while (pageState !== undefined) {
    const { rows, pageState: next } = await page(app.cassandra, ring, { above, up_to }, pageState);
    const before = token;
    const begun = rows.filter((row, index) => row.ring_token !== (rows[index - 1]?.ring_token ?? before));
    token = rows.at(-1)?.ring_token ?? token;
    pageState = next;
    const progress = Number(((token - above) * 10_000n) / (up_to - above)) / 10_000;
    yield { rows, begun, position: { token, pageState }, progress };
  }
}
