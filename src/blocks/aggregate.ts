import { z } from 'zod';
import { uuid } from '../cassandra/columns.ts';
import { aggregate } from '../aggregates/aggregate.ts';
import { projectedList } from '../aggregates/projected-list.ts';
import { batch, bind } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { endFollowsIfHidden } from '../follows/aggregate.ts';
import { readersNow } from '../identity/operations.ts';
import {
  blockedReaders,
  blockStates,
  eraseHiddenOne,
  insertBlocks,
  insertIsBlocked,
  type BlockState,
} from './tables.ts';

/** The kind of a block: a decision of one reader that hides two readers from each other. */

/** The key of a block: `userId` blocks `otherId`. */
const blockKey = z.strictObject({ userId: uuid, otherId: uuid });
export type BlockKey = z.infer<typeof blockKey>;

const rowsOf = ({ userId, otherId }: BlockKey, { blocked_at }: BlockState) =>
  blocked_at ? [{ user_id: userId, other_id: otherId, blocked_at }] : [];

const ofReader = projectedList(blockedReaders, {
  rowsOf: (key: BlockKey, state: BlockState) => (state.blocked ? rowsOf(key, state) : []),
  formerKeysOf: rowsOf,
});

/** The source of truth for blocks, and its projections. */
export const blocks = aggregate({
  name: 'block',
  key: blockKey,
  table: blockStates,
  rowKey: ({ userId, otherId }) => ({ user_id: userId, other_id: otherId }),
  tombstone: { blocked: false, blocked_at: null },
  projectionContext: (app, { userId, otherId }) => readersNow(app, [userId, otherId]),
  shownAs: ({ userId, otherId }) => [userId, otherId].map((key) => ({ kind: 'HIDDEN_READERS', key })),
  erase: forgetBlocks,
  // The list is sorted by the moment of the block. The state of a new block lacks the moment of the
  // former one. And a block that is taken back must have ended the follows before.
  needsFormerProjection: (former, next) =>
    former.blocked_at?.getTime() !== next.blocked_at?.getTime() || (former.blocked && !next.blocked),
  projections: (app, key, state) => {
    const { blocked, blocked_at, version } = state;
    if (!blocked_at) return [];
    const { userId, otherId } = key;
    const of = { version: BigInt(version) };
    const hidden = () =>
      batch(app.cassandra, [
        bind(insertBlocks, { ...of, user_id: userId, other_id: otherId, blocks: blocked }),
        bind(insertIsBlocked, { ...of, user_id: otherId, other_id: userId, is_blocked: blocked }),
      ]);
    const list = () => batch(app.cassandra, ofReader.writes(key, state, undefined));
    // A follow that is made later reads the rows of the hidden readers, and ends itself.
    const follows = () => endFollowsIfHidden(app, userId, otherId);
    // An erasure of either reader may have missed these rows. It then began before they were
    // written, so this read sees it.
    const readers = async () => {
      if (!(await readersNow(app, [key.userId, key.otherId]))) await forgetBlocks(app, key);
    };
    return [
      { hidden, list },
      { readers, ...(blocked && { follows }) },
    ];
  },
});

/**
 * Deletes the blocks between two readers if the account of one is deleted. It can be repeated at
 * any time. The rows that lead to the blocks are deleted last, so that another erasure can finish
 * an interrupted one.
 */
export async function forgetBlocks(app: AppContext, key: BlockKey): Promise<void> {
  const { userId, otherId } = key;
  const opposite = { userId: otherId, otherId: userId };
  await Promise.all([forgetBlock(app, key), forgetBlock(app, opposite)]);
  // The rows are deleted permanently, because the two readers will never be hidden from each other
  // again.
  await batch(app.cassandra, [
    bind(eraseHiddenOne, { user_id: userId, other_id: otherId }),
    bind(eraseHiddenOne, { user_id: otherId, other_id: userId }),
  ]);
}

/** Deletes a block, except for the rows that lead to it. */
const forgetBlock = (app: AppContext, key: BlockKey): Promise<void> =>
  blocks.forget(app, key, async (state) => {
    if (!state.blocked_at) return;
    const taken = { ...state, blocked: false, version: state.version + 1 };
    await batch(app.cassandra, ofReader.writes(key, taken, undefined));
  });
