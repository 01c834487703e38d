import { meter } from './budget.ts';
import type { RangeList } from './range.ts';
import { shared, type Found, type Recent } from './recent-rows.ts';
import { andThen, type Soon } from './soon.ts';
import { withinBudget, type Cassandra } from './statement.ts';

/** So many rows at most are kept of where a list begins: a page that asks for no number, and the row that says whether there are more. */
const ROWS_KEPT_MAX = 21;

/** The first rows of lists, as they were a moment ago. */
export type RecentPages = Recent<Found<readonly Readonly<Record<string, unknown>>[]>>;

/**
 * A list of which others may have read the beginning a moment ago. It counts for the request's budget as if it had read that itself.
 * @param list as it is read by a connection
 * @param from `pages`: where it is kept; `nameOf`: says of some partitions, among all lists, what is read of them; `isOwnChange`: whether the
 *   caller may have changed it lately, and is to see it as it is
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
        // More may be read than is kept: as much of each of the partitions that are side by side.
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
