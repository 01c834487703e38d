import { cql } from '../cassandra/columns.ts';
import { isAboutStoredData } from '../cassandra/errors.ts';
import { listInMemory } from '../cassandra/paging.ts';
import { foundRow, Recent, shared, type Found } from '../cassandra/recent-reads.ts';
import { cursorOf } from '../cassandra/range.ts';
import { first, rows, sharedOf, write } from '../cassandra/statement.ts';
import { perProcess, type AppContext, type RequestContext } from '../context/context.ts';
import { shownFor } from '../context/shown.ts';
import { connection, type Connection, type PageArguments, type Cursor } from '../graphql/connections.ts';
import { parseSubject, type NodeId } from '../graphql/ids.ts';
import { sealed } from '../graphql/sealed.ts';
import type { TrendingWindow } from '../graphql/generated/schema-types.ts';
import { eventCountOf, countKeyOf, type Counts } from './counts.ts';
import { EVENT_SHARDS } from './operations.ts';
import { insertTrending, insertTrendingOfShard, selectTrending, selectTrendingOfShards, type Trend } from './tables.ts';
import { lengthOf, windowOf, windowsBetween, type Granularity, type ShardWindow } from './windows.ts';

/**
 * The trending lists. The likes of the last windows are added up in each shard, and the lists of
 * the shards are merged into one. The counting server writes the lists, and all servers read them.
 */

/** The windows that make up "the last hour", day or week, including the current one. */
const WINDOW_PARTS: Record<TrendingWindow, { readonly granularity: Granularity; readonly windows: number }> = {
  HOUR: { granularity: 'MINUTE', windows: 60 },
  DAY: { granularity: 'HOUR', windows: 24 },
  WEEK: { granularity: 'DAY', windows: 7 },
};
const WINDOWS = ['HOUR', 'DAY', 'WEEK'] as const;
const TYPES = ['Book', 'Item', 'Review'] as const;
const TRENDING_MAX = 100;
const SHARD_LISTS_MAX = 1_000;

const byLikes = (one: Trend, other: Trend) =>
  other.likes - one.likes || Number(one.subject_id > other.subject_id) - Number(one.subject_id < other.subject_id);

const LIKE = countKeyOf({ kind: 'LIKE', subject_id: '' });
const isLike = (key: string) => key.startsWith(LIKE);

const mostLiked = (likes: readonly Trend[]): Trend[] => likes.toSorted(byLikes).slice(0, TRENDING_MAX);

/** The counts that the lists are made from, and the timestamps for writing the lists. */
export interface Counted {
  /** Returns the counts of the events in a window. */
  readonly countsOf: (app: AppContext, window: ShardWindow) => Promise<Counts>;
  /** Returns a write timestamp later than all earlier ones. */
  readonly writeTimestamp: () => bigint;
}

/** Writes the lists of one server. */
export class Trending {
  readonly #counted: Counted;
  /** The last written lists, valid while no other server writes. */
  readonly #written = new Map<string, string>();
  /** The minute of the last update, in ms. */
  #minute = 0;
  /**
   * The shards whose lists could not be updated, and the periods whose merged list lacks a shard's
   * update.
   */
  readonly #stale = new Set<number>();
  readonly #unmerged = new Set<TrendingWindow>();

  constructor(counted: Counted) {
    this.#counted = counted;
  }

  /** Clears everything that is valid only while no other server writes. */
  forget(): void {
    this.#written.clear();
    this.#minute = 0;
    this.#stale.clear();
    this.#unmerged.clear();
  }

