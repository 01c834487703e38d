import { bookEvenRemoved } from '../../../src/catalogue/operations.ts';
import { encodeId } from '../../../src/graphql/ids.ts';
import { existingAccount } from '../../../src/identity/operations.ts';
import { ratingsId } from '../../../src/member-sets/operations.ts';
import { tallyLoader } from '../../../src/member-sets/tally.ts';
import { rateBook, unrateBook, viewerRating } from '../../../src/ratings/operations.ts';
import type { Effect } from '../../support/history.ts';
import { begin } from '../library.ts';
import { attempt, contextOf, type Outcome, type Scene } from './act.ts';
import type { RatingVerb } from './verbs.ts';

const VERBS = ['rate 1', 'rate 4.75', 'rate 4.75', 'unrate', 'look'] as const;

/** The state of a reader and a book that they have not rated. */
export const UNRATED = 'none';

/** Computes the next state of a rating after a call: the stars, as a text. */
export const effectOnRating: Effect<RatingVerb, string> = (state, verb) => {
  if (verb === 'look') return { state, answer: state };
  const next = verb === 'unrate' ? UNRATED : verb.replace('rate ', '');
  return { state: next, answer: String(next !== state) };
};

/** A reader rates a book, takes that back, or reads their rating. */
export async function callRatings(scene: Scene): Promise<Outcome> {
  const { world, library } = scene;
  const [userId, bookId, verb] = [world.pick(library.readers), world.pick(library.books), world.pick(VERBS)];
  const call = begin(library.ratings, `${userId} ${bookId}`, verb, world.steps);
  const came = await attempt(scene, () => changeOrLook(scene, userId, bookId, verb));
  if (came.outcome === 'REFUSED') call.withdraw();
  if (came.outcome === 'DONE') call.end(world.steps, came.result);
  return came.outcome;
}

async function changeOrLook(scene: Scene, userId: string, key: string, verb: RatingVerb): Promise<string> {
  const context = contextOf(scene, userId);
  const bookId = encodeId({ type: 'Book', key });
  if (verb === 'unrate') return String((await unrateBook(context, { bookId })).changed);
  if (verb !== 'look') {
    const rating = Number(verb.replace('rate ', ''));
    return String((await rateBook(context, { bookId, rating })).changed);
  }

  // A rating of a book that does not exist is refused.
  if (!(await bookEvenRemoved(context, key))) return UNRATED;
  await existingAccount(context, userId);
  const { count, histogram, isExact } = await tallyLoader(context).load(ratingsId(key));
  const sum = histogram.reduce((total, each) => total + each, 0);
  if (isExact && (sum !== count || Math.min(...histogram) < 0))
    scene.problems.push(`the ratings of ${key} are ${count}, and ${histogram.join()} by quarters`);
  return String((await viewerRating(context, key)) ?? UNRATED);
}
