import { types, type Client } from 'cassandra-driver';
import { insertAction, insertActionByKind } from '../../src/activity/tables.ts';
import { yearOf } from '../../src/activity/log.ts';
import { monthOf, DAY_SECONDS } from '../../src/time/units.ts';
import { selectUsers } from '../../src/identity/tables.ts';
import { selectBooks } from '../../src/catalogue/tables.ts';
import { KEPT_MS } from '../../src/events/operations.ts';
import { deleteEvent, insertEvent } from '../../src/events/tables.ts';
import { windowOf } from '../../src/events/windows.ts';
import { announcedCounts } from '../../src/member-sets/counts.ts';
import { SENTINEL } from '../../src/member-sets/shard.ts';
import { likeTables } from '../../src/member-sets/tables.ts';
import { likedItems, selectLikesAmong } from '../../src/likes/tables.ts';
import { uuidOf } from '../../src/graphql/ids.ts';
import type { Statement } from '../../src/cassandra/statement.ts';
import { insertEntry, WRITTEN } from '../../src/transactions/tables.ts';
import { decide, othersOf, type BookState, type Changed, type Counts, type LikeState } from './by-hand.ts';

/**
 * A like and unlike by the driver alone, with the statements of `docs/queries.md`, to measure the
 * cost of the same work without our server. It fills no shard, and its interrupted changes are not
 * recovered. Statements that need not wait for each other are sent together.
 */

const {
  deleteLiker,
  openShard,
  selectCounts,
  selectShardRows,
  updateCount,
  updateFormerLiker,
  updateLiker,
  updateShard,
} = likeTables;

/** The incarnation that the log entries belong to. */
const INCARNATION = types.Uuid.random();
const SERIAL = types.consistencies.localSerial;
const KEEPER = types.Uuid.fromString(SENTINEL.user_id);

interface Write {
  readonly query: string;
  readonly params: Record<string, unknown>;
}

/** A statement, whose values the driver takes in the form that it encodes itself. */
type Named<Values> = Pick<Statement<Values, unknown, number | undefined>, 'cql' | 'params'>;
type Raw<Values> = { readonly [Name in keyof Values]: unknown };

const run = <Values>(client: Client, { cql }: Named<Values>, values: Raw<Values>) =>
  client.execute(cql, values, { prepare: true, isIdempotent: true });

const write = <Values>({ cql }: Named<Values>, values: Raw<Values>): Write => ({ query: cql, params: { ...values } });

/** Likes something that is in the tables. */
export async function likeBySameStatements(client: Client, userId: string, bookId: string): Promise<Changed> {
  const likeableId = `Book:${bookId}`;
  const book_ids = [bookId];
  const [, counts] = await Promise.all([run(client, selectBooks, { book_ids }), countsOf(client, likeableId)]);
  const { likeCount, shards } = counts;
  const shard = Math.max(0, ...shards.map((each) => each.shard));
  await log(client, userId, likeableId);

  const now = new Date();
  const state = await decide(client, userId, likeableId, null, (current) =>
    current?.liked === true
      ? undefined
      : {
          ...stateOf(now, (current?.version ?? 0) + 1),
          liked: true,
          liked_at: now,
          shard,
          hour_began: now,
          hour_likes: 1,
        },
  );
  if (!state) return { changed: false, likeCount };

  const { version } = state;
  const user_id = types.Uuid.fromString(userId);
  const shown = { full_name: 'Somebody', audience: 'EVERYONE' };
  const place = { likeable_id: likeableId, shard };
  const liker = { ...place, user_id, liked_at: now, liked: true, version, ...shown };
  const counted = await changeShard(client, user_id, place, now, 1, [write(updateLiker, liker)]);

  const book = await run(client, selectBooks, { book_ids });
  const { title, authors } = book.first().get('state') as BookState;
  await client.batch(
    [
      write(likedItems.insert, { ...itemOf(user_id, likeableId, now, version), title, authors }),
      ...actionWrites(user_id, 'LIKED', now, likeableId),
      counted.write,
      announcedNow(likeableId),
      write(insertEvent, { ...eventOf(userId, likeableId, now, version), at: now, ttl_seconds: KEPT_MS / 1_000 }),
    ],
    { prepare: true, isIdempotent: true, logged: false },
  );
  return { changed: true, likeCount: counted.likeCount + othersOf(shards, shard) };
}

