import { projectedList } from '../aggregates/projected-list.ts';
import type { Bound } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { filling } from '../jobs/filling.ts';
import { dayAt, latestDayAt } from '../time/days.ts';
import { finishedOn } from './reads.ts';
import { finishedBooks, scanReadings, type Read, type ReadingKey, type ReadingState } from './tables.ts';

/** The books that readers finished in each year. A year and a day are those of UTC. */

/** The day of a reading; `undefined` if it is unknown. */
const dayOf = (read: Read): string | undefined => finishedOn(read, 'UTC') ?? undefined;

const yearOf = (day: string): number => Number(day.slice(0, 4));

/** Returns the days on which a book was finished, oldest first, by year. */
function finishedInYears({ marked, reads }: Pick<ReadingState, 'marked' | 'reads'>): Map<number, string[]> {
  const days = marked ? reads.flatMap((read) => dayOf(read) ?? []) : [];
  return Map.groupBy(days.toSorted(), yearOf);
}

/** A book is in the list of each year in which the reader finished it. */
export const byYear = projectedList(finishedBooks, {
  rowsOf: ({ userId, bookId }: ReadingKey, state: ReadingState) =>
    [...finishedInYears(state)].map(([year, days]) => ({ user_id: userId, year, book_id: bookId, days })),
  formerKeysOf: ({ userId, bookId }, { reads, corrected, gone_years }) =>
    [...yearsOf([...reads, ...(corrected ? [corrected] : [])]), ...gone_years].map((year) => ({
      user_id: userId,
      year,
      book_id: bookId,
    })),
});

/**
 * Returns the years of some readings, including the years they would have with other first days.
 */
export const yearsOf = (reads: readonly Read[]): number[] => {
  const days = reads.flatMap(({ finished_on, read_at }) => {
    if (!read_at) return [];
    return finished_on === null ? [dayAt(read_at), latestDayAt(read_at)] : [finished_on];
  });
  return [...new Set(days.map(yearOf))];
};

/** A book that a reader finished in a year, and the days. */
export interface FinishedBook {
  readonly bookId: string;
  /** The days, oldest first. */
  readonly days: readonly string[];
}

/**
 * Reads the books that a reader finished in a year.
 * @param limit the maximum number of books
 */
export async function finishedInYear(
  { cassandra }: AppContext,
  user_id: string,
  year: number,
  limit: number,
): Promise<FinishedBook[]> {
  const found = await finishedBooks.read(cassandra, { user_id, year }, { descending: false, from: undefined, limit });
  return found.map(({ book_id: bookId, days }) => ({ bookId, days }));
}

const partitionOf = ({ params }: Bound): string => `${String(params['user_id'])} ${String(params['year'])}`;

/**
 * Writes the years of the readings that release 1.0.0 wrote: the move of the migration
 * `0007-years`.
 */
export const fillYears = filling(
  scanReadings,
  ({ user_id: userId, book_id: bookId, state }) => byYear.writes({ userId, bookId }, state, undefined),
  partitionOf,
);
