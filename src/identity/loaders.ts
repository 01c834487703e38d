import { sizeOf } from '../cassandra/budget.ts';
import { sharedLoader } from '../cassandra/recent-rows.ts';
import { rowLoader } from '../cassandra/row-loader.ts';
import { andThen, type Soon } from '../cassandra/soon.ts';
import { each, rows } from '../cassandra/statement.ts';
import { perProcess, perRequest, type RequestContext } from '../context/context.ts';
import { selectHidden, selectHiddenAmong, selectUsers } from './tables.ts';

/** Readers as they are now: those whom several requests ask for at the same moment are one statement, which is sent after that. */
export const usersNow = perProcess(({ cassandra, atEndOfTurn }) =>
  rowLoader(
    (user_ids) => rows(cassandra, selectUsers, { user_ids }),
    (row) => row.user_id,
    { atEndOfTurn },
  ),
);

/** Readers as they are, each read once in a request. */
export const userLoader = perRequest((context) =>
  sharedLoader(context, async (userId) => {
    const row = await usersNow(context).load(userId);
    return { row, size: sizeOf(row ? [row] : []) };
  }),
);

/** The readers of whom somebody sees nothing. */
export interface HiddenReaders {
  readonly has: (userId: string) => Soon<boolean>;
}

/** As many as a reader may block; of those whom more people block, some are asked for by name. */
const HIDDEN_AT_ONCE = 1_000;

/** The first ones of each, of all who are asked for at the same moment by one statement. */
const hiddenNow = perProcess(({ cassandra, atEndOfTurn }) =>
  rowLoader(
    async (user_ids) => {
      const found = await Array.fromAsync(each(cassandra, selectHidden, { user_ids, rows_max: HIDDEN_AT_ONCE }));
      const byUser = Map.groupBy(found, (row) => row.user_id);
      return user_ids.map((user_id) => {
        const some = byUser.get(user_id) ?? [];
        return { user_id, some: new Map(some.map((row) => [row.other_id, row])) };
      });
    },
    ({ user_id }) => user_id,
    { atEndOfTurn },
  ),
);

/** Begins to read of whom a reader sees nothing: what is to be shown can be read at the same time. */
export function readHidden(context: RequestContext, user_id: string): HiddenReaders {
  const loader = sharedLoader(context, async (userId) => {
    const row = await hiddenNow(context).load(userId);
    return { row, size: sizeOf([...(row?.some.values() ?? [])]) };
  });
  // Whoever asks hears of a failure; perhaps nobody does.
  Promise.resolve(loader.load(user_id)).catch(() => undefined);
  const others = rowLoader(
    (other_ids) => rows(context.cassandra, selectHiddenAmong, { user_id, other_ids }),
    (row) => row.other_id,
  );
  const isHidden = (row: { blocks: boolean | null; is_blocked: boolean | null } | undefined) =>
    row?.blocks === true || row?.is_blocked === true;

  return {
    has: (userId) =>
      andThen(loader.load(user_id), (hidden) => {
        const row = hidden?.some.get(userId);
        const isAll = hidden === undefined || hidden.some.size < HIDDEN_AT_ONCE;
        return row || isAll ? isHidden(row) : others.load(userId).then(isHidden);
      }),
  };
}

/** What the request has read of it, by who was the viewer then. */
export const hiddenByViewer = perRequest(() => new Map<string, HiddenReaders>());
