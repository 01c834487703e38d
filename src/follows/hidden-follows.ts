import type { ComparedList } from '../aggregates/projected-list.ts';
import { areHiddenNow, hiddenAmongNow } from '../identity/privacy.ts';
import { ended, type FollowKey } from './aggregate.ts';
import { followStates, type FollowState } from './tables.ts';

/**
 * Compares follows and requests with blocks: none may remain of two readers who are hidden from
 * each other. The repair projects the follow again, which ends it.
 */
export const hiddenFollows: ComparedList<FollowKey, FollowState, unknown> = {
  table: followStates.name,
  lacking: async (app, found) => {
    const byReader = Map.groupBy(
      found.filter(({ state }) => ended(state)),
      ({ key }) => key.userId,
    );
    const left = [...byReader].map(async ([userId, ofReader]) => {
      const hidden = await hiddenAmongNow(
        app,
        userId,
        ofReader.map(({ key }) => key.followedId),
      );
      return ofReader.filter(({ key }) => hidden.has(key.followedId));
    });
    return (await Promise.all(left)).flat();
  },
  wrong: async (app, of) => {
    if (!of || !ended(of.state)) return [];
    const { userId, followedId } = of.key;
    return (await areHiddenNow(app, userId, followedId)) ? [WRONG_FOLLOW] : [];
  },
};

/** A follow that must end. The projection of its next version ends it. */
const WRONG_FOLLOW = {
  written: 0,
  isTooMany: false,
  remove: async () => undefined,
  afterRepair: async () => undefined,
};
