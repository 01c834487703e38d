import type { z } from 'zod';
import { sizeOf } from '../cassandra/bytes.ts';
import { foundRow, keptRow, sharedLoader } from '../cassandra/recent-reads.ts';
import { rowLoader } from '../cassandra/key-loaders.ts';
import { andThen, type MaybePromise } from '../cassandra/maybe-promise.ts';
import { each, rows } from '../cassandra/statement.ts';
import { keptUntilChanged } from '../changes/operations.ts';
import { perProcess, perRequest, type RequestContext } from '../context/context.ts';
import { selectHidden, selectHiddenAmong, selectUsers } from './tables.ts';

/**
 * Loads the current rows of readers. Readers that several requests ask for at the same moment are
 * read by one statement, sent at the end of the turn.
 */
export const usersNow = perProcess(({ cassandra, atEndOfTurn }) =>
  rowLoader(
    (user_ids) => rows(cassandra, selectUsers, { user_ids }),
    (row) => row.user_id,
    { atEndOfTurn },
  ),
);

/** The maximum memory of the kept readers, of about a kilobyte each. */
const USERS_BYTES_MAX = 12 * 2 ** 20;

const keptUsers = perProcess((app) =>
  keptUntilChanged(app, 'READER', { bytesMax: USERS_BYTES_MAX }, async (userId) =>
    foundRow(await usersNow(app).load(userId)),
  ),
);

/** Loads readers: the caller's current row, and rows of others that may be a moment old. */
export const userLoader = perRequest((context) => {
  const kept = keptUsers(context);
  return sharedLoader(context, {
    kept: (userId) => (userId === context.viewerId ? undefined : keptRow(kept, userId)),
    read: (userId) => (userId === context.viewerId ? usersNow(context).load(userId).then(foundRow) : kept.read(userId)),
  });
});

/** The readers that are hidden from a reader. */
export interface HiddenReaders {
  readonly has: (userId: string) => MaybePromise<boolean>;
  /** The ids of the first 1,000 of them. */
  readonly first: () => MaybePromise<readonly string[]>;
}

/**
 * The maximum number of readers that one may block. If more readers block someone, the rest are
 * looked up by id.
 */
const HIDDEN_AT_ONCE = 1_000;
/** The maximum memory of all kept lists of hidden readers. */
const HIDDEN_BYTES_MAX = 6 * 2 ** 20;
/** The maximum number of hidden readers in a kept list. */
const HIDDEN_KEPT_OF_ONE = 50;

type Hidden = Pick<z.output<typeof selectHidden.row>, 'blocks' | 'is_blocked'>;

/** Returns whether a row says that its two readers are hidden from each other. */
export const isHidden = (row: Hidden | undefined): boolean => row?.blocks === true || row?.is_blocked === true;

/**
 * The first hidden readers of each reader. One statement reads the lists that are requested at the
 * same moment.
 */
const keptHidden = perProcess((app) => {
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
  const kept = keptUntilChanged(app, 'HIDDEN_READERS', { bytesMax: HIDDEN_BYTES_MAX }, async (userId) => {
    const { rows = [] } = (await hidden.load(userId)) ?? {};
    if (rows.length > HIDDEN_KEPT_OF_ONE) kept.forget(userId);
    return { row: new Map<string, Hidden>(rows.map((row) => [row.other_id, row])), size: sizeOf(rows) };
  });
  return kept;
});

/**
 * Begins to read the readers hidden from a reader, so that the data to be shown can be read at the
 * same time.
 */
export function readHidden(context: RequestContext, user_id: string): HiddenReaders {
  const loader = sharedLoader(context, keptHidden(context));
  // Callers of `has` see a failure. Without callers it must not become an unhandled rejection.
  Promise.resolve(loader.load(user_id)).catch(() => undefined);
  const others = rowLoader(
    (other_ids) => rows(context.cassandra, selectHiddenAmong, { user_id, other_ids }),
    (row) => row.other_id,
  );

  return {
    has: (userId) =>
      andThen(loader.load(user_id), (some) => {
        const row = some?.get(userId);
        const isAll = some === undefined || some.size < HIDDEN_AT_ONCE;
        return row || isAll ? isHidden(row) : others.load(userId).then(isHidden);
      }),
    first: () =>
      andThen(loader.load(user_id), (some) => [...(some ?? [])].flatMap(([id, row]) => (isHidden(row) ? id : []))),
  };
}

/** The hidden readers that the request has read, by viewer. A login changes the viewer. */
export const hiddenByViewer = perRequest(() => new Map<string, HiddenReaders>());
