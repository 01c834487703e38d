import { randomUUID } from 'node:crypto';
import { Client, types } from 'cassandra-driver';
import { announcedCounts } from '../../src/member-sets/counts.ts';

/**
 * The code of a server that is written by hand: the driver, and the statements. It writes the same
 * tables as ours, but without its promises: no transaction log (a process that dies leaves changes
 * half done), no events, no group commit, no sessions that can be ended, no blocks and no privacy.
 */

/** Connects to the keyspace of the benchmark, with the settings of our own server. */
export async function connectByHand(): Promise<Client> {
  const { CASSANDRA_CONTACT_POINTS = '', CASSANDRA_KEYSPACE = '', CASSANDRA_LOCAL_DC = 'datacenter1' } = process.env;
  const client = new Client({
    contactPoints: CASSANDRA_CONTACT_POINTS.split(','),
    keyspace: CASSANDRA_KEYSPACE,
    localDataCenter: CASSANDRA_LOCAL_DC,
    queryOptions: { prepare: true, consistency: types.consistencies.localQuorum },
    encoding: { useBigIntAsLong: true },
  });
  await client.connect();
  return client;
}

/** Returns the rows of a statement, with the selected columns. */
export async function rowsOf<Row>(client: Client, cql: string, values: unknown[]): Promise<Row[]> {
  const { rows } = await client.execute(cql, values);
  return rows as unknown as Row[];
}

/** Returns the key of an id, which is `Type:key`. */
export const keyOf = (id: string): string => Buffer.from(id, 'base64url').toString().replace(/^\w+:/, '');

/** The row of a book; Cassandra returns null for an empty list. */
export interface BookState {
  readonly title: string;
  readonly authors: string[];
  readonly genres: string[] | null;
  readonly published_year: number | null;
  readonly average_rating: number | null;
}

/** The number of likes of something, and their shards. */
export interface Counts {
  readonly likeCount: number;
  readonly shards: readonly { readonly shard: number; readonly likeCount: number }[];
}

/** Reads the counts of likeables with one statement. */
export async function countsOf(client: Client, likeableIds: readonly string[]): Promise<Map<string, Counts>> {
  const found = await rowsOf<{ likeable_id: string; shard: number | null; like_count: number | null }>(
    client,
    'SELECT likeable_id, shard, like_count FROM like_counts WHERE likeable_id IN ?',
    [likeableIds],
  );
  const byLikeable = Map.groupBy(found, ({ likeable_id }) => likeable_id);
  return new Map(
    likeableIds.map((id) => {
      const ofIt = byLikeable.get(id) ?? [];
      const shards = ofIt.flatMap(({ shard, like_count }) =>
        shard === null ? [] : [{ shard, likeCount: like_count ?? 0 }],
      );
      return [id, { likeCount: shards.reduce((sum, { likeCount }) => sum + likeCount, 0), shards }];
    }),
  );
}

/** A like in its reader's list. */
export interface Item {
  readonly liked_at: Date;
  readonly likeable_id: string;
  readonly title: string;
  readonly authors: readonly string[] | null;
}

/**
 * Reads the newest likes of a reader, up to a number, one year after the other back to the
 * registration.
 */
export async function itemsOf(client: Client, userId: string, registeredAt: Date, limit: number): Promise<Item[]> {
  const items: Item[] = [];
  for (let year = new Date().getUTCFullYear(); year >= registeredAt.getUTCFullYear(); year--) {
    const cql = 'SELECT liked_at, likeable_id, title, authors FROM item_by_user WHERE user_id = ? AND year = ? LIMIT ?';
    items.push(...(await rowsOf<Item>(client, cql, [userId, year, limit - items.length])));
    if (items.length >= limit) break;
  }
  return items;
}

/** An action of a reader. */
export interface ActionRow {
  readonly at: Date;
  readonly kind: string;
  /** The thing that the action was about, `Type:key`; '' for none. */
  readonly subject_id: string;
}

