import { z } from 'zod';
import { deleteFrom, insertInto, selectFrom } from '../cassandra/statement-builders.ts';
import { cql, modelOf, type Columns, type Values } from '../cassandra/columns.ts';
import { range } from '../cassandra/range.ts';
import { ringScan } from '../cassandra/ring.ts';
import { declareStatement } from '../cassandra/statement.ts';
import { erasing } from '../erasure/erasing.ts';
import { storedAudience } from '../graphql/audience.ts';

/**
 * The tables of likes, user_by_item and like_counts, and those of ratings, raters_by_book and
 * rating_counts. They have the same columns, except for the shown columns of a row and the
 * histogram of ratings.
 */

const shardKey = { likeable_id: cql.text, shard: cql.int };
/** The likers of a shard, or its former likers. */
const sliceKey = { ...shardKey, liked: cql.boolean };
const likerOrder = { liked_at: cql.timestamp, user_id: cql.uuid };
const likerKey = { ...sliceKey, ...likerOrder };
export type LikerKey = Values<typeof likerKey>;
/** A row of a shard: a like, or a rating. */
export type StoredLiker = Values<typeof likerKey & Quarters>;

/** The range that reads the likers of a shard, or of several shards in parallel. */
const inShards = {
  partition: sliceKey,
  several: 'shard',
  located: { shard: cql.int },
  order: likerOrder,
} as const;

/** A column that only one of the two kinds of tables has. */
type OwnColumn<Name extends string, Type> = Readonly<Partial<Record<Name, Type>>>;

/** True if a shard of likes is counted in the sum of its block (`former-sums.ts`). */
type Mark = OwnColumn<'summed', typeof cql.boolean>;
/** True if a published count of likes is the sum of the block that begins with the shard. */
type SumMark = OwnColumn<'summed', ReturnType<typeof cql.boolean.nullable>>;
/** A rating, in quarters of a star; null among the former likers. */
type Quarters = OwnColumn<'quarters', ReturnType<typeof cql.int.nullable>>;
/** The number of ratings of each quarter, from the lowest on. */
type Histogram = OwnColumn<'histogram', ReturnType<typeof cql.list<typeof cql.int>>>;

const shardCounts = { like_count: cql.int, row_count: cql.int, closed: cql.boolean };
const shardStatics = { shard_version: cql.int, ...shardCounts };
export type ShardStatics = Values<typeof shardStatics & Mark & Histogram>;

/** The name of a liker, and who may see it. */
const shownOfLiker = { full_name: cql.text, audience: storedAudience };

const WHERE_LIKER =
  'WHERE likeable_id = :likeable_id AND shard = :shard ' +
  'AND liked = :liked AND liked_at = :liked_at AND user_id = :user_id';

const namesOf = (columns: object) => Object.keys(columns).join(', ');

const assigned = (columns: object) =>
  Object.keys(columns)
    .map((name) => `, ${name} = :${name}`)
    .join('');

const update = <Given extends Columns>(text: string, values: Given) =>
  declareStatement({ cql: text, params: modelOf(values), row: z.never() });

/** The names of two tables, and their columns in addition to the common ones. */
interface Given {
  readonly likers: string;
  readonly counts: string;
  readonly shown: Partial<typeof shownOfLiker & { readonly quarters: typeof cql.int }>;
  readonly quarters: Quarters;
  readonly histogram: Histogram;
  readonly mark: Mark;
  readonly sumMark: SumMark;
}

