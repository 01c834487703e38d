import pLimit from 'p-limit';
import type { AppContext } from '../../src/context/context.ts';
import type { Audit } from '../../src/audit/audit.ts';
import { EVERYTHING } from '../../src/audit/scan.ts';

/**
 * Writes the missing rows that follow from the rows of a table. It is the forwards pass of an audit
 * without the repeated checks that distinguish drift from a change in progress: a repair can run
 * concurrently with any change.
 */

const REPAIRS_AT_ONCE = 50;

/** A page of the scanned table. */
export interface RebuiltPage {
  readonly rows: number;
  /** The number of rows for which other rows were missing. */
  readonly rebuilt: number;
  /** The partitions that could not be read, each as the condition of a SELECT. */
  readonly unreadable: readonly string[];
  /** From 0 to 1. */
  readonly progress: number;
}

/**
 * Rebuilds page by page.
 * @param table the table whose rows the others are rebuilt from
 */
export async function* rebuild(app: AppContext, audits: readonly Audit[], table: string): AsyncGenerator<RebuiltPage> {
  const tables = audits.flatMap((each) => each.tables).filter((each) => each.table === table);
  for (const { pages } of tables) {
    for await (const { rows, suspects, partitions, progress } of pages(app, EVERYTHING, undefined)) {
      // A row that is missing in several lists is a suspect in each of them. One repair writes all.
      const wrong = new Map(suspects.map((suspect) => [suspect.what, suspect]));
      await pLimit(REPAIRS_AT_ONCE).map([...wrong.values()], ({ repair }) => repair());
      yield { rows, rebuilt: wrong.size, unreadable: partitions, progress };
    }
  }
}
