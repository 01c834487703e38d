import type { JobHandler } from '../context/context.ts';
import { mergeLikers, movedBy } from '../likers/merge.ts';
import { sumUpLikers } from '../likers/sum-up.ts';
import { bookOfRatings, ratingsId } from '../likers/operations.ts';
import { ratings } from './aggregate.ts';

/** The jobs that keep the shards of the ratings of a book few. */

const moveRating = movedBy(
  ratings,
  ({ userId, likeableId }) => ({ userId, bookId: bookOfRatings(likeableId) ?? '' }),
  ({ quarters }) => quarters !== null,
);

/** Makes a job about the likers of a likeable one about the ratings of a book. */
const ofRatings =
  (work: JobHandler): JobHandler =>
  (app, bookId, position) =>
    work(app, bookId, position, ratingsId(bookId));

export const mergeRatings = ofRatings(mergeLikers(moveRating));

export const sumUpRatings = ofRatings(sumUpLikers);
