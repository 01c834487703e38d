import { existingAccount } from '../identity/operations.ts';
import { everyRow } from '../cassandra/paging.ts';
import { rows, write } from '../cassandra/statement.ts';
import { requestContext, ANONYMOUS, type AppContext } from '../context/context.ts';
import { ERASED_FOR_GOOD, type PersonalTable } from '../erasure/personal-table.ts';
import { isTombstone } from '../aggregates/aggregate.ts';
import { forgetLike } from './aggregate.ts';
import { eachOfSomeLikes } from './repair.ts';
import { eraseItems, walkLikesWithin, type LikeWalked } from './tables.ts';

const ROWS_PER_READ = 500;

async function* likesOfUser({ cassandra }: AppContext, userId: string): AsyncGenerator<object> {
  const every = everyRow<LikeWalked>(ROWS_PER_READ, (last) => {
    const slice = { user_id: userId, likeable_id: last?.likeable_id ?? '', rows_max: ROWS_PER_READ };
    return rows(cassandra, walkLikesWithin, slice);
  });
  for await (const { likeable_id, state } of every) {
    if (isTombstone(state)) continue;
    const { liked, liked_at, changed_at } = state;
    yield { likeable: likeable_id, liked, likedAt: liked_at, changedAt: changed_at };
  }
}

export const personalData: readonly PersonalTable[] = [
  {
    table: 'item_by_user',
    exported: 'follows from likes_by_user, with the titles of the books',
    erased: async (app, userId) => {
      const { registeredAt } = await existingAccount(requestContext(app, ANONYMOUS), userId);
      // The next year as well: a like that is under way may still be written there.
      for (let year = registeredAt.getUTCFullYear(); year <= app.clock().getUTCFullYear() + 1; year++)
        await write(app.cassandra, eraseItems, { user_id: userId, year, write_timestamp: ERASED_FOR_GOOD });
      return undefined;
    },
  },
  {
    table: 'likes_by_user',
    exported: likesOfUser,
    erased: (app, userId, after) =>
      eachOfSomeLikes(app, userId, after, (likeableId) => forgetLike(app, { userId, likeableId })),
  },
  {
    table: 'user_by_item',
    exported: 'follows from likes_by_user, with the name',
    erased: 'with likes_by_user: the row loses the name at once, and goes by itself after a day',
  },
];
