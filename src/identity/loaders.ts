import { rowLoader } from '../cassandra/row-loader.ts';
import { rows } from '../cassandra/statement.ts';
import { perRequest, type AppContext } from '../context/context.ts';
import { selectHidden, selectHiddenAmong, selectUsers } from './tables.ts';

export const userLoader = perRequest(({ cassandra }) =>
  rowLoader(
    (user_ids) => rows(cassandra, selectUsers, { user_ids }),
    (row) => row.user_id,
  ),
);

/** The readers of whom somebody sees nothing. */
export interface HiddenReaders {
  readonly has: (userId: string) => Promise<boolean>;
}

/** As many as a reader may block; of those whom more people block, some are asked for by name. */
const HIDDEN_AT_ONCE = 1_000;

/** Begins to read of whom a reader sees nothing: what is to be shown can be read at the same time. */
export function readHidden({ cassandra }: AppContext, user_id: string): HiddenReaders {
  const some = rows(cassandra, selectHidden, { user_id, rows_max: HIDDEN_AT_ONCE });
  const known = some.then((found) => new Map(found.map((row) => [row.other_id, row])));
  // Whoever asks hears of a failure; perhaps nobody does.
  known.catch(() => undefined);
  const others = rowLoader(
    (other_ids) => rows(cassandra, selectHiddenAmong, { user_id, other_ids }),
    (row) => row.other_id,
  );

  return {
    has: async (userId) => {
      const found = await known;
      const isAll = found.size < HIDDEN_AT_ONCE;
      const row = found.get(userId) ?? (isAll ? undefined : await others.load(userId));
      return row !== undefined && (row.blocks === true || row.is_blocked === true);
    },
  };
}

/** What the request has read of it, by who was the viewer then. */
export const hiddenByViewer = perRequest(() => new Map<string, HiddenReaders>());
