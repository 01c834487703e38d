import { registeredAtOf } from '../identity/operations.ts';
import { each, write } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import type { PersonalTable } from '../erasure/personal-table.ts';
import { isTombstone } from '../aggregates/state.ts';
import { forgetLike } from './aggregate.ts';
import { eachOfSomeLikes } from './repair.ts';
import { eraseItems, selectLikes } from './tables.ts';

async function* likesOfUser({ cassandra }: AppContext, user_id: string): AsyncGenerator<object> {
  for await (const { likeable_id, state } of each(cassandra, selectLikes, { user_id })) {
    if (isTombstone(state)) continue;
    const { liked, liked_at, changed_at } = state;
    yield { likeable: likeable_id, liked, likedAt: liked_at, changedAt: changed_at };
  }
}

export const personalData: readonly PersonalTable[] = [
  {
    table: 'item_by_user',
    exported: 'a projection of likes_by_user, with the titles of the books',
    erased: async (app, userId) => {
      const registeredAt = await registeredAtOf(app, userId);
      // The next year is included, because a like in progress may still be written there.
      for (let year = registeredAt.getUTCFullYear(); year <= app.clock().getUTCFullYear() + 1; year++)
        await write(app.cassandra, eraseItems, { user_id: userId, year });
    },
  },
  {
    table: 'likes_by_user',
    exported: likesOfUser,
    erased: (app, userId, after) =>
      eachOfSomeLikes(app, userId, after, (likeableId) => forgetLike(app, { userId, likeableId })),
  },
];
