import type { ManyLists } from '../cassandra/merge.ts';
import type { Range, Within } from '../cassandra/range.ts';
import type { Cassandra } from '../cassandra/statement.ts';

/** The lists that feeds merge. Each feature that has one exports it as its `in-feeds.ts`. */

/** The kinds of entries of a feed. Entries of the same moment are sorted by kind. */
export const FEED_KINDS = ['LIKED', 'RATED', 'READ', 'REVIEWED'] as const;
export type FeedKind = (typeof FEED_KINDS)[number];

/** The place of an entry in a feed. */
export interface FeedPosition {
  readonly at: Date;
  readonly kind: FeedKind;
  readonly userId: string;
  /** The key of the thing within its kind: of a book, a review or a like. */
  readonly key: string;
}

/** An act of a reader, as a row of a list has it. */
export interface FeedRow extends FeedPosition {
  /** The rating in quarters of a star; unset for other kinds. */
  readonly quarters?: number;
}

/** A month of a reader. */
export interface MonthOfReader {
  readonly userId: string;
  readonly month: Date;
}

/** A list that feeds merge. */
export interface FeedSource {
  readonly kind: FeedKind;
  /** The data whose audience sees the rows; unset if everybody does. */
  readonly audience?: 'likes' | 'readings';
  /** Returns the lists of some months of readers, to be merged by {@link compareEntries}. */
  readonly lists: (
    cassandra: Cassandra,
    months: readonly MonthOfReader[],
    within: Within<Date>,
  ) => ManyLists<FeedRow, FeedPosition>;
}

/** The partitions of a table that has one for each month of a reader. */
export const partitionsByMonth = (months: readonly MonthOfReader[]) =>
  months.map(({ userId, month }) => ({ user_id: userId, month }));

/** Compares the places of entries of different readers or kinds, for `sort`. */
export function compareEntries(one: FeedPosition, other: FeedPosition): number {
  const apart = one.at.getTime() - other.at.getTime();
  if (apart !== 0) return apart;
  const [a, b] = [`${one.kind} ${one.userId}`, `${other.kind} ${other.userId}`];
  return a < b ? -1 : Number(a > b);
}

/** Texts before and after every id of a reader. */
const [BEFORE_ALL, AFTER_ALL] = ['', '~'];

/**
 * Declares a list that feeds merge.
 * @param of `list`: the range of its table, sorted by the moment first; `partitionsOf`: the
 *   partitions of months of readers, each once; `placeOf` and `entryOf` turn a position of the feed
 *   into one of the table, and a row into an entry
 */
export const feedSource = <Key extends object, Position extends object, Row extends Position>(of: {
  readonly kind: FeedKind;
  readonly audience?: 'likes' | 'readings';
  readonly list: Range<Key, Position, Row, Date>;
  readonly partitionsOf: (months: readonly MonthOfReader[]) => readonly Key[];
  readonly placeOf: (position: Omit<FeedPosition, 'kind'>) => Position;
  readonly entryOf: (row: Row) => Omit<FeedRow, 'kind'>;
}): FeedSource => ({
  kind: of.kind,
  ...(of.audience && { audience: of.audience }),
  lists: (cassandra, months, within) => {
    const partitions = of.partitionsOf(months);
    const keysOf = (numbers: readonly number[]) => numbers.flatMap((number) => partitions[number] ?? []);
    return {
      count: partitions.length,
      read: async (numbers, { from, ...slice }, until) => {
        // Entries of the same moment are sorted by kind before reader.
        const userId = from && (from.kind === of.kind ? from.userId : from.kind < of.kind ? BEFORE_ALL : AFTER_ALL);
        const place = from && of.placeOf({ ...from, userId: userId ?? '' });
        const part = until
          ? { ...within, ...(slice.descending ? { from: until.at } : { to: after(until.at) }) }
          : within;
        const found = await of.list.ofEach(cassandra, keysOf(numbers), { ...slice, from: place }, part);
        return found.map((rows) => rows.map((row) => ({ kind: of.kind, ...of.entryOf(row) })));
      },
    };
  },
});

const after = (moment: Date): Date => new Date(moment.getTime() + 1);