/** Takes a like back. */
export async function unlikeBySameStatements(client: Client, userId: string, bookId: string): Promise<Changed> {
  const likeableId = `Book:${bookId}`;
  const user_id = types.Uuid.fromString(userId);
  const [, read, { likeCount, shards }] = await Promise.all([
    run(client, selectBooks, { book_ids: [bookId] }),
    run(client, selectLikesAmong, { user_id, likeable_ids: [likeableId] }),
    countsOf(client, likeableId),
  ]);
  await log(client, userId, likeableId);

  const now = new Date();
  const expected = (read.rows[0]?.get('state') ?? null) as LikeState | null;
  const state = await decide(client, userId, likeableId, expected, (current) =>
    current?.liked === true
      ? { ...current, ...stateOf(now, current.version + 1), liked: false, shard: current.shard }
      : undefined,
  );
  if (!state?.liked_at) return { changed: false, likeCount };

  const { version, liked_at: likedAt, shard } = state;
  const place = { likeable_id: likeableId, shard };
  const row = { ...place, user_id, liked_at: likedAt };
  const former = { ...row, liked: false, version, kept_seconds: DAY_SECONDS };
  const counted = await changeShard(client, user_id, place, likedAt, -1, [
    write(deleteLiker, { ...row, liked: true }),
    write(updateFormerLiker, former),
  ]);

  await client.batch(
    [
      write(likedItems.delete, itemOf(user_id, likeableId, likedAt, version)),
      ...actionWrites(user_id, 'LIKED', likedAt, likeableId),
      ...actionWrites(user_id, 'UNLIKED', now, likeableId),
      counted.write,
      announcedNow(likeableId),
      write(deleteEvent, eventOf(userId, likeableId, likedAt, version)),
    ],
    { prepare: true, isIdempotent: true, logged: false },
  );
  return { changed: true, likeCount: counted.likeCount + othersOf(shards, shard) };
}

async function countsOf(client: Client, likeableId: string): Promise<Counts> {
  const { rows } = await run(client, selectCounts, { likeable_ids: [likeableId] });
  const shards = rows.map((row) => ({
    shard: (row.get('shard') as number | null) ?? 0,
    likeCount: (row.get('like_count') as number | null) ?? 0,
  }));
  return { shards, likeCount: shards.reduce((sum, each) => sum + each.likeCount, 0) };
}

const log = (client: Client, userId: string, likeableId: string) =>
  run(client, insertEntry, {
    incarnation: INCARNATION,
    tick: Math.floor(performance.now() / 1_000),
    transaction_id: types.Uuid.random(),
    kind: 'like',
    payload: JSON.stringify({ userId, likeableId }),
    begun_at: new Date(),
    request_id: '',
    version: WRITTEN,
  });

const stateOf = (now: Date, version: number) => ({
  version,
  changed_at: now,
  change_id: types.Uuid.random(),
  former_shard: null,
});

const itemOf = (user_id: types.Uuid, likeable_id: string, liked_at: Date, version: number) => ({
  user_id,
  year: yearOf(liked_at),
  liked_at,
  likeable_id,
  version: BigInt(version),
});

/** Makes the write that announces a new count to servers. */
const announcedNow = (likeableId: string): Write => announcedCounts({ clock: () => new Date() }, likeableId);

/** Makes the key of a like's event, by which an unlike deletes it. */
const eventOf = (userId: string, subject_id: string, at: Date, version: number) => ({
  minute: new Date(windowOf('MINUTE', at.getTime())),
  shard: 0,
  subject_id,
  kind: 'LIKE',
  event_id: types.Uuid.fromString(uuidOf(`${userId} ${subject_id} ${at.getTime()}`)),
  version: BigInt(version),
});

function actionWrites(user_id: types.Uuid, kind: string, at: Date, subject_id: string): Write[] {
  const action = { user_id, at, kind, subject_id, element: '' };
  return [
    write(insertAction, { ...action, month: monthOf(at) }),
    write(insertActionByKind, { ...action, year: yearOf(at) }),
  ];
}

/**
 * Changes a shard and its count together, and reads the reader like our server.
 * @param likers the writes of the shard's rows
 * @returns the number of likers in the shard, and the write that publishes it
 */
async function changeShard(
  client: Client,
  user_id: types.Uuid,
  key: { readonly likeable_id: string; readonly shard: number },
  likedAt: Date,
  difference: 1 | -1,
  likers: readonly Write[],
): Promise<{ likeCount: number; write: Write }> {
  const positions = [types.Tuple.fromArray([SENTINEL.liked_at, KEEPER]), types.Tuple.fromArray([likedAt, user_id])];
  for (;;) {
    const [found] = await Promise.all([
      run(client, selectShardRows, { ...key, slices: [true, false], positions }),
      run(client, selectUsers, { user_ids: [user_id] }),
    ]);
    const {
      shard_version = 0,
      like_count = 0,
      row_count = 0,
    } = { ...(found.first() as Partial<Record<string, number>>) };
    const likeCount = like_count + difference;
    const version = shard_version + 1;
    const columns = { next_version: version, like_count: likeCount, closed: false, summed: false };
    const statics = { ...key, ...columns, row_count: row_count + Math.max(0, difference) };
    const state =
      shard_version > 0
        ? [write(updateShard, { ...statics, current_version: shard_version })]
        : [write(openShard, statics), write(updateFormerLiker, { ...key, ...SENTINEL, user_id: KEEPER })];
    const options = { prepare: true, serialConsistency: SERIAL, logged: false };
    if (!(await client.batch([...state, ...likers], options)).wasApplied()) continue;

    const count = { ...key, like_count: likeCount, version: BigInt(version) };
    return { likeCount, write: write(updateCount, count) };
  }
}
