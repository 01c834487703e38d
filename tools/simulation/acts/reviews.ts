import { encodeId } from '../../../src/graphql/ids.ts';
import { deleteReview, viewerReview, writeReview } from '../../../src/reviews/operations.ts';
import { takeDown } from '../../../src/takedowns/operations.ts';
import type { Effect } from '../../support/history.ts';
import { begin } from '../library.ts';
import { attempt, contextOf, type Outcome, type Scene } from './act.ts';
import type { ReviewVerb } from './verbs.ts';

const VERBS = ['write Good', 'write Good', 'write Bad', 'delete', 'delete', 'look', 'take down'] as const;
/** A review that was taken down cannot be written any more, so the probability is low. */
const TAKE_DOWN_CHANCE = 0.3;

/** The state of a reader and a book without a review. */
export const NO_REVIEW = '';
const TAKEN_DOWN = ', taken down';

/** Returns the state of a review, as a text. The take-down outlives a deletion. */
export const reviewText = (text: string, isTakenDown: boolean): string => `${text}${isTakenDown ? TAKEN_DOWN : ''}`;

/**
 * Computes the next state of a review after a call. A call that writes, deletes or takes down
 * learns whether that changed something.
 */
export const effectOnReview: Effect<ReviewVerb, string> = (state, verb) => {
  const isTakenDown = state.endsWith(TAKEN_DOWN);
  const text = isTakenDown ? state.slice(0, -TAKEN_DOWN.length) : state;
  const become = (next: string) => ({ state: next, answer: String(next !== state) });
  if (verb === 'look') return { state, answer: text === '' ? NO_REVIEW : state };
  if (verb === 'delete') return become(reviewText('', isTakenDown));
  if (verb === 'take down') return text === '' ? { state, answer: 'false' } : become(reviewText(text, true));
  // Writing is refused then.
  return isTakenDown ? { state, answer: 'refused' } : become(verb.replace('write ', ''));
};

/** A reader writes, deletes or reads a review of a book; or the administrator takes it down. */
export async function callReviews(scene: Scene): Promise<Outcome> {
  const { world, library } = scene;
  // Most calls concern the first reviews, so that calls contend.
  const few = [...library.reviews.keys()].slice(0, 3);
  const pair =
    few.length > 0 && world.chance(0.8)
      ? world.pick(few)
      : `${world.pick(library.readers)} ${world.pick(library.books)}`;
  const [userId = '', bookId = ''] = pair.split(' ');
  const wanted = world.pick(VERBS);
  const verb = wanted === 'take down' && !world.chance(TAKE_DOWN_CHANCE) ? 'look' : wanted;
  const call = begin(library.reviews, pair, verb, world.steps);
  const came = await attempt(scene, () => changeOrLook(scene, userId, bookId, verb));
  if (came.outcome === 'REFUSED') call.withdraw();
  if (came.outcome === 'DONE') call.end(world.steps, came.result);
  return came.outcome;
}

async function changeOrLook(scene: Scene, userId: string, key: string, verb: ReviewVerb): Promise<string> {
  const { library } = scene;
  const context = contextOf(scene, userId);
  const bookId = encodeId({ type: 'Book', key });
  if (verb === 'look') {
    const review = await viewerReview(context, key);
    return review ? reviewText(review.text, review.takenDownAt !== null) : NO_REVIEW;
  }
  if (verb === 'delete') return String((await deleteReview(context, { bookId })).changed);
  if (verb === 'take down') {
    const review = await viewerReview(context, key);
    if (!review) return 'false';
    const id = encodeId({ type: 'Review', key: review.id });
    const administrator = contextOf(scene, library.administrator);
    return String((await takeDown(administrator, { id, reason: 'It offends' })).changed);
  }
  const said = { bookId, text: verb.replace('write ', ''), hasSpoilers: false };
  const { changed, review } = await writeReview(context, said);
  if (review) library.writtenReviews.add(review.id);
  return String(changed);
}
