import { z } from 'zod';
import { HIGHEST_TEXT, LATEST } from '../cassandra/paging.ts';
import { first, rows, write } from '../cassandra/statement.ts';
import { cursorMoment } from '../graphql/connections.ts';
import type { AppContext } from '../context/context.ts';
import { countShard, SHARD_BEGIN, groupCommit } from './group-commit.ts';
import { removeStaleItem, removeStaleLiker, repairLike } from './repair.ts';
import {
  deleteAudit,
  insertAudit,
  selectAudit,
  selectCount,
  selectCounts,
  selectItem,
  selectLike,
  selectLiker,
  selectLikeSerially,
  walkItemsBeyond,
  walkItemsWithin,
  walkLikersBeyond,
  walkLikersWithin,
  walkLikesBeyond,
  walkLikesWithin,
  type ItemWalked,
  type LikerWalked,
  type LikeState,
  type LikeWalked,
} from './tables.ts';

/**
 * The audit of the likes: walks the authority and both lists from end to end, compares every row with what the others say
 * of it, and every shard's rows with its count and with the published one.
 *
 * It runs beside the server's own work, so what looks wrong is looked at again, several times: a change that is under way
 * is followed within seconds, drift stays.
 */

/** Also so many rows are compared at once. */
const PAGE_ROWS = 50;
const LOOKS = 8;
const PAUSE_MS = 4_000;
const LOWEST_TOKEN = -(2n ** 63n);
const HIGHEST_TOKEN = 2n ** 63n - 1n;

export const AUDITED_TABLES = ['likes_by_user', 'item_by_user', 'user_by_item'] as const;
/** Where drift can be: what follows from the authority. */
export type DriftedTable = 'item_by_user' | 'user_by_item' | 'like_counts';

/** Something that does not agree with the authority. */
export interface Drift {
  readonly table: DriftedTable;
  readonly what: string;
  /** Whether it was repaired; unset when that was not asked for. */
  readonly repaired?: boolean;
}

/** A row of any of the tables, by whatever of its key is beside the token. */
const walkedKey = z.strictObject({
  user_id: z.string(),
  likeable_id: z.string(),
  year: z.int().optional(),
  shard: z.int().optional(),
  liked_at: cursorMoment.optional(),
});
const auditPosition = z.strictObject({
  table: z.enum(AUDITED_TABLES),
  token: z.string().transform((text) => BigInt(text)),
  behind: walkedKey.optional(),
});

/** Where an audit is: up to this token of this table everything is done; of the token's partition only what is before a row. */
export type AuditPosition = z.output<typeof auditPosition>;

/** What is audited: everything, a part of all partitions by their tokens, one reader, or one thing. */
export type AuditScope =
  | { readonly part: number; readonly parts: number }
  | { readonly userId: string; readonly years: readonly number[] }
  | { readonly likeableId: string };

export const EVERYTHING: AuditScope = { part: 1, parts: 1 };

export interface AuditedPage {
  readonly rows: number;
  readonly drift: readonly Drift[];
  /** From where an audit of everything, or of a part, can go on. */
  readonly position: AuditPosition;
  /** From 0 to 1. */
  readonly progress: number;
}

/** Something that looks wrong, and perhaps is only under way. */
interface Suspect {
  readonly what: string;
  /** Looks again, and tells which tables are off. */
  readonly look: () => Promise<DriftedTable[]>;
  readonly repair: () => Promise<void>;
}

/**
 * Audits, page by page.
 * @param from where an earlier audit of the same scope was
 * @param repair whether drift is repaired, by the same fenced way that recovery uses
 */
export async function* auditLikes(
  app: AppContext,
  scope: AuditScope,
  repair: boolean,
  from?: AuditPosition,
): AsyncGenerator<AuditedPage> {
  for (const [index, table] of AUDITED_TABLES.entries()) {
    if (from && index < AUDITED_TABLES.indexOf(from.table)) continue;
    const begin = from?.table === table ? from : undefined;
    for await (const { rows: count, suspects, position, progress } of walkOf[table](app, scope, begin)) {
      const drift = (await Promise.all(suspects.map((suspect) => judge(app, suspect, repair)))).flat();
      yield {
        rows: count,
        drift,
        position: { table, ...position },
        progress: (index + progress) / AUDITED_TABLES.length,
      };
    }
  }
}

