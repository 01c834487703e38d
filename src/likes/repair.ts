import pLimit from 'p-limit';
import { z } from 'zod';
import { page } from '../cassandra/statement.ts';
import type { AppContext, JobHandler } from '../context/context.ts';
import { subjectOf } from '../graphql/ids.ts';
import { eachOfSomeLikers, FIRST_LIKER, likerPosition, type LikerPosition } from '../member-sets/operations.ts';
import { copiesCalledAsTheirBook } from '../market/aggregate.ts';
import { likes } from './aggregate.ts';
import { selectLikes, type LikeState } from './tables.ts';

/**
 * Jobs that write likes again. Each is safe while callers, recovery or repairs work on the same
 * like.
 */

const LIKES_AT_ONCE = 16;

/**
 * Runs a function for each like on a page of a reader's likes.
 * @param after the end of the former page, '' at first
 * @returns the end of this page, `undefined` when all are done
 */
export async function eachOfSomeLikes(
  { cassandra }: AppContext,
  userId: string,
  after: string,
  work: (likeableId: string, state: LikeState) => Promise<void>,
): Promise<string | undefined> {
  const some = await page(cassandra, selectLikes, { user_id: userId }, after);
  await pLimit(LIKES_AT_ONCE).map(some.rows, ({ likeable_id, state }) => work(likeable_id, state));
  return some.pageState;
}

/**
 * Writes the current name and audience of a reader into a page of the lists of likers with them.
 * @returns the end of the page, `undefined` when all are done
 */
export const projectSomeLikes = (app: AppContext, userId: string, after: string) =>
  eachOfSomeLikes(app, userId, after, async (likeableId, { liked }) => {
    if (liked) await likes.repair(app, { userId, likeableId });
  });

/**
 * Writes the current title and authors of a likeable into a page of its likes. A like that is not
 * counted yet reads them later.
 * @returns the end of the page, `undefined` when all are done
 */
const repairSomeLikes = (app: AppContext, likeableId: string, from: LikerPosition) =>
  eachOfSomeLikers(app, likeableId, from, (userId) => likes.repair(app, { userId, likeableId }));

/** The job that writes the current title and authors of a book or copy into its likes. */
export const retitleSomeLikes: JobHandler = async (app, _key, after, likeableId) => {
  const position = after === '' ? FIRST_LIKER : likerPosition.parse(JSON.parse(after));
  const next = await repairSomeLikes(app, likeableId, position);
  return next && JSON.stringify(next);
};

/**
 * A position among a book's copies, and among the likes of the next copy; unset before its first.
 */
const copyPosition = z.strictObject({ copy: z.string(), likes: likerPosition.optional() });

/**
 * Writes the current title of a book into a page of the likes of its copies without their own
 * title, for sale or not.
 * @returns the end of the page, `undefined` when all are done
 */
export async function retitleSomeLikesOfCopies(
  app: AppContext,
  bookId: string,
  after: string,
): Promise<string | undefined> {
  const { copy, likes = FIRST_LIKER } = after === '' ? { copy: '' } : copyPosition.parse(JSON.parse(after));
  const { copies, next } = await copiesCalledAsTheirBook(app, bookId, copy, 1);
  const [found] = copies;

  const behind = found && (await repairSomeLikes(app, subjectOf({ type: 'Item', key: found.itemId }), likes));
  if (behind) return JSON.stringify({ copy, likes: behind });
  return next && JSON.stringify({ copy: next });
}
