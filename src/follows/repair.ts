import { page } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { follows } from './aggregate.ts';
import { selectFollows, type FollowState } from './tables.ts';

/**
 * Runs a function for each follow on a page of a reader's follows, one after the other: concurrent
 * conditional writes in one partition would contend.
 * @param after the end of the former page, '' at first
 * @returns the end of this page, `undefined` when all are done
 */
export async function eachOfSomeFollows(
  { cassandra }: AppContext,
  userId: string,
  after: string,
  work: (followedId: string, state: FollowState) => Promise<void>,
): Promise<string | undefined> {
  const some = await page(cassandra, selectFollows, { user_id: userId }, after);
  for (const { followed_id, state } of some.rows) await work(followed_id, state);
  return some.pageState;
}

/**
 * Writes the current name and audience of a reader into a page of the lists of followers with them.
 * It is safe while callers, recovery or repairs work on the same follow.
 * @returns the end of the page, `undefined` when all are done
 */
export const projectSomeFollows = (app: AppContext, userId: string, after: string) =>
  eachOfSomeFollows(app, userId, after, async (followedId, { followed }) => {
    if (followed) await follows.repair(app, { userId, followedId });
  });