async function judge(app: AppContext, { what, look, repair }: Suspect, isToRepair: boolean): Promise<Drift[]> {
  let tables: DriftedTable[] = [];
  for (let looks = 1; looks <= LOOKS; looks++) {
    tables = await look();
    if (tables.length === 0) return [];
    await app.cassandra.backOff(PAUSE_MS);
  }
  if (!isToRepair) return tables.map((table) => ({ table, what }));
  await repair();
  const left = await look();
  return tables.map((table) => ({ table, what, repaired: !left.includes(table) }));
}

interface Walked {
  readonly rows: number;
  readonly suspects: Suspect[];
  readonly position: Omit<AuditPosition, 'table'>;
  readonly progress: number;
}

/** How one table is walked, and what of its rows looks wrong. */
interface TableWalk<Key extends LikeKey, Row extends Key & { ring_token: bigint }> {
  readonly keyOf: (row: LikeKey & Partial<Key>) => Key;
  readonly beyond: (app: AppContext, token: bigint) => Promise<Row[]>;
  /** The rows of a partition that come after a key. */
  readonly within: (app: AppContext, last: Key) => Promise<Row[]>;
  /** The keys before all others in one reader's or thing's partitions; none where their keys do not tell. */
  readonly beginnings: (app: AppContext, scope: AuditScope) => Promise<Key[]>;
  readonly suspects: (app: AppContext, rows: Row[]) => Promise<Suspect[]>;
  /** What of a partition as a whole looks wrong. */
  readonly suspectsOfPartition: (app: AppContext, key: Key) => Promise<Suspect[]>;
}

/** @yields the pages; a partition is walked to its end before the next page */
async function* walk<Key extends LikeKey, Row extends Key & { ring_token: bigint }>(
  app: AppContext,
  table: TableWalk<Key, Row>,
  scope: AuditScope,
  from: AuditPosition | undefined,
): AsyncGenerator<Walked> {
  const suspectsOf = async (page: Row[], ended: readonly Key[]) => {
    const ofPartitions = await Promise.all(ended.map((key) => table.suspectsOfPartition(app, key)));
    return [...(await table.suspects(app, page)), ...ofPartitions.flat()];
  };
  async function* rest(after: Key, token: bigint, progress: number): AsyncGenerator<Walked> {
    let last = after;
    for (;;) {
      const page = await table.within(app, last);
      last = page.at(-1) ?? last;
      const isWhole = page.length < PAGE_ROWS;
      const suspects = await suspectsOf(page, isWhole ? [last] : []);
      yield {
        rows: page.length,
        suspects,
        position: isWhole ? { token } : { token, behind: table.keyOf(last) },
        progress,
      };
      if (isWhole) return;
    }
  }

  if (!('parts' in scope)) {
    const beginnings = await table.beginnings(app, scope);
    for (const [index, key] of beginnings.entries()) yield* rest(key, LOWEST_TOKEN, index / beginnings.length);
    return;
  }
  const length = (HIGHEST_TOKEN - LOWEST_TOKEN) / BigInt(scope.parts);
  const begin = LOWEST_TOKEN + length * BigInt(scope.part - 1);
  const end = scope.part === scope.parts ? HIGHEST_TOKEN : begin + length;
  const progressAt = (token: bigint) => Number(((token - begin) * 10_000n) / (end - begin)) / 10_000;
  let token = from?.token ?? begin;
  if (from?.behind) yield* rest(table.keyOf(from.behind as LikeKey & Partial<Key>), token, progressAt(token));
  for (;;) {
    const read = await table.beyond(app, token);
    const page = read.filter((row) => row.ring_token <= end);
    const last = page.at(-1);
    if (last === undefined) return;
    token = last.ring_token;
    const isWhole = page.length < PAGE_ROWS;
    const ended = page.filter(
      (row, index) => row.ring_token !== page[index + 1]?.ring_token && (isWhole || row.ring_token !== token),
    );
    const suspects = await suspectsOf(page, ended);
    const position = isWhole ? { token } : { token, behind: table.keyOf(last) };
    yield { rows: page.length, suspects, position, progress: progressAt(token) };
    if (isWhole) return;
    yield* rest(last, token, progressAt(token));
  }
}

const suspectsAmong = async <Row>(found: readonly Row[], suspectOf: (row: Row) => Promise<Suspect | undefined>) =>
  (await Promise.all(found.map(suspectOf))).filter((suspect) => suspect !== undefined);

const nothing = () => Promise.resolve([]);

