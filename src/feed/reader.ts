import { isDeepStrictEqual } from 'node:util';
import { monthsShown, type FeedMonths } from '../activity/feed-months.ts';
import {
  compareEntries,
  type FeedPosition,
  type FeedRow,
  type FeedSource,
  type MonthOfReader,
} from '../activity/feed-sources.ts';
import { all } from '../cassandra/maybe-promise.ts';
import { Merge } from '../cassandra/merge.ts';
import type { Slice } from '../cassandra/paging.ts';
import type { RequestContext } from '../context/context.ts';
import { shownDataOf } from '../identity/privacy.ts';
import { likesInFeeds } from '../likes/in-feeds.ts';
import { ratingsInFeeds } from '../ratings/in-feeds.ts';
import { readingsInFeeds } from '../reading/in-feeds.ts';
import { reviewsInFeeds } from '../reviews/in-feeds.ts';
import { monthOf } from '../time/units.ts';

const SOURCES: readonly FeedSource[] = [likesInFeeds, ratingsInFeeds, readingsInFeeds, reviewsInFeeds];

/** Several months are merged at once if they have at most this many lists. */
const LISTS_AT_ONCE = 400;
/** The first merge has one month. Each further one has at most this many times as many months. */
const GROWTH = 4;

/** A followed reader, and the months in which they have rows for feeds. */
export interface FollowedReader {
  readonly userId: string;
  readonly months: FeedMonths | undefined;
}

/** Returns the place of an entry. */
export const positionOf = ({ at, kind, userId, key }: FeedRow): FeedPosition => ({ at, kind, userId, key });

/** Reads the entries of followed readers that the viewer may see, in one direction. */
export class FeedReader {
  readonly #context: RequestContext;
  readonly #readers: readonly FollowedReader[];
  readonly #descending: boolean;
  readonly #from: FeedPosition | undefined;
  /** The months that no merge has begun to read, in order. */
  readonly #months: Date[];
  #monthsAtOnce = 1;
  #merge: Merge<FeedRow, FeedPosition> | undefined;
  #last: FeedRow | undefined;

  /** @param slice the direction, and the position after which the first entries are */
  constructor(context: RequestContext, readers: readonly FollowedReader[], slice: Slice<FeedPosition>) {
    const { descending, from } = slice;
    this.#context = context;
    this.#readers = readers;
    this.#descending = descending;
    this.#from = from;
    const begin = from && monthOf(from.at);
    const newestFirst = monthsShown(context.clock());
    const months = descending ? newestFirst : newestFirst.toReversed();
    this.#months = months.filter((month) => !begin || (descending ? month <= begin : month >= begin));
  }

  /** Returns whether the rows of a slice follow the entries that were read. */
  continuesAt({ descending, from }: Slice<FeedPosition>): boolean {
    const last = this.#last && positionOf(this.#last);
    return last !== undefined && descending === this.#descending && isDeepStrictEqual(from, last);
  }

  /** Returns the next entries; fewer than `limit` at the end. */
  async next(limit: number): Promise<FeedRow[]> {
    const found: FeedRow[] = [];
    while (found.length < limit) {
      this.#merge ??= await this.#mergeOfNextMonths();
      if (!this.#merge) break;

      const missing = limit - found.length;
      const some = await this.#merge.next(missing);
      found.push(...some);
      if (some.length < missing) this.#merge = undefined;
    }
    this.#last = found.at(-1) ?? this.#last;
    return found;
  }

  /** Returns `undefined` if there is no further month. */
  async #mergeOfNextMonths(): Promise<Merge<FeedRow, FeedPosition> | undefined> {
    const active: MonthOfReader[] = [];
    const months: Date[] = [];
    for (let [month] = this.#months; month && months.length < this.#monthsAtOnce; [month] = this.#months) {
      const userIds = this.#activeIn(month);
      if (months.length > 0 && (active.length + userIds.length) * SOURCES.length > LISTS_AT_ONCE) break;
      this.#months.shift();
      if (userIds.length === 0) continue;
      for (const userId of userIds) active.push({ userId, month });
      months.push(month);
    }
    const [first] = months;
    if (!first) return undefined;

    this.#monthsAtOnce *= GROWTH;
    const isFirst = this.#from !== undefined && monthOf(this.#from.at).getTime() === first.getTime();
    const slice = { descending: this.#descending, from: isFirst ? this.#from : undefined };
    return new Merge(await this.#listsOf(active, months), compareEntries, slice);
  }

  #activeIn(month: Date): string[] {
    const time = month.getTime();
    return this.#readers.filter(({ months }) => months?.has(time)).map(({ userId }) => userId);
  }

  /** Returns the lists of some months of readers that the viewer may see. */
  async #listsOf(active: readonly MonthOfReader[], months: readonly Date[]) {
    const context = this.#context;
    const userIds = [...new Set(active.map(({ userId }) => userId))];
    const shown = await all(userIds.map((userId) => shownDataOf(context, userId)));
    const shownOf = new Map(userIds.map((userId, index) => [userId, shown[index]]));
    const isForViewer = ({ audience }: FeedSource, { userId }: MonthOfReader) => {
      const data = shownOf.get(userId);
      return data != null && (audience === undefined || data[audience]);
    };

    const times = months.map((month) => month.getTime());
    const within = { from: new Date(Math.min(...times)), to: monthAfter(new Date(Math.max(...times))) };
    return SOURCES.map((source) => {
      const ofSource = active.filter((month) => isForViewer(source, month));
      return source.lists(context.cassandra, ofSource, within);
    });
  }
}

const monthAfter = (month: Date) => new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1));