/** Reads a number of actions of a reader between two moments, newest first, month by month. */
export async function actionsOf(
  client: Client,
  userId: string,
  { from, to }: { readonly from: Date; readonly to: Date },
  limit: number,
): Promise<ActionRow[]> {
  const months = await rowsOf<{ month: Date }>(client, 'SELECT month FROM action_months_by_user WHERE user_id = ?', [
    userId,
  ]);
  const times = [...new Set(months.map(({ month }) => month.getTime()))].sort((one, other) => other - one);
  const found: ActionRow[] = [];
  for (const time of times.filter((each) => each >= monthOf(from).getTime() && each < to.getTime())) {
    const cql =
      'SELECT at, kind, subject_id FROM actions_by_user WHERE user_id = ? AND month = ? AND at >= ? AND at < ? LIMIT ?';
    found.push(...(await rowsOf<ActionRow>(client, cql, [userId, new Date(time), from, to, limit - found.length])));
    if (found.length >= limit) break;
  }
  return found;
}

const monthOf = (at: Date) => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth()));

/** A trending thing, and its number of likes. */
export interface Trend {
  readonly subject_id: string;
  readonly likes: number;
}

/** Reads the trending list from its row, most liked first. */
export async function trendingByHand(client: Client, limit: number): Promise<Trend[]> {
  const [row] = await rowsOf<{ top: Trend[] }>(
    client,
    "SELECT top FROM trending WHERE last = 'WEEK' AND likeable_type = 'Book'",
    [],
  );
  return row?.top.slice(0, limit) ?? [];
}

/** A view of a book. */
export interface View {
  readonly viewed_at: Date;
  readonly book_id: string;
}

const VIEWS_SHOWN_MS = 30 * 86_400_000;

/** Reads the recent views of a reader, newest first. */
export async function viewsOf(client: Client, userId: string, limit: number): Promise<View[]> {
  const [row] = await rowsOf<{ views: View[] }>(client, 'SELECT views FROM recently_viewed_by_user WHERE user_id = ?', [
    userId,
  ]);
  const since = Date.now() - VIEWS_SHOWN_MS;
  return row?.views.filter(({ viewed_at }) => viewed_at.getTime() > since).slice(0, limit) ?? [];
}

/** A book that is being read. */
export interface ReadingNow {
  readonly at: Date;
  readonly book_id: string;
  readonly progress: number;
}

/** Reads the books that a reader is reading, last begun first. */
export const readingNowOf = (client: Client, userId: string, limit: number): Promise<ReadingNow[]> =>
  rowsOf(
    client,
    "SELECT at, book_id, progress FROM books_by_reading_status WHERE user_id = ? AND status = 'READING' LIMIT ?",
    [userId, limit],
  );

/** A liker of something. */
export interface Liker {
  readonly liked_at: Date;
  readonly full_name: string;
}

/** Reads a number of the newest likers of something, from all shards with likes. */
export async function likersOf(
  client: Client,
  likeableId: string,
  { shards }: Counts,
  limit: number,
): Promise<Liker[]> {
  const cql =
    'SELECT liked_at, full_name FROM user_by_item WHERE likeable_id = ? AND shard = ? AND liked = true LIMIT ?';
  const found = await Promise.all(
    shards
      .filter(({ likeCount }) => likeCount > 0)
      .map(({ shard }) => rowsOf<Liker>(client, cql, [likeableId, shard, limit])),
  );
  return found
    .flat()
    .sort((one, other) => other.liked_at.getTime() - one.liked_at.getTime())
    .slice(0, limit);
}

/** The state of a like in its row. */
export interface LikeState {
  readonly liked: boolean;
  readonly version: number;
  readonly liked_at: Date | null;
  readonly changed_at: Date;
  readonly change_id: unknown;
  readonly shard: number;
  readonly hour_began: Date | null;
  readonly hour_likes: number;
  readonly former_shard: number | null;
}

/** The result of a like or unlike. */
export interface Changed {
  readonly changed: boolean;
  readonly likeCount: number;
}