/** A row of a list at a moment that the authority does not know. */
const stale = (
  app: AppContext,
  row: LikeKey & { liked_at: Date; shard?: number },
  table: DriftedTable,
  { isListed, repair }: { isListed: () => Promise<boolean>; repair: () => Promise<void> },
): Suspect => ({
  what: `a like of ${row.likeable_id} by ${row.user_id}, at a moment at which there is none`,
  look: async () => (!isLikedAt(await readSerially(app, row), row) && (await isListed()) ? [table] : []),
  repair,
});

const likes: TableWalk<LikeKey, LikeWalked> = {
  keyOf: ({ user_id, likeable_id }) => ({ user_id, likeable_id }),
  beyond: ({ cassandra }, token) => rows(cassandra, walkLikesBeyond, { ring_token: token, rows_max: PAGE_ROWS }),
  within: ({ cassandra }, { user_id, likeable_id }) =>
    rows(cassandra, walkLikesWithin, { user_id, likeable_id, rows_max: PAGE_ROWS }),
  beginnings: async (_app, scope) => ('userId' in scope ? [{ user_id: scope.userId, likeable_id: '' }] : []),
  suspects: (app, found) =>
    suspectsAmong(found, async (row) => {
      if ((await notFollowed(app, row, row.state)).length === 0) return undefined;
      return {
        what: `the like of ${row.likeable_id} by ${row.user_id}`,
        look: async () => notFollowed(app, row, await readSerially(app, row)),
        repair: () => repairLike(app, row.user_id, row.likeable_id),
      };
    }),
  suspectsOfPartition: nothing,
};

const items: TableWalk<ItemKey, ItemWalked> = {
  keyOf: ({ user_id, likeable_id, year = 0, liked_at = LATEST }) => ({ user_id, likeable_id, year, liked_at }),
  beyond: ({ cassandra }, token) => rows(cassandra, walkItemsBeyond, { ring_token: token, rows_max: PAGE_ROWS }),
  within: ({ cassandra }, { user_id, year, liked_at, likeable_id }) =>
    rows(cassandra, walkItemsWithin, { user_id, year, liked_at, likeable_id, rows_max: PAGE_ROWS }),
  beginnings: async (_app, scope) =>
    'userId' in scope
      ? scope.years.map((year) => ({ user_id: scope.userId, year, liked_at: LATEST, likeable_id: HIGHEST_TEXT }))
      : [],
  suspects: (app, found) =>
    suspectsAmong(found, async (row) => {
      if (isLikedAt(await read(app, row), row)) return undefined;
      const key = itemKeyOf(row);
      return stale(app, row, 'item_by_user', {
        isListed: async () => (await first(app.cassandra, selectItem, key)) !== undefined,
        repair: () => removeStaleItem(app, key),
      });
    }),
  suspectsOfPartition: nothing,
};

const likers: TableWalk<LikerKey, LikerWalked> = {
  keyOf: ({ user_id, likeable_id, shard = 0, liked_at = LATEST }) => ({ user_id, likeable_id, shard, liked_at }),
  beyond: ({ cassandra }, token) => rows(cassandra, walkLikersBeyond, { ring_token: token, rows_max: PAGE_ROWS }),
  within: ({ cassandra }, { likeable_id, shard, liked_at, user_id }) =>
    rows(cassandra, walkLikersWithin, { likeable_id, shard, liked_at, user_id, rows_max: PAGE_ROWS }),
  beginnings: async (app, scope) => {
    if (!('likeableId' in scope)) return [];
    const [counts] = await rows(app.cassandra, selectCounts, { likeable_ids: [scope.likeableId] });
    return Array.from({ length: (counts?.newest_shard ?? 0) + 1 }, (_, shard) => ({
      ...SHARD_BEGIN,
      likeable_id: scope.likeableId,
      shard,
    }));
  },
  suspects: (app, found) =>
    suspectsAmong(found, async (row) => {
      if (!row.liked || isLikedAt(await read(app, row), row)) return undefined;
      const { likeable_id, shard, liked_at, user_id } = row;
      const key = { likeable_id, shard, liked_at, user_id };
      return stale(app, row, 'user_by_item', {
        isListed: async () => (await first(app.cassandra, selectLiker, key))?.liked ?? false,
        repair: () => removeStaleLiker(app, key),
      });
    }),
  suspectsOfPartition: async (app, { likeable_id, shard }) => {
    const look = () => wrongCounts(app, likeable_id, shard);
    if ((await look()).length === 0) return [];
    return [
      {
        what: `the count of ${likeable_id} in its shard ${shard}`,
        look,
        repair: () => groupCommit(app).recount(likeable_id, shard),
      },
    ];
  },
};

