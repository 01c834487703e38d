import pLimit from 'p-limit';
import { batch, type Bound } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { entryWrites, type Action } from './log.ts';
import { monthOf, monthWrites } from './months.ts';

const BATCHES_AT_ONCE = 32;
/** A batch to several partitions of under 5 KB: Cassandra warns of larger ones. */
const ACTIONS_PER_BATCH = 40;

/** Actions of many readers, written together at last, so that what is in one month's partition is one write. */
export class ActionsInBulk {
  readonly #byReader = new Map<string, Action[]>();

  add(userId: string, actions: readonly Action[]): void {
    const known = this.#byReader.get(userId);
    if (known) known.push(...actions);
    else this.#byReader.set(userId, [...actions]);
  }

  /** Writes all of them. May be repeated. */
  async write({ cassandra }: AppContext): Promise<void> {
    await pLimit(BATCHES_AT_ONCE).map([...this.#byReader], async ([userId, actions]) => {
      const months = actions.map(({ at }) => at);
      await batch(cassandra, monthWrites(userId, 'actions', months));
      let writes: Bound[] = [];
      for (const ofMonth of Map.groupBy(actions, ({ at }) => monthOf(at).getTime()).values()) {
        writes.push(...entryWrites(userId, ofMonth));
        if (writes.length < ACTIONS_PER_BATCH) continue;
        await batch(cassandra, writes);
        writes = [];
      }
      if (writes.length > 0) await batch(cassandra, writes);
    });
  }
}
