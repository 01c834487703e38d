import { batch, type Bound } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { inBulk } from '../imports/in-bulk.ts';
import { actionMonthWrites, yearOf, entriesByKind, entriesByTime, type Action } from './log.ts';
import { monthOf } from '../time/months.ts';

/** A batch to several partitions of under 5 KB: Cassandra warns of larger ones. */
const ROWS_PER_BATCH = 40;
/** A batch to one partition is one mutation, of well under Cassandra's 16 MiB. */
const ROWS_PER_MUTATION = 1_000;

/** Actions of many readers, written together at last, so that what is in one month's partition is one write. */
export class ActionsInBulk {
  readonly #byReader = new Map<string, Action[]>();

  add(userId: string, actions: readonly Action[]): void {
    const known = this.#byReader.get(userId);
    if (known) known.push(...actions);
    else this.#byReader.set(userId, [...actions]);
  }

  /** Writes all of them. May be repeated. */
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
      for (const part of partitions.flatMap(cut)) {
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

const cut = (writes: readonly Bound[]): Bound[][] =>
  Array.from({ length: Math.ceil(writes.length / ROWS_PER_MUTATION) }, (_, index) =>
    writes.slice(index * ROWS_PER_MUTATION, (index + 1) * ROWS_PER_MUTATION),
  );