const walkOf = {
  likes_by_user: (app: AppContext, scope: AuditScope, from?: AuditPosition) => walk(app, likes, scope, from),
  item_by_user: (app: AppContext, scope: AuditScope, from?: AuditPosition) => walk(app, items, scope, from),
  user_by_item: (app: AppContext, scope: AuditScope, from?: AuditPosition) => walk(app, likers, scope, from),
};

interface LikeKey {
  readonly user_id: string;
  readonly likeable_id: string;
}
interface ItemKey extends LikeKey {
  readonly year: number;
  readonly liked_at: Date;
}
interface LikerKey extends LikeKey {
  readonly shard: number;
  readonly liked_at: Date;
}

const read = async ({ cassandra }: AppContext, { user_id, likeable_id }: LikeKey) =>
  (await first(cassandra, selectLike, { user_id, likeable_id }))?.state;

const readSerially = async ({ cassandra }: AppContext, { user_id, likeable_id }: LikeKey) =>
  (await first(cassandra, selectLikeSerially, { user_id, likeable_id }))?.state;

/** Whether the authority says that the like of a row is the one in force. */
const isLikedAt = (state: LikeState | undefined, row: { liked_at: Date; shard?: number }) =>
  state?.liked === true &&
  state.liked_at?.getTime() === row.liked_at.getTime() &&
  (row.shard === undefined || row.shard === state.shard);

const itemKeyOf = ({ user_id, liked_at, likeable_id }: LikeKey & { liked_at: Date }) => ({
  user_id,
  year: liked_at.getUTCFullYear(),
  liked_at,
  likeable_id,
});

/** Which lists do not say what a state says. */
async function notFollowed(
  { cassandra }: AppContext,
  { user_id, likeable_id }: LikeKey,
  state: LikeState | undefined,
): Promise<DriftedTable[]> {
  if (!state?.liked_at) return [];
  const { liked, liked_at, shard } = state;
  const [item, liker] = await Promise.all([
    first(cassandra, selectItem, itemKeyOf({ user_id, likeable_id, liked_at })),
    first(cassandra, selectLiker, { likeable_id, shard, liked_at, user_id }),
  ]);
  const off: DriftedTable[] = [];
  if ((item !== undefined) !== liked) off.push('item_by_user');
  if ((liker?.liked ?? false) !== liked) off.push('user_by_item');
  return off;
}

/** Whether a shard counts its own rows rightly, and whether the published count is that of the shard. */
async function wrongCounts({ cassandra }: AppContext, likeable_id: string, shard: number): Promise<DriftedTable[]> {
  const published = await first(cassandra, selectCount, { likeable_id, shard });
  const counted = await countShard(cassandra, likeable_id, shard);
  // A shard that changes while it is counted is one that works; it is counted when it rests.
  if (!counted) return [];
  const off: DriftedTable[] = [];
  if (counted.state.likeCount !== counted.liked) off.push('user_by_item');
  if (published?.like_count !== counted.state.likeCount) off.push('like_counts');
  return off;
}

/** How far an audit is, as it is kept between runs. */
export interface AuditProgress {
  readonly position: AuditPosition;
  readonly rowsDone: number;
  readonly driftFound: number;
}

/** Where an audit of this name was when its process ended; `undefined` when it was at its end. */
export async function auditProgress({ cassandra }: AppContext, name: string): Promise<AuditProgress | undefined> {
  const row = await first(cassandra, selectAudit, { name });
  if (!row) return undefined;
  const position = auditPosition.parse(JSON.parse(row.position));
  return { position, rowsDone: row.rows_done, driftFound: row.drift_found };
}

/** Keeps where an audit is; `undefined` when it is at its end. */
export async function keepAuditProgress(
  { cassandra, clock }: AppContext,
  name: string,
  progress: AuditProgress | undefined,
): Promise<void> {
  if (!progress) return write(cassandra, deleteAudit, { name });
  const position = JSON.stringify({ ...progress.position, token: String(progress.position.token) });
  const { rowsDone: rows_done, driftFound: drift_found } = progress;
  return write(cassandra, insertAudit, { name, position, rows_done, drift_found, at: clock() });
}
