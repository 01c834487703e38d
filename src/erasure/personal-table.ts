import type { AppContext } from '../context/context.ts';

/** A table that holds something about a person. */
export interface PersonalTable {
  readonly table: string;
  /** The rows of a person as they are given to them, or why they are not. */
  readonly exported: string | ((app: AppContext, userId: string) => AsyncIterable<object>);
  /**
   * Removes rows of a person whose account is deleted, those that are still being written included; or says what else
   * removes them. Goes on behind a position, '' at first, and returns the next one, or `undefined` when all is done.
   */
  readonly erased: string | ((app: AppContext, userId: string, after: string) => Promise<string | undefined>);
}
