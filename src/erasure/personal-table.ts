import type { AppContext } from '../context/context.ts';

/** A table with personal data. */
export interface PersonalTable {
  readonly table: string;
  /**
   * Yields the rows of a person for their export. A string is the reason why they are not exported.
   */
  readonly exported: string | ((app: AppContext, userId: string) => AsyncIterable<object>);
  /**
   * Erases rows of a person whose account is deleted, including rows still being written. It
   * continues after a position, '' at first, and returns the next position, or `undefined` when it
   * is done. A string names what else removes the rows.
   */
  readonly erased: string | ((app: AppContext, userId: string, after: string) => Promise<string | undefined>);
}

/** The tables of a feature. A test compares those of all features with the schema. */
export interface StoredData {
  /**
   * Its tables with personal data, in the order of erasure: rows that lead to other rows are erased
   * last.
   */
  readonly personalData?: readonly PersonalTable[];
  /** Its tables without personal data. */
  readonly impersonalTables?: readonly string[];
}