/** Likes something that is in the tables. */
export async function likeByHand(client: Client, userId: string, bookId: string): Promise<Changed> {
  const likeableId = `Book:${bookId}`;
  const [counts, [book], [reader]] = await Promise.all([
    countsOf(client, [likeableId]),
    rowsOf<Pick<BookState, 'title' | 'authors'>>(
      client,
      'SELECT state.title AS title, state.authors AS authors FROM books WHERE book_id = ?',
      [bookId],
    ),
    rowsOf<{ full_name: string; likes_audience: string }>(
      client,
      'SELECT state.full_name AS full_name, state.likes_audience AS likes_audience FROM users_by_id WHERE user_id = ?',
      [userId],
    ),
  ]);
  if (!book || !reader) throw new Error('no such book or reader');
  const { shards, likeCount } = counts.get(likeableId) ?? { shards: [], likeCount: 0 };
  const shard = Math.max(0, ...shards.map((each) => each.shard));
  const now = new Date();

  const decided = await decide(client, userId, likeableId, null, (current) =>
    current?.liked === true
      ? undefined
      : { ...stateOf(now, (current?.version ?? 0) + 1), liked: true, liked_at: now, shard },
  );
  if (!decided) return { changed: false, likeCount };

  const { version } = decided;
  const likers = {
    query: `UPDATE user_by_item SET version = ?, full_name = ?, audience = ?
       WHERE likeable_id = ? AND shard = ? AND liked = true AND liked_at = ? AND user_id = ?`,
    params: [version, reader.full_name, reader.likes_audience, likeableId, shard, now, userId],
  };
  const item = {
    query: `INSERT INTO item_by_user (user_id, year, liked_at, likeable_id, title, authors) VALUES (?, ?, ?, ?, ?, ?)
       USING TIMESTAMP ?`,
    params: [userId, now.getUTCFullYear(), now, likeableId, book.title, book.authors, BigInt(version)],
  };
  const [counted] = await Promise.all([
    changeShard(client, likeableId, shard, 1, [likers]),
    client.batch([item, ...actions(userId, 'LIKED', now, likeableId)], { prepare: true, logged: false }),
  ]);
  return { changed: true, likeCount: counted + othersOf(shards, shard) };
}

/** Takes a like back. */
export async function unlikeByHand(client: Client, userId: string, bookId: string): Promise<Changed> {
  const likeableId = `Book:${bookId}`;
  const cql = 'SELECT state FROM likes_by_user WHERE user_id = ? AND likeable_id = ?';
  const [counts, [row]] = await Promise.all([
    countsOf(client, [likeableId]),
    rowsOf<{ state: LikeState }>(client, cql, [userId, likeableId]),
  ]);
  const { shards, likeCount } = counts.get(likeableId) ?? { shards: [], likeCount: 0 };
  const now = new Date();
  const decided = await decide(client, userId, likeableId, row?.state ?? null, (current) =>
    current?.liked === true
      ? { ...stateOf(now, current.version + 1), liked: false, liked_at: current.liked_at, shard: current.shard }
      : undefined,
  );
  if (!decided) return { changed: false, likeCount };

  const { version, liked_at: likedAt, shard } = decided;
  const key = [likeableId, shard, likedAt, userId];
  const likers = [
    {
      query: `DELETE FROM user_by_item WHERE likeable_id = ? AND shard = ? AND liked = true AND liked_at = ?
         AND user_id = ?`,
      params: key,
    },
    {
      query: `UPDATE user_by_item USING TTL 86400 SET version = ?
         WHERE likeable_id = ? AND shard = ? AND liked = false AND liked_at = ? AND user_id = ?`,
      params: [version, ...key],
    },
  ];
  const item = {
    query:
      'DELETE FROM item_by_user USING TIMESTAMP ? WHERE user_id = ? AND year = ? AND liked_at = ? AND likeable_id = ?',
    params: [BigInt(version), userId, likedAt?.getUTCFullYear(), likedAt, likeableId],
  };
  const [counted] = await Promise.all([
    changeShard(client, likeableId, shard, -1, likers),
    client.batch([item, ...actions(userId, 'UNLIKED', now, likeableId)], { prepare: true, logged: false }),
  ]);
  return { changed: true, likeCount: counted + othersOf(shards, shard) };
}

/** Returns the number of likes in all shards but one. */
export const othersOf = (shards: Counts['shards'], own: number): number =>
  shards.reduce((sum, { shard, likeCount }) => sum + (shard === own ? 0 : likeCount), 0);

