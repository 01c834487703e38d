import { z } from 'zod';
import { aggregate, type Content } from '../aggregates/aggregate.ts';
import { batch, bind, write } from '../cassandra/statement.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import { untilShown } from '../context/shown.ts';
import { UserError } from '../graphql/errors.ts';
import { idInput } from '../graphql/ids.ts';
import { accountById, accountNow, requireViewer, type User } from '../identity/operations.ts';
import { forgetHidden, shownReader } from '../identity/privacy.ts';
import {
  blockedReaders,
  blockStates,
  eraseHiddenOne,
  insertBlocks,
  insertIsBlocked,
  type BlockState,
} from './tables.ts';

/** How readers come to see nothing of each other: one of the two blocks the other, which is one decision in two directions. */

/** `userId` blocks `otherId`. */
const blockKey = z.strictObject({ userId: z.uuid(), otherId: z.uuid() });
type BlockKey = z.infer<typeof blockKey>;

/** So many are read at once with every page that shows readers. */
const BLOCKS_MAX = 1_000;

/** What a block or its end answers. */
interface BlockAnswer {
  readonly user: User;
  readonly changed: boolean;
}

/**
 * Lets the viewer and another reader see nothing of each other.
 * @returns `changed`: false when the viewer blocked them already
 * @throws {UserError} `INVALID_INPUT` or `NOT_FOUND`, about `id`
 */
export async function block(context: RequestContext, input: { id: string }): Promise<BlockAnswer> {
  const { user, key, expected } = await blockInput(context, input.id);
  if (!expected?.blocked) await mustBeFew(context, key.userId);

  return changeBlock(context, user, key, expected, (state, at) =>
    state?.blocked ? undefined : { blocked: true, blocked_at: at },
  );
}

/**
 * Takes a block of the viewer's back.
 * @returns `changed`: false when the viewer did not block them
 * @throws {UserError} `INVALID_INPUT` or `NOT_FOUND`, about `id`
 */
export async function unblock(context: RequestContext, input: { id: string }): Promise<BlockAnswer> {
  const { user, key, expected } = await blockInput(context, input.id);

  return changeBlock(context, user, key, expected, (state) =>
    state?.blocked ? { ...state, blocked: false } : undefined,
  );
}

/**
 * The other reader of a block, and how it stands with it. Who blocks the viewer is nobody to them, unless they block that
 * reader as well: nobody learns who blocks them.
 */
async function blockInput(context: RequestContext, id: string) {
  const viewer = await requireViewer(context);
  const { type, key: otherId } = idInput('id', id);
  const wrong = (message: string) => new UserError('INVALID_INPUT', message, ['input', 'id']);
  if (type !== 'User') throw wrong(`This is the id of a ${type}, which nobody can block; readers can be.`);
  if (otherId === viewer.id) throw wrong('This is your own id; you can block others.');
  const key = { userId: viewer.id, otherId };

  const expected = await blocks.read(context, key);
  const user = await (expected?.blocked ? accountById : shownReader)(context, otherId);
  if (!user) throw new UserError('NOT_FOUND', 'No reader has this id.', ['input', 'id']);
  return { user, key, expected };
}

async function mustBeFew({ cassandra }: RequestContext, userId: string): Promise<void> {
  const slice = { descending: true, from: undefined, limit: BLOCKS_MAX };
  const blocked = await blockedReaders.read(cassandra, { user_id: userId }, slice);
  if (blocked.length < BLOCKS_MAX) return;
  const message = `You block ${BLOCKS_MAX.toLocaleString('en')} readers, and nobody can block more. Unblock somebody first.`;
  throw new UserError('INVALID_INPUT', message, ['input', 'id']);
}

async function changeBlock(
  context: RequestContext,
  user: User,
  key: BlockKey,
  expected: BlockState | undefined,
  next: (state: BlockState | undefined, at: Date) => Content<BlockState> | undefined,
): Promise<BlockAnswer> {
  const { changed } = await blocks.change(context, key, expected, next);
  await untilShown(context);
  forgetHidden(context);
  return { user, changed };
}

/** The source of truth for who blocks whom, and what is projected from it. */
export const blocks = aggregate({
  name: 'block',
  key: blockKey,
  table: blockStates,
  rowKey: ({ userId, otherId }) => ({ user_id: userId, other_id: otherId }),
  tombstone: { blocked: false, blocked_at: null },
  owner: bothNow,
  erase: forgetBlocks,
  // A new block no longer knows the moment of the former one, under which the list has it.
  forgets: (former, next) => former.blocked_at?.getTime() !== next.blocked_at?.getTime(),
  projections: (app, key, { blocked, blocked_at, version }) => {
    if (!blocked_at) return [];
    const { userId, otherId } = key;
    const of = { version: BigInt(version) };
    const hidden = () =>
      batch(app.cassandra, [
        bind(insertBlocks, { ...of, user_id: userId, other_id: otherId, blocks: blocked }),
        bind(insertIsBlocked, { ...of, user_id: otherId, other_id: userId, is_blocked: blocked }),
      ]);
    const row = { ...of, user_id: userId, other_id: otherId, blocked_at };
    const list = () => write(app.cassandra, blocked ? blockedReaders.insert : blockedReaders.delete, row);
    // An erasure of either reader that did not find these rows yet began before they were written.
    const readers = async () => {
      if (!(await bothNow(app, key))) await forgetBlocks(app, key);
    };
    return [{ hidden, list }, { readers }];
  },
});

/** Both readers of a block, as they are now; `undefined` when the account of one is deleted. */
async function bothNow(app: AppContext, { userId, otherId }: BlockKey): Promise<object | undefined> {
  const accounts = await Promise.all([accountNow(app, userId), accountNow(app, otherId)]);
  return accounts.every((account) => account !== undefined) ? {} : undefined;
}

/**
 * Forgets the blocks between two readers, the account of one of whom is deleted. May be repeated at any time. The rows that lead to either
 * block go last, once both are forgotten: an erasure that comes when this was not finished finds them by these rows.
 */
export async function forgetBlocks(app: AppContext, key: BlockKey): Promise<void> {
  const { userId, otherId } = key;
  const opposite = { userId: otherId, otherId: userId };
  await Promise.all([forgetBlock(app, key), forgetBlock(app, opposite)]);
  // Neither is ever hidden from the other again, so that the rows go for good.
  await batch(app.cassandra, [
    bind(eraseHiddenOne, { user_id: userId, other_id: otherId }),
    bind(eraseHiddenOne, { user_id: otherId, other_id: userId }),
  ]);
}

/** Forgets that a reader blocks another one, but for the rows that lead to it. */
const forgetBlock = (app: AppContext, key: BlockKey): Promise<void> =>
  blocks.forget(app, key, async ({ blocked_at, version }) => {
    if (!blocked_at) return;
    const row = { user_id: key.userId, other_id: key.otherId, blocked_at, version: BigInt(version + 1) };
    await write(app.cassandra, blockedReaders.delete, row);
  });
