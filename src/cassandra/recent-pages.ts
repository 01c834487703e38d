import { meter } from './budget.ts';
import type { RangeList } from './range.ts';
import { shared, type Found, type Recent } from './recent-reads.ts';
import { andThen, type Soon } from './soon.ts';
import { withinBudget, type Cassandra } from './statement.ts';

/**
 * The maximum number of rows kept from the beginning of a list: a page of the default size, and the
 * row that says whether there are more.
 */
const ROWS_KEPT_MAX = 21;

/** The first rows of lists, as they were a moment ago. */
export type RecentPages = Recent<Found<readonly Readonly<Record<string, unknown>>[]>>;

/**
 * Wraps a list so that its beginning can come from what another request read a moment ago. The rows
 * count against the request's budget as if the request had read them itself.
 * @param list reads the list with a connection
 * @param from `pages`: the cache; `nameOf`: the unique name of a list and some of its partitions;
 *   `isOwnChange`: true if the caller may have changed the list lately and must see its current
 *   state
 */
export function recentList<Row extends Readonly<Record<string, unknown>>, Position>(
  cassandra: Cassandra,
  list: (cassandra: Cassandra) => RangeList<Row, Position>,
  from: {
    readonly pages: RecentPages;
    readonly nameOf: (partitions: readonly number[]) => string;
    readonly isOwnChange: () => Soon<boolean>;
  },
): RangeList<Row, Position> {
  const ofRequest = list(cassandra);
  return {
    ...ofRequest,
    read: async (partitions, slice) => {
      if (slice.from !== undefined || slice.limit > ROWS_KEPT_MAX) return ofRequest.read(partitions, slice);

      const name = `${from.nameOf(partitions)} ${slice.limit} ${slice.descending}`;
      const read = async () => {
        // A read can count more rows than are kept, because each of the parallel partitions is read
        // up to the limit.
        const counted = meter();
        const rows = await list(withinBudget(cassandra, counted)).read(partitions, slice);
        return { row: rows, size: counted.spent };
      };
      const rows = await shared(cassandra, () => {
        const kept = from.pages.kept(name);
        if (!kept) return from.pages.keep(name, read);
        return andThen(from.isOwnChange(), (isOwn) => (isOwn ? from.pages.keep(name, read) : kept));
      });
      return rows as Row[];
    },
  };
}