const stateOf = (now: Date, version: number) => ({
  version,
  changed_at: now,
  change_id: types.Uuid.fromString(randomUUID()),
  hour_began: null,
  hour_likes: 0,
  former_shard: null,
});

/**
 * Changes the state of a like on condition that no other call changed it.
 * @param believed the expected state; null for none
 * @param change returns the next state, `undefined` to change nothing
 */
export async function decide(
  client: Client,
  userId: string,
  likeableId: string,
  believed: LikeState | null,
  change: (current: LikeState | null) => LikeState | undefined,
): Promise<LikeState | undefined> {
  const cql = 'UPDATE likes_by_user USING TTL 0 SET state = ? WHERE user_id = ? AND likeable_id = ? IF state = ?';
  let current = believed;
  for (;;) {
    const next = change(current);
    if (!next) return undefined;
    const values = [next, userId, likeableId, current];
    const [row] = await rowsOf<{ '[applied]': boolean; state?: LikeState }>(client, cql, values);
    if (row?.['[applied]'] === true) return next;
    current = row?.state ?? null;
  }
}

interface Write {
  readonly query: string;
  readonly params: unknown[];
}

/**
 * Changes a shard and its count together, and publishes the count.
 * @returns the number of likers in the shard
 */
async function changeShard(
  client: Client,
  likeableId: string,
  shard: number,
  difference: 1 | -1,
  likers: readonly Write[],
): Promise<number> {
  for (;;) {
    const [read] = await rowsOf<{ shard_version: number; like_count: number; row_count: number }>(
      client,
      'SELECT shard_version, like_count, row_count FROM user_by_item WHERE likeable_id = ? AND shard = ? LIMIT 1',
      [likeableId, shard],
    );
    const version = (read?.shard_version ?? 0) + 1;
    const likeCount = (read?.like_count ?? 0) + difference;
    const rowCount = (read?.row_count ?? 0) + Math.max(0, difference);
    const statics = {
      query: `UPDATE user_by_item SET shard_version = ?, like_count = ?, row_count = ?, closed = false,
         summed = false WHERE likeable_id = ? AND shard = ? IF shard_version = ?`,
      params: [version, likeCount, rowCount, likeableId, shard, read?.shard_version ?? null],
    };
    const writes = read ? [statics, ...likers] : [statics, keeper(likeableId, shard), ...likers];
    const { rows } = await client.batch(writes, { prepare: true, logged: false });
    if ((rows[0] as unknown as { '[applied]': boolean })['[applied]']) {
      const count = {
        query: 'INSERT INTO like_counts (likeable_id, shard, like_count) VALUES (?, ?, ?) USING TIMESTAMP ?',
        params: [likeableId, shard, likeCount, BigInt(version)],
      };
      // Our server caches counts until a change of them is announced.
      const { query, params } = announcedCounts({ clock: () => new Date() }, likeableId);
      await client.batch([count, { query, params }], { prepare: true, logged: false });
      return likeCount;
    }
  }
}

/** Makes the row that keeps the static columns of an empty shard readable. */
const keeper = (likeableId: string, shard: number): Write => ({
  query: `UPDATE user_by_item SET version = 0
     WHERE likeable_id = ? AND shard = ? AND liked = false AND liked_at = ? AND user_id = ?`,
  params: [likeableId, shard, new Date(0), '00000000-0000-0000-0000-000000000000'],
});

/** Makes the rows of an action in its reader's history. */
function actions(userId: string, kind: string, at: Date, subject: string): Write[] {
  const month = monthOf(at);
  return [
    {
      query: `INSERT INTO actions_by_user (user_id, month, at, kind, subject_id, element) VALUES (?, ?, ?, ?, ?, '')`,
      params: [userId, month, at, kind, subject],
    },
    {
      query: `INSERT INTO actions_by_user_by_kind (user_id, year, kind, at, subject_id, element)
         VALUES (?, ?, ?, ?, ?, '')`,
      params: [userId, at.getUTCFullYear(), kind, at, subject],
    },
    {
      query: 'INSERT INTO action_months_by_user (user_id, kind, month) VALUES (?, ?, ?)',
      params: [userId, kind, month],
    },
  ];
}
