import type { JobHandler } from '../context/context.ts';
import { mergeLikers, type MoveLike } from '../likers/merge.ts';
import { sumUpLikers } from '../likers/sum-up.ts';
import { bookOfRatings, ratingsId } from '../likers/operations.ts';
import { ratings } from './aggregate.ts';

/** The jobs that keep the shards of the ratings of a book few. */

/** Moves a rating to another shard, as likes are moved. */
const moveRating: MoveLike = async (app, { userId, likeableId }, { from, to }) => {
  const key = { userId, bookId: bookOfRatings(likeableId) ?? '' };
  const state = await ratings.read(app, key);
  if (!state || state.quarters === null) return;

  // The process that began to move it may have died.
  if (state.former_shard === from) await ratings.repair(app, key);
  if (state.shard !== from) return;
  const moved = { ...state, shard: to };
  await ratings.rearrange(app, key, state, { ...moved, former_shard: from }, { ...moved, former_shard: null });
};

/** Makes a job about the likers of a likeable one about the ratings of a book. */
const ofRatings =
  (work: JobHandler): JobHandler =>
  (app, bookId, position) =>
    work(app, bookId, position, ratingsId(bookId));

export const mergeRatings = ofRatings(mergeLikers(moveRating));

export const sumUpRatings = ofRatings(sumUpLikers);
