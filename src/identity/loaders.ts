import type { z } from 'zod';
import { sizeOf } from '../cassandra/budget.ts';
import { foundRow, keptRow, RecentRows, sharedLoader } from '../cassandra/recent-rows.ts';
import { rowLoader } from '../cassandra/row-loader.ts';
import { andThen, type Soon } from '../cassandra/soon.ts';
import { each, rows } from '../cassandra/statement.ts';
import { perProcess, perRequest, type RequestContext } from '../context/context.ts';
import { shownFor } from '../context/shown.ts';
import { selectHidden, selectHiddenAmong, selectUsers } from './tables.ts';

/** Readers as they are now: those whom several requests ask for at the same moment are one statement, which is sent after that. */
export const usersNow = perProcess(({ cassandra, atEndOfTurn }) =>
  rowLoader(
    (user_ids) => rows(cassandra, selectUsers, { user_ids }),
    (row) => row.user_id,
    { atEndOfTurn },
  ),
);

/** So many are kept, of a kilobyte each. */
const USERS_KEPT = 10_000;

const recentUsers = perProcess(
  (app) =>
    new RecentRows(async (userId) => foundRow(await usersNow(app).load(userId)), {
      ...shownFor(app),
      rowsMax: USERS_KEPT,
    }),
);

/** Readers: the caller as they are, others as they were a moment ago. */
export const userLoader = perRequest((context) => {
  const recent = recentUsers(context);
  return sharedLoader(context, {
    kept: (userId) => (userId === context.viewerId ? undefined : keptRow(recent, userId)),
    read: (userId) =>
      userId === context.viewerId ? usersNow(context).load(userId).then(foundRow) : recent.read(userId),
  });
});

/** The readers of whom somebody sees nothing. */
export interface HiddenReaders {
  readonly has: (userId: string) => Soon<boolean>;
}

/** As many as a reader may block; of those whom more people block, some are asked for by name. */
const HIDDEN_AT_ONCE = 1_000;
/** Of so many readers it is kept of whom they see nothing, if these are not more than so many. */
const HIDDEN_KEPT = 10_000;
const HIDDEN_KEPT_OF_ONE = 50;

type Hidden = Pick<z.output<typeof selectHidden.row>, 'blocks' | 'is_blocked'>;

/** Of whom readers saw nothing a moment ago: the first ones of each, of all who are asked for at the same moment by one statement. */
const recentHidden = perProcess((app) => {
  const { cassandra, atEndOfTurn } = app;
  const hidden = rowLoader(
    async (user_ids) => {
      const rows = await Array.fromAsync(each(cassandra, selectHidden, { user_ids, rows_max: HIDDEN_AT_ONCE }));
      const byUser = Map.groupBy(rows, (row) => row.user_id);
      return user_ids.map((user_id) => ({ user_id, rows: byUser.get(user_id) ?? [] }));
    },
    ({ user_id }) => user_id,
    { atEndOfTurn },
  );
  const recent = new RecentRows(
    async (userId) => {
      const { rows = [] } = (await hidden.load(userId)) ?? {};
      if (rows.length > HIDDEN_KEPT_OF_ONE) recent.forget(userId);
      return { row: new Map<string, Hidden>(rows.map((row) => [row.other_id, row])), size: sizeOf(rows) };
    },
    { ...shownFor(app), rowsMax: HIDDEN_KEPT },
  );
  return recent;
});

/** Begins to read of whom a reader sees nothing: what is to be shown can be read at the same time. */
export function readHidden(context: RequestContext, user_id: string): HiddenReaders {
  const recent = recentHidden(context);
  const loader = sharedLoader(context, recent);
  // Whoever asks hears of a failure; perhaps nobody does.
  Promise.resolve(loader.load(user_id)).catch(() => undefined);
  const others = rowLoader(
    (other_ids) => rows(context.cassandra, selectHiddenAmong, { user_id, other_ids }),
    (row) => row.other_id,
  );
  const isHidden = (row: Hidden | undefined) => row?.blocks === true || row?.is_blocked === true;

  return {
    has: (userId) =>
      andThen(loader.load(user_id), (some) => {
        const row = some?.get(userId);
        const isAll = some === undefined || some.size < HIDDEN_AT_ONCE;
        return row || isAll ? isHidden(row) : others.load(userId).then(isHidden);
      }),
  };
}

/** What the request has read of it, by who was the viewer then. */
export const hiddenByViewer = perRequest(() => new Map<string, HiddenReaders>());