  /**
   * Updates the lists when the counts or the minute have changed. A shard that cannot be read now
   * waits for the next update; the lists of the others are updated anyway.
   * @param shards the shards in which something was counted
   * @param now in ms
   */
  async update(app: AppContext, shards: ReadonlySet<number>, now: number): Promise<void> {
    const minute = windowOf('MINUTE', now);
    const isNewMinute = minute !== this.#minute;
    const all = Array.from({ length: EVENT_SHARDS }, (_, shard) => shard);
    const changed = isNewMinute ? all : [...new Set([...shards, ...this.#stale])];
    this.#minute = minute;
    this.#stale.clear();

    for (const last of WINDOWS) {
      if (isNewMinute) this.#unmerged.add(last);
      for (const shard of changed) {
        const isWhole = await tryUpdate(app, last, async () => {
          if (await this.#updateShard(app, last, shard, now)) this.#unmerged.add(last);
        });
        if (!isWhole) this.#stale.add(shard);
      }
      if (this.#unmerged.has(last) && (await tryUpdate(app, last, () => this.#merge(app, last))))
        this.#unmerged.delete(last);
    }
  }

  /** Returns true if a list of the shard has changed. */
  async #updateShard(app: AppContext, last: TrendingWindow, shard: number, now: number): Promise<boolean> {
    const likes = await this.#likesOf(app, last, shard, now);
    let isChanged = false;
    for (const likeable_type of TYPES) {
      const top = mostLiked(likes.filter(({ subject_id }) => subject_id.startsWith(`${likeable_type}:`)));
      const isWritten = await this.#replace(`${last} ${likeable_type} ${shard}`, top, (version) =>
        write(app.cassandra, insertTrendingOfShard, { last, likeable_type, shard, top, version }),
      );
      isChanged ||= isWritten;
    }
    return isChanged;
  }

  async #likesOf(app: AppContext, last: TrendingWindow, shard: number, now: number): Promise<Trend[]> {
    const { granularity, windows } = WINDOW_PARTS[last];
    const newest = windowOf(granularity, now);
    const begin = newest - (windows - 1) * lengthOf(granularity);
    const likes = new Map<string, number>();
    const counted = windowsBetween(granularity, begin, newest + 1).map((time) =>
      this.#counted.countsOf(app, { granularity, time, shard }),
    );
    for (const counts of await Promise.all(counted)) {
      for (const [key, count] of counts) if (isLike(key)) likes.set(key, (likes.get(key) ?? 0) + count);
    }
    return [...likes].map(eventCountOf).map(({ subject_id, event_count }) => ({ subject_id, likes: event_count }));
  }

  async #merge(app: AppContext, last: TrendingWindow): Promise<void> {
    const found = await rows(app.cassandra, selectTrendingOfShards, { last, rows_max: SHARD_LISTS_MAX });
    for (const likeable_type of [...TYPES, 'Likeable'] as const) {
      // Reviews are only in their own list.
      const isAny = likeable_type === 'Likeable';
      const ofType = found.filter((row) =>
        isAny ? row.likeable_type !== 'Review' : row.likeable_type === likeable_type,
      );
      const top = mostLiked(ofType.flatMap((row) => row.top));
      await this.#replace(`${last} ${likeable_type}`, top, (version) =>
        write(app.cassandra, insertTrending, { last, likeable_type, top, version }),
      );
    }
  }

  /**
   * Writes a list unless it is unchanged.
   * @returns true if it was written
   */
  async #replace(name: string, top: readonly Trend[], write: (version: bigint) => Promise<void>): Promise<boolean> {
    const text = JSON.stringify(top);
    if (this.#written.get(name) === text) return false;

    // Until the write is answered, the stored list is unknown.
    this.#written.delete(name);
    await write(this.#counted.writeTimestamp());
    this.#written.set(name, text);
    return true;
  }
}

/**
 * Runs an update of a list.
 * @returns false if it failed because of stored data
 */
async function tryUpdate(app: AppContext, last: TrendingWindow, work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!isAboutStoredData(error)) throw error;
    app.logger.error({ err: error, last }, 'the trending list could not be updated; it is retried');
    return false;
  }
}

/** Caches the lists for a moment, because all readers read the same few lists. */
const recentTrends = perProcess(
  (app) =>
    new Recent<Found<{ readonly top: readonly Trend[] }>>({
      ...shownFor(app),
      name: 'TRENDING',
      // The lists of each type, of all types together, and the empty list of type `BookList`.
      sizeMax: (TYPES.length + 2) * WINDOWS.length,
    }),
);

/** The cursor is sealed, because it may name a copy that the caller cannot see. */
const trendCursor = perProcess(({ config }) => sealed(config, cursorOf({ subject_id: cql.text, likes: cql.int })));

/** A book, copy or review in a trending list, and the number of its likes in the period. */
export interface TrendingEdge {
  readonly cursor: Cursor;
  readonly node: NodeId;
  readonly likes: number;
}

/**
 * Returns a page of the most liked books, copies or reviews of a recent period, most liked first.
 * @throws `BAD_USER_INPUT` when the paging arguments cannot be used
 */
export async function trendingIn(
  context: RequestContext,
  last: TrendingWindow,
  likeable_type: (typeof TYPES)[number] | 'BookList' | 'Likeable',
  page: PageArguments,
): Promise<Connection<TrendingEdge>> {
  const recent = recentTrends(context);
  const name = `${last} ${likeable_type}`;
  const read = async () => foundRow(await first(sharedOf(context.cassandra), selectTrending, { last, likeable_type }));
  const top = (await shared(context.cassandra, () => recent.kept(name) ?? recent.keep(name, read)))?.top ?? [];
  const list = {
    ...listInMemory(top, byLikes),
    name: `trending ${last} ${likeable_type}`,
    descending: false,
    cursor: trendCursor(context),
  };
  return connection(page, list, ({ subject_id, likes }, cursor) => {
    const node = parseSubject(subject_id);
    if (!node) throw new Error(`A trending list has ${subject_id}, which is not an id of this server's types`);
    return { cursor, node, likes };
  });
}
