import type { Content } from '../aggregates/state.ts';
import type { RequestContext } from '../context/context.ts';
import { untilShown } from '../context/shown.ts';
import { connection, type Connection, type PageArguments, type Cursor } from '../graphql/connections.ts';
import { invalidInput } from '../graphql/errors.ts';
import { idInput } from '../graphql/ids.ts';
import { accountById, noSuchReader, requireViewer, type User } from '../identity/operations.ts';
import { forgetHidden, shownReader } from '../identity/privacy.ts';
import { blocks, type BlockKey } from './aggregate.ts';
import { blockedReaders, type BlockState } from './tables.ts';

/** Blocks and unblocks readers, and lists the readers whom a reader blocks. */

/** The maximum number of blocks of a reader. Each page that shows readers reads all of them. */
const BLOCKS_MAX = 1_000;

/** The payload of `block` and `unblock`. */
interface BlockAnswer {
  readonly user: User;
  readonly changed: boolean;
}

/**
 * Hides the viewer and another reader from each other.
 * @returns `changed`: false if the viewer blocked the reader already
 * @throws {UserError} `INVALID_INPUT` or `NOT_FOUND`, about `id`
 */
export async function block(context: RequestContext, input: { id: string }): Promise<BlockAnswer> {
  const { user, key, expected } = await blockInput(context, input.id);
  if (!expected?.blocked) await requireBlocksLeft(context, key.userId);

  return changeBlock(context, user, key, expected, (state, at) =>
    state?.blocked ? undefined : { blocked: true, blocked_at: at },
  );
}

/**
 * Removes a block of the viewer.
 * @returns `changed`: false if the viewer did not block the reader
 * @throws {UserError} `INVALID_INPUT` or `NOT_FOUND`, about `id`
 */
export async function unblock(context: RequestContext, input: { id: string }): Promise<BlockAnswer> {
  const { user, key, expected } = await blockInput(context, input.id);

  return changeBlock(context, user, key, expected, (state) =>
    state?.blocked ? { ...state, blocked: false } : undefined,
  );
}

/**
 * Reads the other reader of a block, and the state of the block. A reader who blocks the viewer is
 * not found unless the viewer blocks them as well, so that viewers do not learn who blocks them.
 */
async function blockInput(context: RequestContext, id: string) {
  const viewer = await requireViewer(context);
  const { type, key: otherId } = idInput('id', id);
  const wrong = (message: string) => invalidInput(['id'], message);
  if (type !== 'User')
    throw wrong(`This is the id of a ${type}, which cannot be blocked; only readers can be blocked.`);
  if (otherId === viewer.id) throw wrong('This is your own id; you can block others.');
  const key = { userId: viewer.id, otherId };

  const expected = await blocks.read(context, key);
  const user = await (expected?.blocked ? accountById : shownReader)(context, otherId);
  if (!user) throw noSuchReader();
  return { user, key, expected };
}

async function requireBlocksLeft(context: RequestContext, userId: string): Promise<void> {
  if ((await countBlocked(context, userId)) < BLOCKS_MAX) return;
  const message =
    `You block ${BLOCKS_MAX.toLocaleString('en')} readers, and nobody can block more. ` + 'Unblock a reader first.';
  throw invalidInput(['id'], message);
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

/** Counts the readers whom a reader blocks. Concurrent calls may exceed the maximum. */
async function countBlocked({ cassandra }: RequestContext, userId: string): Promise<number> {
  const slice = { descending: true, from: undefined, limit: 2 * BLOCKS_MAX };
  return (await blockedReaders.read(cassandra, { user_id: userId }, slice)).length;
}

/** A reader whom a reader blocks. */
export interface BlockedReaderEdge {
  readonly cursor: Cursor;
  readonly userId: string;
  readonly blockedAt: Date;
}

/** A page of the readers whom a reader blocks. */
export interface BlockedReaderConnection extends Connection<BlockedReaderEdge> {
  readonly totalCount: () => Promise<number>;
}

/**
 * Returns a page of the readers whom a reader blocks, most recently blocked first.
 * @throws `BAD_USER_INPUT` when the paging arguments cannot be used
 */
export async function blockedOf(
  context: RequestContext,
  userId: string,
  page: PageArguments,
): Promise<BlockedReaderConnection> {
  const list = {
    ...blockedReaders.list(context.cassandra, { user_id: userId }),
    name: `blocked ${userId}`,
    descending: true,
  };
  const found = await connection(page, list, ({ blocked_at, other_id }, cursor) => ({
    cursor,
    userId: other_id,
    blockedAt: blocked_at,
  }));
  return { ...found, totalCount: () => countBlocked(context, userId) };
}
