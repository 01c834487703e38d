import pLimit from 'p-limit';
import type { AppContext } from '../context/context.ts';
import type { Audit } from './audit.ts';
import { EVERYTHING } from './scan.ts';

/**
 * Writes again what follows from the rows of a table and is not there. It is the forwards pass of
 * an audit, but without the looks that tell drift from a change under way: a repair may be made
 * beside any change.
 */

const REPAIRS_AT_ONCE = 50;

/** A page of the table that was gone through. */
export interface RebuiltPage {
  readonly rows: number;
  /** The number of rows from which something was missing. */
  readonly rebuilt: number;
  /** The partitions that could not be read, each as the condition of a SELECT. */
  readonly unreadable: readonly string[];
  /** From 0 to 1. */
  readonly progress: number;
}

/**
 * Rebuilds page by page.
 * @param table the table from whose rows others are rebuilt
 */
export async function* rebuild(app: AppContext, audits: readonly Audit[], table: string): AsyncGenerator<RebuiltPage> {
  const tables = audits.flatMap((each) => each.tables).filter((each) => each.table === table);
  for (const { pages } of tables) {
    for await (const { rows, suspects, partitions, progress } of pages(app, EVERYTHING, undefined)) {
      // A row that lacks something in several lists is a suspect of each; one repair writes all.
      const wrong = new Map(suspects.map((suspect) => [suspect.what, suspect]));
      await pLimit(REPAIRS_AT_ONCE).map([...wrong.values()], ({ repair }) => repair());
      yield { rows, rebuilt: wrong.size, unreadable: partitions, progress };
    }
  }
}
