import { keysInParts } from '../../src/cassandra/statement-builders.ts';
import { batch, type Bound } from '../../src/cassandra/statement.ts';
import type { AppContext } from '../../src/context/context.ts';
import { inBulk } from '../../src/bulk-import/in-bulk.ts';
import { actionMonthWrites, yearOf, entriesByKind, entriesByTime, type Action } from '../../src/activity/log.ts';
import { monthOf } from '../../src/time/units.ts';

/** The number of rows in a batch to several partitions. Cassandra warns of batches over 5 KB. */
const ROWS_PER_BATCH = 40;
/**
 * The number of rows in a batch to one partition. It is one mutation, far below Cassandra's limit
 * of 16 MiB.
 */
const ROWS_PER_MUTATION = 1_000;

/** Collects the actions of many readers, so that the actions of one partition are one write. */
export class ActionsInBulk {
  readonly #byReader = new Map<string, Action[]>();

  add(userId: string, actions: readonly Action[]): void {
    const known = this.#byReader.get(userId);
    if (known) known.push(...actions);
    else this.#byReader.set(userId, [...actions]);
  }

  /** Writes all actions. It can be repeated. */
  async write(app: AppContext): Promise<void> {
    const { cassandra } = app;
    await inBulk(app, this.#byReader, async ([userId, actions]) => {
      await batch(cassandra, actionMonthWrites(userId, actions));
      const byMonth = Map.groupBy(actions, ({ at }) => monthOf(at).getTime());
      const byYear = Map.groupBy(actions, ({ at }) => yearOf(at));
      const partitions = [
        ...[...byMonth.values()].map((ofMonth) => entriesByTime(userId, ofMonth)),
        ...[...byYear.values()].map((ofYear) => entriesByKind(userId, ofYear)),
      ];
      let writes: Bound[] = [];
      for (const part of partitions.flatMap((rows) => keysInParts(rows, ROWS_PER_MUTATION))) {
        if (writes.length > 0 && writes.length + part.length > ROWS_PER_BATCH) {
          await batch(cassandra, writes);
          writes = [];
        }
        writes.push(...part);
      }
      if (writes.length > 0) await batch(cassandra, writes);
    });
  }
}
