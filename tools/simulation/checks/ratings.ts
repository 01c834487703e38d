import { isPossible } from '../../support/history.ts';
import { effectOnRating, UNRATED } from '../acts/ratings.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { encode, show, type Row } from '../cluster/values.ts';
import type { Library } from '../library.ts';
import { differences } from './differences.ts';

/** The stored fields of a rating that this file uses. */
interface StoredRating {
  readonly quarters: number | null;
  readonly rated_at: Date | null;
  readonly shard: number;
}

const stateIn = (row: Row) => row['state'] as StoredRating;

/** Compares the source of truth of ratings with the lists, the raters and their histograms. */
export function* driftOfRatings(cluster: Cluster): Generator<string> {
  const given = cluster.scan('ratings_by_user').filter((row) => stateIn(row).quarters !== null);
  const listed = (row: Row) =>
    `${show(row['user_id'])} rates ${show(row['book_id'])} ${show(row['quarters'])} since ${show(row['rated_at'])}`;
  const listedOf = (row: Row) => listed({ ...row, quarters: stateIn(row).quarters, rated_at: stateIn(row).rated_at });
  yield* differences(
    'ratings_by_user_by_rated_at',
    given.map(listedOf),
    cluster.scan('ratings_by_user_by_rated_at').map(listed),
  );

  const raters = cluster.scan('raters_by_book').filter((row) => row['liked'] === true);
  const placed = (row: Row) =>
    `${encode(row['likeable_id'])} is rated ${show(row['quarters'])} by ${show(row['user_id'])} ` +
    `in ${show(row['shard'])} since ${show(row['liked_at'])}`;
  const placedOf = (row: Row) => {
    const { quarters, rated_at, shard } = stateIn(row);
    return placed({ ...row, likeable_id: `Ratings:${encode(row['book_id'])}`, quarters, shard, liked_at: rated_at });
  };
  yield* differences('raters_by_book', given.map(placedOf), raters.map(placed));

  for (const row of raters) {
    const shard = raters.filter((each) => each['likeable_id'] === row['likeable_id'] && each['shard'] === row['shard']);
    if (row['like_count'] !== shard.length || show(row['histogram']) !== show(histogramOf(shard)))
      yield (
        `a shard of ${show(row['likeable_id'])} has the count ${show(row['like_count'])} and the ` +
        `histogram ${show(row['histogram'])}`
      );
  }

  const published = cluster.scan('rating_counts');
  for (const likeableId of new Set(published.map((row) => row['likeable_id']))) {
    const own = published.filter((row) => row['likeable_id'] === likeableId);
    const rated = raters.filter((row) => row['likeable_id'] === likeableId);
    const sum = own.reduce((total, row) => total + (row['like_count'] as number), 0);
    const histogram = Array.from({ length: 20 }, (_, index) =>
      own.reduce((total, row) => total + ((row['histogram'] as number[] | null)?.[index] ?? 0), 0),
    );
    if (sum !== rated.length || show(histogram) !== show(histogramOf(rated)))
      yield `rating_counts of ${show(likeableId)} is ${sum}, ${show(histogram)}, not ${rated.length}`;
  }
}

const histogramOf = (rows: readonly Row[]) =>
  Array.from({ length: 20 }, (_, index) => rows.filter(({ quarters }) => quarters === index + 1).length);

/** Checks that the calls about each rating are linearizable and end with the stored state. */
export function* impossibleRatings(cluster: Cluster, { ratings, leaving }: Library, now: number): Generator<string> {
  const states = new Map(
    cluster
      .scan('ratings_by_user')
      .map((row) => [`${show(row['user_id'])} ${encode(row['book_id'])}`, stateIn(row).quarters]),
  );
  for (const [key, history] of ratings) {
    if (leaving.has(key.split(' ')[0] ?? '')) continue;
    const quarters = states.get(key) ?? null;
    const answer = quarters === null ? UNRATED : String(quarters / 4);
    const last = { verb: 'look', begun: now, ended: now + 1, answer } as const;
    if (!isPossible([...history, last], UNRATED, effectOnRating))
      yield `the calls about the rating ${key} are not linearizable`;
  }
}
