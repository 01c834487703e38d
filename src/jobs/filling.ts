import { inBatches } from '../cassandra/batches.ts';
import { HIGHEST_TOKEN, LOWEST_TOKEN, type RingScan } from '../cassandra/ring.ts';
import { batch, page, type Bound } from '../cassandra/statement.ts';
import type { JobHandler } from '../context/context.ts';

/**
 * Makes the job of a migration that writes the rows which follow from those of an earlier release.
 * @param scan reads the rows of the earlier release
 * @param writesOf returns the writes for one of them
 * @param partitionOf returns the name of the partition of a write
 */
export const filling =
  <Row>(
    scan: RingScan<Row>,
    writesOf: (row: Row) => readonly Bound[],
    partitionOf: (write: Bound) => string,
  ): JobHandler =>
  async ({ cassandra }, _migration, position) => {
    const { rows, pageState } = await page(cassandra, scan, { above: LOWEST_TOKEN, up_to: HIGHEST_TOKEN }, position);
    for (const part of inBatches(rows.flatMap(writesOf), partitionOf)) await batch(cassandra, part);
    return pageState;
  };