/** Declares the statements of the likers of a kind of likeable, and of their counts. */
function tablesOfLikers({ likers, counts, shown, quarters, histogram, mark, sumMark }: Given) {
  const statics = { ...shardStatics, ...mark, ...histogram };
  const state = { next_version: cql.int, ...shardCounts, ...mark, ...histogram };
  const counted = { ...shardKey, like_count: cql.int, ...histogram };

  const shardRow = { liked: cql.boolean, ...likerOrder, version: cql.int, ...quarters, ...statics };
  const shardRows = {
    cql: `SELECT ${namesOf(shardRow)} FROM ${likers}
        WHERE likeable_id = :likeable_id AND shard = :shard AND liked IN :slices AND (liked_at, user_id) IN :positions`,
    params: modelOf({
      ...shardKey,
      slices: cql.boolean.array(),
      positions: cql.tuple(cql.timestamp, cql.uuid).array(),
    }),
    row: modelOf(shardRow),
  };

  // A row can be read by key only together with a column that is not static.
  const shardCount = { ...shardKey, version: cql.int, ...statics };

  const published = {
    shard: cql.int.nullable(),
    like_count: cql.int.nullable(),
    ...sumMark,
    ...histogram,
  };

  const setState = `UPDATE ${likers} SET shard_version = :next_version,
        like_count = :like_count, row_count = :row_count, closed = :closed${assigned({ ...mark, ...histogram })}
        WHERE likeable_id = :likeable_id AND shard = :shard IF shard_version =`;

  return {
    // The likers of a likeable, and their number. Rows and static columns change in one conditional
    // batch.

    likersTable: likers,
    countsTable: counts,

    selectShardRows: declareStatement(shardRows),
    selectShardRowsSerially: declareStatement({ ...shardRows, serialRead: true }),

    /** The states of shards, each read by a row that always exists. */
    selectShardCounts: declareStatement({
      cql: `SELECT ${namesOf(shardCount)} FROM ${likers}
        WHERE likeable_id IN :likeable_ids AND shard IN :shards AND liked = :liked
        AND liked_at = :liked_at AND user_id = :user_id`,
      params: modelOf({
        likeable_ids: cql.text.array(),
        shards: cql.int.array(),
        liked: cql.boolean,
        ...likerOrder,
      }),
      row: modelOf(shardCount),
    }),

    /** The first write of a shard. */
    openShard: update(`${setState} null`, { ...shardKey, ...state }),

    updateShard: update(`${setState} :current_version`, { ...shardKey, ...state, current_version: cql.int }),

    /** It is an update, not an insert, so that the row disappears when its cells have expired. */
    updateLiker: update(
      `UPDATE ${likers} SET version = :version${assigned(shown)}
        ${WHERE_LIKER}`,
      { ...likerKey, version: cql.int, ...shown },
    ),

    deleteLiker: deleteFrom(likers, likerKey),

    /**
     * The row has one cell, so that it leaves one tombstone when it expires. 0 seconds keep it
     * permanently.
     */
    updateFormerLiker: update(
      `UPDATE ${likers} USING TTL :kept_seconds SET version = :version
        ${WHERE_LIKER}`,
      { ...likerKey, version: cql.int, kept_seconds: cql.int },
    ),

    /** The likers of a shard, each with the shard's version. */
    selectLikers: selectFrom(likers, sliceKey, { ...likerKey, shard_version: cql.int, ...quarters }, 1_000),

    /** The members of sets of at most some thousands, which have the same shards. */
    selectMembers: declareStatement({
      cql: `SELECT likeable_id, liked_at, user_id FROM ${likers}
        WHERE likeable_id IN :likeable_ids AND shard IN :shards AND liked = :liked PER PARTITION LIMIT :rows_max`,
      params: modelOf({
        likeable_ids: cql.text.array(),
        shards: cql.int.array(),
        liked: cql.boolean,
        rows_max: cql.int,
      }),
      row: modelOf({ likeable_id: cql.text, ...likerOrder }),
    }),

    // For audits: all rows in token order, and single rows.

    scanLikers: ringScan(likers, shardKey, { ...likerKey, ...quarters }),

    selectLiker: selectFrom(likers, likerKey, { version: cql.int, ...quarters }),

    // The count of every shard. The write timestamp is the shard's version.

    updateCount: insertInto(counts, counted, 'TIMESTAMP'),

    deleteCount: deleteFrom(counts, shardKey, 'TIMESTAMP'),

    /** Sets the number of open stripes of a likeable for a time. */
    updateStripes: update(
      `UPDATE ${counts} USING TTL :ttl_seconds SET stripes = :stripes WHERE likeable_id = :likeable_id`,
      { likeable_id: cql.text, stripes: cql.int, ttl_seconds: cql.int },
    ),

    /**
     * The counts of likeables, each with the version of its shard. If stripes were opened before
     * any shard, there is a row without a shard.
     */
    selectCounts: declareStatement({
      cql: `SELECT ${namesOf({ likeable_id: 0, stripes: 0, ...published })}, WRITETIME(like_count) AS shard_version
        FROM ${counts} WHERE likeable_id IN :likeable_ids`,
      params: modelOf({ likeable_ids: cql.text.array() }),
      row: modelOf({
        likeable_id: cql.text,
        stripes: cql.int.nullable(),
        ...published,
        shard_version: cql.bigint.nullable(),
      }),
    }),

    /** The places of the likers of a shard, in their order. */
    places: range({ ...inShards, table: likers, columns: {} }),
  } as const;
}

export type LikersTables = ReturnType<typeof tablesOfLikers>;

export const likeTables = tablesOfLikers({
  likers: 'user_by_item',
  counts: 'like_counts',
  shown: shownOfLiker,
  quarters: {},
  histogram: {},
  mark: { summed: cql.boolean },
  sumMark: { summed: cql.boolean.nullable() },
});

/** Writes the sum of a block, in the row of its first shard, for servers of release 1.0.0. */
export const updateSum = insertInto(
  'like_counts',
  { ...shardKey, like_count: cql.int, summed: cql.boolean },
  'TIMESTAMP',
);

// The erasure of the followers of a deleted account, who are likers of a reader.

export const eraseShard = erasing('user_by_item', shardKey);

export const eraseCount = erasing('like_counts', shardKey);

export const eraseCounts = erasing('like_counts', { likeable_id: cql.text });

export const ratingTables = tablesOfLikers({
  likers: 'raters_by_book',
  counts: 'rating_counts',
  shown: { quarters: cql.int },
  quarters: { quarters: cql.int.nullable() },
  histogram: { histogram: cql.list(cql.int) },
  mark: {},
  sumMark: {},
});

/** The likeable_id of the ratings of a book. That of likes is the `Type:key` of the liked thing. */
export const ratingsId = (bookId: string): string => `${RATINGS}${bookId}`;

/** Returns the book whose ratings a likeable_id names; `undefined` if it names likes. */
export const bookOfRatings = (likeableId: string): string | undefined =>
  likeableId.startsWith(RATINGS) ? likeableId.slice(RATINGS.length) : undefined;

const RATINGS = 'Ratings:';

/** Returns the tables of a likeable_id: those of likes or those of ratings. */
export const tablesOf = (likeableId: string): LikersTables =>
  bookOfRatings(likeableId) === undefined ? likeTables : ratingTables;

/** The lists of who likes a thing, with the names that pages show. */
export const likers = range({
  ...inShards,
  table: likeTables.likersTable,
  columns: shownOfLiker,
});

/** The likers of a shard, with who may see each. */
export const selectShownLikers = selectFrom(
  likeTables.likersTable,
  sliceKey,
  { ...likerOrder, audience: storedAudience },
  1_000,
);
